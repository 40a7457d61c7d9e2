import type * as z from 'zod/mini';
import { oneLine } from '../../shared/log.ts';
import { readErrorDetail, retryAfterOf } from './errorDetail.ts';
import { ApiError } from '../errors.ts';
import type { TransportAnswer } from '../transport/transport.ts';

const maxReasonLength = 200;

/**
 * Reads an answer of status 200 as JSON of the given shape (R20). Throws an ApiError otherwise: `redirect` for any 3xx
 * (R17), `proxy` for 407, `status` for any other status, `notJson`, `wrongShape`. `requestUrl` resolves a redirect's
 * target, `nowMs` a Retry-After date.
 */
export function judgeAnswer<Schema extends z.ZodMiniType>(
  answer: TransportAnswer,
  schema: Schema,
  requestUrl: URL,
  nowMs: number,
): z.output<Schema> {
  if (answer.status !== 200) throw statusError(answer, requestUrl, nowMs);
  const parsed = schema.safeParse(readJson(answer));
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole').join(', ');
  const message = `The answer does not have the specified shape: ${oneLine(paths, maxReasonLength)}`;
  throw new ApiError('wrongShape', message, { sent: 'maybe', status: answer.status });
}

/** The error for an answer with another status than 200; also right where its body was cut short or too large. */
export function statusError(answer: TransportAnswer, requestUrl: URL, nowMs: number): ApiError {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    const redirectOrigin = originOf(headers.get('location'), requestUrl);
    const message = `The service answered ${status}, a redirect to ${redirectOrigin ?? 'nowhere'}.`;
    return new ApiError('redirect', message, { sent: 'maybe', status, redirectOrigin });
  }
  return new ApiError(status === 407 ? 'proxy' : 'status', `The service answered ${status}.`, {
    sent: 'maybe',
    status,
    detail: readErrorDetail(answer),
    retryAfterMs: retryAfterOf(answer, nowMs),
  });
}

function originOf(location: string | undefined, requestUrl: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, requestUrl.href)) return undefined;
  const { origin, protocol } = new URL(location, requestUrl.href);
  // Schemes without an origin (`file:`, `command:`) have the origin "null".
  return origin === 'null' ? protocol : origin;
}

/** `application/json` and its kin (`application/problem+json`), with or without parameters. */
const jsonMediaType = /^\s*application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

function readJson(answer: TransportAnswer): unknown {
  const { status, headers, body } = answer;
  const refuse = (message: string) => new ApiError('notJson', message, { sent: 'maybe', status });
  if (!jsonMediaType.test(headers.get('content-type') ?? '')) throw refuse('The answer is not labelled as JSON.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's own words quote the body.
    throw refuse('The answer is not valid JSON.');
  }
}
