import type { Disposable } from '../../shared/lifecycle.ts';
import { FrameTask } from '../dom/timers.ts';

/**
 * Calls back between the browser's layout of a frame and its paint, when the size of an observed element has changed or
 * on request. Reading sizes there costs nothing, and what the callback changes is laid out before the same paint.
 *
 * It can call back several times in a frame: after each layout, the browser reports only elements that are deeper in
 * the document than the highest one that it reported before. The levels are nested elements, the outermost first.
 * {@link request} makes the browser report the outermost one that it can still report in this frame. All other observed
 * elements must be inside the innermost level.
 */
export class LayoutObserver implements Disposable {
  readonly #levels: readonly Element[];
  readonly #observer: ResizeObserver;
  readonly #nextFrame = new FrameTask(() => this.request());
  /** The index of the first level that can still be reported in this frame. */
  #level = 0;

  constructor(levels: readonly Element[], call: (entries: readonly ResizeObserverEntry[]) => void) {
    this.#levels = levels;
    this.#observer = new ResizeObserver((entries) => {
      const highest = levels.findIndex((level) => entries.some(({ target }) => target === level));
      this.#level = highest < 0 ? Infinity : highest + 1;
      call(entries);
      this.#level = 0;
    });
    for (const level of levels) this.observe(level);
  }

  /** Whether an element that is observed from now on is first reported in the next frame, after the paint. */
  get isLastCall(): boolean {
    return this.#level > this.#levels.length;
  }

  observe(target: Element): void {
    this.#observer.observe(target);
  }

  unobserve(target: Element): void {
    this.#observer.unobserve(target);
  }

  /** Calls back after the next layout, in this frame if possible. */
  request(): void {
    const level = this.#levels[this.#level];
    if (!level) {
      this.#nextFrame.request();
      return;
    }
    // An element that is observed again is reported even if it has the same size.
    this.unobserve(level);
    this.observe(level);
  }

  dispose(): void {
    this.#nextFrame.dispose();
    this.#observer.disconnect();
  }
}
