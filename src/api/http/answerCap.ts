import type { ApiError } from '../errors.ts';
import type { TransportAnswer } from '../transport/transport.ts';

/** What an answer other than 200 may hold; its status says what matters, its body at most explains. */
const maxExplanationBytes = 64 * 1024;

/** The cap on the body of an answer of this status (R19). */
export function answerCapOf(status: number, maxAnswerBytes: number): number {
  return status === 200 ? maxAnswerBytes : Math.min(maxAnswerBytes, maxExplanationBytes);
}

/**
 * The answer to give although its body could not be read: status and headers of any other status than 200 are worth
 * more than the trouble with the explanation. Undefined where the error has to be told.
 */
export function answerDespite(
  error: ApiError,
  status: number | undefined,
  headers: ReadonlyMap<string, string>,
): TransportAnswer | undefined {
  if (status === undefined || status === 200 || error.kind === 'cancelled') return undefined;
  return { status, headers, body: new Uint8Array() };
}
