import type { Message } from '../../api/resources/message.ts';
import { copied } from '../../shared/text/copied.ts';
import { cutPoint, startPoint } from '../../shared/text/cutPoint.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import { contentText } from '../../state/store/messageHeader.ts';

/** A search result in a message. */
export interface TextHit {
  readonly messageId: string;
  /** The text around the place where the first of the searched words was found. */
  readonly excerpt: string;
}

/** The text of a message that may be shown for a hit; undefined if none of it may be. Has pauses for `inSlices`. */
export type ShownText = (message: Message) => PausableWork<string | undefined>;

const excerptBefore = 30;
const excerptLength = 120;
/** The number of characters that are searched without a pause. */
const pieceLength = 200_000;

/**
 * Searches a message for all `words`, which are lowercase, ignoring case. Returns undefined if a word is missing, or if
 * there are no words.
 */
export function findWords(message: Message, words: readonly string[]): TextHit | undefined {
  return withoutPause(findWordsSteps(message, textOf(message), words));
}

/**
 * Searches messages in the given order, like {@link findWords}. Returns the first hit. With `shownText`, the text that
 * it returns for the message must contain all words, too, and the excerpt is from that text.
 */
export function* firstHit(
  messages: readonly Message[],
  words: readonly string[],
  shownText?: ShownText,
): PausableWork<TextHit | undefined> {
  for (const message of messages) {
    const hit = yield* findWordsSteps(message, textOf(message), words);
    const shown = hit && shownText ? yield* hitIn(message, shownText, words) : hit;
    if (shown) return shown;
    yield;
  }
  return undefined;
}

function* hitIn(message: Message, shownText: ShownText, words: readonly string[]): PausableWork<TextHit | undefined> {
  const text = yield* shownText(message);
  return text === undefined ? undefined : yield* findWordsSteps(message, text, words);
}

function textOf(message: Message): string {
  return message.content.map(contentText).join('\n');
}

function* findWordsSteps(message: Message, text: string, words: readonly string[]): PausableWork<TextHit | undefined> {
  const [firstWord] = words;
  if (firstWord === undefined) return undefined;
  // A word that begins in a piece may end in the next one.
  const overlap = words.reduce((longest, { length }) => Math.max(longest, length), 0);
  const missing = new Set(words);
  let first: number | undefined;
  for (let start = 0; start < text.length && missing.size > 0; start += pieceLength) {
    if (start > 0) yield;
    const lower = text.slice(start, start + pieceLength + overlap).toLowerCase();
    for (const word of missing) {
      const place = lower.indexOf(word);
      if (place < 0) continue;
      missing.delete(word);
      if (word === firstWord) first = placeAfter(text, start, place);
    }
  }
  return first === undefined || missing.size > 0
    ? undefined
    : { messageId: message.id, excerpt: excerptAt(text, first) };
}

/** The place in `text` that is `lowerCount` lowercase characters after `start`. Only "İ" is longer in lower case. */
function placeAfter(text: string, start: number, lowerCount: number): number {
  let place = start;
  for (let left = lowerCount; left > 0; place += 1) left -= text[place] === 'İ' ? 2 : 1;
  return place;
}

function excerptAt(text: string, place: number): string {
  const start = startPoint(text, place - excerptBefore);
  return copied(`${start > 0 ? '…' : ''}${text.slice(start, cutPoint(text, start + excerptLength))}`);
}
