import { type ServiceUrl, type ServiceUrlFailure, parseServiceUrl } from '../../api/serviceUrl.ts';

/** A service that the user can switch to. */
export interface NamedService extends ServiceUrl {
  readonly name: string;
}

/** An unusable entry of the setting. */
export interface UnusableService {
  readonly name: string;
  readonly failure: ServiceUrlFailure | 'sameOrigin';
}

/** The setting `lineside.services` as the user entered it: names, and values that should be base URLs. */
export type ServiceSetting = Readonly<Record<string, unknown>>;

/**
 * Reads the services in the setting, and adds the current one if it is missing. Each origin appears once, because keys
 * and saved data belong to an origin.
 */
export function readServices(
  setting: ServiceSetting,
  baseUrl: string,
): { readonly services: readonly NamedService[]; readonly unusable: readonly UnusableService[] } {
  const services: NamedService[] = [];
  const unusable: UnusableService[] = [];
  const isKnown = ({ origin }: ServiceUrl) => services.some((service) => service.origin === origin);
  for (const [name, value] of Object.entries(setting)) {
    const url = parseServiceUrl(String(value));
    if ('failure' in url) unusable.push({ name, failure: url.failure });
    else if (isKnown(url)) unusable.push({ name, failure: 'sameOrigin' });
    else services.push({ ...url, name });
  }
  const inUse = parseServiceUrl(baseUrl);
  if (!('failure' in inUse) && !isKnown(inUse)) services.unshift({ ...inUse, name: freeName(setting, inUse) });
  return { services, unusable };
}

/** Adds services to the setting. A service that is already there keeps its name, and gets the new base URL. */
export function withServices(setting: ServiceSetting, services: readonly NamedService[]): ServiceSetting {
  const { services: known } = readServices(setting, '');
  const nameOf = ({ origin, name }: NamedService) => known.find((one) => one.origin === origin)?.name ?? name;
  return { ...setting, ...Object.fromEntries(services.map((service) => [nameOf(service), service.baseUrl])) };
}

/** Removes all entries with the origin of a service from the setting. Entries that aren't base URLs stay. */
export function withoutService(setting: ServiceSetting, { origin }: ServiceUrl): ServiceSetting {
  return Object.fromEntries(Object.entries(setting).filter(([, value]) => originIn(value) !== origin));
}

/** Renames a service in the setting and keeps its position; adds it if it is missing. */
export function renamedService(setting: ServiceSetting, service: ServiceUrl, name: string): ServiceSetting {
  const entries = Object.entries(setting);
  // Other entries with the same origin are unusable, but they must not be overwritten.
  const former = entries.find(([, value]) => originIn(value) === service.origin)?.[0];
  if (former === undefined) return { ...setting, [name]: service.baseUrl };
  return Object.fromEntries(entries.map(([key, value]) => [key === former ? name : key, value]));
}

/** A default name for an unnamed service: its host, with a number if that name is taken. */
export function freeName(setting: ServiceSetting, { baseUrl }: ServiceUrl): string {
  const { host } = new URL(baseUrl);
  let name = host;
  for (let number = 2; Object.hasOwn(setting, name); number++) name = `${host} (${number})`;
  return name;
}

function originIn(value: unknown): string | undefined {
  const url = parseServiceUrl(String(value));
  return 'failure' in url ? undefined : url.origin;
}
