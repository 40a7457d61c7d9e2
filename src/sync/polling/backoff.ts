import type { ApiError } from '../../api/errors.ts';

const baseMs = 1_000;
const capMs = 30_000;
/** A service that asks for a longer pause than this is not waited for: reading stops and says so (R24). */
export const longestPauseMs = 5 * 60_000;

/**
 * How long to wait before try `failures + 1`, in ms: full jitter over a doubling window of at most 30 s, on top of what
 * the service asked for (R24). `failures` is at least 1.
 */
export function backoffMs(failures: number, random: () => number, retryAfterMs = 0): number {
  const windowMs = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 10));
  return retryAfterMs + random() * windowMs;
}

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Whether a failed read may be tried again later by itself (R24). */
export function isRetriedRead(error: ApiError): boolean {
  switch (error.kind) {
    case 'unreachable':
    case 'proxy':
    case 'deadline':
      return true;
    case 'status':
      return retriedStatuses.has(error.status ?? 0);
    case 'certificate':
    case 'cancelled':
    case 'redirect':
    case 'notJson':
    case 'wrongShape':
    case 'tooLarge':
    case 'invalidRequest':
      return false;
  }
}
