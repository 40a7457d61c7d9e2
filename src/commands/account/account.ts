import * as vscode from 'vscode';
import { confirm, showInfo } from '../../host/prompts/notify.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { probeService } from '../../sync/connection/probe.ts';
import { readOnce } from '../../sync/sessionReader.ts';
import type { CommandContext } from '../context.ts';
import { connect, replaceKey } from './connect.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';
import { removeService, renameService, switchService } from './services.ts';
import type { CommandHandlers } from '../commandArguments.ts';
import { openSession } from '../sessions/sessions.ts';

/** Commands about services, API keys, and local data. */
export function accountCommands(context: CommandContext) {
  return {
    connect: () => connect(context),
    setApiKey: () => setApiKey(context),
    removeApiKey: () => removeApiKey(context),
    switchService: (argument) => switchService(context, argument),
    renameService: (argument) => renameService(context, argument),
    removeService: (argument) => removeService(context, argument),
    testConnection: () => testConnection(context),
    tryDemo: () => tryDemo(context),
    clearCache: () => clearCache(context),
    clearAllData: () => clearAllData(context),
    showLog: () => context.log.show(),
  } satisfies Partial<CommandHandlers>;
}

async function setApiKey(context: CommandContext): Promise<void> {
  const service = serviceOf(context.store.connection);
  // A key belongs to a service, so ask for both if there is no service or only a temporary one.
  await (service && !context.connections.isTemporary ? replaceKey(context, service) : connect(context));
}

async function removeApiKey(context: CommandContext): Promise<void> {
  const { store, keys, connections, t } = context;
  const service = serviceOf(store.connection);
  if (!service || connections.isTemporary)
    throw new NothingToDoError(t("No API key to remove. You aren't connected to a service."));
  await keys.remove(service.origin);
  void showInfo(
    t(
      'Removed the API key for {0}. Your drafts, queued messages, and cached conversations are still saved on this machine.',
      service.origin,
    ),
    { label: t('Clear Cache'), run: () => clearCache(context) },
  );
}

async function clearCache({ cache, t }: CommandContext): Promise<void> {
  await cache.clear();
  void showInfo(t('Cleared the cache. Conversations are loaded from the service when you open them.'));
}

async function testConnection({ store, connections, t }: CommandContext): Promise<void> {
  await connections.refresh(true);
  const service = serviceOf(store.connection);
  if (!service) throw new NothingToDoError(t('No service to test. Connect to a service first.'));
  const api = connections.apiFor(service.origin);
  if (!api) throw new UserFacingError(t('No API key for {0}. Set one first.', service.origin));
  const sessionId = store.records[0]?.listEntry.key.sessionId;
  const title = t('Testing the connection to {0}...', service.origin);
  const startedAt = Date.now();
  await withCancel(title, (signal) => probeService(api, sessionId, signal));
  void showInfo(t('Connected to {0}. Responded in {1} ms.', service.origin, Date.now() - startedAt));
}

async function tryDemo(context: CommandContext): Promise<void> {
  const { connections, sessionList, sessions, demo: demoService, t } = context;
  const demo = await demoService.get();
  await connections.useTemporary({ baseUrl: demo.baseUrl, key: demo.token, name: t('Demo') });
  const origin = new URL(demo.baseUrl).origin;
  for (const sessionId of demo.sessionIds) {
    await sessionList.add({ origin, sessionId });
    void readOnce(sessions, { origin, sessionId });
  }
  const first = demo.sessionIds[0];
  if (first === undefined) return;
  await openSession(context, { origin, sessionId: first });
}

async function clearAllData({ keys, lifecycle, t }: CommandContext): Promise<void> {
  const isSure = await confirm(
    t('Clear all local Lineside data?'),
    t(
      "This deletes API keys, the session list, cached conversations, drafts, and unsent messages from this machine, and reloads the window. Your settings and the sessions on the service aren't affected.",
    ),
    t('Clear and Reload'),
  );
  if (!isSure) return;
  await keys.removeAll();
  await lifecycle.deleteData();
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
