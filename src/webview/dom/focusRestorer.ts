import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';
import { Timer } from './timers.ts';

/** Maximum delay between the focus event and the pointer event that caused it. */
const pointerDelayMs = 100;

/**
 * Restores the focus when the user returns to the page by keyboard: to the element that had it last or, if there is
 * none, to the one returned by `getDefault`, as soon as there is one. VS Code focuses the page as a whole and doesn't
 * remember which element had the focus. A click on the page sets the focus itself, so nothing is restored then.
 */
export class FocusRestorer implements Disposable {
  readonly #getDefault: () => HTMLElement | undefined;
  readonly #disposables = new Disposables();
  readonly #timer = this.#disposables.add(new Timer());
  #last: HTMLElement | undefined;
  /** Whether the page got the focus before there was an element to receive it. */
  #isPending = document.hasFocus();

  constructor(getDefault: () => HTMLElement | undefined) {
    this.#getDefault = getDefault;
    listen(this.#disposables, window, 'focus', () => this.#timer.set(pointerDelayMs, () => this.#restore()));
    for (const type of ['blur', 'pointerdown'])
      listen(this.#disposables, window, type, () => this.#cancel(), { capture: true });
    listen(this.#disposables, document, 'focusin', ({ target }) => {
      if (target instanceof HTMLElement) this.#last = target;
      this.#cancel();
    });
  }

  /** Call this when the page shows different content, which may be able to receive the focus. */
  contentChanged(): void {
    if (this.#isPending) this.#restore();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #restore(): void {
    const isOnBody = () => document.activeElement === document.body;
    this.#isPending = document.hasFocus() && isOnBody();
    if (!this.#isPending) return;
    this.#last?.focus({ preventScroll: true });
    if (isOnBody()) this.#getDefault()?.focus({ preventScroll: true });
  }

  #cancel(): void {
    this.#isPending = false;
    this.#timer.dispose();
  }
}
