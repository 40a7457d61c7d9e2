import type { PageBlock } from '../../shared/protocol/pageModel.ts';
import type { Translate } from '../../shared/text.ts';
import { markdownToPlainText } from '../markdown/plainText.ts';
import { cutBlocks } from './truncate.ts';

/** What is looked for, as the person typed and switched it. */
export interface FindQuery {
  readonly text: string;
  readonly isCase: boolean;
  readonly isWord: boolean;
  readonly isRegex: boolean;
}

/** A regular expression in parts, so that it can travel. */
export interface FindPattern {
  readonly source: string;
  readonly flags: string;
}

/** Makes the expression that finds what is looked for, or the sentence that says why there is none. */
export function findPattern(query: FindQuery, t: Translate): FindPattern | { readonly problem: string } {
  const { text, isCase, isWord, isRegex } = query;
  const source = isRegex ? text : text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
  const whole = isWord ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
  const flags = `gm${isCase ? '' : 'i'}`;
  // A pattern for the old rules, such as one with a needless backslash, is taken as well.
  for (const attempt of [`${flags}u`, flags]) {
    if (isValid(whole, attempt)) return { source: whole, flags: attempt };
  }
  return { problem: t('Invalid regular expression') };
}

function isValid(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).flags.length > 0;
  } catch {
    return false;
  }
}

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
      return [markdownToPlainText(block.text)];
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
