import type { ServiceUrl } from '../../api/serviceUrl.ts';
import { readSettings, writeBaseUrl, writeServices } from '../../host/settings.ts';
import { type Translate } from '../../shared/text.ts';
import { freeName, withServices } from '../../sync/connection/namedServices.ts';
import { UserFacingError } from '../commandErrors.ts';
import type { CommandContext } from '../context.ts';

/**
 * Makes a service the current one in all windows, and leaves the demo. New sessions are added to this service. If there
 * are several services, each one gets a name in the settings. Resolves when the sessions of this service are in the
 * list. Those of the other connected services stay there.
 * @throws UserFacingError if a setting can't be written.
 */
export async function useService(context: CommandContext, url: ServiceUrl): Promise<void> {
  const { connections, sessionList } = context;
  await nameServices(context, url);
  await writeInUse(url.baseUrl, context);
  await connections.useTemporary(undefined);
  await sessionList.settled();
}

/** Gives each service a name in the settings if there are several. A single service needs only its base URL. */
async function nameServices(context: CommandContext, { origin, baseUrl }: ServiceUrl): Promise<void> {
  const { connections, keys, store, t } = context;
  const { services: setting } = readSettings();
  const others = connections.known.services.filter((service) => service.origin !== origin);
  // A base URL that was never used doesn't get a name.
  const isUsed = async (other: ServiceUrl) =>
    store.recordsOf(other.origin).length > 0 || (await keys.read(other.origin)) !== undefined;
  const used = await Promise.all(others.map(isUsed));
  const kept = others.filter((_, index) => used[index] === true);
  if (kept.length === 0) return;
  const named = withServices(setting, kept);
  const own = { origin, baseUrl, name: freeName(named, { origin, baseUrl }) };
  await writeNames(withServices(named, [own]), t);
}

/** Updates the setting `lineside.services` if it differs. @throws UserFacingError if it can't be written. */
export async function writeNames(services: Readonly<Record<string, unknown>>, t: Translate): Promise<void> {
  try {
    if (JSON.stringify(readSettings().services) !== JSON.stringify(services)) await writeServices(services);
  } catch {
    throw new UserFacingError(t('Couldn\'t update the "lineside.services" setting.'));
  }
}

async function writeInUse(baseUrl: string, { t }: CommandContext): Promise<void> {
  try {
    if (readSettings().baseUrl !== baseUrl) await writeBaseUrl(baseUrl);
  } catch {
    throw new UserFacingError(
      t(
        'Couldn\'t update the "lineside.baseUrl" setting. The API key was saved. Set the base URL to {0} manually.',
        baseUrl,
      ),
    );
  }
}
