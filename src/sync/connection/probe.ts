import { ApiError } from '../../api/errors.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { errorCode } from '../storage/atomicFile.ts';
import type { Failure } from '../../state/store/failure.ts';
import { isRetriedRead } from './backoff.ts';

/** An ID that no service assigns, used to test whether a service responds. */
const absentSessionId = 'lineside-connection-test';

/**
 * Requests a session to check that the service is reachable and accepts the key. The API has no dedicated call for this
 * (spec 4). `sessionId` is a session in the list; without it, an ID that does not exist is requested, to which a
 * Sessions API responds with 404 and a `detail`. Rejects with the ApiError that describes the failure.
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

/** The codes of errors that come from reading or writing files. */
const diskCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EBUSY', 'EMFILE', 'ENFILE', 'ENEWER'];

/** Converts an error to the store's description of a failure. `at` is Unix ms. */
export function toFailure(error: unknown, at: number): Failure {
  if (!(error instanceof ApiError)) {
    const code = errorCode(error);
    return code !== undefined && diskCodes.includes(code) ? { kind: 'disk', code, at } : { kind: 'unexpected', at };
  }
  const { kind, status, detail, code, reason, proxy, fixedRoute, redirectOrigin, retryAfterMs } = error;
  return { kind, status, detail, code, reason, proxy, fixedRoute, redirectOrigin, retryAfterMs, at };
}

/** Whether the service rejected the key as invalid (R12). */
export function isKeyRejected(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === 'status' && error.status === 401;
}

/** Whether a failure is about the messages of one session, rather than the service or the connection. */
export function isAboutSession(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { kind, status = 0 } = error;
  return kind === 'wrongShape' || (kind === 'status' && status < 500 && status !== 401 && !isRetriedRead(error));
}

/**
 * Whether a failure to read one message by its ID may be about that message only: the service can't respond with it, or
 * its ID can't be requested. If it is about the session, requests for the session show that.
 */
export function isAboutMessage(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { kind, code } = error;
  // The failure has a code if the key can't be used, and none if the ID can't be part of a URL.
  const isInvalidId = kind === 'invalidRequest' && code === undefined;
  return isInvalidId || kind === 'tooLarge' || kind === 'notJson' || isAboutSession(error);
}
