import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';
import { Timer } from './timers.ts';

/** The page may hear so much later of the press that gave it the focus than of the focus, at most. */
const pressMs = 100;

/**
 * The editor hands the focus to the page, not to anything on it, and takes what had it from its mind when it leaves.
 * Who comes back by keyboard comes to what had the focus before, else to what `goal` answers, once there is something. A
 * press of the pointer says by itself where it goes.
 */
export class FocusRestorer implements Disposable {
  readonly #goal: () => HTMLElement | undefined;
  readonly #disposables = new Disposables();
  readonly #press = this.#disposables.add(new Timer());
  #last: HTMLElement | undefined;
  /** Somebody has come to a page that has nothing to come to yet. */
  #isArriving = document.hasFocus();

  constructor(goal: () => HTMLElement | undefined) {
    this.#goal = goal;
    listen(this.#disposables, window, 'focus', () => this.#press.set(pressMs, () => this.#arrive()));
    for (const type of ['blur', 'pointerdown'])
      listen(this.#disposables, window, type, () => this.#stay(), { capture: true });
    listen(this.#disposables, document, 'focusin', ({ target }) => {
      if (target instanceof HTMLElement) this.#last = target;
      this.#stay();
    });
  }

  /** Something else is on the page: perhaps what somebody has come for. */
  shown(): void {
    if (this.#isArriving) this.#arrive();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #arrive(): void {
    const isNowhere = () => document.activeElement === document.body;
    this.#isArriving = document.hasFocus() && isNowhere();
    if (!this.#isArriving) return;
    this.#last?.focus({ preventScroll: true });
    if (isNowhere()) this.#goal()?.focus({ preventScroll: true });
  }

  #stay(): void {
    this.#isArriving = false;
    this.#press.dispose();
  }
}
