import { confirm, showInfo } from '../../host/prompts/notify.ts';
import { askText } from '../../host/prompts/askText.ts';
import { readSettings, writeBaseUrl } from '../../host/settings.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { plainLine } from '../../shared/text.ts';
import { type NamedService, renamedService, withoutService } from '../../sync/connection/services.ts';
import type { AccountParts } from './account.ts';
import { askKnownService } from './askService.ts';
import { chooseAndConnect, connect } from './connect.ts';
import { NothingThereError, ToldError } from '../errors.ts';
import type { CommandArgument } from '../register.ts';
import { useService, writeNames } from './useService.ts';

const longestName = 60;

/** Uses another service: the one that was named by its origin, else the one that is chosen. */
export async function switchService(parts: AccountParts, argument: CommandArgument): Promise<void> {
  const { keys, t } = parts;
  if (argument.service === undefined) {
    await chooseAndConnect(parts, t('Switch Service'));
    return;
  }
  const service = namedIn(parts, argument.service);
  if ((await keys.read(service.origin)) === undefined) {
    throw new ToldError(t('There is no API key for {0}. Connect to it first.', service.origin));
  }
  await useService(parts, service);
}

/** Gives a service another name; it is nowhere but in the settings. */
export async function renameService(parts: AccountParts, argument: CommandArgument): Promise<void> {
  const { connections, t } = parts;
  const service = await targetService(parts, argument, t('Rename Service'));
  if (!service) return;
  const taken = connections.known.services.flatMap(({ name }) => (name === service.name ? [] : [name]));
  const check = (text: string) => {
    const name = text.trim();
    if (name === '' || name.length > longestName) {
      return { message: t('Enter a name of 1 to {0} characters.', longestName), isWarning: false };
    }
    const isTaken = taken.includes(name);
    return isTaken ? { message: t('Another service is called "{0}".', name), isWarning: false } : undefined;
  };
  const answer = await askText({
    title: t('Rename Service'),
    prompt: t('What {0} is called here.', service.baseUrl),
    value: service.name,
    check,
  });
  if (answer.kind !== 'text') return;
  await writeNames(renamedService(readSettings().services, service, answer.text.trim()), t);
}

/** Removes a service with its key, after asking; what is kept of its sessions stays. */
export async function removeService(parts: AccountParts, argument: CommandArgument): Promise<void> {
  const { connections, keys, t } = parts;
  const service = await targetService(parts, argument, t('Remove Service'));
  if (!service) return;
  const name = plainLine(service.name, longestName);
  const isSure = await confirm(
    t('Remove the service "{0}"?', name),
    t(
      'Its API key is removed from this machine, and nothing is asked of {0} any more. Its sessions, drafts and unsent messages are kept, and are there again when you connect to it again.',
      service.baseUrl,
    ),
    t('Remove Service'),
  );
  if (!isSure) return;
  const isInUse = !connections.isTemporary && serviceOf(parts.store.connection)?.origin === service.origin;
  await keys.remove(service.origin);
  await writeNames(withoutService(readSettings().services, service), t);
  // Without a name it is still known where it is the one in use.
  if (connections.known.services.some(({ origin }) => origin === service.origin)) {
    await writeBaseUrl('');
  }
  await connections.reread();
  const others = connections.known.services.length > 0 && isInUse;
  void showInfo(
    t('The service "{0}" was removed, and its API key. Drafts and unsent messages are kept.', name),
    ...(others ? [{ label: t('Switch Service...'), run: () => connect(parts) }] : []),
  );
}

async function targetService(
  parts: AccountParts,
  { service }: CommandArgument,
  title: string,
): Promise<NamedService | undefined> {
  if (service !== undefined) return namedIn(parts, service);
  if (parts.connections.known.services.length === 0) throw new NothingThereError(parts.t('There is no service yet.'));
  return askKnownService(parts, title);
}

function namedIn({ connections, t }: AccountParts, origin: string): NamedService {
  const service = connections.known.services.find((known) => known.origin === origin);
  if (!service) throw new ToldError(t('{0} is not one of your services. Connect to it first.', plainLine(origin, 120)));
  return service;
}
