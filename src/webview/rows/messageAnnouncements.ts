import type { PageStatus } from '../../shared/protocol/pageModel.ts';
import type { PageBlock, PageRow } from '../../shared/protocol/rowTypes.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { Announcer } from '../dom/announcer.ts';
import { Timer } from '../dom/timers.ts';
import type { Strings } from '../strings.ts';

/**
 * Delay before answers are announced after the agent has stopped. The status of a session is refreshed before its
 * messages, so the end of an answer may still arrive.
 */
const lastChangesMs = 1_000;

/**
 * Announces new messages to screen readers: answers with the number of their code blocks, questions of the agent,
 * messages from other people, system messages, messages with an unknown role, and errors. The individual steps of a
 * running agent aren't announced. Because an answer may still grow, it is announced once, when the agent's next message
 * follows, when the session becomes idle, or, with an unknown status, when it has stopped growing.
 */
export class MessageAnnouncements implements Disposable {
  readonly #strings: Strings;
  readonly #announcer: Announcer;
  readonly #lastChanges = new Timer();
  #growing = new Map<string, PageRow>();
  #isRunning = false;
  #isUnknown = false;

  constructor(strings: Strings, announcer: Announcer) {
    this.#strings = strings;
    this.#announcer = announcer;
  }

  /**
   * Sets the session's status. If the service is unreachable or rejects the key, the session is assumed to keep its
   * previous status.
   */
  set status(status: PageStatus) {
    if (status === 'unreachable' || status === 'rejected') return;
    this.#isRunning = status === 'running' || status === 'pending';
    this.#isUnknown = status === 'unknown';
    if (!this.#isRunning) this.#waitForLastChanges();
    else if (this.#lastChanges.isSet) this.#announceGrowing();
  }

  /** Call this when messages have been added at the end, in this order. */
  added(rows: readonly PageRow[]): void {
    for (const row of rows) {
      // A message that a user sends in the meantime doesn't end an answer.
      if (row.role !== 'user') this.#announceGrowing();
      if (row.role === 'assistant') this.#growing.set(row.key, row);
      else this.#announce(row);
    }
    if (this.#isUnknown) this.#waitForLastChanges();
    else if (!this.#isRunning) this.#announceGrowing();
  }

  /** Call this when a message has changed. */
  changed(row: PageRow): void {
    if (!this.#growing.has(row.key)) return;
    this.#growing.set(row.key, row);
    if (this.#lastChanges.isSet) this.#waitForLastChanges();
  }

  /** Call this when the host has sent all messages again, possibly those of another session. None of them is new. */
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
    const sentence = describeMessage(row, this.#strings);
    if (sentence !== undefined) this.#announcer.announce(sentence);
  }
}

function describeMessage(row: PageRow, strings: Strings): string | undefined {
  const asked = row.blocks.find((block) => block.type === 'asked' && block.state === 'open');
  if (asked?.type === 'asked') return asked.label;
  if (row.role === 'assistant' && !row.isError) return hasText(row) ? describeAnswer(row, strings) : undefined;
  if (row.delivery || row.isContext || (row.role === 'tool' && !row.isError)) return undefined;
  return strings.get('messageReceived', row.roleLabel);
}

function describeAnswer(row: PageRow, strings: Strings): string {
  const count = row.blocks.reduce((sum, block) => sum + codeBlocks(block), 0);
  return count === 0 ? strings.get('answerReceived') : strings.get('answerReceivedBlocks', count);
}

function hasText({ blocks }: PageRow): boolean {
  return blocks.some((block) => block.type === 'markdown' && block.text.trim() !== '');
}

/**
 * The number of code blocks in a block. In Markdown, counts fences at the margin or in a list; an unclosed fence counts
 * as a code block.
 */
function codeBlocks(block: PageBlock): number {
  if (block.type === 'code') return 1;
  if (block.type !== 'markdown') return 0;
  return Math.ceil((block.text.match(/^ *(?:```|~~~)/gm)?.length ?? 0) / 2);
}
