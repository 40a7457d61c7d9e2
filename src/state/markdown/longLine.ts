import type { PausableWork } from '../../shared/slices.ts';

/** The rules for long lines apply to lines of more than this number of characters. */
const shortLength = 64_000;
/** The number of characters that are read between two pauses. */
const pieceLength = 8_000;
/** More characters than any rule looks at before and after a place. */
const contextLength = 32;

/**
 * The characters that the rules for documents and fences add to a line or remove from it. `t`, `e`, and `x` are those
 * of the language `text`, which the rules insert where a code block opens.
 */
const changing = /[\\\s{}tex]+/gi;

/**
 * Whether a line is so long that the rules for long lines apply. These rules look at only a few neighboring characters,
 * and can pause anywhere. Characters that these or other rules add or remove are not counted, so the result is the same
 * after the line is rewritten.
 */
export function* isLongLine(line: string): PausableWork<boolean> {
  if (line.length <= shortLength) return false;
  let length = 0;
  for (let from = 0; from < line.length && length <= shortLength; from += pieceLength) {
    length += line.slice(from, from + pieceLength).replace(changing, '').length;
    yield;
  }
  return length > shortLength;
}

/** The place between `file:` and its slashes. VS Code's editor turns such an address into a link in any text. */
const fileAddress = /(?<=file:)(?=\/\/)/gi;

/**
 * Where a link, an image, a tag, an address other than to a web page, a code block, or a container can begin. Each
 * alternative is one character, or the place between two.
 */
const beginnings = new RegExp(
  [
    /(?<=file:)(?=\/\/)|(?<=(?:ftp\\?:\\?|(?<!:|file:\\))\/)(?=\\?\/(?:\S|\ufeff))/u,
    /(?<=&)(?=(?:#(?:x0*(?:2f|3a|[46]6|[57][04])|0*(?:47|58|70|80|84|102|112|116))|sol|colon);)/,
    /(?<=!)(?=\[)|(?<=\])(?=[(:])|<(?=[\w/!?])|(?<=href|src|placeholder)(?==["'])/,
    /(?<![`\\])(?=```)|(?<![~\\])(?=~~~)|(?<![:\\])(?=:::)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** What changes in a long line of a code block: addresses of files, and tags of links. */
const codeChanges = new RegExp(`${fileAddress.source}|(?<=<)(?=(?:a|video)(?:\\s|$))`, 'gi');

/** What changes in the line that opens a code block. */
const infoChanges = new RegExp(`[{}]|${codeChanges.source}`, 'gi');

/**
 * Rewrites a long line of text so that only addresses of web pages and mail addresses are links, and no image, tag,
 * code block, or container begins in it.
 */
export function inertingLongLine(line: string): PausableWork<string> {
  return rewriting(line, beginnings);
}

/** Rewrites a long line of a code block so that only addresses of web pages are links, and not those of files. */
export function inertingLongCode(line: string): PausableWork<string> {
  return rewriting(line, codeChanges);
}

/** Rewrites a long line that opens a code block: its language becomes `text`, and braces are removed. */
export function* inertingLongOpening(line: string): PausableWork<string> {
  const [fence = ''] = /^ {0,3}(?:`+|~+)/.exec(line) ?? [];
  const start = line.startsWith('text ', fence.length) ? '' : 'text ';
  return fence + start + (yield* rewriting(line.slice(fence.length), infoChanges));
}

/**
 * Rewrites what `places` matches: braces are removed, a `<` is followed by a space, and other places get a backslash,
 * or two after a slash.
 */
function* rewriting(line: string, places: RegExp): PausableWork<string> {
  let out = '';
  for (let from = 0; from < line.length; from += pieceLength) {
    const start = Math.max(0, from - contextLength);
    const piece = line.slice(start, from + pieceLength + contextLength);
    const end = from - start + pieceLength;
    let done = from - start;
    // The parts are joined at the end, because a string that is extended this often takes long to read.
    const parts: string[] = [];
    for (const { 0: sign, index } of piece.matchAll(places)) {
      if (index < done || index >= end) continue;
      const added = sign === '<' ? '< ' : sign !== '' ? '' : piece[index - 1] === '/' ? '\\\\' : '\\';
      parts.push(piece.slice(done, index), added);
      done = index + sign.length;
    }
    out += parts.join('') + piece.slice(done, end);
    yield;
  }
  return out;
}
