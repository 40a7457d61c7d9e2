import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';
import { Timer } from './timers.ts';

/**
 * Calls `onChange` when the calendar day has changed: at midnight or, if the computer was asleep then, at the latest
 * when the page becomes visible or gets the focus.
 */
export class DayChange implements Disposable {
  readonly #disposables = new Disposables();
  readonly #timer = this.#disposables.add(new Timer());
  readonly #onChange: () => void;
  #day = new Date().toDateString();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    listen(this.#disposables, document, 'visibilitychange', () => this.#check());
    listen(this.#disposables, window, 'focus', () => this.#check());
    this.#waitForMidnight();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #waitForMidnight(): void {
    const midnightMs = new Date().setHours(24, 0, 0, 0);
    this.#timer.set(midnightMs - Date.now(), () => {
      this.#check();
      this.#waitForMidnight();
    });
  }

  #check(): void {
    const day = new Date().toDateString();
    if (day === this.#day) return;
    this.#day = day;
    this.#onChange();
  }
}
