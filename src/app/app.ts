import type * as vscode from 'vscode';
import { AttachmentPreview } from '../commands/attachments/preview.ts';
import { type Composer, createComposer } from '../commands/composer/createComposer.ts';
import { FinishedNotices } from '../commands/notices/finished.ts';
import { linkFollower } from '../commands/sessions/links.ts';
import { MessageActions } from '../commands/conversation/messageActions.ts';
import { MessageFiles } from '../commands/conversation/messageFiles.ts';
import { PageRequests, type PageRequestContext } from '../commands/page/pageRequests.ts';
import { errorMessageOf, showCommandError } from '../commands/errors.ts';
import type { RunCommand } from '../commands/register.ts';
import { commandRunner } from '../commands/runCommand.ts';
import { exportUsage } from '../commands/conversation/usage.ts';
import { copyDetails, retry } from '../commands/notices/support.ts';
import { demoStarter } from './demo.ts';
import type { Disposables } from '../shared/lifecycle.ts';
import { fileSchemes } from '../host/readOnlyFiles/fileSystem.ts';
import { composerSettings, readSettings } from '../host/settings.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { TreeRow } from '../state/sessions/tree.ts';
import { ConversationDocuments } from '../views/documents/conversationDocuments.ts';
import { documentWords } from '../views/documents/documentStrings.ts';
import type { ViewProviders } from '../views/lazyViews.ts';
import { Views } from '../views/views.ts';
import { commandTable } from './commandTable.ts';
import { type Services, createServices } from './services.ts';

/** What a window is given to open the deck in. */
export interface AppOptions {
  readonly context: vscode.ExtensionContext;
  /** Where everything is kept. */
  readonly dataFolder: string;
  readonly treeView: vscode.TreeView<TreeRow>;
  /** Owns all that is opened. */
  readonly own: Disposables;
}

/** Everything the extension is and does, behind what VS Code is told of at its start. */
export interface App {
  readonly surfaces: ViewProviders;
  readonly runCommand: RunCommand;
  readonly followLink: (uri: vscode.Uri) => Promise<void>;
  /** Goes on with what the last window left. */
  readonly startIfDue: () => Promise<void>;
  /** Writes what is not on disk yet. */
  readonly stopWriting: () => Promise<void>;
}

/** Puts the rooms together. What is kept is read when somebody looks, or by `startIfDue`. */
export function createApp({ context, dataFolder, treeView, own }: AppOptions): App {
  const core = createServices(context, dataFolder, own);
  const composer = createComposer(core, context.workspaceState, own);
  const documents = own.add(new ConversationDocuments({ ...core, words: documentWords(core.t) }));
  const messageActions = new MessageActions(core);
  const preview = new AttachmentPreview(core);
  const files = new MessageFiles(core);
  const openMessage = (key: SessionKey, messageId: string) => documents.openMessage(key, messageId);
  const page = { ...composer, openMessage, messageActions, preview, files };
  const views = own.add(new Views({ ...viewOptions(core, page), extensionUri: context.extensionUri, treeView }));
  const openConversation = (key: SessionKey, messageId?: string, focus?: boolean) => {
    core.store.setCurrent(key);
    return views.conversation.reveal(messageId, focus);
  };
  own.add(new FinishedNotices({ ...core, openConversation, whenFinished: () => readSettings().whenFinished }));
  const startDemo = demoStarter(own, core.log);
  const table = commandTable(core, { views, documents, composer, messageActions, startDemo, openConversation });
  const tell = (error: unknown, again: () => unknown) =>
    showCommandError(error, errorMessageOf(error, readSettings(), core.t), core.secrets(), core.t, again);
  const { sessions, conversation, editors, usage } = views;
  const fileSources = {
    [fileSchemes.conversation]: documents,
    [fileSchemes.message]: files.files,
    [fileSchemes.attachment]: preview.files,
  };
  return {
    surfaces: { sessions, conversation, editors, usage, files: fileSources },
    runCommand: commandRunner(table, core.wake, tell, core.log),
    followLink: linkFollower(core, tell),
    startIfDue: core.startIfDue,
    stopWriting: core.stopWriting,
  };
}

type PageParts = Composer & Pick<PageRequestContext, 'openMessage' | 'messageActions' | 'preview' | 'files'>;

function viewOptions(core: Services, page: PageParts) {
  const support = { retry: () => retry(core), copyDetails: (key?: SessionKey) => copyDetails(core, key) };
  return {
    ...core,
    exportUsage: (key: SessionKey) => exportUsage(core, key),
    requests: new PageRequests({ ...core, ...support, ...page }),
    composerSettings,
    times: () => readSettings().times,
    onFirstLook: () => void core.wake(),
  };
}
