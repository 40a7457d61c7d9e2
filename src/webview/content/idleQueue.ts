import { type Disposable, Emitter } from '../../shared/lifecycle.ts';

/** Maximum time of one idle turn, in ms. A frame takes 16 ms. */
const turnMs = 8;
/** Maximum time per frame for tasks that run immediately, in ms. After that, tasks wait for an idle turn. */
const frameAllowanceMs = 5;

/** A task that draws a part of `node`. */
interface DrawingTask {
  readonly node: Node;
  readonly run: () => void;
}

/** Runs drawing tasks that can wait, in order, when the page is idle. */
export class IdleQueue implements Disposable {
  readonly #finished = new Emitter<void>();
  /** Fires when all tasks that waited for the page to be idle have run. */
  readonly onDidFinish = this.#finished.event;
  #tasks: DrawingTask[] = [];
  #handle: number | undefined;
  #frameStart = 0;
  #usedMs = 0;

  /** Runs the task immediately if this frame still has time for it; otherwise when the page is idle. */
  soon(node: Node, run: () => void): void {
    const now = performance.now();
    if (now - this.#frameStart > 16) {
      this.#frameStart = now;
      this.#usedMs = 0;
    }
    if (this.#usedMs > frameAllowanceMs) {
      this.later(node, run);
      return;
    }
    perform(run);
    this.#usedMs += performance.now() - now;
  }

  later(node: Node, run: () => void): void {
    this.#tasks.push({ node, run });
    this.#schedule();
  }

  /** Runs all tasks that draw something inside `part`, including those that they add. */
  finish(part: Node): void {
    for (;;) {
      const index = this.#tasks.findIndex(({ node }) => part.contains(node));
      if (index < 0) return;
      for (const { run } of this.#tasks.splice(index, 1)) perform(run);
    }
  }

  /** Whether something inside `part` is still to be drawn. */
  isDrawing(part: Node): boolean {
    return this.#tasks.some(({ node }) => part.contains(node));
  }

  dispose(): void {
    if (this.#handle !== undefined) cancelIdleCallback(this.#handle);
    this.#handle = undefined;
    this.#tasks = [];
    this.#finished.dispose();
  }

  #schedule(): void {
    this.#handle ??= requestIdleCallback(() => this.#runTurn(), { timeout: 200 });
  }

  #runTurn(): void {
    const end = performance.now() + turnMs;
    do {
      const task = this.#tasks.shift();
      if (task) perform(task.run);
    } while (this.#tasks.length > 0 && performance.now() < end);
    this.#handle = undefined;
    if (this.#tasks.length > 0) this.#schedule();
    else this.#finished.fire();
  }
}

/** Runs a task. If it throws, reports the error as uncaught, so that the other tasks still run. */
function perform(run: () => void): void {
  try {
    run();
  } catch (error) {
    reportError(error);
  }
}
