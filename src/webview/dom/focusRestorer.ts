import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';
import { Timer } from './timers.ts';

/** Maximum delay between the focus event and the pointer event that caused it. */
const pointerDelayMs = 100;

/**
 * Keeps the focus from getting lost. If the focused element is moved, it gets the focus again. If it is removed,
 * hidden, or disabled, the focus moves to the innermost element around it that can have the focus, for example a
 * message or the list; if there is none, to the element returned by `getDefault`.
 *
 * Also restores the focus when the user returns to the page by keyboard: to the element that had it last or, if there
 * is none, to the one returned by `getDefault`, as soon as there is one. VS Code focuses the page as a whole and
 * doesn't remember which element had the focus. A click on the page sets the focus itself, so nothing is restored then.
 */
export class FocusRestorer implements Disposable {
  readonly #getDefault: () => HTMLElement | undefined;
  readonly #disposables = new Disposables();
  readonly #timer = this.#disposables.add(new Timer());
  #last: HTMLElement | undefined;
  /**
   * The element that has the focus and those around it, innermost first. Empty while another part of the window has the
   * focus, and from a click, which may take the focus away, until an element gets the focus.
   */
  #path: HTMLElement[] = [];
  /** Whether the page got the focus before there was an element to receive it. */
  #isPending = document.hasFocus();
  /** Whether the default element gets the focus when VS Code next focuses the page. */
  #isDefaultWanted = false;

  constructor(getDefault: () => HTMLElement | undefined) {
    this.#getDefault = getDefault;
    listen(this.#disposables, window, 'focus', () => {
      if (this.#isDefaultWanted) this.focusDefault(true);
      else this.#timer.set(pointerDelayMs, () => this.#restore());
    });
    const forget = () => {
      this.#cancel();
      this.#path = [];
    };
    const capturing = { capture: true };
    listen(this.#disposables, window, 'pointerdown', forget, capturing);
    listen(
      this.#disposables,
      window,
      'blur',
      ({ target }) => (target === window ? forget() : this.#cancel()),
      capturing,
    );
    listen(this.#disposables, document, 'focusin', ({ target }) => {
      this.#cancel();
      if (!(target instanceof HTMLElement)) return;
      this.#last = target;
      this.#path = [];
      for (let node: HTMLElement | null = target; node; node = node.parentElement) this.#path.push(node);
    });
    const observer = new MutationObserver((changes) => this.#keep(changes.some(({ type }) => type === 'attributes')));
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['hidden', 'disabled'] });
    this.#disposables.add({ dispose: () => observer.disconnect() });
  }

  /** Call this when the page shows different content, which may be able to receive the focus. */
  contentChanged(): void {
    if (this.#isPending) this.#restore();
  }

  /**
   * Focuses the default element. Without `takesFocus`, a page that doesn't have the focus waits until VS Code focuses
   * it, because a page that takes the focus itself would close a Quick Pick, or get the rest of what the user types
   * into an input box.
   */
  focusDefault(takesFocus: boolean): void {
    this.#isDefaultWanted = !takesFocus && !document.hasFocus();
    if (!this.#isDefaultWanted) this.#getDefault()?.focus();
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

  /** @param mayBeHidden false if the focused element can only have been removed or moved, which is faster to check. */
  #keep(mayBeHidden: boolean): void {
    const [focused, ...around] = this.#path;
    const { activeElement } = document;
    if (!focused || !document.hasFocus() || (activeElement !== document.body && activeElement !== focused)) return;
    const isUsable = (node: HTMLElement) => node.isConnected && (!mayBeHidden || node.checkVisibility());
    if (isUsable(focused) && !focused.matches(':disabled')) {
      // An element that was moved has lost the focus.
      if (activeElement === document.body) focused.focus({ preventScroll: true });
      return;
    }
    const target = around.find((node) => node.hasAttribute('tabindex') && isUsable(node)) ?? this.#getDefault();
    target?.focus({ preventScroll: true });
  }

  #cancel(): void {
    this.#isPending = false;
    this.#timer.dispose();
  }
}
