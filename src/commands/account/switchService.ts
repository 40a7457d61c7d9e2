import { askText } from '../../host/prompts/askText.ts';
import { confirm, showInfo } from '../../host/prompts/notify.ts';
import { readSettings, writeBaseUrl } from '../../host/settings.ts';
import { plainLine } from '../../shared/text.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { type NamedService, renamedService, withoutService } from '../../sync/connection/namedServices.ts';
import { NothingToDoError, notify, UserFacingError } from '../commandErrors.ts';
import type { CommandArguments } from '../commandArguments.ts';
import type { CommandContext } from '../context.ts';
import { takingEntered } from '../enteredFailure.ts';
import { askKnownService } from './askService.ts';
import { chooseAndConnect, connect } from './connect.ts';
import { useService, writeNames } from './useService.ts';

const longestName = 60;

/**
 * Switches to the service whose origin is given. If none is given, asks for a service.
 * @throws UserFacingError if the user has no such service or no key for it, or if a setting can't be written.
 */
export async function switchService(
  context: CommandContext,
  argument: CommandArguments['switchService'],
): Promise<void> {
  const { keys, t } = context;
  if (argument.service === undefined) {
    await chooseAndConnect(context, t('Switch Service'));
    return;
  }
  const service = namedIn(context, argument.service);
  if ((await keys.read(service.origin)) === undefined) {
    throw new UserFacingError(t('No API key for {0}. Connect to the service first.', service.origin));
  }
  await useService(context, service);
}

/**
 * Asks for a new name for a service, and saves it in the settings. Asks for the service first, unless it is given.
 * @throws UserFacingError if the user has no such service, or none at all. As {@link takingEntered} does if the setting
 * can't be written.
 */
export async function renameService(
  context: CommandContext,
  argument: CommandArguments['renameService'],
): Promise<void> {
  const { connections, t } = context;
  const service = await targetService(context, argument, t('Rename Service'));
  if (!service) return;
  const check = (text: string) => {
    const name = text.trim();
    if (name === '' || name.length > longestName) {
      return { message: t({ other: 'Enter a name with 1 to {0} characters.' }, longestName), isWarning: false };
    }
    const isKnown = (one: NamedService) => one.name === name;
    // The setting also has the names of unusable entries, which must not be overwritten.
    const isTaken =
      name !== service.name &&
      (Object.hasOwn(readSettings().services, name) || connections.known.services.some(isKnown));
    return isTaken ? { message: t('Another service is already named "{0}".', name), isWarning: false } : undefined;
  };
  const answer = await askText({
    title: t('Rename Service'),
    prompt: t('New name for {0}', service.baseUrl),
    value: service.name,
    check,
  });
  if (answer.kind !== 'text') return;
  const name = answer.text.trim();
  await takingEntered(() => writeNames(renamedService(readSettings().services, service, name), t));
}

/**
 * Removes a service and its key after confirmation. The local data of its sessions is kept. Asks for the service first,
 * unless it is given.
 * @throws UserFacingError if the user has no such service, or none at all, or if `lineside.services` can't be written.
 */
export async function removeService(
  context: CommandContext,
  argument: CommandArguments['removeService'],
): Promise<void> {
  const { connections, keys, t } = context;
  const service = await targetService(context, argument, t('Remove Service'));
  if (!service) return;
  const name = plainLine(service.name, longestName);
  const isSure = await confirm(
    t('Remove the service "{0}"?', name),
    t(
      'This deletes the API key for {0} and disconnects from it. Your sessions and drafts are saved and reappear when you reconnect.',
      service.baseUrl,
    ),
    t('Remove Service'),
  );
  if (!isSure) return;
  const isInUse = !connections.isTemporary && serviceOf(context.store.connection)?.origin === service.origin;
  await keys.remove(service.origin);
  await writeNames(withoutService(readSettings().services, service), t);
  // If `lineside.baseUrl` refers to the service, the service is still known without its name, so clear that setting.
  if (connections.known.services.some(({ origin }) => origin === service.origin)) {
    await writeBaseUrl('');
  }
  await connections.refresh();
  const others = connections.known.services.length > 0 && isInUse;
  void notify(
    showInfo,
    context,
    t('Removed the service "{0}" and its API key. Your drafts and queued messages are saved.', name),
    ...(others ? [{ label: t('Switch Service...'), run: () => connect(context) }] : []),
  );
}

async function targetService(
  context: CommandContext,
  { service }: CommandArguments['renameService'],
  title: string,
): Promise<NamedService | undefined> {
  if (service !== undefined) return namedIn(context, service);
  if (context.connections.known.services.length === 0) throw new NothingToDoError(context.t('No services configured.'));
  return askKnownService(context, title);
}

/** The service with this origin. @throws UserFacingError if the user has no such service. */
export function namedIn({ connections, t }: CommandContext, origin: string): NamedService {
  const service = connections.known.services.find((known) => known.origin === origin);
  if (!service)
    throw new UserFacingError(t("{0} isn't one of your services. Connect to it first.", plainLine(origin, 120)));
  return service;
}
