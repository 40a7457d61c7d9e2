import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { element, setAttribute, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { listen } from '../dom/listen.ts';
import { icon } from '../icons/icon.ts';
import type { Strings } from '../strings.ts';

/** A list whose end can be followed. */
export interface Followable {
  followEnd(): void;
  stopFollowing(): void;
}

/** The state that determines which of the {@link FollowButtons} is shown. */
interface FollowState {
  readonly isFollowing: boolean;
  /** Whether the agent may be running, so that the list may grow. */
  readonly isRunning: boolean;
  /** Number of rows that have been added at the end since the user left it. */
  readonly unseenCount: number;
}

/** The state that determines what the frame shows around the list. */
interface FrameState extends FollowState {
  readonly isEmpty: boolean;
  /** Shown in an empty list: which messages the filter hides. Undefined if it hides none. */
  readonly filterSummary: string | undefined;
}

/** The buttons for the end of the list: one scrolls to it, and the other stops following it while the list grows. */
class FollowButtons {
  readonly node: HTMLElement;
  readonly #stop: HTMLButtonElement;
  readonly #strings: Strings;
  readonly #jump = element('button', { type: 'button', class: 'latest-button' });
  readonly #jumpLabel = element('span');
  readonly #scroller: HTMLElement;

  /** @param scroller gets the focus if the button that has it is hidden, and no other one is shown. */
  constructor(strings: Strings, list: Followable, scroller: HTMLElement) {
    this.#strings = strings;
    this.#scroller = scroller;
    this.#jump.append(icon('arrowDown'), this.#jumpLabel);
    this.#stop = iconButton('arrowDown', strings.get('stopFollowing'), () => list.stopFollowing());
    this.#stop.classList.add('is-following');
    this.#jump.addEventListener('click', () => list.followEnd());
    this.node = element('div', { class: 'follow' }, this.#jump, this.#stop);
  }

  show({ isFollowing, isRunning, unseenCount }: FollowState): void {
    const label = this.#strings.get('jumpToLatest');
    const news = unseenCount > 0 ? this.#strings.get('newMessages', unseenCount) : '';
    setText(this.#jumpLabel, news);
    setAttribute(this.#jump, 'aria-label', news === '' ? label : `${news}, ${label}`);
    setAttribute(this.#jump, 'title', label);
    // When the focused button is hidden, the other button or the list gets the focus. Otherwise, the text field would
    // get it, and another Enter would send the draft.
    const { activeElement } = document;
    setAttribute(this.#jump, 'hidden', isFollowing);
    setAttribute(this.#stop, 'hidden', !isFollowing || !isRunning);
    const buttons = [this.#jump, this.#stop];
    // In a browser, the element stays active while the user types in another frame.
    if (!document.hasFocus() || !buttons.some((button) => button === activeElement && button.hidden)) return;
    const next = buttons.find((button) => !button.hidden) ?? this.#scroller;
    next.focus({ preventScroll: true });
  }
}

/** The area of the list: its scroller, the text shown while it is empty, and the buttons that control following. */
export class ListFrame implements Disposable {
  readonly node = element('div', { class: 'list' });
  readonly scroller: HTMLElement;
  readonly #strings: Strings;
  readonly #gutterHolder: HTMLElement;
  readonly #followButtons: FollowButtons;
  readonly #empty = element('p', { class: 'empty', dir: 'auto', hidden: true });
  readonly #disposables = new Disposables();

  /** @param gutterHolder gets half the width of the scrollbar in the CSS variable `--lineside-gutter`. */
  constructor(strings: Strings, gutterHolder: HTMLElement, list: Followable) {
    const name = strings.get('conversation');
    this.#strings = strings;
    this.#gutterHolder = gutterHolder;
    this.scroller = element('div', { class: 'rows', role: 'log', 'aria-live': 'off', 'aria-label': name, tabindex: 0 });
    this.scroller.setAttribute('aria-describedby', 'help-hint');
    this.#followButtons = new FollowButtons(strings, list, this.scroller);
    this.node.append(this.scroller, this.#empty);
    // Created before the list so that this observer runs first; the list's height measurements depend on the gutter.
    const sizes = new ResizeObserver(() => this.readGutter());
    sizes.observe(this.scroller);
    this.#disposables.add({ dispose: () => sizes.disconnect() });
    this.#describeSelection();
    listen(this.#disposables, document, 'selectionchange', () => this.#describeSelection());
  }

  /** The buttons that control whether the list follows its end. The caller places them so that they don't cover it. */
  get followButtons(): HTMLElement {
    return this.#followButtons.node;
  }

  /** Places nodes over the start of the list. They precede the list in the tab order. */
  addOverlays(...nodes: readonly HTMLElement[]): void {
    this.node.prepend(...nodes);
  }

  show(state: FrameState): void {
    this.#followButtons.show({ ...state, isRunning: state.isRunning && !state.isEmpty });
    setAttribute(this.#empty, 'hidden', !state.isEmpty);
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

  /**
   * Sets the context of VS Code's context menu. Messages can't be edited, so Copy Selection replaces VS Code's items,
   * which include Cut and Paste.
   */
  #describeSelection(): void {
    const selection = document.getSelection();
    const linesideHasSelection = selection?.isCollapsed === false && this.scroller.contains(selection.anchorNode);
    const context = { preventDefaultContextMenuItems: true, linesideHasSelection };
    setAttribute(this.scroller, 'data-vscode-context', JSON.stringify(context));
  }
}
