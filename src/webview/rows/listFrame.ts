import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { element, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { Strings } from '../strings.ts';

/** A list whose end can be followed. */
export interface Followable {
  followEnd(): void;
  stopFollowing(): void;
}

/** The state that determines the button over the end of the list. */
interface FollowState {
  readonly isFollowing: boolean;
  /** Whether the agent is running, which means that the list may grow. */
  readonly isRunning: boolean;
  /** Number of new messages below the viewport. */
  readonly unseenCount: number;
}

/** The state that determines what the frame shows around the list. */
interface FrameState extends FollowState {
  readonly isEmpty: boolean;
  /** Shown in an empty list: which messages the filter hides. Undefined if it hides none. */
  readonly filterSummary: string | undefined;
}

/** The button over the end of the list: scrolls to the latest message, or stops following while the list grows. */
class FollowButton {
  readonly node = element('div', { class: 'latest-bar' });
  readonly #strings: Strings;
  readonly #jump = element('button', { type: 'button', class: 'latest-button' });
  readonly #stop = element('button', { type: 'button', class: 'latest-button is-quiet' });
  readonly #jumpLabel = element('span');

  constructor(strings: Strings, list: Followable) {
    this.#strings = strings;
    this.#jump.append(icon('arrowDown'), this.#jumpLabel);
    this.#stop.append(icon('debugPause'));
    this.#stop.title = strings.get('stopFollowing');
    this.#stop.setAttribute('aria-label', strings.get('stopFollowing'));
    this.#jump.addEventListener('click', () => list.followEnd());
    this.#stop.addEventListener('click', () => list.stopFollowing());
    this.node.append(this.#jump, this.#stop);
  }

  show({ isFollowing, isRunning, unseenCount }: FollowState): void {
    const label = this.#strings.get('jumpToLatest');
    setText(this.#jumpLabel, unseenCount > 0 ? this.#strings.get('newMessages', unseenCount) : label);
    if (this.#jump.getAttribute('aria-label') !== label) this.#jump.setAttribute('aria-label', label);
    this.#jump.title = label;
    this.#toggle(this.#jump, !isFollowing);
    this.#toggle(this.#stop, isFollowing && isRunning);
  }

  /** Shows or hides a button. If it is hidden while it has the focus, the other one gets the focus. */
  #toggle(button: HTMLButtonElement, isShown: boolean): void {
    if (button.hidden === !isShown) return;
    const hadFocus = button === document.activeElement;
    button.hidden = !isShown;
    const other = button === this.#jump ? this.#stop : this.#jump;
    if (hadFocus && !other.hidden) other.focus({ preventScroll: true });
  }
}

/** The area of the list: its scroller, floating controls, and the text shown while it is empty. */
export class ListFrame implements Disposable {
  readonly node = element('div', { class: 'list' });
  readonly scroller: HTMLElement;
  readonly #strings: Strings;
  readonly #gutterHolder: HTMLElement;
  readonly #followButton: FollowButton;
  readonly #empty = element('p', { class: 'empty', dir: 'auto', hidden: true });
  readonly #disposables = new Disposables();

  /** @param gutterHolder gets the width of the scrollbar in the CSS variable `--lineside-gutter`. */
  constructor(strings: Strings, gutterHolder: HTMLElement, list: Followable) {
    const name = strings.get('conversation');
    this.#strings = strings;
    this.#gutterHolder = gutterHolder;
    this.scroller = element('div', { class: 'rows', role: 'log', 'aria-live': 'off', 'aria-label': name, tabindex: 0 });
    this.#followButton = new FollowButton(strings, list);
    this.node.append(this.scroller, this.#empty, this.#followButton.node);
    // Created before the list so that this observer runs first; the list's height measurements depend on the gutter.
    const sizes = new ResizeObserver(() => this.readGutter());
    sizes.observe(this.scroller);
    this.#disposables.add({ dispose: () => sizes.disconnect() });
  }

  /** Places nodes over the start of the list. They precede the list in the tab order. */
  addOverlays(...nodes: readonly HTMLElement[]): void {
    this.node.prepend(...nodes);
  }

  show(state: FrameState): void {
    this.#followButton.show({ ...state, isRunning: state.isRunning && !state.isEmpty });
    this.#empty.hidden = !state.isEmpty;
    if (state.isEmpty) setText(this.#empty, state.filterSummary ?? this.#strings.get('emptyConversation'));
  }

  /**
   * Measures the scrollbar. A hidden page has none, so the last width stays in effect; otherwise the text would wrap
   * differently.
   */
  readGutter(): void {
    const gutterPx = this.scroller.offsetWidth - this.scroller.clientWidth;
    if (this.scroller.clientWidth > 0) this.#gutterHolder.style.setProperty('--lineside-gutter', `${gutterPx / 2}px`);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
