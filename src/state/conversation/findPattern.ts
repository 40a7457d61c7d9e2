import type { PageBlock } from '../../shared/protocol/rowTypes.ts';
import { Pace } from '../../shared/slices.ts';
import { hasTerminalCodes, terminalLines, textOfRuns } from '../../shared/text/terminalText.ts';
import type { Translate } from '../../shared/text.ts';
import { plainTextOf } from '../markdown/plainText.ts';
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
export function findPattern(query: FindQuery, t: Translate): FindPattern | { readonly failure: string } {
  const { text, isCase, isWord, isRegex } = query;
  const source = isRegex ? text : text.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
  const flags = `gm${isCase ? '' : 'i'}`;
  const unicode = { source: isWord ? wholeWord(source, '\\p{L}\\p{N}_') : source, flags: `${flags}u` };
  // Without the `u` flag, patterns with unnecessary escapes are valid too, but `\p` has no meaning.
  const lenient = { source: isWord ? wholeWord(source, lettersWithoutUnicode) : source, flags };
  return [unicode, lenient].find(isValid) ?? { failure: t('Invalid regular expression') };
}

/**
 * ASCII word characters, and the blocks of letters in the Basic Multilingual Plane, without those of punctuation and
 * symbols.
 */
const lettersWithoutUnicode = '\\w\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3040-\\ufdff';

function wholeWord(source: string, wordCharacters: string): string {
  return `(?<![${wordCharacters}])(?:${source})(?![${wordCharacters}])`;
}

function isValid({ source, flags }: FindPattern): boolean {
  try {
    return new RegExp(source, flags).flags.length > 0;
  } catch {
    return false;
  }
}

/** The number of drawn characters after which the work pauses. */
const stepLength = 8_000;

/** The searchable strings of a message. */
export interface FindTexts {
  /** The visible strings, as one list for each block that the page renders. */
  readonly drawn: readonly (readonly string[])[];
  /** All strings in full, including the parts that the page doesn't show; absent if nothing is truncated. */
  readonly whole?: readonly string[];
  /** The note of the message's bookmark. */
  readonly note?: string | undefined;
}

/**
 * Collects the searchable strings of a message, except for the note, with pauses for `inSlices`. `blocks` must not be
 * truncated yet. `isPrompt` is whether a person wrote the message; see {@link plainTextOf}.
 */
export function* findTexts(
  blocks: readonly PageBlock[],
  t: Translate,
  isPrompt = false,
): Generator<undefined, FindTexts> {
  const { blocks: shown, cut } = cutBlocks(blocks, t);
  const drawn: (readonly string[])[] = [];
  for (const block of shown) {
    drawn.push(yield* textsOf(block, isPrompt));
    yield;
  }
  if (cut === undefined) return { drawn };
  const whole: string[] = [];
  for (const block of blocks) {
    for (const text of yield* textsOf(block, isPrompt)) whole.push(text);
    yield;
  }
  return { drawn, whole };
}

/** The text of code as it is drawn. Output of a program is drawn as in a terminal. */
function* drawnCode({ text, language }: Extract<PageBlock, { type: 'code' }>): Generator<undefined, string> {
  if (language !== undefined || !hasTerminalCodes(text)) return text;
  const pace = new Pace(stepLength);
  const lines: string[] = [];
  for (const runs of terminalLines(text)) {
    const line = textOfRuns(runs);
    lines.push(line);
    if (pace.isOver(line.length)) yield;
  }
  return lines.join('\n');
}

function* textsOf(block: PageBlock, isPrompt: boolean): Generator<undefined, readonly string[]> {
  switch (block.type) {
    case 'markdown':
      return [yield* plainTextOf(block.text, isPrompt)];
    case 'code':
      return [yield* drawnCode(block)];
    case 'note':
      return [block.text];
    case 'checklist':
      return block.items.map(({ text }) => text);
    case 'file':
      return [block.name];
    case 'image':
      return [];
    case 'asked': {
      const texts: string[] = [];
      for (const { header, text, options } of block.questions) {
        texts.push(header, yield* plainTextOf(text));
        for (const { label, detail } of options) texts.push(label, detail);
      }
      return texts;
    }
    case 'fold': {
      const texts = [block.title];
      for (const inner of block.blocks) {
        for (const text of yield* textsOf(inner, isPrompt)) texts.push(text);
      }
      return texts;
    }
  }
}
