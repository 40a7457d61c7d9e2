import { LineList, splitLines } from '../../shared/text/lines.ts';
import { Pace, type PausableWork } from '../../shared/slices.ts';
import { codeSpans } from '../../shared/text/codeSpans.ts';
import { FormulaFinder } from '../../shared/text/formulaFinder.ts';
import { CodeBlocks, containers, fenceIn, isBlank, isIndentedFence } from './codeBlocks.ts';
import { DocumentTables } from './documentTables.ts';
import { lengthenedFences } from './lengthenedFences.ts';

const headingSigns = /^#{1,6}(?=[ \t]|$)/;
const underline = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*(?:=+|-+)[ \t]*$/;
const autolink = /^<(?:https?:|mailto:)[^\s<>]*>/;
/** The number of heading levels used by the document itself: title, prompt, and other messages. */
const ownLevels = 3;
const longestFormulaLines = 100;

/**
 * Makes the Markdown of a message safe to embed in a document, so that the message can't affect what follows it:
 * headings are moved below the document's own levels (`#`, `##`, `###`), or become text if they are underlined; open
 * fences are closed; and HTML blocks, indented fences, and formulas whose end is uncertain are escaped. So that
 * previews leave out nothing, pipes of extra cells are escaped, as are dollar signs that don't delimit a formula, and
 * fences around fences of the same length are made longer. Has pauses for `inSlices`.
 */
export function embeddedMarkdown(text: string): PausableWork<string> {
  return safeMarkdown(text, true);
}

/**
 * Makes the Markdown of a message safe for a document of its own: like {@link embeddedMarkdown}, but headings and a
 * fence that is open at the end stay as they are. An empty line is added above a thematic break in the first line,
 * because the break would begin front matter.
 */
export function* standaloneMarkdown(text: string): PausableWork<string> {
  const safe = yield* safeMarkdown(text, false);
  return safe.startsWith('---') ? `\n${safe}` : safe;
}

function* safeMarkdown(text: string, isEmbedded: boolean): PausableWork<string> {
  const lines = yield* lengthenedFences(yield* splitLines(text, plainLines));
  const blocks = new CodeBlocks(lines);
  const tables = new DocumentTables(lines);
  const out = new LineList();
  let formulaEnd = -1;
  const pace = new Pace();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.get(index);
    if (pace.isOver(line.length)) yield;
    const kind = blocks.read(index);
    if (kind !== 'text') {
      tables.end();
      out.push(kind === 'opening' ? withoutCells(line) : line);
      continue;
    }
    if (index > formulaEnd) formulaEnd = endOfFormula(line, lines, index + 1);
    if (isEmbedded && isUnderline(line) && !isBlank(out.get(out.length - 1))) out.push('');
    const safe = safeLine(tables.read(index), index <= formulaEnd, isEmbedded ? ownLevels : 0);
    out.push(index <= formulaEnd ? safe : literalDollars(safe));
  }
  const open = blocks.openFence;
  if (open && isEmbedded) out.push(open.sign.repeat(open.length));
  return (yield* out.joined()).trimEnd();
}

/**
 * Formats text verbatim, as a code block whose fence is longer than any fence in the text. Only replaces characters as
 * {@link plainLines} does, and removes empty lines at the end. Leaves out a `language` with unusual characters, or with
 * more than 40 characters. Has pauses for `inSlices`.
 */
