import type { PageBlock, PageRow, PageStatus } from '../../shared/protocol/pageModel.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { Timer } from '../dom/timers.ts';
import type { Words } from '../strings.ts';

/** The state of a session is read before its messages are: the end of an answer may come after the word of its end. */
const lastWordsMs = 1_000;

/**
 * Tells a screen reader of new messages: an answer with the number of its code blocks, a message of somebody else, an
 * error. The steps of an agent at work are not told one by one; they are there to be read. An answer may grow: it is
 * told once, when the agent's next message follows it or the session has come to rest.
 */
export class MessageAnnouncements implements Disposable {
  readonly #words: Words;
  readonly #tell: (sentence: string) => void;
  readonly #lastWords = new Timer();
  #growing = new Map<string, PageRow>();
  #isMoving = false;

  constructor(words: Words, tell: (sentence: string) => void) {
    this.#words = words;
    this.#tell = tell;
  }

  /** Takes over how the agent does; one that cannot be reached is taken to do what it did. */
  set status(status: PageStatus) {
    if (status === 'unreachable' || status === 'refused') return;
    this.#isMoving = status === 'running' || status === 'pending';
    if (!this.#isMoving) this.#waitForLastWords();
    else if (this.#lastWords.isSet) this.#tellGrown();
  }

  /** Messages have come in at the end, in this order. */
  came(rows: readonly PageRow[]): void {
    for (const row of rows) {
      // What a person says meanwhile ends no answer.
      if (row.role !== 'user') this.#tellGrown();
      if (row.role === 'assistant') this.#growing.set(row.key, row);
      else this.#describe(row);
    }
    if (!this.#isMoving) this.#tellGrown();
  }

  /** A message is another one now. */
  changed(row: PageRow): void {
    if (!this.#growing.has(row.key)) return;
    this.#growing.set(row.key, row);
    if (this.#lastWords.isSet) this.#waitForLastWords();
  }

  /** All messages were sent again, perhaps those of another session: nothing of that has come in. */
  reset(rows: readonly PageRow[]): void {
    this.#growing = new Map(rows.flatMap((row) => (this.#growing.has(row.key) ? [[row.key, row]] : [])));
  }

  dispose(): void {
    this.#lastWords.dispose();
  }

  #waitForLastWords(): void {
    if (this.#growing.size > 0) this.#lastWords.set(lastWordsMs, () => this.#tellGrown());
  }

  #tellGrown(): void {
    this.#lastWords.dispose();
    for (const row of this.#growing.values()) this.#describe(row);
    this.#growing.clear();
  }

  #describe(row: PageRow): void {
    const sentence = describeArrival(row, this.#words);
    if (sentence !== undefined) this.#tell(sentence);
  }
}

function describeArrival(row: PageRow, words: Words): string | undefined {
  if (row.role === 'assistant' && !row.isError) return hasText(row) ? describeAnswer(row, words) : undefined;
  if (row.delivery || (row.role === 'tool' && !row.isError)) return undefined;
  return words.say('messageReceived', row.roleLabel);
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
