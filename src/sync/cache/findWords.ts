import type { Message } from '../../api/resources/message.ts';
import { copied } from '../../shared/text/copied.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import { contentText } from '../../state/store/messageHeader.ts';

/** A search result in a message. */
export interface TextHit {
  readonly messageId: string;
  /** The text around the place where the first of the searched words was found. */
  readonly excerpt: string;
}

const excerptBefore = 30;
const excerptLength = 120;
/** The number of characters that are searched without a pause. */
const pieceLength = 200_000;

/** Searches a message for all `words`, which are lowercase, ignoring case. Returns undefined if a word is missing. */
export function findWords(message: Message, words: readonly string[]): TextHit | undefined {
  return withoutPause(findWordsSteps(message, words));
}

/** Searches messages in this order, like {@link findWords}. Returns the first hit. */
export function* firstHit(messages: readonly Message[], words: readonly string[]): PausableWork<TextHit | undefined> {
  for (const message of messages) {
    const hit = yield* findWordsSteps(message, words);
    if (hit) return hit;
    yield;
  }
  return undefined;
}

function* findWordsSteps(message: Message, words: readonly string[]): PausableWork<TextHit | undefined> {
  const [firstWord] = words;
  if (firstWord === undefined) return undefined;
  const text = message.content.map(contentText).join('\n');
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
      if (word === firstWord) first = start + place;
    }
  }
  return first === undefined || missing.size > 0
    ? undefined
    : { messageId: message.id, excerpt: excerptAt(text, first) };
}

function excerptAt(text: string, place: number): string {
  const start = Math.max(0, place - excerptBefore);
  return copied(`${start > 0 ? '…' : ''}${text.slice(start, start + excerptLength)}`);
}
