import * as z from 'zod/mini';
import { oneLine } from '../../shared/log.ts';
import { ApiError } from '../errors.ts';
import type { TransportAnswer } from '../transport/transport.ts';

const maxDetailLength = 500;
/** An explanation longer than this is none. */
const maxReadBytes = 64 * 1024;
const maxDepth = 3;
const fieldNames = ['detail', 'error', 'message', 'title', 'msg'] as const;

/**
 * The service's own words about an error (R23): from `detail`, else `error`, `message`, `title` of a JSON body, or the
 * text of a plain one; one line of at most 500 characters. Undefined where there are none (HTML is none): the status
 * has to speak. Untrusted text.
 */
export function readErrorDetail(answer: TransportAnswer): string | undefined {
  if (answer.body.byteLength > maxReadBytes) return undefined;
  const text = new TextDecoder('utf-8').decode(answer.body);
  const json = parseJson(text);
  const isPlainText = /^text\/plain\b/i.test(answer.headers.get('content-type') ?? '');
  const words = json === undefined ? (isPlainText ? text : '') : (wordsOf(json, 0) ?? '');
  return oneLine(words, maxDetailLength) || undefined;
}

const record = z.record(z.string(), z.unknown());

function wordsOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth > maxDepth || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return firstWords(value.slice(0, maxDepth), depth);
  const fields = record.safeParse(value);
  if (!fields.success) return undefined;
  return firstWords(
    fieldNames.map((name) => fields.data[name]),
    depth,
  );
}

function firstWords(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const words = wordsOf(value, depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The service's clock when it answered, Unix ms, from the Date header (whole seconds). */
export function serverTimeOf(answer: TransportAnswer): number | undefined {
  return parseDate(answer.headers.get('date'));
}

/**
 * How long the service asks to wait, in ms (R24): Retry-After in seconds, or as a date against the service's own clock,
 * or `nowMs` where it does not tell it.
 */
export function retryAfterOf(answer: TransportAnswer, nowMs: number): number | undefined {
  const value = answer.headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = parseDate(value);
  return at === undefined ? undefined : Math.max(0, at - (serverTimeOf(answer) ?? nowMs));
}

/** HTTP dates only (`Sun, 06 Nov 1994 08:49:37 GMT`): Date.parse alone would take `1` for a month. */
function parseDate(value: string | undefined): number | undefined {
  if (value === undefined || !/^[A-Z][a-z]{2,8}, /.test(value)) return undefined;
  const parsed = Date.parse(value);
  return Number.isNaN(parsed) ? undefined : parsed;
}

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
