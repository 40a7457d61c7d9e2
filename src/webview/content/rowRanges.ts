import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { FrameTask } from '../dom/timers.ts';

/**
 * Caches the ranges found in each mounted row until the row changes, so that only a row that has changed is searched
 * again.
 */
export class RowRanges<T> implements Disposable {
  readonly #scroller: HTMLElement;
  readonly #disposables = new Disposables();
  readonly #frame: FrameTask;
  readonly #changes = new MutationObserver((records) => this.#changed(records));
  #found = new WeakMap<Element, T>();

  /** @param mark is called in the next frame after rows have changed or been mounted, and after {@link request}. */
  constructor(scroller: HTMLElement, mark: () => void) {
    this.#scroller = scroller;
    this.#frame = this.#disposables.add(new FrameTask(mark));
    this.#disposables.add({ dispose: () => this.#changes.disconnect() });
  }

  /** Forgets everything, and follows the rows from now on. */
  restart(): void {
    this.#found = new WeakMap();
    const options = { childList: true, characterData: true, subtree: true, attributeFilter: ['hidden'] };
    this.#changes.observe(this.#scroller, options);
  }

  /** Stops following the rows. */
  stop(): void {
    this.#changes.disconnect();
  }

  /** Calls `mark` in the next frame. */
  request(): void {
    this.#frame.request();
  }

  /** What was found in a row. Calls `find` if the row isn't known, or has changed since. */
  in(row: Element, find: () => T): T {
    const found = this.#found.get(row) ?? find();
    this.#found.set(row, found);
    return found;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #changed(records: readonly MutationRecord[]): void {
    for (const { target } of records) {
      const holder = target instanceof Element ? target : target.parentElement;
      const row = holder?.closest('article');
      if (row) this.#found.delete(row);
    }
    this.#frame.request();
  }
}
