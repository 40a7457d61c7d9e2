import type { SearchedText } from './characters.ts';
import type { Finding } from './issuerTokens.ts';

const privateLabel = /^-{4,5} ?BEGIN ([A-Za-z0-9 ]{0,40}(?:PRIVATE KEY|Static key V1)(?: BLOCK)?) ?-{4,5}/;
const endLabel = /^-{4,5} ?END [A-Za-z0-9 ]{0,40}(?:PRIVATE KEY|Static key V1)(?: BLOCK)? ?-{4,5}/;
const longestLine = 8_192;
const mostLines = 800;
const mostHeaders = 8;

/** A piece of a key's text: up to a line feed, to an escaped line break in a string, or to five hyphens. */
interface Line {
  /** Without what a diff, a quotation, or a programming language writes around it. */
  readonly text: string;
  readonly end: number;
  /** The start of the next line; -1 if there is none. */
  readonly next: number;
}

/**
 * A private key whose first or last line is at `at`, with or without the rest: in PEM or PGP form, in a diff, in a
 * string, quoted, indented, or cut off.
 */
export function keyBlockAt(source: SearchedText, at: number): Finding | undefined {
  const head = source.part(at, at + 100);
  const begin = privateLabel.exec(head);
  if (begin) return blockAfter(source, at, at + begin[0].length);
  const end = endLabel.exec(head);
  return end ? blockBefore(source, at, at + end[0].length) : undefined;
}

/** The lines of base64 after `Private-Lines: 14` in a file of PuTTY. `at` is the colon. */
export function puttyKeyAt(source: SearchedText, at: number): Finding | undefined {
  if (!source.text.startsWith('Private-Lines', at - 13)) return undefined;
  const count = /^: *(\d{1,3})/.exec(source.text.slice(at, at + 20));
  if (!count) return undefined;
  const first = at + count[0].length;
  const { end, keyLength } = bodyAfter(source, first, Number(count[1]));
  return keyLength >= 16 ? { start: first, end, rule: 'PuTTY private key', isCertain: true } : undefined;
}

function blockAfter(source: SearchedText, start: number, from: number): Finding | undefined {
  const { end, keyLength, length, closing } = bodyAfter(source, from, mostLines);
  // Without the closing line, only lines of base64 belong to the key.
  const isOneLine = !/[\r\n\\]/.test(source.text.charAt(from));
  if (closing === undefined ? keyLength < 32 : length < (isOneLine ? 16 : 1)) return undefined;
  return { start, end: closing ?? end, rule: 'Private key', isCertain: true };
}

/** The lines of a key. */
interface Body {
  /** The end of the lines of base64 and headers. */
  readonly end: number;
  /** The number of characters in these lines, without headers. */
  readonly keyLength: number;
  /**
   * The number of letters and digits, without headers, in the lines before the closing one, or before the first line
   * with white space that isn't a header.
   */
  readonly length: number;
  /** The end of the closing line; undefined if it doesn't follow. */
  readonly closing: number | undefined;
}

function bodyAfter(source: SearchedText, from: number, most: number): Body {
  let [at, end, keyLength, length] = [from, from, 0, 0];
  let isKey = true;
  for (let count = 0; count <= most; count++) {
    const closing = closingAt(source, at);
    if (closing !== undefined) return { end, keyLength, length, closing };
    const line = lineAt(source, at);
    const isHeader = count < mostHeaders && /^[A-Z][A-Za-z-]{2,20}: \S/.test(line.text);
    isKey &&= isHeader || isBase64Line(line.text);
    if (!isHeader && /\s/.test(line.text)) break;
    if (isKey && line.text !== '') end = line.end;
    if (isKey && !isHeader) keyLength += line.text.length;
    if (!isHeader) length += line.text.replace(/[^A-Za-z0-9]+/g, '').length;
    if (line.next < 0) break;
    at = line.next;
  }
  return { end, keyLength, length, closing: undefined };
}

/** The end of the closing line, if it begins at `at` after what may be written around a line. */
function closingAt(source: SearchedText, at: number): number | undefined {
  const text = source.text.slice(at, at + 160);
  const around = /^\s*(?:\d{1,6}[:|→\s])?[\s+>#*|"',\\/]*/.exec(text)?.[0].length ?? 0;
  // A removed line of a diff begins with one more hyphen.
  for (const from of [around, around + 1]) {
    const label = endLabel.exec(text.slice(from));
    if (label) return at + from + label[0].length;
  }
  return undefined;
}

function lineAt(source: SearchedText, at: number): Line {
  const { text } = source;
  const limit = Math.min(text.length, at + longestLine);
  let end = at;
  let next = -1;
  for (; end < limit; end++) {
    const character = text.charAt(end);
    if (character === '\n') next = end + 1;
    else if (character === '\\' && /[nr]/.test(text.charAt(end + 1))) next = end + 2;
    else if (text.startsWith('-----', end) && end > at + 1) next = end;
    if (next >= 0) break;
  }
  source.examined += end - at + 1;
  return { text: stripped(text.slice(at, end)), end, next };
}

/**
 * A line without indentation, quotation marks, and the marks of diffs, quotations, comments, lists, and line numbers.
 */
function stripped(line: string): string {
  const rest = line.replace(/^\s*\d{1,6}[:|→\s]/, '').replace(/^[\s+>#*|"'`/-]+/, '');
  let end = rest.length;
  while (end > 0 && /[\s"'`,;+\\)]/.test(rest.charAt(end - 1))) end--;
  return rest.slice(0, end);
}

/** Whether a line is base64, the checksum of base64, base64 that ends with an ellipsis, or empty. */
function isBase64Line(line: string): boolean {
  return /^=?[A-Za-z0-9+/]*(?:={0,3}|\.{3})$/.test(line);
}

/** A key without its first line: the closing line at `at`, and the lines of base64 before it. */
function blockBefore(source: SearchedText, at: number, end: number): Finding | undefined {
  const { text } = source;
  let start = at - (/[\s+>#*|"'`/\d:→-]{0,40}$/.exec(source.lineBefore(at, 40))?.[0].length ?? 0);
  let characters = 0;
  for (let count = 0; count < mostLines; count++) {
    const lineBreak = /(?:\r\n|(?:\\r)?\\n|\\r)$/.exec(text.slice(start - 4, start));
    const lineEnd = start - (lineBreak?.[0].length ?? 1);
    const line = source.lineBefore(Math.max(0, lineEnd), 100);
    const from = lineEnd - line.length + lineStartIn(line);
    const base64 = stripped(text.slice(from, Math.max(from, lineEnd)));
    if (!/^[A-Za-z0-9+/]{16,}={0,3}$/.test(base64)) break;
    start = from;
    characters += base64.length;
  }
  return characters >= 32 ? { start, end, rule: 'Private key', isCertain: true } : undefined;
}

/** Where the last line begins in a part of a text, in which `\n` can represent a line feed. */
function lineStartIn(part: string): number {
  const escape = part.lastIndexOf('\\n');
  return escape < 0 ? 0 : escape + 2;
}
