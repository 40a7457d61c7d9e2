import type { LineList } from '../../shared/text/lines.ts';

/** The markers that CommonMark allows before a block: indentation, quote markers, and list markers. */
export const containers = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/;

/** An open fenced code block (CommonMark): the character of its opening fence and the fence's length. */
interface OpenFence {
  readonly sign: '`' | '~';
  readonly length: number;
}

/**
 * Returns the fence that a line opens; undefined if it opens none. Ignores indented fences, because their meaning
 * depends on the surrounding list or quote.
 */
export function fenceIn(line: string): OpenFence | undefined {
  const [, signs = ''] = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  return signs === '' ? undefined : fenceOf(signs);
}

/**
 * The longest fence that a line can close; it also closes shorter ones of the same character. Undefined if it can't
 * close any.
 */
function closingFence(line: string): OpenFence | undefined {
  return codeIndentation.test(line) ? undefined : closingFenceInList(line);
}

/** Like {@link closingFence}, for a line that may be in a list, where it can be indented by more than three spaces. */
function closingFenceInList(line: string): OpenFence | undefined {
  const [, signs] = /^[ \t]*(`+|~+)[ \t\r]*$/.exec(line) ?? [];
  return signs === undefined ? undefined : fenceOf(signs);
}

/** Outside lists, a line that is indented like this can't close a fence. */
const codeIndentation = /^(?: {4}| {0,3}\t)/;

function fenceOf(signs: string): OpenFence {
  return { sign: signs.startsWith('~') ? '~' : '`', length: signs.length };
}

function closes(closing: OpenFence | undefined, { sign, length }: OpenFence): boolean {
  return closing?.sign === sign && closing.length >= length;
}

/**
 * Returns the fence that is still open at the end of `text`; undefined if there is none. Ignores fences in lists and
 * quotes, because they end with the list or quote, and all other indented fences.
 */
export function openFenceAtEnd(text: string): OpenFence | undefined {
  let fence: OpenFence | undefined;
  for (const line of text.split('\n')) {
    if (!fence) fence = fenceIn(line);
    else if (closes(closingFence(line), fence)) fence = undefined;
  }
  return fence;
}

/** Whether a line is blank in CommonMark. Other white space, such as a byte order mark, is text. */
export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

/** Whether a line is indented by one to three spaces and may open a fence. */
export function isIndentedFence(line: string): boolean {
  return /^ {1,3}(?:`{3,}(?=[^`]*$)|~{3,})/.test(line);
}

/**
 * A line that may open a fence in a list or quote. Also matches the lines that {@link isIndentedFence} recognizes,
 * which are escaped in documents.
 */
const containedFence = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))+(?:`{3,}[^`]*$|~{3,})/;

/**
 * Whether a line contains the characters of a fence. Checking this first is faster than matching
 * {@link containedFence}.
 */
function mayHaveFence(line: string): boolean {
  return line.includes('```') || line.includes('~~~');
}

/** Indented fenced blocks with more lines than this are treated as unclosed. */
const longestIndentedLines = 300;

/**
 * What a line of Markdown is: the line that opens a fenced code block, a line in such a block (or the one that closes
 * it), or anything else. Only blocks that every parser recognizes count.
 */
type LineKind = 'opening' | 'code' | 'text';

/** Finds the fenced code blocks of a text. */
export class CodeBlocks {
  readonly #lines: LineList;
  readonly #isStrict: boolean;
  /** The fence that each line can close in a list, by index; filled in when it is first needed. */
  readonly #closing: (OpenFence | undefined)[] = [];
  #fence: OpenFence | undefined;
  #indentedEnd = -1;
  /**
   * Whether a fence in a list or quote may be open. An indented fence would close it instead of opening another block.
   */
  #mayBeContained = false;
  /** Whether a code block may be open until the end of the text. */
  #mayBeOpen = false;
  /** The last indented fence without an end, and the line before which no line closes it. */
  #unclosed: { readonly fence: OpenFence; readonly indentation: string; readonly end: number } | undefined;

  /**
   * With `isStrict`, no line after an indented fence without a certain end is code, because the next fence may close
   * it. Otherwise, such a fence is expected to be escaped.
   */
  constructor(lines: LineList, isStrict = false) {
    this.#lines = lines;
    this.#isStrict = isStrict;
  }

  /** The fence that is open after the last line that was read; undefined if there is none. */
  get openFence(): OpenFence | undefined {
    return this.#fence;
  }

  /** The kind of a line. Must be called for each line, in order. */
  read(index: number): LineKind {
    const line = this.#lines.get(index);
    if (this.#fence) {
      if (closes(closingFence(line), this.#fence)) this.#fence = undefined;
      return 'code';
    }
    if (index <= this.#indentedEnd) return 'code';
    if (this.#mayBeOpen) return 'text';
    // A line that isn't indented ends a list, and a line without a marker ends a quote.
    if (/^[^\s>]/.test(line)) this.#mayBeContained = false;
    this.#fence = fenceIn(line);
    if (this.#fence) return 'opening';
    const end = this.#mayBeContained ? undefined : this.#endOfIndented(index, line);
    if (mayHaveFence(line) && containedFence.test(line) && !isIndentedFence(line)) this.#mayBeContained = true;
    if (this.#isStrict && end === undefined && isIndentedFence(line)) this.#mayBeOpen = true;
    this.#indentedEnd = end ?? -1;
    return end === undefined ? 'text' : 'opening';
  }

  /**
   * The index of the line that closes an indented fence, if all lines up to it are blank or begin with the indentation
   * of the fence. Such a line closes the fence regardless of any surrounding list, unless it is indented like code: in
   * a list, it closes the fence, but elsewhere, it doesn't. Undefined if `line` doesn't open such a fence, or if its
   * end is uncertain.
   */
  #endOfIndented(first: number, line: string): number | undefined {
    const fence = isIndentedFence(line) && !line.includes('|') ? fenceIn(line.trimStart()) : undefined;
    if (!fence) return undefined;
    const indentation = line.slice(0, line.length - line.trimStart().length);
    const start = this.#firstPossibleEnd(first, fence, indentation);
    const end = Math.min(this.#lines.length, first + longestIndentedLines);
    for (let index = start; index < end; index += 1) {
      const next = this.#lines.get(index);
      if (!next.startsWith(indentation) && !isBlank(next)) return undefined;
      if (!(index in this.#closing)) this.#closing[index] = closingFenceInList(next);
      if (closes(this.#closing[index], fence)) return codeIndentation.test(next) ? undefined : index;
    }
    this.#unclosed = { fence, indentation, end };
    return undefined;
  }

  /**
   * The index of the first line that may close a fence. Skips the lines that were read for an earlier fence without an
   * end, if every line that closes this fence would also have closed that one.
   */
  #firstPossibleEnd(first: number, { sign, length }: OpenFence, indentation: string): number {
    const known = this.#unclosed;
    const isKnown =
      known?.fence.sign === sign && known.fence.length <= length && known.indentation.startsWith(indentation);
    return isKnown ? Math.max(first + 1, known.end) : first + 1;
  }
}
