import type { Words } from '../words.ts';
import type { Formatters } from './formatters.ts';
import type { IdleQueue } from './idleQueue.ts';

/** What drawing a message needs besides the message. */
export interface DrawTools extends Formatters {
  readonly words: Words;
  readonly idle: IdleQueue;
  /** Asks the host to put a text on the clipboard. */
  readonly copy: (text: string) => void;
  /** Which folds the person has opened or closed, by the place of the fold. */
  readonly folds: Map<string, boolean>;
}
