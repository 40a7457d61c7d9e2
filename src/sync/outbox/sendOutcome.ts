import { ApiError } from '../../api/errors.ts';
import type { AddedMessage } from '../../api/sessionsApi.ts';

/** What an attempt to send a message came to (R31). */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly added: AddedMessage }
  /** Surely not processed, and worth trying again by itself; `keyRefused`: once there is another key. */
  | { readonly kind: 'retry' | 'keyRefused'; readonly error: ApiError }
  /** Surely not processed; trying again would end the same. */
  | { readonly kind: 'notSent'; readonly error: unknown }
  /** The service may have processed it. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/**
 * Judges a failed POST. Only what surely was not processed may go out again without asking: no connection was made, or
 * the service said 429 or 401. Any other 4xx is a refusal, but 408, which a gateway may say while the service works on.
 */
export function judgeFailure(error: unknown): Exclude<SendOutcome, { kind: 'accepted' }> {
  if (!(error instanceof ApiError)) return { kind: 'unknown', error };
  const { kind, status = 0 } = error;
  if (kind === 'invalidRequest') return { kind: 'notSent', error };
  if (kind === 'status' && status === 401) return { kind: 'keyRefused', error };
  if (kind === 'status' && status === 429) return { kind: 'retry', error };
  if (kind === 'status' && status >= 400 && status < 500 && status !== 408) return { kind: 'notSent', error };
  if (error.sent === 'no') return { kind: 'retry', error };
  return { kind: 'unknown', error };
}
