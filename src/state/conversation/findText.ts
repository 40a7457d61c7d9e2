import type { PageBlock } from '../../shared/protocol/pageModel.ts';
import { cutBlocks } from './truncate.ts';
import { readMarkdown } from '../markdown/plainText.ts';
import type { Translate } from '../../shared/text.ts';

/** The texts of a message in which something may be found. */
export interface FindTexts {
  /** As a person reads them, one list for each block that the page draws. */
  readonly drawn: readonly (readonly string[])[];
  /** All texts, also those no page draws; absent where it draws all. */
  readonly whole?: readonly string[];
}

/** Reads the texts of a message's blocks, as they are before what is too much for a page is left out. */
export function findTexts(blocks: readonly PageBlock[], t: Translate): FindTexts {
  const { blocks: drawn, cut } = cutBlocks(blocks, t);
  return { drawn: drawn.map(textsOf), ...(cut === undefined ? {} : { whole: blocks.flatMap(textsOf) }) };
}

function textsOf(block: PageBlock): readonly string[] {
  switch (block.type) {
    case 'markdown':
      return [readMarkdown(block.text)];
    case 'code':
    case 'note':
      return [block.text];
    case 'file':
      return [block.name];
    case 'image':
      return [];
    case 'fold':
      return [block.title, ...block.blocks.flatMap(textsOf)];
  }
}
