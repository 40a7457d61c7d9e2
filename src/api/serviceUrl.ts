/** Why a text is no base URL of a service. */
export type ServiceUrlProblem =
  | 'empty'
  | 'notAUrl'
  /** Neither `https:` nor `http:`, or no scheme at all. */
  | 'wrongScheme'
  /** `http:` to another machine would send the key in the clear (R9). */
  | 'insecure'
  | 'credentials'
  | 'queryOrFragment';

/** A service's address: the key and everything kept are bound to `origin`; requests go below `baseUrl`. */
export interface ServiceUrl {
  readonly origin: string;
  /** Without a trailing slash and without `/api/v0`. */
  readonly baseUrl: string;
}

/**
 * Reads the base URL that a person gave (spec 1): with or without a trailing slash, a path prefix, or a pasted
 * `/api/v0`. `https:` only; `http:` for loopback alone.
 */
export function parseServiceUrl(text: string): ServiceUrl | { readonly problem: ServiceUrlProblem } {
  const trimmed = text.trim();
  if (trimmed === '') return { problem: 'empty' };
  if (!/^https?:\/\//i.test(trimmed)) return { problem: 'wrongScheme' };
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!url) return { problem: 'notAUrl' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { problem: 'insecure' };
  if (url.username !== '' || url.password !== '') return { problem: 'credentials' };
  if (/[?#]/.test(trimmed)) return { problem: 'queryOrFragment' };
  const prefix = withoutTrailingSlashes(withoutTrailingSlashes(url.pathname).replace(/\/api\/v0$/, ''));
  return { origin: url.origin, baseUrl: url.origin + prefix };
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** `hostname` as a URL gives it: an IPv4 address in whatever notation is already four decimal numbers. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
