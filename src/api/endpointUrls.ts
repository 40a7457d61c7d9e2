import { ApiError } from './errors.ts';
import type { ListOptions } from './sessionsApi.ts';

/**
 * Builds the URLs of spec 4. IDs and query values are percent-encoded.
 *
 * @throws ApiError of kind `invalidRequest` for an ID or a value that a URL can't contain or that the spec doesn't
 * allow.
 */
export interface Endpoints {
  session(sessionId: string, computerId?: string): URL;
  messages(sessionId: string, query?: Omit<ListOptions, 'signal'>): URL;
  message(sessionId: string, messageId: string, computerId?: string): URL;
}

/** Returns the endpoints of the service at `baseUrl`, which must not have a trailing slash. */
export function endpointsBelow(baseUrl: string): Endpoints {
  const sessionUrl = (sessionId: string) => `${baseUrl}/api/v0/sessions/${pathSegment(sessionId, 'session')}`;
  return {
    session: (sessionId, computerId) => new URL(sessionUrl(sessionId) + queryOf({ computerId })),
    messages(sessionId, { limit, cursor, role, computerId } = {}) {
      if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= 100)) {
        throw invalid('The limit must be an integer from 1 to 100.');
      }
      return new URL(`${sessionUrl(sessionId)}/messages${queryOf({ limit, cursor, role, computerId })}`);
    },
    message(sessionId, messageId, computerId) {
      const path = `/messages/${pathSegment(messageId, 'message')}`;
      return new URL(sessionUrl(sessionId) + path + queryOf({ computerId }));
    },
  };
}

function pathSegment(id: string, noun: string): string {
  // URL parsers resolve `.` and `..` even when they are percent-encoded, so the request would go to another path.
  if (id === '' || id === '.' || id === '..') throw invalid(`Not a valid ${noun} ID.`);
  return percentEncode(id);
}

/** Formats a query string. Undefined and empty values are omitted. */
function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return pairs
    .map(([name, value], index) => `${index === 0 ? '?' : '&'}${name}=${percentEncode(String(value))}`)
    .join('');
}

function percentEncode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // A lone surrogate has no percent-encoded form.
    throw invalid("The text contains a lone surrogate, which a URL can't contain.");
  }
}

function invalid(message: string): ApiError {
  return new ApiError('invalidRequest', message, { sent: 'no' });
}
