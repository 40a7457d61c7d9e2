import type { SendCondition } from '../../src/shared/protocol/vocabulary.ts';

/**
 * What a scheduled message waits for, the clock of the computer that scheduled it, and whether the condition was met.
 */
interface Watched {
  readonly after: SendCondition;
  readonly now: () => number;
  isMet: boolean;
}

/**
 * Checks that no scheduled message reaches the service early: before its time, or before a window read that the other
 * session is idle. A condition stays met, even if the clock is set back or the session runs again.
 */
export class ScheduleChecks {
  /** The messages that reached the service early. */
  readonly early: string[] = [];
  readonly #watched = new Map<string, Watched[]>();
  /** The messages that the user decided to send. */
  readonly #decided = new Set<string>();

  /** The number of these messages that were scheduled. */
  countIn(texts: Iterable<string>): number {
    return [...texts].filter((text) => this.#watched.has(text)).length;
  }

  /**
   * Records the condition of a scheduled message. Another window may still act on an earlier condition of the message.
   * `now` is the clock of the computer on which the message is scheduled, in Unix ms.
   */
  schedule(text: string, after: SendCondition, now: () => number): void {
    this.#watched.set(text, [...(this.#watched.get(text) ?? []), { after, now, isMet: false }]);
  }

  /** Records that a message couldn't be saved. */
  forget(text: string): void {
    this.#watched.delete(text);
  }

  /** Records that the user sends a message, whatever it waits for. */
  decide(text: string): void {
    this.#decided.add(text);
  }

  /** Records which scheduled times have passed, each according to the clock of its message's computer. */
  sawTime(): void {
    for (const watched of this.#all) {
      if (watched.after.kind === 'time' && watched.now() >= watched.after.at) watched.isMet = true;
    }
  }

  /** Records that a window read that the other session is idle. */
  sawIdle(): void {
    for (const watched of this.#all) if (watched.after.kind === 'sessionIdle') watched.isMet = true;
  }

  /** Records that a message reached the service. */
  arrived(text: string): void {
    this.sawTime();
    const watched = this.#watched.get(text);
    if (watched && !this.#decided.has(text) && !watched.some(({ isMet }) => isMet)) this.early.push(text);
  }

  get #all(): readonly Watched[] {
    return [...this.#watched.values()].flat();
  }
}
