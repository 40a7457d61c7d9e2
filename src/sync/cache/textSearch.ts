import type { Message } from '../../api/resources/message.ts';
import { contentText } from '../../state/store/messageHeader.ts';

/** A search result in a message. */
export interface TextHit {
  readonly messageId: string;
  /** The text around the first word. */
  readonly excerpt: string;
}

const excerptBefore = 30;
const excerptLength = 120;

/** Searches a message for all `words`, which are lowercase, ignoring case. Returns undefined if a word is missing. */
export function findWords(message: Message, words: readonly string[]): TextHit | undefined {
  const text = message.content.map(contentText).join('\n');
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word));
  const [first] = places;
  if (first === undefined || places.includes(-1)) return undefined;
  const start = Math.max(0, first - excerptBefore);
  const excerpt = text.slice(start, start + excerptLength);
  return { messageId: message.id, excerpt: `${start > 0 ? '…' : ''}${excerpt}` };
}
