import { element } from '../dom/element.ts';
import { Owner, type Owned } from '../dom/timers.ts';
import type { Words } from '../strings.ts';
import { LatestBar, type LatestState } from './latestBar.ts';

/** The place of the list on the page: its scroller, what lies over it, and what stands there while it is empty. */
export class ListFrame implements Owned {
  readonly node = element('div', { class: 'list' });
  readonly scroller: HTMLElement;
  readonly #words: Words;
  readonly #gutterHolder: HTMLElement;
  readonly #latest: LatestBar;
  readonly #empty: HTMLElement;
  readonly #owner = new Owner();

  /** @param gutterHolder gets what scrollbars take from the list, in `--deck-gutter`. */
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
    this.#owner.own({ dispose: () => sizes.disconnect() });
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
    if (this.scroller.clientWidth > 0) this.#gutterHolder.style.setProperty('--deck-gutter', `${gutterPx / 2}px`);
  }

  dispose(): void {
    this.#owner.dispose();
  }
}
