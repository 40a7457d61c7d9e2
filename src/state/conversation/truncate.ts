import type { PageBlock } from '../../shared/protocol/pageModel.ts';
import { openFenceAtEnd } from '../markdown/embed.ts';
import { type Translate, wholeNumber } from '../../shared/text.ts';

/** A block's text is drawn up to so many characters ... */
const blockCharacters = 100_000;
/** ... and lines, */
const blockLines = 2_000;
/** and all blocks of a message together up to so many characters: a page of text takes 3,000. */
const messageCharacters = 300_000;
/** So many lines of 60 characters a message takes at most on the page. */
export const maxDrawnLines = messageCharacters / 60;

/** What the page draws of a message; `cut` says how much it does not. */
export interface TruncatedContent {
  readonly blocks: readonly PageBlock[];
  readonly cut?: string;
}

/** How much text there is in all, and how much of it is still to be drawn at most. */
interface Account {
  total: number;
  shown: number;
}

/**
 * Leaves out of a message what no page should have to draw: the beginning of it stays, cut at a line's end, with its
 * code blocks closed. Everything is in the message as a document.
 */
export function cutBlocks(blocks: readonly PageBlock[], t: Translate): TruncatedContent {
  const account = { total: 0, shown: 0 };
  const kept = cutAll(blocks, account);
  if (account.shown === account.total) return { blocks };
  const hidden = account.total - account.shown;
  return {
    blocks: kept,
    cut: t("{0} of {1} characters aren't shown.", wholeNumber(hidden), wholeNumber(account.total)),
  };
}

function cutAll(blocks: readonly PageBlock[], account: Account): PageBlock[] {
  return blocks.flatMap((block) => cutBlock(block, account) ?? []);
}

function cutBlock(block: PageBlock, account: Account): PageBlock | undefined {
  switch (block.type) {
    case 'markdown':
    case 'code': {
      const text = cutText(block.text, messageCharacters - account.shown);
      account.total += block.text.length;
      account.shown += text.length;
      if (text.length === block.text.length) return block;
      if (text === '') return undefined;
      const fence = block.type === 'markdown' ? openFenceAtEnd(text) : undefined;
      const end = fence ? `\n${fence.sign.repeat(fence.length)}\n\n…` : '\n…';
      return { ...block, text: `${text.trimEnd()}${end}` };
    }
    case 'fold':
      return { ...block, blocks: cutAll(block.blocks, account) };
    default:
      return block;
  }
}

/** The beginning of a text, up to the end of a line where there is one near. */
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
  // Half of a character made of two would show as a stranger.
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return Math.max(0, isPair ? most - 1 : most);
}
