import * as z from 'zod/mini';
import { oneLine } from '../../shared/log.ts';
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
