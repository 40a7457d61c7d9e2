import * as path from 'node:path';
import * as vscode from 'vscode';
import { accountCommands } from './commands/account.ts';
import { archiveCommands } from './commands/archiving.ts';
import { attachingCommands } from './commands/attaching.ts';
import { AttachmentPreview } from './commands/attachmentPreview.ts';
import { Attachments } from './commands/attachments.ts';
import { composerCommands } from './commands/composerCommands.ts';
import { type Composer, composerOf } from './commands/composerOf.ts';
import { rememberCurrent } from './commands/currentSession.ts';
import { documentCommands } from './commands/documents.ts';
import { settingsCommands } from './commands/editSettings.ts';
import { tellRefusedKey } from './commands/keyNotice.ts';
import { MessageFiles } from './commands/messageFiles.ts';
import { MessageActions } from './commands/messageActions.ts';
import { PageRequests, type PageRequestParts } from './commands/pageRequests.ts';
import { sentenceOf, tellError } from './commands/problems.ts';
import { readingCommands } from './commands/reading.ts';
import { registerCommands } from './commands/register.ts';
import { sendingCommands } from './commands/sending.ts';
import { deckEntryCommands } from './commands/deckEntries.ts';
import { findCommands } from './commands/findSessions.ts';
import { exportCommands } from './commands/exportConversation.ts';
import { FinishedNotices } from './commands/finishedNotices.ts';
import { followLinks, linkCommands } from './commands/links.ts';
import { unreadCommands } from './commands/unread.ts';
import { sessionCommands } from './commands/sessions.ts';
import { copyDetails, retry, supportCommands } from './commands/support.ts';
import { startOf } from './commands/start.ts';
import { exportUsage, usageCommands } from './commands/showUsage.ts';
import { TreeChoices } from './commands/treeChoices.ts';
import { demoStarter } from './demo.ts';
import { Disposables } from './events.ts';
import { AccessKeys } from './host/accessKeys.ts';
import { developmentService } from './host/developmentDoor.ts';
import { openEditorLog } from './host/editorLog.ts';
import { KeyEpochs } from './host/keyEpochs.ts';
import { roamingMemory } from './host/roamingMemory.ts';
import { composerSettings, readSettings, settingSources } from './host/settings.ts';
import type { SessionKey } from './state/sessionKey.ts';
import { Store } from './state/store.ts';
import type { Translate } from './state/words.ts';
import { systemClock } from './sync/clock.ts';
import { MessageCache } from './sync/messageCache.ts';
import { cacheFolder } from './sync/sessionSummaries.ts';
import { Sync } from './sync/sync.ts';
import { ConversationDocuments } from './views/conversationDocuments.ts';
import { documentWords } from './views/documentWords.ts';
import { Readings } from './views/readings.ts';
import { Views } from './views/views.ts';

/** Set by the build: false in what is packaged, which then has no development door at all. */
declare const isDevelopmentBuild: boolean;

/** The editor calls `deactivate` without saying for what: the one thing that has to be kept outside a function. */
const ending: { stopWriting?: () => Promise<void> } = {};

/** Puts the rooms together. Nothing is read but one small file, and nothing asked for, until somebody looks. */
export function activate(context: vscode.ExtensionContext): void {
  const own = new Disposables();
  context.subscriptions.push(own);
  const core = openCore(context, own);
  const composer = composerOf(core, context.workspaceState, own);
  const documents = own.add(new ConversationDocuments({ ...core, words: documentWords(core.t) }));
  const openMessage = (key: SessionKey, messageId: string) => documents.openMessage(key, messageId);
  const messageActions = new MessageActions(core);
  const views = openViews(context, own, core, { ...composer, openMessage, messageActions });
  const openInEditor = (key: SessionKey, messageId?: string) => views.editors.open(key, messageId);
  const openConversation = (key: SessionKey, messageId?: string, focus?: boolean) => {
    core.store.setCurrent(key);
    return views.conversation.reveal(messageId, focus);
  };
  const commands = {
    ...accountCommands({ ...core, startDemo: demoStarter(own, core.log) }),
    ...sessionCommands({ ...core, ...treeSteps(views), openConversation, openInEditor }),
    ...readingCommands({ ...core, messageActions, openConversation, activePage: () => views.activePage }),
    ...deckEntryCommands(core),
    ...findCommands(core),
    ...linkCommands(core),
    ...unreadCommands(core),
    ...attachingCommands({ ...core, openConversation }),
    ...documentCommands({ ...core, documents }),
    ...exportCommands({ ...core, words: documentWords(core.t) }),
    ...sendingCommands({ ...core, openConversation }),
    ...composerCommands({ ...core, ...composer, openConversation }),
    ...settingsCommands(core),
    ...archiveCommands(core),
    ...usageCommands({ ...core, openUsage: (key: SessionKey) => views.usage.open(key) }),
    ...supportCommands(core),
  };
  const tell = (error: unknown, again: () => unknown) =>
    tellError(error, sentenceOf(error, readSettings(), core.t), core.secrets(), core.t, again);
  own.add(followLinks(core, tell));
  own.add(new FinishedNotices({ ...core, openConversation, whenFinished: () => readSettings().whenFinished }));
  own.add(registerCommands(commands, core.wake, tell, core.log));
  ending.stopWriting = core.stopWriting;
  void core.startIfDue();
}

