import type { Disposable } from '../../shared/lifecycle.ts';

/** Interval between two pings of a visible page that exchanges other messages with the host. */
const intervalMs = 3_000;
/**
 * A quiet page is pinged once in this many intervals, because a ping wakes all processes between the host and the page.
 */
const quietIntervals = 6;
/** After this many unanswered pings, the page is considered unresponsive. */
const maxUnanswered = 4;
/** Time for a reloaded page to report that it is ready, before its frame is replaced. */
const reloadMs = 8_000;

/** The frame that a page is rendered in: the view in the side bar, or an editor tab. */
export interface PageFrame {
  reload(): void;
  /** Replaces the frame itself, after reloading didn't help. */
  replace(): void;
}

/** The page that a heartbeat watches. */
interface HeartbeatTarget extends PageFrame {
  /** Whether the window has the focus. A browser suspends the pages of a window in the background. */
  isWatched(): boolean;
  ping(): void;
}

/**
 * Detects that a page no longer responds, and reloads it. A ping counts only if its timer fired on time, because a
 * delay caused by the computer or the extension host says nothing about the page.
 */
export class PageHeartbeat implements Disposable {
  readonly #target: HeartbeatTarget;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unanswered = 0;
  /** The number of intervals since anything but pings and their answers was sent or received. */
  #quiet = 0;
  #expectsReload = false;

  constructor(target: HeartbeatTarget) {
    this.#target = target;
  }

  /** Call this when the page has loaded. Returns true if it was reloaded because it didn't respond. */
  start(): boolean {
    const isReloaded = this.#expectsReload;
    this.#expectsReload = false;
    this.#unanswered = 0;
    this.#quiet = 0;
    this.#wait(intervalMs, () => this.#beat());
    return isReloaded;
  }

  /** Treats the next page that loads as the replacement of one that didn't respond. */
  expectReload(): void {
    this.#expectsReload = true;
  }

  /** Call this when the page has answered a ping or sent anything else. */
  heard(): void {
    this.#unanswered = 0;
  }

  /** Call this when anything but a ping or its answer is sent or received. */
  exchanged(): void {
    this.#quiet = 0;
  }

  /** Stops the pings. Call this when the page is hidden or gone. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#expectsReload = false;
  }

  dispose(): void {
    this.stop();
  }

  #beat(): void {
    if (!this.#target.isWatched()) {
      this.#unanswered = 0;
      this.#quiet = 0;
      this.#wait(intervalMs, () => this.#beat());
      return;
    }
    if (this.#unanswered >= maxUnanswered) {
      this.#expectsReload = true;
      this.#awaitReload();
      this.#target.reload();
      return;
    }
    this.#wait(intervalMs, () => this.#beat());
    if (this.#quiet++ % quietIntervals > 0 && this.#unanswered === 0) return;
    this.#unanswered++;
    this.#target.ping();
  }

  /** Replaces the frame if the reloaded page doesn't report that it is ready. */
  #awaitReload(): void {
    this.#wait(reloadMs, () => (this.#target.isWatched() ? this.#target.replace() : this.#awaitReload()));
  }

  /** Runs a task after a delay. Restarts the delay if the timer fires too late. */
  #wait(delayMs: number, task: () => void): void {
    clearTimeout(this.#timer);
    const dueAt = performance.now() + delayMs;
    this.#timer = setTimeout(() => {
      if (performance.now() - dueAt > intervalMs / 2) {
        this.#unanswered = 0;
        this.#wait(delayMs, task);
      } else task();
    }, delayMs);
    this.#timer.unref();
  }
}
