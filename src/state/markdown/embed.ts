/** An open fenced code block (CommonMark): the character of its opening fence and the fence's length. */
interface OpenFence {
  readonly sign: '`' | '~';
  readonly length: number;
}

/**
 * Returns the fence that a line opens. Ignores indented fences, because their meaning depends on the surrounding list
 * or quote.
 */
function fenceIn(line: string): OpenFence | undefined {
  const [, signs = ''] = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  if (signs === '') return undefined;
  return { sign: signs.startsWith('~') ? '~' : '`', length: signs.length };
}

/** Whether a line closes a fence. */
function closesFence(line: string, { sign, length }: OpenFence): boolean {
  const [, signs = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
  return signs.startsWith(sign) && signs.length >= length;
}

/**
 * Returns the fence that is still open at the end of `text`. Fences in lists and quotes are ignored, because they end
 * with the list or quote.
 */
export function openFenceAtEnd(text: string): OpenFence | undefined {
  let fence: OpenFence | undefined;
  for (const line of text.split('\n')) {
    if (!fence) fence = fenceIn(line);
    else if (closesFence(line, fence)) fence = undefined;
  }
  return fence;
}

/** Whether a line is indented by one to three spaces and may open a fence. */
function isIndentedFence(line: string): boolean {
  return /^ {1,3}(?:`{3,}(?=[^`]*$)|~{3,})/.test(line);
}

/** Indented fenced blocks with more lines than this are treated as unclosed. */
const longestIndentedLines = 300;

/**
 * Returns the index of the line that closes an indented fence, if all lines up to it are indented at least as much.
 * Such a line closes the fence regardless of any surrounding list. Returns -1 if there is no such fence or its end is
 * uncertain.
 */
function endOfIndentedFence(lines: readonly string[], first: number): number {
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

/** The markers that CommonMark allows before a block: indentation, quote markers, and list markers. */
const containers = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/;
const headingSigns = /^#{1,6}(?=[ \t]|$)/;
const underline = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*(?:=+|-+)[ \t]*$/;
const autolink = /^<(?:https?:|mailto:)[^\s<>]*>/;
/** The number of heading levels used by the document itself: title, prompt, and other messages. */
const ownLevels = 3;
const longestFormulaLines = 100;

/**
 * Makes the Markdown of a message safe to embed in a document: headings are moved below the document's own levels (`#`,
 * `##`, `###`), open fences are closed, and HTML is escaped, so that the message can't affect what follows it. Images are
 * escaped as well, so that a preview of the document requests nothing.
 */
export function embeddedMarkdown(text: string): string {
  return safeMarkdown(text, true);
}

/**
 * Makes the Markdown of a message safe for a document of its own: like {@link embeddedMarkdown}, but headings and the end
 * of the text stay as they are.
 */
export function standaloneMarkdown(text: string): string {
  return safeMarkdown(text, false);
}

function safeMarkdown(text: string, isEmbedded: boolean): string {
  const lines = plainLines(text).split('\n');
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
    fence = fenceIn(line);
    const isCode = index <= codeEnd;
    if (isEmbedded && !isCode && underline.test(line) && !isBlank(out.at(-1))) out.push('');
    if (fence) out.push(withoutCells(line));
    else out.push(isCode ? line : safeLine(line, index <= formulaEnd, isEmbedded ? ownLevels : 0));
  }
  if (fence && isEmbedded) out.push(fence.sign.repeat(fence.length));
  return out.join('\n').trimEnd();
}

/** Formats text verbatim, as a code block whose fence is longer than any fence in the text. */
export function fencedText(text: string, language = ''): string {
  const body = plainLines(text).replace(/\n+$/, '');
  const longest = Math.max(2, ...Array.from(body.matchAll(/`{3,}/g), ([signs]) => signs.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#.-]{1,40}$/.test(language) ? language : ''}\n${body}\n${fence}`;
}

/** Escapes one line of plain text for use in a heading or title. */
export function escapedLine(text: string): string {
  return text
    .replace(/[\\`*[\]<>~$|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/#(?=#*$)/g, '\\#');
}

/** Replaces unusual line terminators, which VS Code warns about, and NUL, which makes it treat a file as binary. */
export function plainLines(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\0', '\u2400');
}

/** A line whose heading, if it is one, is `levels` lower. */
function safeLine(line: string, isFormula: boolean, levels: number): string {
  const rest = line.replace(containers, '');
  const before = line.slice(0, line.length - rest.length);
  const [signs] = headingSigns.exec(rest) ?? [];
  if (signs !== undefined) {
    return before + '#'.repeat(Math.min(6, signs.length + levels)) + withoutRequests(rest.slice(signs.length));
  }
  const isHtml = rest.startsWith('<') && !autolink.test(rest);
  const reachesOut = isHtml || (rest.startsWith('$$') && !isFormula) || isIndentedFence(line);
  return before + withoutRequests(reachesOut ? `\\${rest}` : rest);
}

/** The start of a tag that can have attributes, or of a style sheet, after any backslashes. */
const loadingTag = /(\\*)<(?=[a-z][a-z0-9-]*(?:[\s/]|$)|(?:style|script)\b)/gi;

/**
 * Escapes images and tags with attributes anywhere in a line, even in code spans, which can begin on another line. VS
 * Code's Markdown preview would load them from the network.
 */
function withoutRequests(line: string): string {
  const withoutImages = line.replaceAll('![', '!\\[');
  return withoutImages.replace(loadingTag, (start, signs: string) => (signs.length % 2 === 0 ? `${signs}\\<` : start));
}

/**
 * Truncates the opening line of a fence at the first `|`, because some parsers would read the line as a table header.
 */
function withoutCells(line: string): string {
  return line.replace(/\|.*/, '');
}

/**
 * The index of the last line of a formula that begins on line `first`; -1 if there is none or its end is uncertain. Its
 * end is certain if all its lines are in the same list item or quote, and only its first and last lines contain `$$`,
 * because otherwise parsers disagree.
 */
function endOfFormula(lines: readonly string[], first: number): number {
  const opening = lines[first] ?? '';
  const content = opening.replace(containers, '').trimEnd();
  if (!content.startsWith('$$')) return -1;
  if (content.includes('$$', 2)) return content.endsWith('$$') ? first : -1;
  const before = opening.slice(0, opening.indexOf('$$'));
  const indentation = before.replace(/[^ \t>]/g, ' ');
  for (let index = first + 1; index < Math.min(lines.length, first + longestFormulaLines); index++) {
    const line = (lines[index] ?? '').trimEnd();
    const rest = line.slice(indentation.length).trimStart();
    if (!line.startsWith(indentation) || rest === '' || fenceIn(rest)) return -1;
    if (rest.includes('$$')) return rest.indexOf('$$') === rest.length - 2 ? index : -1;
  }
  return -1;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
