import { maxQuoteLength } from '../../shared/protocol/vocabulary.ts';
import type { PageAsked, PageBlock, PageRow } from '../../shared/protocol/rowTypes.ts';
import { findQuote, quoteOffset } from '../../shared/text/quotes.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { textRuns } from './textRuns.ts';

/** A part of a message's text. */
export interface Quote {
  readonly quote: string;
  /** The number of characters before the quote in the visible text of the message, without white space. */
  readonly offset: number;
}

/** The content of a message that the page has, and whether parts of it are missing. */
type RowContent = Pick<PageRow, 'blocks' | 'cut' | 'isTextOnly'>;

/** How much of a message a comment quotes if no part of the message is selected, in lines and in characters. */
const maxLines = 3;
const maxWholeLength = 300;

/** The part of a message's text that is in `range`, up to `maxLength` characters; undefined if there is none. */
export function quoteOf(body: Element, range: Range, maxLength = maxQuoteLength): Quote | undefined {
  let offset = 0;
  let quote = '';
  let isBlank = true;
  for (const { nodes } of textRuns(body)) {
    quote += '\n';
    for (const { node } of nodes) {
      const [start, end] = boundsIn(node, range);
      if (isBlank) offset += withoutPause(quoteOffset(node.data.slice(0, start)));
      if (start >= end) continue;
      const part = node.data.slice(start, end);
      quote += part;
      isBlank &&= part.trim() === '';
    }
  }
  const text = quote.trim();
  return text === '' ? undefined : { quote: startOfText(text, maxLength), offset };
}

/** The first lines of a message; empty if it has no visible text. */
export function wholeQuote(body: Element): Quote {
  const range = document.createRange();
  range.selectNodeContents(body);
  const lines = (quoteOf(body, range)?.quote ?? '').split('\n').filter((line) => line.trim() !== '');
  const quote = lines.slice(0, maxLines).join('\n');
  return { quote: startOfText(quote, maxWholeLength), offset: 0 };
}

/** The ranges of a quote in a message, one for each text node; empty if {@link findQuote} doesn't find it. */
export function rangesOf(body: Element, { quote, offset }: Quote): Range[] {
  const nodes = [...textRuns(body)].flatMap((run) => run.nodes.map(({ node }) => node));
  const found = withoutPause(findQuote(nodes.map(({ data }) => data).join(''), quote, offset));
  if (!found) return [];
  const ranges: Range[] = [];
  let start = 0;
  for (const node of nodes) {
    const [from, to] = found.map((index) => Math.min(Math.max(0, index - start), node.length));
    start += node.length;
    if (from === undefined || to === undefined || from >= to) continue;
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    ranges.push(range);
  }
  return ranges;
}

/**
 * Whether the content of a message, drawn or not, contains the letters and digits of a quote. True if the page doesn't
 * have all of the content.
 */
export function mayContain({ blocks, cut, isTextOnly }: RowContent, quote: string): boolean {
  return isTextOnly === true || cut !== undefined || lettersOf(textOf(blocks)).includes(lettersOf(quote));
}

/** The start and the end of the part of a text node that is in a range. They are equal if no part is. */
function boundsIn(node: Text, range: Range): [number, number] {
  if (!range.intersectsNode(node)) {
    const isBefore = range.comparePoint(node, 0) < 0;
    return isBefore ? [node.length, node.length] : [0, 0];
  }
  const start = range.startContainer === node ? range.startOffset : 0;
  return [start, range.endContainer === node ? range.endOffset : node.length];
}

/** The letters and digits of a text that may be Markdown, without the targets of links and the marks of list items. */
function lettersOf(text: string): string {
  return text
    .replace(/^[ \t>]*(?:[*+-]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t])?/gm, '')
    .replace(/\]\([^)\]]*\)|[^\p{L}\p{N}]+/gu, '');
}

function textOf(blocks: readonly PageBlock[]): string {
  return blocks
    .map((block) => {
      if (block.type === 'fold') return `${block.title}\n${textOf(block.blocks)}`;
      if (block.type === 'asked') return textOfAsked(block);
      if (block.type === 'checklist') return block.items.map(({ text }) => text).join('\n');
      return 'text' in block ? block.text : '';
    })
    .join('\n');
}

function textOfAsked({ questions }: PageAsked): string {
  const texts = questions.flatMap(({ header, text, options }) => [
    ...[header, text],
    ...options.flatMap(({ label, detail }) => [label, detail]),
  ]);
  return texts.join(' ');
}

function withoutPause<T>(work: Iterator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
