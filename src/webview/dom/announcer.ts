import type { Disposable } from '../../shared/lifecycle.ts';
import { element } from './element.ts';
import { Timer } from './timers.ts';

/** Announces text to screen readers, politely, in the page's only `status` region. */
export class Announcer implements Disposable {
  readonly node = element('div', { role: 'status', 'aria-live': 'polite', class: 'visually-hidden' });
  readonly #timer = new Timer();
  #waiting: string[] = [];

  /** Announcements in quick succession are combined, because a screen reader would drop all but the last one. */
  announce(text: string): void {
    if (text === '' || this.#waiting.includes(text)) return;
    this.#waiting.push(text);
    this.#timer.set(150, () => {
      this.node.replaceChildren(element('span', { dir: 'auto' }, this.#waiting.map(sentence).join(' ')));
      this.#waiting = [];
    });
  }

  dispose(): void {
    this.#timer.dispose();
  }
}

/** Adds a missing period to every text but the last one, so that a screen reader pauses before the next text. */
function sentence(text: string, index: number, texts: readonly string[]): string {
  return index === texts.length - 1 || /[.!?]$/.test(text) ? text : `${text}.`;
}
