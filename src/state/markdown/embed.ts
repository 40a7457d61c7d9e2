/** A fenced code block that is open, as CommonMark counts it: its character and how many of them began it. */
export interface OpenFence {
  readonly sign: '`' | '~';
  readonly length: number;
}

/** The fence that a line opens. Only at its very beginning: there, no list or quote decides whether it is one. */
export function fenceIn(line: string): OpenFence | undefined {
  const [, signs = ''] = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  if (signs === '') return undefined;
  return { sign: signs.startsWith('~') ? '~' : '`', length: signs.length };
}

/** Whether a line closes a fence. */
export function closesFence(line: string, { sign, length }: OpenFence): boolean {
  const [, signs = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
  return signs.startsWith(sign) && signs.length >= length;
}

/** The fence that is open where the text ends; those inside of lists and quotes end with these. */
export function openFenceAtEnd(text: string): OpenFence | undefined {
  let fence: OpenFence | undefined;
  for (const line of text.split('\n')) {
    if (!fence) fence = fenceIn(line);
    else if (closesFence(line, fence)) fence = undefined;
  }
  return fence;
}

/** Whether a line may open a fence although it is indented a little: in a list item, or outside of any. */
export function isIndentedFence(line: string): boolean {
  return /^ {1,3}(?:`{3,}(?=[^`]*$)|~{3,})/.test(line);
}

/** Longer blocks of code in a list are taken for unclosed. */
const longestIndentedLines = 300;

/**
 * The last line of a fence that is indented a little, where everything in it is indented at least as much: then it is
 * closed there whatever list it stands in. -1 where that cannot be said.
 */
export function endOfIndentedFence(lines: readonly string[], first: number): number {
  const line = lines[first] ?? '';
  if (!isIndentedFence(line) || line.includes('|')) return -1;
  const fence = fenceIn(line.trimStart());
  const indentation = line.slice(0, line.length - line.trimStart().length);
  for (let index = first + 1; fence && index < Math.min(lines.length, first + longestIndentedLines); index++) {
    const next = lines[index] ?? '';
    if (next.trim() !== '' && !next.startsWith(indentation)) return -1;
    if (closesFence(next, fence)) return index;
  }
  return -1;
}

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