/** Writes what is not on disk yet; the editor waits for it before it ends the window's extensions. */
export async function deactivate(): Promise<void> {
  await ending.stopWriting?.();
}

/** What rows of the tree do. */
function treeSteps({ sessions }: Views) {
  return {
    showOlder: (key: SessionKey) => sessions.showOlder(key),
    showMoreChildren: (key: SessionKey) => sessions.showMoreChildren(key),
  };
}

type Core = ReturnType<typeof openCore>;
type PageParts = Composer & Pick<PageRequestParts, 'openMessage' | 'messageActions'>;

/** What all surfaces and commands stand on: words, log, keys, store and sync. */
function openCore(context: vscode.ExtensionContext, own: Disposables) {
  const t: Translate = (message, ...values) => vscode.l10n.t(message, ...values);
  const folder = context.globalStorageUri.fsPath;
  const seenKeys = new Set<string>();
  const log = own.add(openEditorLog(() => [...seenKeys]));
  const epochs = own.add(new KeyEpochs(path.join(folder, 'epochs')));
  const keys = own.add(new AccessKeys(context.secrets, epochs, seenKeys, log));
  const dataFolder = path.join(folder, 'data');
  const messages = new MessageCache({ folder: path.join(dataFolder, cacheFolder), clock: systemClock, log });
  const store = own.add(new Store(messages));
  const sources = own.add(settingSources((origin) => keys.read(origin), keys.onDidChange));
  const roaming = roamingMemory(context.globalState);
  const kept = { messages, folder: dataFolder, roaming };
  const sync = own.add(new Sync({ ...sources, ...kept, store, sources, clock: systemClock, log }));
  const door = isDevelopmentBuild ? developmentService(context.extensionMode, process.env) : undefined;
  const { connections, deck, drafts, outbox, blobs, apiFor } = sync;
  own.add(rememberCurrent(store, context.workspaceState));
  own.add(tellRefusedKey(store, t));
  own.add(vscode.window.onDidChangeWindowState(({ focused }) => sync.setFocused(focused)));
  return {
    ...{ t, log, keys, secrets: () => [...seenKeys], store, connections, deck, drafts, outbox, apiFor },
    ...startOf(sync, epochs, door, t),
    ...{ blobs, sentFiles: sync.sentFiles, attachments: new Attachments(blobs, drafts, t) },
    ...keepingOf(sync),
    ...readingOf(sync),
    arranging: own.add(new TreeChoices(context.globalState)),
    readings: own.add(new Readings(context.workspaceState)),
    findText: (...search: Parameters<MessageCache['find']>) => messages.find(...search),
    whileRunning: sources.whileRunning,
    dataFolders: [dataFolder],
    clearRoaming: () => roaming.write(undefined),
  };
}

/** What else surfaces and commands may do with what is kept. */
function keepingOf(sync: Sync) {
  return {
    showGuests: (parent: SessionKey, childIds: readonly string[]) => sync.deck.showGuests(parent, childIds),
    settingsWriter: sync.settingsWriter,
    usage: sync.usage,
    mayTell: (key: SessionKey, updatedAt: number) => sync.notices.claim(key, updatedAt),
    clearCache: () => sync.cache.clear(),
    stopWriting: () => sync.stopWriting(),
  };
}

/** How a session is read, for surfaces and commands. */
function readingOf(sync: Sync) {
  return {
    refresh: (key: SessionKey) => sync.poller.refresh(key),
    watch: (key: SessionKey, wantsMessages: boolean) => sync.watch(key, wantsMessages),
    read: (key: SessionKey) => sync.read(key),
    loadOlder: (key: SessionKey) => sync.loadOlder(key),
    stopLoading: (key: SessionKey) => sync.stopLoading(key),
    prepare: (key: SessionKey) => sync.restore(key),
    bringMessage: (key: SessionKey, messageId: string) => sync.bring(key, messageId),
  };
}

function openViews(context: vscode.ExtensionContext, own: Disposables, core: Core, page: PageParts): Views {
  const { composing } = page;
  const support = { retry: () => retry(core), copyDetails: (key?: SessionKey) => copyDetails(core, key) };
  const preview = own.add(new AttachmentPreview(core));
  const files = own.add(new MessageFiles(core));
  const requests = new PageRequests({ ...core, ...support, ...page, preview, files });
  const options = {
    ...core,
    extensionUri: context.extensionUri,
    exportUsage: (key: SessionKey) => exportUsage(core, key),
    composerProblem: (key: SessionKey) => composing.problem(key),
    onRequest: (...[request, page]: Parameters<PageRequests['handle']>) => void requests.handle(request, page),
    composerSettings,
    times: () => readSettings().times,
    isWhenIdle: () => core.whileRunning() === 'whenIdle',
    onFirstLook: () => void core.wake(),
  };
  return own.add(new Views(options));
}
