import type { Disposable } from '../../shared/lifecycle.ts';

interface Task {
  readonly run: () => void;
  readonly isWanted: () => boolean;
}

/** Time one idle turn may take, in ms; a frame is 16. */
const turnMs = 8;
/** Work that may be done at once, per frame, before the rest has to wait for an idle turn, in ms. */
const frameAllowanceMs = 5;

/** Work that can wait: done in order when the page is idle, left out when its result is no longer wanted. */
export class IdleQueue implements Disposable {
  #tasks: Task[] = [];
  #handle: number | undefined;
  #frameStart = 0;
  #usedMs = 0;

  /** Does the work now if this frame still allows it and nothing waits before it; else in an idle moment. */
  soon(task: Task): void {
    const now = performance.now();
    if (now - this.#frameStart > 16) {
      this.#frameStart = now;
      this.#usedMs = 0;
    }
    if (this.#usedMs > frameAllowanceMs) {
      this.later(task);
      return;
    }
    task.run();
    this.#usedMs += performance.now() - now;
  }

  later(task: Task): void {
    this.#tasks.push(task);
    this.#schedule();
  }

  dispose(): void {
    if (this.#handle !== undefined) cancelIdleCallback(this.#handle);
    this.#handle = undefined;
    this.#tasks = [];
  }

  #schedule(): void {
    this.#handle ??= requestIdleCallback(() => this.#turn(), { timeout: 200 });
  }

  #turn(): void {
    this.#handle = undefined;
    const end = performance.now() + turnMs;
    do {
      const task = this.#tasks.shift();
      if (task?.isWanted() === true) task.run();
    } while (this.#tasks.length > 0 && performance.now() < end);
    if (this.#tasks.length > 0) this.#schedule();
  }
}
