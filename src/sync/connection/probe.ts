import { ApiError } from '../../api/errors.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import type { Failure } from '../../state/store/failure.ts';

/** An id no service gives out, for asking whether anybody answers. */
const absentSessionId = 'lineside-connection-test';

/**
 * Asks a service for a session, which shows that it is there and takes the key. The API has no call for this (spec 4):
 * `sessionId` is one of the deck, or without one an id that does not exist, which a Sessions API answers with 404 and
 * words of its own. Rejects with the ApiError that says what is wrong.
 */
export async function probeService(
  api: SessionsApi,
  sessionId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    await api.getSession(sessionId ?? absentSessionId, { signal });
  } catch (error) {
    const isAnswered = error instanceof ApiError && error.status === 404 && error.detail !== undefined;
    if (!isAnswered) throw error;
  }
}

/** The facts of a failure, for the store. `at` is Unix ms. */
export function problemOf(error: unknown, at: number): Failure {
  if (!(error instanceof ApiError)) return { kind: 'unexpected', at };
  const { kind, status, detail, code, redirectOrigin, retryAfterMs } = error;
  return { kind, status, detail, code, redirectOrigin, retryAfterMs, at };
}

/** Whether the service said that the key is not valid (R12). */
export function isKeyRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === 'status' && error.status === 401;
}
