import * as vscode from 'vscode';
import type { ServiceUrl } from '../../api/serviceUrl.ts';
import { confirm, showInfo } from '../../host/prompts/notify.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import { readSettings } from '../../host/settings.ts';
import { describeDuration } from '../../state/presentation/describeTime.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { sameSession } from '../../state/store/sessionKey.ts';
import { probeService } from '../../sync/connection/probe.ts';
import type { CommandContext } from '../context.ts';
import { connect, replaceKey } from './connect.ts';
import { errorMessageOf, NothingToDoError, notify, UserFacingError } from '../commandErrors.ts';
import { namedIn, removeService, renameService, switchService } from './switchService.ts';
import type { CommandArguments, CommandHandlers } from '../commandArguments.ts';
import { openSession } from '../sessions/openSession.ts';

/** Commands about services, API keys, and local data. */
export function accountCommands(context: CommandContext) {
  return {
    connect: () => connect(context),
    setApiKey: (argument) => setApiKey(context, argument),
    removeApiKey: (argument) => removeApiKey(context, argument),
    switchService: (argument) => switchService(context, argument),
    renameService: (argument) => renameService(context, argument),
    removeService: (argument) => removeService(context, argument),
    testConnection: (argument) => testConnection(context, argument),
    tryDemo: () => tryDemo(context),
    clearCache: () => clearCache(context),
    clearAllData: () => clearAllData(context),
    showLog: () => context.log.show(),
  } satisfies Partial<CommandHandlers>;
}

/**
 * The service that a command applies to: the given one, or else the current one, if there is one.
 * @throws UserFacingError if the user doesn't have the given service.
 */
function targetService(context: CommandContext, { service }: CommandArguments['setApiKey']): ServiceUrl | undefined {
  return service === undefined ? serviceOf(context.store.connection) : namedIn(context, service);
}

async function setApiKey(context: CommandContext, argument: CommandArguments['setApiKey']): Promise<void> {
  const service = targetService(context, argument);
  // A key belongs to a service, so ask for both if there is no service or only a temporary one.
  await (service && !context.connections.isTemporary ? replaceKey(context, service) : connect(context));
}

async function removeApiKey(context: CommandContext, argument: CommandArguments['removeApiKey']): Promise<void> {
  const { keys, connections, t } = context;
  const service = targetService(context, argument);
  if (!service || connections.isTemporary)
    throw new NothingToDoError(t("No API key to remove. You aren't connected to a service."));
  await keys.remove(service.origin);
  void notify(
    showInfo,
    context,
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

async function testConnection(context: CommandContext, argument: CommandArguments['testConnection']): Promise<void> {
  const { store, connections, t } = context;
  await connections.refresh(true);
  const service = targetService(context, argument);
  if (!service) throw new NothingToDoError(t('No service to test. Connect to a service first.'));
  const api = connections.apiFor(service.origin);
  if (!api) throw new UserFacingError(t('No API key for {0}. Set one first.', service.origin));
  const sessionId = store.recordsOf(service.origin)[0]?.listEntry.key.sessionId;
  const title = t('Testing the connection to {0}...', service.origin);
  const startedAt = Date.now();
  await withCancel(title, (signal) => probeService(api, sessionId, signal));
  void showInfo(t('Connected to {0}. Responded in {1}.', service.origin, describeDuration(Date.now() - startedAt, t)));
}

async function tryDemo(context: CommandContext): Promise<void> {
  const { connections, sessionList, store, demo: demoService, t } = context;
  const before = store.current;
  const demo = await demoService.get();
  await connections.useTemporary({ baseUrl: demo.baseUrl, key: demo.token, name: t('Demo') });
  const origin = new URL(demo.baseUrl).origin;
  for (const sessionId of demo.sessionIds) await sessionList.add({ origin, sessionId });
  const first = demo.sessionIds[0];
  // The user can open a session of the demo while the others are added.
  const isOpened = store.current?.origin === origin && !sameSession(store.current, before);
  if (first !== undefined && !isOpened) await openSession(context, { origin, sessionId: first });
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
  try {
    await lifecycle.deleteData();
  } catch (error) {
    const reason = errorMessageOf(error, readSettings(), t);
    await confirm(reason, t('Lineside has stopped in this window.'), t('Reload Window'));
  }
  // Nothing that is typed from now on would be saved.
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
