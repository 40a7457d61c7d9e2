import type { Words } from '../words.ts';
import type { Highlighter } from './highlighter.ts';
import type { IdleQueue } from './idleQueue.ts';
import type { MarkdownParser } from './markdownParser.ts';

/** What drawing a message needs besides the message. */
export interface DrawTools {
  readonly words: Words;
  readonly parser: MarkdownParser;
  readonly highlighter: Highlighter;
  readonly idle: IdleQueue;
  /** Asks the host to put a text on the clipboard. */
  readonly copy: (text: string) => void;
  /** Which folds the person has opened or closed, by the place of the fold. */
  readonly folds: Map<string, boolean>;
}
