import { cutPoint } from './text/cutPoint.ts';

/**
 * The extension's log. Its lines contain methods, paths, statuses, durations, and counts, but never API keys, message
 * text, file data, or setting values (R37).
 */
export interface Log {
  trace(line: string): void;
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** A log that discards everything. */
export const silentLog: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const maxReasonLength = 500;

/**
 * Describes a thrown value in one line of at most 500 characters: the messages of the error and of up to two causes. An
 * error without a message is represented by its code. A thrown string is used as it is, and of other
 * values only the type. Stack traces are omitted because they can contain values.
 */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = error, depth = 0; current !== undefined && depth < 3; depth++) {
    if (!(current instanceof Error)) {
      parts.push(typeof current === 'string' ? current : typeof current);
      break;
    }
    const message = current.message || ('code' in current ? String(current.code) : '');
    if (message) parts.push(message);
    current = current.cause;
  }
  return oneLine(parts.join(': ') || 'unknown error', maxReasonLength);
}

/**
 * Replaces each run of white space and control characters with one space, except at the ends, where it is removed.
 * Truncates the result to `maxLength` characters.
 */
export function oneLine(text: string, maxLength: number): string {
  // oxlint-disable-next-line no-control-regex -- the pattern is meant to match control characters
  const folded = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return folded.length <= maxLength ? folded : `${folded.slice(0, cutPoint(folded, maxLength - 1))}…`;
}
