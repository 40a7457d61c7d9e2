import { ApiError } from '../../api/errors.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';

/** An id no service gives out, for asking whether anybody answers. */
const absentSessionId = 'session-deck-connection-test';

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
