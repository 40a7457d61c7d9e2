import { ApiError } from '../../api/errors.ts';
import type { Problem } from '../../state/store/failure.ts';

/** The facts of a failure, for the store. `at` is Unix ms. */
export function problemOf(error: unknown, at: number): Problem {
  if (!(error instanceof ApiError)) return { kind: 'unexpected', at };
  const { kind, status, detail, code, redirectOrigin, retryAfterMs } = error;
  return { kind, status, detail, code, redirectOrigin, retryAfterMs, at };
}

/** Whether the service said that the key is not valid (R12). */
export function isKeyRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === 'status' && error.status === 401;
}
