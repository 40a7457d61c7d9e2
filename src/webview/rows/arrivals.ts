import type { PageBlock, PageRow } from '../../pageContent.ts';
import type { Words } from '../words.ts';

/**
 * What a screen reader is told of new messages: an answer with the number of its code blocks, a message of somebody
 * else, an error. The steps of an agent at work are not told one by one; they are there to be read.
 */
export function describeArrivals(rows: readonly PageRow[], words: Words): string[] {
  const sentences = rows.flatMap((row) => {
    if (row.role === 'assistant' && !row.isError) return hasText(row) ? [describeAnswer(row, words)] : [];
    if (row.role === 'user') return row.delivery ? [] : [words.say('messageReceived', row.roleLabel)];
    return row.isError || row.role !== 'tool' ? [words.say('messageReceived', row.roleLabel)] : [];
  });
  return [...new Set(sentences)];
}

function describeAnswer(row: PageRow, words: Words): string {
  const count = row.blocks.reduce((sum, block) => sum + codeBlocks(block), 0);
  if (count === 0) return words.say('answerReceived');
  return count === 1 ? words.say('answerReceivedOneBlock') : words.say('answerReceivedBlocks', count);
}

function hasText({ blocks }: PageRow): boolean {
  return blocks.some((block) => block.type === 'markdown' && block.text.trim() !== '');
}

/** Fences of Markdown at the margin or in a list; a fence that is not closed is a block as well. */
function codeBlocks(block: PageBlock): number {
  if (block.type === 'code') return 1;
  if (block.type !== 'markdown') return 0;
  return Math.ceil((block.text.match(/^ *(?:```|~~~)/gm)?.length ?? 0) / 2);
}
