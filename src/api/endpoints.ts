import { ApiError } from './errors.ts';
import type { ListOptions } from './sessionsApi.ts';

/**
 * The URLs of spec 4 below a base URL without trailing slash. Ids and values are percent-encoded. Each throws an
 * ApiError of kind `invalidRequest` for what no URL can carry or the spec does not allow.
 */
export interface Endpoints {
  session(sessionId: string, computerId?: string): URL;
  messages(sessionId: string, query?: Omit<ListOptions, 'signal'>): URL;
  message(sessionId: string, messageId: string, computerId?: string): URL;
}

export function endpointsBelow(baseUrl: string): Endpoints {
  const sessionUrl = (sessionId: string) => `${baseUrl}/api/v0/sessions/${pathSegment(sessionId, 'session')}`;
  return {
    session: (sessionId, computerId) => new URL(sessionUrl(sessionId) + queryOf({ computerId })),
    messages(sessionId, { limit, cursor, role, computerId } = {}) {
      if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= 100)) {
        throw invalid('A limit has to be a whole number from 1 to 100.');
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
  // `.` and `..` mean the same to every URL parser when they are percent-encoded: the request would go elsewhere.
  if (id === '' || id === '.' || id === '..') throw invalid(`This cannot be the ID of a ${noun}.`);
  return percentEncode(id);
}

/** Absent and empty values are left out. */
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
    // Half a surrogate pair.
    throw invalid('This text cannot stand in a URL.');
  }
}

function invalid(message: string): ApiError {
  return new ApiError('invalidRequest', message, { sent: 'no' });
}
