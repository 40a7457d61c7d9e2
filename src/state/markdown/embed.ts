import { type OpenFence, closesFence, endOfIndentedFence, fenceIn, isIndentedFence } from './fences.ts';

/** What CommonMark may find before the first character of a block: indentation, quotes, list items. */
const containers = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/;
const headingSigns = /^#{1,6}(?=[ \t]|$)/;
const underline = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*(?:=+|-+)[ \t]*$/;
const autolink = /^<(?:https?:|mailto:)[^\s<>]*>/;
/** Headings of messages begin below those of the document: title, turn, message. */
const ownLevels = 3;
const longestFormulaLines = 100;

/**
 * The Markdown of a message as part of a larger document: it reads the same, but its headings stand below the
 * document's own (`#`, `##`, `###`), and nothing in it reaches beyond its end: fences are closed, HTML is text.
 */
export function embeddedMarkdown(text: string): string {
  const lines = documentText(text).split('\n');
  const out: string[] = [];
  let fence: OpenFence | undefined;
  let codeEnd = -1;
  let formulaEnd = -1;
  for (const [index, line] of lines.entries()) {
    if (fence) {
      if (closesFence(line, fence)) fence = undefined;
      out.push(line);
      continue;
    }
    if (index > codeEnd) codeEnd = endOfIndentedFence(lines, index);
    if (index > formulaEnd) formulaEnd = endOfFormula(lines, index);
    fence = index > codeEnd ? fenceIn(line) : undefined;
    const isCode = index <= codeEnd || fence !== undefined;
    if (!isCode && underline.test(line) && !isBlank(out.at(-1))) out.push('');
    if (fence) out.push(withoutCells(line));
    else out.push(isCode ? line : belowOurs(line, index <= formulaEnd));
  }
  if (fence) out.push(fence.sign.repeat(fence.length));
  return out.join('\n').trimEnd();
}

/** Text that is shown as it is, whatever it holds: a code block whose fence is longer than any in it. */
export function fencedText(text: string, language = ''): string {
  const body = documentText(text).replace(/\n+$/, '');
  const longest = Math.max(2, ...Array.from(body.matchAll(/`{3,}/g), ([signs]) => signs.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#.-]{1,40}$/.test(language) ? language : ''}\n${body}\n${fence}`;
}

/** One line of plain text for a line of ours: a heading, a title. Nothing in it formats. */
export function escapedLine(text: string): string {
  return text
    .replace(/[\\`*[\]<>~$|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/#(?=#*$)/g, '\\#');
}

/** Without line ends that an editor asks about, and without the character that makes it take a text for bytes. */
function documentText(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\0', '\u2400');
}

function belowOurs(line: string, isFormula: boolean): string {
  const [before = ''] = containers.exec(line) ?? [];
  const rest = line.slice(before.length);
  const [signs] = headingSigns.exec(rest) ?? [];
  if (signs !== undefined) return before + '#'.repeat(Math.min(6, signs.length + ownLevels)) + rest.slice(signs.length);
  const isHtml = rest.startsWith('<') && !autolink.test(rest);
  const reachesOut = isHtml || (rest.startsWith('$$') && !isFormula) || isIndentedFence(line);
  return reachesOut ? `${before}\\${rest}` : line;
}

/** The line that opens a fence: with a `|` in it, it might be the head of a table to some. */
function withoutCells(line: string): string {
  return line.split('|', 1)[0] ?? '';
}

/** The last line of a formula that begins on this one; -1 where none does, or where it might reach too far. */
function endOfFormula(lines: readonly string[], first: number): number {
  if (!lines[first]?.includes('$$')) return -1;
  for (let index = first; index < Math.min(lines.length, first + longestFormulaLines); index++) {
    const line = (lines[index] ?? '').trim();
    if (index > first && (isBlank(line) || fenceIn(line))) return -1;
    if (line.endsWith('$$') && (index > first || line.length > 3)) return index;
  }
  return -1;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
