import { isLoopback } from '../shared/loopback.ts';

/** The reason why the entered text can't be used as the base URL of a service. */
export type ServiceUrlFailure =
  | 'empty'
  | 'notAUrl'
  /** The scheme is missing, or it is neither `https:` nor `http:`. */
  | 'wrongScheme'
  /** `http:` to another machine would send the key unencrypted (R9). */
  | 'insecure'
  | 'credentials'
  | 'queryOrFragment';

/** The address of a service. */
export interface ServiceUrl {
  /** Keys and stored data are associated with this origin. */
  readonly origin: string;
  /** The prefix of all request URLs, without a trailing slash and without `/api/v0`. */
  readonly baseUrl: string;
}

/**
 * Reads a base URL from user input (spec 1). It may have a path prefix; trailing slashes and a pasted `/api/v0` are
 * removed. `http:` is accepted only for loopback addresses.
 */
export function parseServiceUrl(text: string): ServiceUrl | { readonly failure: ServiceUrlFailure } {
  const trimmed = text.trim();
  if (trimmed === '') return { failure: 'empty' };
  if (!/^https?:\/\//i.test(trimmed)) return { failure: 'wrongScheme' };
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!url) return { failure: 'notAUrl' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { failure: 'insecure' };
  if (url.username !== '' || url.password !== '') return { failure: 'credentials' };
  if (/[?#]/.test(trimmed)) return { failure: 'queryOrFragment' };
  const prefix = withoutTrailingSlashes(withoutTrailingSlashes(url.pathname).replace(/\/api\/v0$/, ''));
  return { origin: url.origin, baseUrl: url.origin + prefix };
}

/**
 * A host with an optional port and path. Apart from `localhost`, a word without a dot needs a port, because it may be
 * anything, such as an API key.
 */
const hostAlone =
  /^(localhost|\[[\da-f:.]+\]|[^\s/?#:@[\]][^\s/?#:@[\].]*\.[^\s/?#:@[\]]+|[^\s/?#:@[\]]+(?=:))(:\d+)?([/?#].*)?$/i;

/**
 * Adds the scheme to a typed address that lacks it: `http://` for loopback hosts, otherwise `https://`. Returns other
 * texts unchanged.
 */
export function completeServiceUrl(text: string): string {
  const trimmed = text.trim();
  const host = hostAlone.exec(trimmed)?.[1];
  if (host === undefined) return text;
  const secure = `https://${trimmed}`;
  return URL.canParse(secure) && isLoopback(new URL(secure).hostname) ? `http://${trimmed}` : secure;
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}
