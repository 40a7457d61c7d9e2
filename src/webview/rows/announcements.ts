import type { PageBlock, PageRow, PageStatus } from '../../shared/protocol/pageModel.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { Announcer } from '../dom/announcer.ts';
import { Timer } from '../dom/timers.ts';
import type { Words } from '../strings.ts';

/** The status of a session is refreshed before its messages, so the end of an answer may arrive after the turn ended. */
const lastChangesMs = 1_000;

/**
 * Announces new messages to screen readers: answers with the number of their code blocks, messages from other people,
 * and errors. The individual steps of a running agent aren't announced. Because an answer may still grow, it is announced
 * once, when the agent's next message follows or the session becomes idle.
 */
export class MessageAnnouncements implements Disposable {
  readonly #words: Words;
  readonly #announcer: Announcer;
  readonly #lastChanges = new Timer();
  #growing = new Map<string, PageRow>();
  #isRunning = false;

  constructor(words: Words, announcer: Announcer) {
    this.#words = words;
    this.#announcer = announcer;
  }

  /** Sets the session's status. An unreachable session is assumed to keep its previous status. */
  set status(status: PageStatus) {
    if (status === 'unreachable' || status === 'refused') return;
    this.#isRunning = status === 'running' || status === 'pending';
    if (!this.#isRunning) this.#waitForLastChanges();
    else if (this.#lastChanges.isSet) this.#announceGrowing();
  }

  /** Messages were added at the end, in this order. */
  added(rows: readonly PageRow[]): void {
    for (const row of rows) {
      // A message that a user sends in the meantime doesn't end an answer.
      if (row.role !== 'user') this.#announceGrowing();
      if (row.role === 'assistant') this.#growing.set(row.key, row);
      else this.#announce(row);
    }
    if (!this.#isRunning) this.#announceGrowing();
  }

  /** A message has changed. */
  changed(row: PageRow): void {
    if (!this.#growing.has(row.key)) return;
    this.#growing.set(row.key, row);
    if (this.#lastChanges.isSet) this.#waitForLastChanges();
  }

  /** All messages were sent again, possibly those of another session. None of them is new. */
  reset(rows: readonly PageRow[]): void {
    this.#growing = new Map(rows.flatMap((row) => (this.#growing.has(row.key) ? [[row.key, row]] : [])));
  }

  dispose(): void {
    this.#lastChanges.dispose();
  }

  #waitForLastChanges(): void {
    if (this.#growing.size > 0) this.#lastChanges.set(lastChangesMs, () => this.#announceGrowing());
  }

  #announceGrowing(): void {
    this.#lastChanges.dispose();
    for (const row of this.#growing.values()) this.#announce(row);
    this.#growing.clear();
  }

  #announce(row: PageRow): void {
    const sentence = describeMessage(row, this.#words);
    if (sentence !== undefined) this.#announcer.announce(sentence);
  }
}

function describeMessage(row: PageRow, words: Words): string | undefined {
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

/** Counts Markdown fences at the margin or in a list. An unclosed fence counts as a block. */
function codeBlocks(block: PageBlock): number {
  if (block.type === 'code') return 1;
  if (block.type !== 'markdown') return 0;
  return Math.ceil((block.text.match(/^ *(?:```|~~~)/gm)?.length ?? 0) / 2);
}
