import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { element, setText } from '../dom/element.ts';
import { listen } from '../dom/listen.ts';
import { Timer } from '../dom/timers.ts';
import type { Strings } from '../strings.ts';

/** The countdown begins this long before the retry. */
const longestMs = 60_000;

/** Counts down the seconds until Lineside tries again. No timer runs in a hidden page, or if there is no retry. */
export class RetryCountdown implements Disposable {
  readonly node = element('span', { class: 'retry-countdown' });
  readonly #strings: Strings;
  readonly #disposables = new Disposables();
  readonly #timer = this.#disposables.add(new Timer());
  #retryAt = 0;

  constructor(strings: Strings) {
    this.#strings = strings;
    listen(this.#disposables, document, 'visibilitychange', () => this.#update());
  }

  /** `retryAt` is in Unix ms; undefined if there is no retry. */
  show(retryAt: number | undefined): void {
    this.#retryAt = retryAt ?? 0;
    this.#update();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #update(): void {
    this.#timer.dispose();
    const leftMs = this.#retryAt - Date.now();
    const isCounting = leftMs > 0 && leftMs <= longestMs;
    setText(this.node, isCounting ? this.#strings.get('retryingIn', Math.ceil(leftMs / 1000)) : '');
    if (leftMs <= 0 || document.hidden) return;
    // The shown number changes when a whole number of seconds is left.
    this.#timer.set(isCounting ? leftMs % 1000 || 1000 : leftMs - longestMs, () => this.#update());
  }
}
