import * as path from 'node:path';
import * as vscode from 'vscode';
import { Attachments } from '../commands/attachments/attachments.ts';
import { rememberCurrent } from './currentSession.ts';
import { tellRefusedKey, tellUnusableServices } from '../commands/notices/service.ts';
import { createStartup } from './startup.ts';
import { TreeOptionsStore } from '../commands/sessions/treeOptions.ts';
import type { Disposables } from '../shared/lifecycle.ts';
import { ApiKeyStore } from '../host/storage/apiKeyStore.ts';
import { developmentService } from '../host/developmentService.ts';
import { openEditorLog } from '../host/editorLog.ts';
import { KeyRevocations } from '../host/storage/keyRevocations.ts';
import { syncedState } from '../host/storage/workspaceState.ts';
import { settingSources } from '../host/settings.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import { Store } from '../state/store/store.ts';
import type { Translate } from '../shared/text.ts';
import { systemClock } from '../sync/storage/clock.ts';
import { MessageCache } from '../sync/cache/messageCache.ts';
import { cacheFolder } from '../sync/cache/sessionSummaries.ts';
import { SyncEngine } from '../sync/syncEngine.ts';
import { ConversationFilters } from '../views/conversation/filters.ts';

/** Set by the build: false in what is packaged, which then has no development door at all. */
declare const isDevelopmentBuild: boolean;

export type Services = ReturnType<typeof createServices>;

/** What all surfaces and commands stand on: words, log, keys, store and sync. `dataFolder` holds what is kept. */
export function createServices(context: vscode.ExtensionContext, dataFolder: string, own: Disposables) {
  const t: Translate = (message, ...values) => vscode.l10n.t(message, ...values);
  const seenKeys = new Set<string>();
  const log = own.add(openEditorLog(() => [...seenKeys]));
  const epochs = own.add(new KeyRevocations(path.join(context.globalStorageUri.fsPath, 'epochs'), log));
  const keys = own.add(new ApiKeyStore(context.secrets, epochs, seenKeys, log));
  const messages = new MessageCache({ folder: path.join(dataFolder, cacheFolder), clock: systemClock, log });
  const store = own.add(new Store(messages));
  const sources = own.add(settingSources((origin) => keys.read(origin), keys.onDidChange));
  const roaming = syncedState(context.globalState);
  const kept = { messages, folder: dataFolder, roaming };
  const sync = own.add(new SyncEngine({ ...sources, ...kept, store, sources, clock: systemClock, log }));
  const door = isDevelopmentBuild ? developmentService(context.extensionMode, process.env) : undefined;
  const { connections, sessionList, drafts, outbox, blobs, apiFor } = sync;
  own.add(rememberCurrent(store, context.workspaceState));
  own.add(tellRefusedKey(store, t));
  own.add(tellUnusableServices(connections, sources.onDidChange, t));
  sync.setFocused(vscode.window.state.focused);
  own.add(vscode.window.onDidChangeWindowState(({ focused }) => sync.setFocused(focused)));
  return {
    ...{ t, log, keys, secrets: () => [...seenKeys], store, connections, sessionList, drafts, outbox, apiFor },
    ...createStartup(sync, epochs, door, t),
    ...{ blobs, sentFiles: sync.sentFiles, attachments: new Attachments(blobs, drafts, t) },
    ...keepingOf(sync),
    ...readingOf(sync),
    arranging: own.add(new TreeOptionsStore(context.globalState)),
    readings: own.add(new ConversationFilters(context.workspaceState)),
    findText: (...search: Parameters<MessageCache['find']>) => messages.find(...search),
    whileRunning: sources.whileRunning,
    dataFolders: [dataFolder],
    clearRoaming: () => roaming.write(undefined),
  };
}

/** What else surfaces and commands may do with what is kept. */
function keepingOf(sync: SyncEngine) {
  return {
    showGuests: (parent: SessionKey, childIds: readonly string[]) =>
      sync.sessionList.showTransientSessions(parent, childIds),
    settingsWriter: sync.settingsWriter,
    usage: sync.usage,
    mayTell: (key: SessionKey, updatedAt: number) => sync.notificationClaims.claim(key, updatedAt),
    clearCache: () => sync.cache.clear(),
    stopWriting: () => sync.stopWriting(),
  };
}

/** How a session is read, for surfaces and commands. */
function readingOf(sync: SyncEngine) {
  return {
    refresh: (key: SessionKey) => sync.refresh(key),
    watch: (key: SessionKey, wantsMessages: boolean) => sync.watch(key, wantsMessages),
    read: (key: SessionKey) => sync.read(key),
    loadOlder: (key: SessionKey) => sync.loadOlder(key),
    stopLoading: (key: SessionKey) => sync.stopLoading(key),
    prepare: (key: SessionKey) => sync.restoreFromCache(key),
    bringMessage: (key: SessionKey, messageId: string) => sync.fetchMessage(key, messageId),
  };
}
