import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ApiKeyStore } from '../../host/storage/apiKeyStore.ts';
import { confirm, showInfo } from '../../host/prompts/notify.ts';
import type { EditorLog } from '../../host/editorLog.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import { serviceOf } from '../../state/store/connection.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import type { Connections } from '../../sync/connection/connections.ts';
import type { SessionList } from '../../sync/sessionList/sessionList.ts';
import { probeService } from '../../sync/connection/probe.ts';
import { connect, replaceKey } from './connect.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';
import { removeService, renameService, switchService } from './services.ts';
import type { CommandTable } from '../register.ts';

/** The running demo: an embedded service of this window. */
export interface Demo {
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionIds: readonly string[];
}

export interface AccountParts {
  readonly store: Store;
  readonly connections: Connections;
  readonly keys: ApiKeyStore;
  readonly sessionList: SessionList;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly startDemo: () => Promise<Demo>;
  /** Removes what is kept of conversations. */
  readonly clearCache: () => Promise<void>;
  /** Lets go of everything that writes, so that the files can be removed. */
  readonly stopWriting: () => Promise<void>;
  readonly dataFolders: readonly string[];
  /** Takes the roaming copy of the deck back. */
  readonly clearRoaming: () => PromiseLike<void>;
  readonly log: EditorLog;
  readonly t: Translate;
}

/** Everything about the service and its key. */
export function accountCommands(parts: AccountParts): CommandTable {
  return {
    connect: () => connect(parts),
    setApiKey: () => setApiKey(parts),
    removeApiKey: () => removeApiKey(parts),
    switchService: (argument) => switchService(parts, argument),
    renameService: (argument) => renameService(parts, argument),
    removeService: (argument) => removeService(parts, argument),
    testConnection: () => testConnection(parts),
    tryDemo: () => tryDemo(parts),
    clearCache: () => clearCache(parts),
    clearAllData: () => clearAllData(parts),
    showLog: () => parts.log.show(),
  };
}

async function setApiKey(parts: AccountParts): Promise<void> {
  const service = serviceOf(parts.store.connection);
  // A key belongs to a service: without one, both are asked for.
  await (service && !parts.connections.isTemporary ? replaceKey(parts, service) : connect(parts));
}

async function removeApiKey(parts: AccountParts): Promise<void> {
  const { store, keys, t } = parts;
  const service = serviceOf(store.connection);
  if (!service) throw new NothingToDoError(t('There is no service, so there is no API key to remove.'));
  await keys.remove(service.origin);
  void showInfo(
    t(
      'The API key for {0} was removed from this machine. Drafts, unsent messages and the cache of conversations are kept.',
      service.origin,
    ),
    { label: t('Clear Cache'), run: () => clearCache(parts) },
  );
}

async function clearCache({ clearCache: clear, t }: AccountParts): Promise<void> {
  await clear();
  void showInfo(t('The cache was cleared. Conversations are read from the service again when you open them.'));
}

async function testConnection({ store, connections, t }: AccountParts): Promise<void> {
  await connections.refresh(true);
  const service = serviceOf(store.connection);
  if (!service) throw new NothingToDoError(t('There is no service to test. Connect to one first.'));
  const api = connections.apiFor(service.origin);
  if (!api) throw new UserFacingError(t('There is no API key for {0}. Set one first.', service.origin));
  const sessionId = store.records[0]?.listEntry.key.sessionId;
  const title = t('Testing the connection to {0}...', service.origin);
  const startedAt = Date.now();
  await withCancel(title, (signal) => probeService(api, sessionId, signal));
  void showInfo(t('{0} answers and takes the API key ({1} ms).', service.origin, Date.now() - startedAt));
}

async function tryDemo({ connections, sessionList, refresh, startDemo, t }: AccountParts): Promise<void> {
  const demo = await startDemo();
  await connections.useTemporary({ baseUrl: demo.baseUrl, key: demo.token, name: t('Demo') });
  const origin = new URL(demo.baseUrl).origin;
  for (const sessionId of demo.sessionIds) {
    await sessionList.add({ origin, sessionId });
    void refresh({ origin, sessionId });
  }
  const first = demo.sessionIds[0];
  if (first === undefined) return;
  await vscode.commands.executeCommand('lineside.openConversation', { sessionId: first, service: origin });
}

async function clearAllData({ keys, stopWriting, clearRoaming, dataFolders, t }: AccountParts): Promise<void> {
  const isSure = await confirm(
    t('Clear all local data of Lineside?'),
    t(
      'This removes API keys, the list of sessions, cached conversations, drafts and messages that were not sent from this machine, and reloads the window. Sessions on the service and your settings stay.',
    ),
    t('Clear and Reload'),
  );
  if (!isSure) return;
  await keys.removeAll();
  await stopWriting();
  await clearRoaming();
  for (const folder of dataFolders) await rm(folder, { recursive: true, force: true });
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
