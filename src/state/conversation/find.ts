import type { PageBlock } from '../../shared/protocol/rowTypes.ts';
import type { Translate } from '../../shared/text.ts';
import { markdownToPlainText } from '../markdown/plainText.ts';
import { cutBlocks } from './truncate.ts';

/** A search as entered in the find widget. */
export interface FindQuery {
  readonly text: string;
  readonly isCase: boolean;
  readonly isWord: boolean;
  readonly isRegex: boolean;
}

/** A regular expression in a form that can be sent to the page. */
export interface FindPattern {
  readonly source: string;
  readonly flags: string;
}

/** Creates the regular expression for a query. If the query is invalid, returns an error message for the user. */
export function findPattern(query: FindQuery, t: Translate): FindPattern | { readonly problem: string } {
  const { text, isCase, isWord, isRegex } = query;
  const source = isRegex ? text : text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
  const whole = isWord ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
  const flags = `gm${isCase ? '' : 'i'}`;
  // Without the `u` flag, patterns with unnecessary escapes are valid too.
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

/** The searchable strings of a message. */
export interface FindTexts {
  /** The visible strings, as one list for each block that the page renders. */
  readonly drawn: readonly (readonly string[])[];
  /** All strings in full, including the parts that the page doesn't show; absent if nothing is truncated. */
  readonly whole?: readonly string[];
  /** The note of the message's bookmark. */
  readonly note?: string | undefined;
}

/** Collects the searchable strings of a message. `blocks` must not be truncated yet. */
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
