import type { PageBlock } from '../../shared/protocol/rowTypes.ts';
import { openFenceAtEnd } from '../markdown/codeBlocks.ts';
import type { Translate } from '../../shared/text.ts';
import { cutPoint } from '../../shared/text/cutPoint.ts';

/** Maximum number of characters rendered for one block. */
const blockCharacters = 100_000;
/** Maximum number of lines rendered for one block. */
const blockLines = 2_000;
/** Maximum number of characters rendered for one message. A printed page has about 3,000. */
const messageCharacters = 300_000;
/** Maximum height of a message on the page, in 60-character lines. */
export const maxDrawnLines = messageCharacters / 60;

/** The blocks of a message that the page renders. `cut` states how much was truncated; absent if nothing was. */
interface TruncatedContent {
  readonly blocks: readonly PageBlock[];
  readonly cut?: string;
}

/** The number of characters counted so far: in total, and of the text that is shown. */
interface CharacterCount {
  total: number;
  shown: number;
}

/**
 * Truncates a message that is too long to render: keeps the beginning, cuts at the end of a line if possible, and
 * closes open code blocks. The full text is available as a document.
 */
export function cutBlocks(blocks: readonly PageBlock[], t: Translate): TruncatedContent {
  const count = { total: 0, shown: 0 };
  const kept = cutAll(blocks, count);
  if (count.shown === count.total) return { blocks };
  const hidden = count.total - count.shown;
  return {
    blocks: kept,
    cut: t("{0} of {1} characters aren't shown.", hidden, count.total),
  };
}

function cutAll(blocks: readonly PageBlock[], count: CharacterCount): PageBlock[] {
  return blocks.flatMap((block) => cutBlock(block, count) ?? []);
}

function cutBlock(block: PageBlock, count: CharacterCount): PageBlock | undefined {
  switch (block.type) {
    case 'markdown':
    case 'code': {
      const text = cutText(block.text, messageCharacters - count.shown);
      count.total += block.text.length;
      count.shown += text.length;
      if (text.length === block.text.length) return block;
      if (text === '') return undefined;
      const fence = block.type === 'markdown' ? openFenceAtEnd(text) : undefined;
      // The ellipsis is inside the code block, so that a copy of the code shows that it was cut.
      const end = fence ? `\n${fence.sign.repeat(fence.length)}` : '';
      return { ...block, text: `${text.trimEnd()}\n…${end}` };
    }
    case 'fold':
      return { ...block, blocks: cutAll(block.blocks, count) };
    default:
      return block;
  }
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
