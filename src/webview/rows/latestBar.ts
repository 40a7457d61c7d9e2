import { element, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { Words } from '../strings.ts';

/** What the bar above the composer offers. */
export interface LatestState {
  readonly isFollowing: boolean;
  /** The agent is at work, so the end is moving. */
  readonly isMoving: boolean;
  /** New messages below what is being read. */
  readonly unseenCount: number;
}

/** The button that floats over the end of the list: back to the latest message, or hold still while it grows. */
export class LatestBar {
  readonly node = element('div', { class: 'latest-bar' });
  readonly #words: Words;
  readonly #jump = element('button', { type: 'button', class: 'latest-button' });
  readonly #hold = element('button', { type: 'button', class: 'latest-button is-quiet' });
  readonly #jumpLabel = element('span');

  constructor(words: Words, jump: () => void, hold: () => void) {
    this.#words = words;
    this.#jump.append(icon('arrowDown'), this.#jumpLabel);
    this.#hold.append(icon('debugPause'));
    this.#hold.title = words.say('stopFollowing');
    this.#hold.setAttribute('aria-label', words.say('stopFollowing'));
    this.#jump.addEventListener('click', jump);
    this.#hold.addEventListener('click', hold);
    this.node.append(this.#jump, this.#hold);
  }

  show(state: LatestState): void {
    const label = this.#words.say('jumpToLatest');
    const count = state.unseenCount > 0 ? this.#words.say('newMessages', state.unseenCount) : '';
    setText(this.#jumpLabel, count === '' ? label : count);
    if (this.#jump.getAttribute('aria-label') !== label) this.#jump.setAttribute('aria-label', label);
    this.#jump.title = label;
    this.#toggle(this.#jump, !state.isFollowing);
    this.#toggle(this.#hold, state.isFollowing && state.isMoving);
  }

  /** A button that goes away while it has the focus hands it to its sibling. */
  #toggle(button: HTMLButtonElement, isShown: boolean): void {
    if (button.hidden === !isShown) return;
    const hadFocus = button === document.activeElement;
    button.hidden = !isShown;
    const other = button === this.#jump ? this.#hold : this.#jump;
    if (hadFocus && !other.hidden) other.focus({ preventScroll: true });
  }
}
