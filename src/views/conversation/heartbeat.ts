import type { Disposable } from '../../shared/lifecycle.ts';

/** So often a page that can be seen is asked whether it is there. */
const beatMs = 3_000;
/** After so many questions without an answer it is taken to be dead. */
const deadBeats = 4;
/** A page that was loaded again says so within this time, or something stronger is needed. */
const reloadMs = 8_000;

export interface HeartbeatOptions {
  /** Whether somebody may look: a browser stops all of a tab in the background, its window and this page. */
  readonly isWatched: () => boolean;
  /** Asks the page. */
  readonly ask: () => void;
  /** The page is dead: loads it again where it is. */
  readonly reload: () => void;
  /** Loading it again did not help: what it is drawn in is dead too. */
  readonly replace: () => void;
}

/**
 * Notices that a page does not answer any more, and has it rebuilt. Only questions that were asked in time count: a
 * machine that slept, or a host that was busy, says nothing of the page.
 */
export class PageHeartbeat implements Disposable {
  readonly #options: HeartbeatOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unanswered = 0;
  #isRevived = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** The page has loaded. Returns whether it was loaded again because it was dead. */
  start(): boolean {
    const wasDead = this.#isRevived;
    this.#isRevived = false;
    this.#unanswered = 0;
    this.#wait(beatMs, () => this.#beat());
    return wasDead;
  }

  /** The page that loads next stands in for one that died. */
  expectRevival(): void {
    this.#isRevived = true;
  }

  /** The page answered. */
  hear(): void {
    this.#unanswered = 0;
  }

  /** The page is hidden or gone: nothing is expected of it. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isRevived = false;
  }

  dispose(): void {
    this.stop();
  }

  #beat(): void {
    if (!this.#options.isWatched()) {
      this.#unanswered = 0;
      this.#wait(beatMs, () => this.#beat());
      return;
    }
    if (this.#unanswered >= deadBeats) {
      this.#isRevived = true;
      this.#wait(reloadMs, () => this.#options.replace());
      this.#options.reload();
      return;
    }
    this.#unanswered++;
    this.#wait(beatMs, () => this.#beat());
    this.#options.ask();
  }

  #wait(delayMs: number, task: () => void): void {
    clearTimeout(this.#timer);
    const dueAt = performance.now() + delayMs;
    this.#timer = setTimeout(() => {
      if (performance.now() - dueAt > beatMs / 2) {
        this.#unanswered = 0;
        this.#wait(delayMs, task);
      } else task();
    }, delayMs);
    this.#timer.unref();
  }
}
