import type { ServiceUrl } from '../../api/serviceUrl.ts';
import { askText } from '../../host/prompts/askText.ts';
import { confirm, showInfo } from '../../host/prompts/notify.ts';
import { readSettings, writeBaseUrl, writeServices } from '../../host/settings.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { serviceOf } from '../../state/store/connection.ts';
import {
  freeName,
  type NamedService,
  renamedService,
  withoutService,
  withServices,
} from '../../sync/connection/services.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';
import type { CommandArgument } from '../register.ts';
import type { CommandContext } from '../context.ts';
import { askKnownService } from './askService.ts';
import { chooseAndConnect, connect } from './connect.ts';

/**
 * Switches all windows to a service. Resolves when its sessions are in the list. The sessions, drafts, and queued
 * messages of the previous service stay on disk.
 */
export async function useService(context: CommandContext, url: ServiceUrl): Promise<void> {
  const { connections, sessionList } = context;
  await nameServices(context, url);
  await writeInUse(url.baseUrl, context);
  await connections.useTemporary(undefined);
  await sessionList.settled();
}

/** Names the services in the settings if there are several. A single service only needs its base URL. */
async function nameServices(context: CommandContext, { origin, baseUrl }: ServiceUrl): Promise<void> {
  const { connections, keys, store, t } = context;
  const { services: setting } = readSettings();
  const others = connections.known.services.filter((service) => service.origin !== origin);
  // A base URL that was never used does not get a name.
  const isUsed = async (other: ServiceUrl) =>
    store.records.some(({ listEntry }) => listEntry.key.origin === other.origin) ||
    (await keys.read(other.origin)) !== undefined;
  const used = await Promise.all(others.map(isUsed));
  const kept = others.filter((_, index) => used[index] === true);
  if (kept.length === 0) return;
  const named = withServices(setting, kept);
  const own = { origin, baseUrl, name: freeName(named, { origin, baseUrl }) };
  await writeNames(withServices(named, [own]), t);
}

/** Updates the setting `lineside.services` if it differs. */
export async function writeNames(services: Readonly<Record<string, unknown>>, t: Translate): Promise<void> {
  try {
    if (JSON.stringify(readSettings().services) !== JSON.stringify(services)) await writeServices(services);
  } catch {
    throw new UserFacingError(t('Couldn\'t update the setting "lineside.services". No other changes were made.'));
  }
}

async function writeInUse(baseUrl: string, { t }: CommandContext): Promise<void> {
  try {
    if (readSettings().baseUrl !== baseUrl) await writeBaseUrl(baseUrl);
  } catch {
    throw new UserFacingError(
      t(
        'Couldn\'t update the setting "lineside.baseUrl". The API key was saved. Set the base URL to {0} manually.',
        baseUrl,
      ),
    );
  }
}

const longestName = 60;

/** Switches to the service with the given origin, or else asks for one. */
export async function switchService(context: CommandContext, argument: CommandArgument): Promise<void> {
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

/** Renames a service in the settings. */
export async function renameService(context: CommandContext, argument: CommandArgument): Promise<void> {
  const { connections, t } = context;
  const service = await targetService(context, argument, t('Rename Service'));
  if (!service) return;
  const taken = connections.known.services.flatMap(({ name }) => (name === service.name ? [] : [name]));
  const check = (text: string) => {
    const name = text.trim();
    if (name === '' || name.length > longestName) {
      return { message: t('Enter a name with 1 to {0} characters.', longestName), isWarning: false };
    }
    const isTaken = taken.includes(name);
    return isTaken ? { message: t('Another service is already named "{0}".', name), isWarning: false } : undefined;
  };
  const answer = await askText({
    title: t('Rename Service'),
    prompt: t('New name for {0}', service.baseUrl),
    value: service.name,
    check,
  });
  if (answer.kind !== 'text') return;
  await writeNames(renamedService(readSettings().services, service, answer.text.trim()), t);
}

/** Removes a service and its key after confirmation. The local data of its sessions stays. */
export async function removeService(context: CommandContext, argument: CommandArgument): Promise<void> {
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
  // The current service is still known by its base URL after its name is removed.
  if (connections.known.services.some(({ origin }) => origin === service.origin)) {
    await writeBaseUrl('');
  }
  await connections.refresh();
  const others = connections.known.services.length > 0 && isInUse;
  void showInfo(
    t('Removed the service "{0}" and its API key. Your drafts and queued messages are saved.', name),
    ...(others ? [{ label: t('Switch Service...'), run: () => connect(context) }] : []),
  );
}

async function targetService(
  context: CommandContext,
  { service }: CommandArgument,
  title: string,
): Promise<NamedService | undefined> {
  if (service !== undefined) return namedIn(context, service);
  if (context.connections.known.services.length === 0) throw new NothingToDoError(context.t('No services.'));
  return askKnownService(context, title);
}

function namedIn({ connections, t }: CommandContext, origin: string): NamedService {
  const service = connections.known.services.find((known) => known.origin === origin);
  if (!service)
    throw new UserFacingError(t('{0} is not one of your services. Connect to it first.', plainLine(origin, 120)));
  return service;
}
