import { defined } from '../../shared/defined.ts';
import type { PageAskedOption, PageAskedQuestion, PageBlock } from '../../shared/protocol/rowTypes.ts';
import { openFenceAtEnd } from '../markdown/codeBlocks.ts';
import type { Translate } from '../../shared/text.ts';
import { cutPoint } from '../../shared/text/cutPoint.ts';

/** Maximum number of characters rendered for one block. */
const blockCharacters = 100_000;
/** Maximum number of lines rendered for one block. */
const blockLines = 2_000;
/** Maximum number of characters rendered for one message. A printed page has about 3,000. */
const messageCharacters = 300_000;
/** Maximum number of options to choose from that are rendered for one message. */
const messageOptions = 1_000;
/** Maximum estimated height of a message on the page, in lines of 60 characters. */
export const maxDrawnLines = messageCharacters / 60;

/** The blocks of a message that the page renders. `cut` states how much was truncated; absent if nothing was. */
interface TruncatedContent {
  readonly blocks: readonly PageBlock[];
  readonly cut?: string;
}

/** Running counts for a message: all its characters, the characters that are shown, and the options that are shown. */
interface ContentCount {
  total: number;
  shown: number;
  shownOptions: number;
}

/**
 * Truncates a message that is too long to render: keeps the beginning, cuts at the end of a line if possible, and
 * closes open code blocks. The full text is available as a document.
 */
export function cutBlocks(blocks: readonly PageBlock[], t: Translate): TruncatedContent {
  const count = { total: 0, shown: 0, shownOptions: 0 };
  const kept = cutAll(blocks, count, t);
  if (count.shown === count.total) return { blocks };
  const hidden = count.total - count.shown;
  return {
    blocks: kept,
    cut: t("{0} of {1} characters aren't shown.", hidden, count.total),
  };
}

function cutAll(blocks: readonly PageBlock[], count: ContentCount, t: Translate): PageBlock[] {
  return blocks.flatMap((block) => cutBlock(block, count, t) ?? []);
}

function cutBlock(block: PageBlock, count: ContentCount, t: Translate): PageBlock | undefined {
  switch (block.type) {
    case 'markdown':
    case 'code': {
      const text = cutCounted(block.text, block.type === 'markdown', count);
      if (text === block.text) return block;
      return text === '' ? undefined : { ...block, text };
    }
    case 'asked':
      return { ...block, questions: block.questions.map((question) => cutQuestion(question, count, t)) };
    case 'fold':
      return { ...block, blocks: cutAll(block.blocks, count, t) };
    default:
      return block;
  }
}

function cutQuestion(question: PageAskedQuestion, count: ContentCount, t: Translate): PageAskedQuestion {
  const text = cutCounted(question.text, true, count);
  const options = cutOptions(question.options, count);
  const cutCount = question.options.length - options.length;
  return { ...question, text, options, ...noteFurtherOptions(question.furtherCount + cutCount, t) };
}

/**
 * Counts options, and returns the first ones that fit. No option is shortened, because the user answers with its text.
 */
function cutOptions(options: readonly PageAskedOption[], count: ContentCount): readonly PageAskedOption[] {
  const kept: PageAskedOption[] = [];
  let isCut = false;
  for (const option of options) {
    const length = option.label.length + option.detail.length;
    count.total += length;
    isCut ||= count.shownOptions >= messageOptions || count.shown + length > messageCharacters;
    if (isCut) continue;
    count.shown += length;
    count.shownOptions += 1;
    kept.push(option);
  }
  return kept;
}

/** The number of options of a question that aren't shown, and a note that says so if there are any. */
export function noteFurtherOptions(
  furtherCount: number,
  t: Translate,
): Pick<PageAskedQuestion, 'furtherCount' | 'note'> {
  const note =
    furtherCount === 0
      ? undefined
      : t({ one: "1 more option isn't shown.", other: "{0} more options aren't shown." }, furtherCount);
  return { furtherCount, ...defined({ note }) };
}

/** Counts a text, and returns it or, if it is too long, its beginning with an ellipsis; empty if none of it fits. */
function cutCounted(whole: string, isMarkdown: boolean, count: ContentCount): string {
  const text = cutText(whole, messageCharacters - count.shown);
  count.total += whole.length;
  count.shown += text.length;
  if (text.length === whole.length || text === '') return text;
  const fence = isMarkdown ? openFenceAtEnd(text) : undefined;
  // The ellipsis is inside the code block, so that a copy of the code shows that it was cut.
  const end = fence ? `\n${fence.sign.repeat(fence.length)}` : '';
  return `${text.trimEnd()}\n…${end}`;
}

/** Returns the beginning of `text`, cut at the end of a line if there is one near the limit. */
function cutText(text: string, leftCharacters: number): string {
  const most = Math.min(blockCharacters, Math.max(0, leftCharacters));
  let end = text.length <= most ? text.length : lineEndBefore(text, most);
  for (let line = 0, from = 0; line < blockLines && from !== -1; line++) {
    from = text.indexOf('\n', from);
    if (from === -1 || from >= end) return text.slice(0, end);
    if (line === blockLines - 1) end = from;
    from++;
  }
  return text.slice(0, end);
}

function lineEndBefore(text: string, most: number): number {
  const newline = text.lastIndexOf('\n', most);
  if (newline > Math.max(0, most - 2_000)) return newline;
  // Half of a surrogate pair would be shown as a replacement character.
  return cutPoint(text, most);
}
