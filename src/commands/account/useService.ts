import { readSettings, writeBaseUrl, writeServices } from '../../host/settings.ts';
import type { ServiceUrl } from '../../api/serviceUrl.ts';
import { freeName, withServices } from '../../sync/connection/services.ts';
import type { AccountParts } from './account.ts';
import { ToldError } from '../errors.ts';

type UseParts = Pick<AccountParts, 'store' | 'connections' | 'deck' | 'keys' | 't'>;

/**
 * Makes a service the one in use, in every window. Resolves when its sessions are on the deck; those of the one before
 * stay on disk with their drafts and outgoing messages. The one before can be switched back to, if it has a key.
 */
export async function useService(parts: UseParts, url: ServiceUrl): Promise<void> {
  const { connections, deck } = parts;
  await nameServices(parts, url);
  await writeInUse(url.baseUrl, parts);
  await connections.useTemporary(undefined);
  await deck.settled();
}

/** Where there is one service, its base URL is all there is to keep; several are told apart by names. */
async function nameServices(parts: UseParts, { origin, baseUrl }: ServiceUrl): Promise<void> {
  const { connections, keys, store, t } = parts;
  const { services: setting } = readSettings();
  const others = connections.known.services.filter((service) => service.origin !== origin);
  // A base URL that never led anywhere is not worth a name.
  const isWorth = async (other: ServiceUrl) =>
    store.records.some(({ deck }) => deck.key.origin === other.origin) || (await keys.read(other.origin)) !== undefined;
  const worth = await Promise.all(others.map(isWorth));
  const kept = others.filter((_, index) => worth[index] === true);
  if (kept.length === 0) return;
  const named = withServices(setting, kept);
  const own = { origin, baseUrl, name: freeName(named, { origin, baseUrl }) };
  await writeNames(withServices(named, [own]), t);
}

/** Writes the names of services; does nothing where they are written so already. */
export async function writeNames(services: Readonly<Record<string, unknown>>, t: UseParts['t']): Promise<void> {
  try {
    if (JSON.stringify(readSettings().services) !== JSON.stringify(services)) await writeServices(services);
  } catch {
    throw new ToldError(t('The setting "sessionDeck.services" could not be written. Nothing else was changed.'));
  }
}

async function writeInUse(baseUrl: string, { t }: UseParts): Promise<void> {
  try {
    if (readSettings().baseUrl !== baseUrl) await writeBaseUrl(baseUrl);
  } catch {
    throw new ToldError(
      t('The setting "sessionDeck.baseUrl" could not be written. The API key is kept; set it to {0} by hand.', baseUrl),
    );
  }
}
