/** A word of a text that may name a file: where it begins, and the word. */
export interface PathToken {
  readonly at: number;
  readonly path: string;
}

/** Longer texts are not searched: they are no prose. */
const maxTextLength = 20_000;
const maxPathLength = 300;

const words = /[^\s"'`()<>[\]{}|,;*?=]+/g;
const lineSuffix = /(?::\d{1,7}(?::\d{1,7})?|#L\d{1,7}(?:C\d{1,7})?(?:-L?\d{1,7}(?:C\d{1,7})?)?)$/;
const drive = /^[A-Za-z]:(?=[\\/])/;
const nameWithEnding = /^[\p{L}\p{N}_@.+-]*\.[A-Za-z]\w{0,9}$/u;
const segment = /^[\p{L}\p{N}_@.+~-]+$/u;

/**
 * The words of a text that look like paths of files, such as `src/a.ts:10`. A bare name counts only with a line, or in
 * code: in prose it is mostly no more than a name.
 */
export function pathTokens(text: string, isCode: boolean): PathToken[] {
  if (text.length > maxTextLength || !text.includes('.')) return [];
  const found: PathToken[] = [];
  for (const match of text.matchAll(words)) {
    const path = match[0].length > maxPathLength ? '' : match[0].replace(/[.:!]+$/, '');
    if (path !== '' && isPath(path, isCode)) found.push({ at: match.index, path });
  }
  return found;
}

function isPath(word: string, isCode: boolean): boolean {
  const suffix = lineSuffix.exec(word)?.[0] ?? '';
  const path = word.slice(0, word.length - suffix.length);
  const parts = path.replace(drive, '').split(/[\\/]/);
  const name = parts.pop() ?? '';
  if (!nameWithEnding.test(name)) return false;
  if (parts.length === 0) return isCode || suffix !== '';
  // The first part is empty where the path begins at the root.
  return parts.every((part, index) => segment.test(part) || (index === 0 && part === ''));
}
