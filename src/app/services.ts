import * as path from 'node:path';
import * as vscode from 'vscode';
import { Attachments } from '../commands/attachments/attachments.ts';
import { AttachmentPreview } from '../commands/attachments/attachmentPreview.ts';
import { createComposer } from '../commands/composer/createComposer.ts';
import type { PageServices } from '../commands/context.ts';
import { Comparisons } from '../commands/conversation/comparisons.ts';
import { MessageActions } from '../commands/conversation/messageActions.ts';
import { MessageFiles } from '../commands/conversation/messageFiles.ts';
import { CommandRunner } from '../commands/commandRunner.ts';
import { SystemNotifications } from '../commands/notices/systemNotifications.ts';
import { AgentFiles } from '../commands/work/agentFiles.ts';
import { AgentMarks } from '../commands/work/agentMarks.ts';
import { ChangeFiles } from '../commands/work/changeFiles.ts';
import { WorkspacePresence } from '../commands/work/workspacePresence.ts';
import { developmentService } from '../host/developmentService.ts';
import { TerminalOutputs } from '../host/editors/terminalOutputs.ts';
import { WorkspaceChanges } from '../host/editors/workspaceChanges.ts';
import { openEditorLog } from '../host/editorLog.ts';
import { WorkspaceFiles } from '../host/files/workspaceFiles.ts';
import { InertDocuments } from '../host/readOnlyFiles/inertDocuments.ts';
import { readSettings, type SettingSources, settingSources } from '../host/settings.ts';
import { ApiKeyStore } from '../host/storage/apiKeyStore.ts';
import { KeyRevocations } from '../host/storage/keyRevocations.ts';
import { runsOnOwnMachine } from '../host/systemNotifications/ownMachine.ts';
import { TemplateApprovals } from '../host/storage/templateApprovals.ts';
import { syncedState } from '../host/storage/workspaceState.ts';
import type { Disposables } from '../shared/lifecycle.ts';
import type { Translate } from '../shared/text.ts';
import { translator } from '../shared/translate.ts';
import { Store } from '../state/store/store.ts';
import { MessageCache } from '../sync/cache/messageCache.ts';
import { cacheFolder } from '../sync/cache/cacheRecord.ts';
import { systemClock } from '../sync/storage/clock.ts';
import { SyncEngine } from '../sync/syncEngine.ts';
import { ActiveConversation } from '../views/activeConversation.ts';
import { ConversationFilters } from '../views/conversation/conversationFilters.ts';
import { CatchUpDocuments } from '../views/documents/catchUpDocuments.ts';
import { ConversationDocuments } from '../views/documents/conversationDocuments.ts';
import { TreeOptionsStore } from '../views/treeOptionsStore.ts';
import { demoService } from './demo.ts';
import { WindowLifecycle } from './windowLifecycle.ts';

/** Set by the build: false in the packaged extension, which has no development service. */
declare const isDevelopmentBuild: boolean;

/**
 * Creates the services of a window, owned by `own`. They store all records in `dataFolder`, and read nothing from it
 * until a method of `lifecycle` is called.
 */
