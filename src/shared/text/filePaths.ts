import { defined } from '../defined.ts';

/** A place in a file as a text names it. Lines and columns start at 1; the last line belongs to the place. */
export interface WrittenPlace {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/**
 * A part of a text that may be the path of a file. `at` is the index of the part, and `length` its length. `path` is
 * the path that the part names, with its lines. It differs from the part only for a citation such as `【F:a.ts†L3】`.
 */
export interface PathToken {
  readonly at: number;
  readonly length: number;
  readonly path: string;
}

/** Longer text isn't searched, because it isn't prose. */
const maxTextLength = 20_000;
/** The maximum length of a path in a text, and of a code span that is searched for a path with spaces. */
const maxWrittenLength = 300;
/** The maximum length of the target of a link to a file, which can be percent-encoded. */
export const maxTargetLength = 1_000;

/**
 * The part of a path that names lines: `:3`, `:3:5`, `:3:5-9`, `:3-9`, `:3:5-9:2`, `:L3`, `#L3`, `#L3C5-L9C2`, `(3)`,
 * `(3,5)`, `line 3`, `lines 3-9`, `(lines 3-9)`, and `", line 3` after a path in quotation marks.
 */
const linesPattern =
  /(?::L?(\d{1,7})(?::(\d{1,7}))?(?:[-–]L?(\d{1,7})(?::(\d{1,7}))?)?|#L(\d{1,7})(?:C(\d{1,7}))?(?:-L?(\d{1,7})(?:C(\d{1,7}))?)?|\((\d{1,7})(?:, ?(\d{1,7}))?\)|"?,? lines? (\d{1,7})(?:(?:[-–]| to )(\d{1,7}))?| \((?:lines? |L)(\d{1,7})(?:(?:[-–]L?| to )(\d{1,7}))?\))$/;

/** Separates the lines that a text names from the path. */
export function readWrittenPlace(text: string): WrittenPlace {
  const match = linesPattern.exec(text.slice(-80));
  if (!match) return { path: text };
  const path = text.slice(0, text.length - match[0].length);
  const [, a, b, c, d, e, f, g, h, i, j, k, l, m, n] = match.map(numberOf);
  const line = a ?? e ?? i ?? k ?? m;
  const column = b ?? f ?? j;
  // `:3:5-9` names columns, as in VS Code's terminal.
  if (b !== undefined && c !== undefined && d === undefined)
    return { path, ...defined({ line, column, endLine: line, endColumn: c }) };
  const endLine = c ?? g ?? l ?? n;
  const endColumn = d ?? h;
  return { path, ...defined({ line, column, endLine, endColumn }) };
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

/** The start of a `file:` address, with or without the backslash that keeps it from being a link in documents. */
const fileScheme = /^file:\\?\/\//i;
/** The start of the address of a file that isn't on a server. */
const localAddress = /^file:\\?\/\/(?:localhost)?\//i;
/** The part of a link's target that names a heading or another part of the file. */
const fragment = /#[^#/\\]*$/;

/**
 * The paths that a text may mean, in order: as written, percent-decoded, and without the `@` of a mention or the
 * fragment of an address. For a `file:` address, these are only its decoded path, with and without the fragment.
 */
export function meantPaths({ path }: WrittenPlace): readonly string[] {
  const paths = new Set([path, path.replace(fragment, '')].flatMap(withOtherForms));
  return [...paths].filter((one) => one !== '');
}

function withOtherForms(path: string): readonly string[] {
  const scheme = fileScheme.exec(path)?.[0];
  if (scheme !== undefined) return [pathOfAddress(path.slice(scheme.length))];
  return [path, decoded(path) ?? '', path.replace(/^@/, '')];
}

/**
 * The path of a `file:` address: `/a` of `file:///a`, `c:/a` of `file:///c:/a`, and `//server/a` of `file://server/a`.
 */
function pathOfAddress(rest: string): string {
  const path = (decoded(rest) ?? '').replace(/^localhost(?=\/)/i, '');
  if (path !== '' && !path.startsWith('/')) return `//${path}`;
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

function decoded(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const drive = /^[A-Za-z]:(?=[\\/])/;
/** An extension, or a name that begins with a dot and has none. */
const ending = /(?:\.[A-Za-z]\w{0,9}|(?:^|[\\/])\.[A-Za-z][\w-]{0,30})$/;
const nameCharacters = /^[\p{L}\p{M}\p{N}_@.+$()[\]-]*$/u;
/** Names without an extension that mean a file even in prose. */
const knownName = /^(?:[A-Z][a-z]{2,12}file|LICENSE|CODEOWNERS)$/;
const nameWithLines = /^[\p{L}\p{M}\p{N}_@.+-]*\p{L}[\p{L}\p{M}\p{N}_+-]$/u;
const segment = /^[\p{L}\p{M}\p{N}_@.+~$()[\]-]+$/u;

/**
 * The target of a Markdown link if it names a local file: relative, absolute, or with `file://`. Undefined for
 * everything else, such as addresses, anchors, commands, and words that aren't paths. The file doesn't have to exist.
 */
export function fileTarget(target: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- the pattern is meant to match control characters
  if (/^[#?]|[\0-\x1f\x7f]/.test(target) || target.trim() === '') return undefined;
  if (fileScheme.test(target)) return target;
  const path = readWrittenPlace(target).path.replace(fragment, '');
  if (/^[a-z][a-z\d+.-]*:/i.test(path) && !drive.test(path)) return undefined;
  return /[\\/]/.test(path) || ending.test(path) || knownName.test(path) ? target : undefined;
}

/**
 * Words in which brackets only occur where names of folders and files have them: `[id]` after a slash or a letter, and
 * `(group)` after a slash. Lines can follow. Quotation marks, em dashes, and Chinese and Japanese punctuation end a
 * word.
 */
const wordPattern =
  /(?:[^\s"'`()<>[\]{}|,;*?=—…“”„‘’«»、。〈〉《》「」『』【】！（），：；？]|(?<=[\w/\\\]-])\[{1,2}[\w.$-]{1,60}\]{1,2}|(?<=[/\\])\([\w.-]{1,60}\))+(?:\(\d{1,7}(?:, ?\d{1,7})?\))?(?:"?,? lines? \d{1,7}(?:(?:[-–]| to )\d{1,7})?| \((?:lines? |L)\d{1,7}(?:(?:[-–]L?| to )\d{1,7})?\))?/g;
/** The citations of Codex. */
const citationPattern = /【F:([^【】†\n]{1,300})†(L\d{1,7}(?:-L\d{1,7})?)】/g;
const quotedPattern = /"([^"\n]{1,300})"(,? lines? \d{1,7}(?:(?:[-–]| to )\d{1,7})?)?|“([^“”\n]{1,300})”/g;
/** What every path contains. Most texts in messages don't. */
const mayBePath = /[./\\:†]|[a-z]file|LICENSE|CODEOWNERS| line/;

/**
 * The parts of the text that look like file paths, such as `src/a.ts:10`, in their order. A bare file name only counts
 * with a line number, in code, after `@`, or if it is well known, such as `LICENSE`; otherwise it is usually just a
 * name. Parts can overlap: the longer one comes first, and counts if its file exists.
 */
export function pathTokens(text: string, isCode: boolean): readonly PathToken[] {
  if (text.length > maxTextLength || !mayBePath.test(text)) return [];
  const found: PathToken[] = [...spacedPaths(text, isCode)];
  let rest = text;
  if (text.includes('【F:')) {
    rest = text.replace(citationPattern, (whole: string, path: string, lines: string, at: number) => {
      found.push({ at, length: whole.length, path: `${path}#${lines}` });
      return ' '.repeat(whole.length);
    });
  }
  for (const match of rest.matchAll(wordPattern)) {
    // Text after an ellipsis is only the end of a path.
    if (rest[match.index - 1] === '…') continue;
    // What follows `::` is the name of a test or another symbol in the file.
    const [word = ''] = match[0].length > maxWrittenLength ? [] : match[0].split('::', 1);
    const path = word.replace(/(?<![.:!])[.:!]+$/, '');
    if (path !== '' && isPath(path, isCode)) found.push({ at: match.index, length: path.length, path });
  }
  return found.sort((a, b) => a.at - b.at || b.length - a.length);
}

/** Paths with spaces: all of a code span, or text in quotation marks. */
function spacedPaths(text: string, isCode: boolean): readonly PathToken[] {
  const quoted = Array.from(text.matchAll(quotedPattern), ({ 1: straight, 2: lines, 3: curly = '', index }) => {
    return { path: lines === undefined ? (straight ?? curly) : `${straight}"${lines}`, at: index + 1 };
  });
  const spans = isCode && text.length <= maxWrittenLength ? [{ path: text, at: 0 }] : [];
  return [...spans, ...quoted].flatMap(({ path, at }) => {
    return isSpacedPath(path) ? [{ at, length: path.length, path }] : [];
  });
}

/** Whether a text is a path with spaces, and not a command with a path in it. */
function isSpacedPath(text: string): boolean {
  const { path } = readWrittenPlace(text);
  const space = path.indexOf(' ');
  if (space < 1 || path !== path.trim() || /[<>"|?*\n\t;]|:(?![\\/])| -/.test(path)) return false;
  const start = path.slice(0, space);
  return /[\\/]/.test(start) && ending.test(path) && !/\.\w{1,10}$/.test(start);
}

function isPath(word: string, isCode: boolean): boolean {
  if (localAddress.test(word)) return true;
  const { path } = readWrittenPlace(word);
  const hasLines = path !== word;
  const parts = path.replace(drive, '').split(/[\\/]/);
  const name = parts.pop() ?? '';
  const isKnown = knownName.test(name);
  const isName = isKnown || (ending.test(name) && nameCharacters.test(name));
  if (!isName && !(/^[:#]/.test(word.slice(path.length)) && nameWithLines.test(name))) return false;
  if (parts.length === 0) return isCode || hasLines || isKnown || name.startsWith('@');
  // The first part of an absolute path is empty.
  return parts.every((part, index) => segment.test(part) || (index === 0 && part === ''));
}
