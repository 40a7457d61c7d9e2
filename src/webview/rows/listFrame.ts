import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
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

/** The place of the list on the page: its scroller, what lies over it, and what stands there while it is empty. */
export class ListFrame implements Disposable {
  readonly node = element('div', { class: 'list' });
  readonly scroller: HTMLElement;
  readonly #words: Words;
  readonly #gutterHolder: HTMLElement;
  readonly #latest: LatestBar;
  readonly #empty: HTMLElement;
  readonly #disposables = new Disposables();

  /** @param gutterHolder gets what scrollbars take from the list, in `--lineside-gutter`. */
  constructor(words: Words, gutterHolder: HTMLElement, way: { readonly toEnd: () => void; readonly hold: () => void }) {
    const name = words.say('conversation');
    this.#words = words;
    this.#gutterHolder = gutterHolder;
    this.scroller = element('div', { class: 'rows', role: 'log', 'aria-live': 'off', 'aria-label': name, tabindex: 0 });
    this.#latest = new LatestBar(words, way.toEnd, way.hold);
    this.#empty = element('p', { class: 'empty', dir: 'auto', hidden: true });
    this.node.append(this.scroller, this.#empty, this.#latest.node);
    // Made before the list is, whose own observer comes second: what that finds out about heights depends on this.
    const sizes = new ResizeObserver(() => this.readGutter());
    sizes.observe(this.scroller);
    this.#disposables.add({ dispose: () => sizes.disconnect() });
  }

  /** Lays these over the beginning of the list; in the order of the focus they come before it. */
  layOver(...nodes: readonly HTMLElement[]): void {
    this.node.prepend(...nodes);
  }

  /** Where the list is empty, `leftOut` says that there are messages it does not show. */
  show(state: LatestState & { readonly isEmpty: boolean; readonly leftOut: string | undefined }): void {
    this.#latest.show({ ...state, isMoving: state.isMoving && !state.isEmpty });
    this.#empty.hidden = !state.isEmpty;
    const sentence = state.leftOut ?? this.#words.say('emptyConversation');
    if (state.isEmpty && this.#empty.textContent !== sentence) this.#empty.textContent = sentence;
  }

  /** What scrollbars take from the list; a page that is not shown has none, and its text would wrap otherwise. */
  readGutter(): void {
    const gutterPx = this.scroller.offsetWidth - this.scroller.clientWidth;
    if (this.scroller.clientWidth > 0) this.#gutterHolder.style.setProperty('--lineside-gutter', `${gutterPx / 2}px`);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
