import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';
import { oneLine } from '../../shared/log.ts';
import { parsedJson } from '../../shared/longJson.ts';
import type { PausableWork } from '../../shared/slices.ts';
import { ApiError } from '../errors.ts';
import type { LongItems } from './longItems.ts';
import type { TransportResponse } from './transport.ts';

const maxDetailLength = 500;
const maxDepth = 3;
/** The number of items of a list that are searched for an explanation. */
const maxItems = 3;
const fieldNames = ['detail', 'error', 'message', 'title', 'msg'] as const;

/**
 * Reads the service's explanation of an error (R23): the first of `detail`, `error`, `message`, `title`, and `msg` in a
 * JSON body, prefixed with the field that it is about if the body names one, or the text of a `text/plain` body. One
 * line of at most 500 characters; undefined if there is none. HTML is ignored. The text is untrusted.
 */
function readErrorDetail(response: TransportResponse): string | undefined {
  const text = new TextDecoder('utf-8').decode(response.body);
  const json = parseJson(text);
  const isPlainText = /^text\/plain\b/i.test(contentTypeOf(response));
  const words = json === undefined ? (isPlainText ? text : '') : (wordsOf(json, 0) ?? '');
  return oneLine(words, maxDetailLength) || undefined;
}

const record = z.record(z.string(), z.unknown());

function wordsOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) return firstWords(value.slice(0, maxItems), depth);
  const fields = record.safeParse(value);
  if (!fields.success) return undefined;
  const words = firstWords(
    fieldNames.map((name) => fields.data[name]),
    depth,
  );
  const place = placeOf(fields.data);
  return words === undefined || place === '' ? words : `${place}: ${words}`;
}

/** The path of the request field that an error is about, for example `images.0.mediaType`; empty if there is none. */
function placeOf({ loc, path, field, param }: Readonly<Record<string, unknown>>): string {
  const parts = [loc, path].find((value) => Array.isArray(value));
  if (!Array.isArray(parts)) return [field, param].find((value) => typeof value === 'string') ?? '';
  const names = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
  return (names[0] === 'body' ? names.slice(1) : names).join('.');
}

function firstWords(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const words = wordsOf(value, depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

/**
 * The service's time when it responded, in Unix ms, from the Date header (whole seconds); undefined without a valid
 * header.
 */
export function serverTimeOf(response: TransportResponse): number | undefined {
  return parseDate(response.headers.get('date'));
}

/** The longest pause that is taken from a Retry-After header, in ms (R43). */
const longestRetryAfterMs = 3_600_000;

/**
 * The delay in ms that the service requests in the Retry-After header (R24), at most an hour. A date is compared with
 * the service's own clock, or with `nowMs` if the response has no Date header.
 */
function retryAfterOf(response: TransportResponse, nowMs: number): number | undefined {
  const value = response.headers.get('retry-after')?.trim();
  if (value !== undefined && /^\d+$/.test(value)) return Math.min(longestRetryAfterMs, Number(value) * 1000);
  const at = parseDate(value);
  if (at === undefined) return undefined;
  return Math.min(longestRetryAfterMs, Math.max(0, at - (serverTimeOf(response) ?? nowMs)));
}

/**
 * Parses an HTTP date such as `Sun, 06 Nov 1994 08:49:37 GMT`. Date.parse alone would also accept text such as `1`, as
 * a month.
 */
function parseDate(value: string | undefined): number | undefined {
  if (value === undefined || !/^[A-Z][a-z]{2,8}, /.test(value)) return undefined;
  const parsed = Date.parse(value);
  return Number.isNaN(parsed) ? undefined : parsed;
}

const maxReasonLength = 200;

/**
 * Reads the body of a response with status 200 as JSON and validates it against `schema` (R20). The target of a
 * redirect is resolved against `requestUrl`. A Retry-After date is compared with `nowMs` (Unix ms) if the response has
 * no Date header. With `longItems`, names take the place of long items in the value. Has pauses for `inSlices`, but not
 * in the validation.
 *
 * @throws ApiError `redirect` for a 3xx status (R17), `proxy` for 407, `status` for any other status, `notJson`, or
 * `wrongShape`.
 */
export function* readResponse<Schema extends z.ZodMiniType>(
  response: TransportResponse,
  schema: Schema,
  requestUrl: URL,
  nowMs: number,
  longItems?: LongItems,
): PausableWork<z.output<Schema>> {
  if (response.status !== 200) throw statusError(response, requestUrl, nowMs);
  const parsed = schema.safeParse(yield* readJson(response, longItems));
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole body').join(', ');
  const message = `The response doesn't have the specified shape: ${oneLine(paths, maxReasonLength)}`;
  throw new ApiError('wrongShape', message, { sent: 'maybe', status: response.status });
}

/**
 * Creates the error for a response with a status other than 200. The body may be empty if it was incomplete or too
 * large.
 */
function statusError(response: TransportResponse, requestUrl: URL, nowMs: number): ApiError {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const redirectOrigin = originOf(headers.get('location'), requestUrl);
    const message = `The service responded with ${status}, a redirect to ${redirectOrigin ?? 'an unknown location'}.`;
    return new ApiError('redirect', message, { sent: 'maybe', status, redirectOrigin });
  }
  return new ApiError(status === 407 ? 'proxy' : 'status', `The service responded with ${status}.`, {
    sent: 'maybe',
    status,
    detail: readErrorDetail(response),
    retryAfterMs: retryAfterOf(response, nowMs),
  });
}

function originOf(location: string | undefined, requestUrl: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, requestUrl.href)) return undefined;
  const { origin, protocol } = new URL(location, requestUrl.href);
  // The origin of schemes such as `file:` and `command:` is "null".
  return origin === 'null' ? protocol : origin;
}

/** `application/json` and types such as `application/problem+json`, with or without parameters. */
const jsonMediaType = /^\s*application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

function* readJson(response: TransportResponse, longItems: LongItems | undefined): PausableWork<unknown> {
  const { status, body } = response;
  const notJson = (message: string) => new ApiError('notJson', message, { sent: 'maybe', status });
  if (!jsonMediaType.test(contentTypeOf(response))) throw notJson('The content type is not JSON.');
  const value = yield* longItems ? longItems.parse(body) : parsedJson(body);
  if (value === undefined) throw notJson('The response is not valid JSON.');
  return value;
}

function contentTypeOf({ headers }: TransportResponse): string {
  return headers.get('content-type') ?? '';
}