export function* fencedText(text: string, language = ''): PausableWork<string> {
  const lines = yield* splitLines(text, plainLines);
  while (lines.length > 1 && lines.get(lines.length - 1) === '') lines.pop();
  let longest = 2;
  const pace = new Pace();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.get(index);
    if (pace.isOver(line.length)) yield;
    if (!line.includes('```')) continue;
    for (const [signs] of line.matchAll(/`{3,}/g)) {
      if (pace.isOver(signs.length)) yield;
      longest = Math.max(longest, signs.length);
    }
  }
  const fence = '`'.repeat(longest + 1);
  const body = yield* lines.joined();
  return `${fence}${/^[\w+#.-]{1,40}$/.test(language) ? language : ''}\n${body}\n${fence}`;
}

/** Escapes one line of plain text for use in a heading or title. */
export function escapedLine(text: string): string {
  return text
    .replace(/[\\`*[\]<>~$|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/(?<!#)#+$/, (signs) => signs.replaceAll('#', '\\#'));
}

/**
 * Replaces all line terminators with line feeds, because VS Code warns about unusual ones. Replaces NUL with a visible
 * sign, because VS Code treats a file with NUL as binary.
 */
export function plainLines(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\0', '\u2400');
}

/**
 * The number of characters of a line that are searched for {@link containers}. Parsers read at most 100 nested ones,
 * each with a few characters.
 */
const longestContainers = 8_000;

/** Whether a line consists of `=` or `-`, which makes a line of text before it a heading. */
function isUnderline(line: string): boolean {
  return /[=-]/.test(line.trimEnd().slice(-1)) && underline.test(line);
}

/**
 * Moves a heading down by `levels`. Escapes the start of an HTML block, of an indented fence, and of a formula whose
 * end is uncertain.
 */
function safeLine(line: string, isFormula: boolean, levels: number): string {
  const [before = ''] = containers.exec(line.slice(0, longestContainers)) ?? [];
  const rest = line.slice(before.length);
  const [signs] = headingSigns.exec(rest) ?? [];
  if (signs !== undefined) {
    return before + '#'.repeat(Math.min(6, signs.length + levels)) + rest.slice(signs.length);
  }
  const isHtml = rest.startsWith('<') && !autolink.test(rest);
  const reachesOut = isHtml || (rest.startsWith('$$') && !isFormula) || isIndentedFence(line);
  return before + (reachesOut ? `\\${rest}` : rest);
}

/** Lines with more characters stay as they are. */
const longestDollarLine = 8_000;

/**
 * Escapes the dollar signs of a line that a preview could read as delimiters, except those of formulas. If a line has
 * only one run of dollar signs, the run isn't a delimiter. Dollar signs in code spans and addresses stay.
 */
function literalDollars(line: string): string {
  if (!line.includes('$') || line.length > longestDollarLine) return line;
  const runs = [...line.matchAll(/(?<![\\$])\$+/g)];
  if (runs.length < 2) return line;
  const formulas = new FormulaFinder(line, false);
  const spans = codeSpans(line);
  let span = 0;
  let out = '';
  let end = 0;
  for (const { 0: signs, index } of runs) {
    if (index < end) continue;
    while (span < spans.length && (spans[span]?.end ?? 0) <= index) span += 1;
    const isInCode = (spans[span]?.start ?? Infinity) < index;
    const formula = isInCode ? undefined : formulas.at(index, line.length);
    const next = formula?.end ?? index + signs.length;
    const isKept = formula !== undefined || isInCode || isInAddress(line, index);
    out += line.slice(end, index) + (isKept ? line.slice(index, next) : signs.replaceAll('$', '\\$'));
    end = next;
  }
  return out + line.slice(end);
}

/** Whether an index is in an address: whether `://` comes before it, without a space in between. */
function isInAddress(line: string, at: number): boolean {
  const before = line.slice(Math.max(0, at - 500), at);
  return before.slice(before.lastIndexOf(' ') + 1).includes('://');
}

/**
 * Truncates the opening line of a fence at the first `|`, because some parsers would read the line as a table header.
 */
function withoutCells(line: string): string {
  return line.replace(/\|.*/, '');
}

/**
 * The index of the last line of a formula that begins with `$$` on the line before the line `next`; -1 if there is none
 * or its end is uncertain. The end is certain if the formula has at most {@link longestFormulaLines} lines, all of them
 * in the same list item or quote and none of them empty or a fence, and if no `$$` occurs except at its start and at
 * the end of its last line. Otherwise, parsers may disagree.
 */
function endOfFormula(opening: string, lines: LineList, next: number): number {
  const content = opening.replace(containers, '').trimEnd();
  if (!content.startsWith('$$')) return -1;
  if (content.includes('$$', 2)) return content.endsWith('$$') ? next - 1 : -1;
  const before = opening.slice(0, opening.indexOf('$$'));
  const indentation = before.replace(/[^ \t>]/g, ' ');
  const end = Math.min(lines.length, next - 1 + longestFormulaLines);
  for (let index = next; index < end; index += 1) {
    const line = lines.get(index);
    const rest = line.slice(indentation.length).trim();
    if (!line.startsWith(indentation) || rest === '' || fenceIn(rest)) return -1;
    if (rest.includes('$$')) return rest.indexOf('$$') === rest.length - 2 ? index : -1;
  }
  return -1;
}