export function createServices(context: vscode.ExtensionContext, dataFolder: string, own: Disposables): PageServices {
  const t = translator(vscode.env.language, vscode.l10n.bundle);
  const seenKeys = new Set<string>();
  const log = own.add(openEditorLog(() => [...seenKeys]));
  const revocations = own.add(new KeyRevocations(path.join(context.globalStorageUri.fsPath, 'epochs'), log));
  const keys = own.add(new ApiKeyStore(context.secrets, revocations, seenKeys, log));
  const messages = new MessageCache({ folder: path.join(dataFolder, cacheFolder), clock: systemClock, log });
  const store = own.add(new Store(messages));
  const settings = own.add(settingSources((origin) => keys.read(origin), keys.onDidChange));
  const syncedMemory = syncedState(context.globalState);
  const sync = own.add(
    new SyncEngine({ store, settings, folder: dataFolder, messages, syncedMemory, clock: systemClock, log }),
  );
  followSettings(store, settings, own);
  followFocus(sync, own);
  const lifecycle = new WindowLifecycle({
    ...{ sync, store, revocations, keys, log, t },
    developmentService: isDevelopmentBuild ? developmentService(context.extensionMode, process.env) : undefined,
    dataFolder,
    syncedMemory,
  });
  const { connections, sessionList, drafts, outbox, blobs, sentFiles, cache, usage, settingsWriter } = sync;
  const attachments = new Attachments(blobs, drafts, recordedTerminals(own), t);
  const viewState = createViewState(context, store, own);
  const agentFiles = createAgentFiles(store, sync, own, t);
  const composerServices = { store, sessions: sync, drafts, outbox, attachments, blobs, lifecycle, log, t };
  return {
    t,
    log,
    settings,
    store,
    sessions: sync,
    connections,
    sessionList,
    drafts,
    outbox,
    agentFiles,
    attachments,
    attachmentPreview: new AttachmentPreview({ store, blobs, lifecycle, t }),
    blobs,
    sentFiles,
    keys,
    cache,
    messages,
    usage,
    settingsWriter,
    notifications: sync.notificationClaims,
    sourceRuns: sync.sourceRuns,
    systemNotifications: new SystemNotifications(runsOnOwnMachine(context.extension), log, t),
    templateApprovals: new TemplateApprovals(context.globalState),
    ...viewState,
    commands: new CommandRunner({ lifecycle, keys, log, t }),
    composer: createComposer(composerServices, agentFiles, context.workspaceState, own),
    inertDocuments: own.add(new InertDocuments()),
    messageActions: new MessageActions({ store, sessions: sync, drafts, filters: viewState.filters, t }),
    ...createFiles({ store, sessions: sync, lifecycle, messages, agentFiles, t }, own),
    demo: demoService(own, log),
    lifecycle,
  };
}

/** Creates the services that know what views show. */
function createViewState(
  context: vscode.ExtensionContext,
  store: Store,
  own: Disposables,
): Pick<PageServices, 'treeOptions' | 'filters' | 'activeConversation'> {
  return {
    treeOptions: own.add(new TreeOptionsStore(context.globalState)),
    filters: own.add(new ConversationFilters(context.workspaceState)),
    activeConversation: new ActiveConversation(store),
  };
}

function createAgentFiles(
  store: Store,
  { pathMappings, cache }: SyncEngine,
  own: Disposables,
  t: Translate,
): AgentFiles {
  return own.add(new AgentFiles(store, own.add(new WorkspaceFiles()), pathMappings, cache.pathSamples, t));
}

/** Records the output of terminals while the user's setting allows it. */
function recordedTerminals(own: Disposables): TerminalOutputs {
  return own.add(new TerminalOutputs(() => readSettings().recordsTerminals));
}

/** Creates the services that show conversations and changes in editors, or compare changes with the workspace. */
function createFiles(
  services: Pick<PageServices, 'store' | 'sessions' | 'lifecycle' | 'messages' | 'agentFiles' | 't'>,
  own: Disposables,
): Pick<
  PageServices,
  'agentMarks' | 'catchUp' | 'changeFiles' | 'comparisons' | 'documents' | 'messageFiles' | 'presence'
> {
  const documents = own.add(new ConversationDocuments(services));
  const workspaceChanges = own.add(new WorkspaceChanges());
  const changeFiles = own.add(new ChangeFiles({ ...services, workspaceChanges }));
  return {
    agentMarks: own.add(new AgentMarks({ ...services, changeFiles })),
    catchUp: own.add(new CatchUpDocuments(services)),
    changeFiles,
    comparisons: new Comparisons({ ...services, documents }),
    documents,
    messageFiles: new MessageFiles(services),
    presence: own.add(new WorkspacePresence({ ...services, changeFiles, workspaceChanges })),
  };
}

/** Reports to the sync engine whether the window has the focus. */
function followFocus(sync: SyncEngine, own: Disposables): void {
  sync.setFocused(vscode.window.state.focused);
  own.add(vscode.window.onDidChangeWindowState(({ focused }) => sync.setFocused(focused)));
}

/** Applies the setting that controls whether Lineside detects agents that may be waiting. */
function followSettings(store: Store, settings: SettingSources, own: Disposables): void {
  const apply = () => store.setDetectsWaiting(readSettings().detectsWaiting);
  apply();
  own.add(settings.onDidChange(apply));
}
