import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';

interface StopRows {
  readonly scroller: HTMLElement;
  reveal(key: string): void;
}

const controls = ':is(a[href], button, input, summary, [tabindex]):not(article, :disabled)';
/** Distance in px from the edge of the viewport at which a row or control counts as visible. */
const marginPx = 24;

/**
 * Makes each message a single tab stop. Left Arrow and Right Arrow go through its controls; so do Up Arrow and Down
 * Arrow while the next one is in view, and otherwise they scroll. The tab order is set when Tab is pressed, because
 * controls come and go all the time.
 */
export class RowStops implements Disposable {
  readonly #rows: StopRows;
  readonly #disposables = new Disposables();

  constructor(rows: StopRows) {
    this.#rows = rows;
    listen(this.#disposables, document, 'keydown', (event) => this.#pressed(event));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const { activeElement } = document;
    const { scroller } = this.#rows;
    const row = scroller.contains(activeElement) ? activeElement?.closest<HTMLElement>('article') : null;
    if (event.key === 'Tab') {
      this.#setTabOrder();
      if (row && this.#goToRow(row, activeElement === row, event.shiftKey)) event.preventDefault();
    } else if (row && activeElement && !event.shiftKey && this.#goToControl(row, activeElement, event.key)) {
      event.preventDefault();
    }
  }

  /** Tab enters the list at a message in view. */
  #setTabOrder(): void {
    const { scroller } = this.#rows;
    for (const control of scroller.querySelectorAll<HTMLElement>(`article ${controls}`)) control.tabIndex = -1;
    for (const row of scroller.querySelectorAll<HTMLElement>('article')) row.tabIndex = this.#isInView(row) ? 0 : -1;
  }

  /** Goes from a row to the next or previous one, or from a control back to its row. Returns whether there is one. */
  #goToRow(row: HTMLElement, isOnRow: boolean, isBack: boolean): boolean {
    const sibling = isBack ? row.previousElementSibling : row.nextElementSibling;
    const next = isBack && !isOnRow ? row : sibling;
    if (!(next instanceof HTMLElement) || !next.matches('article')) return false;
    next.focus({ preventScroll: true });
    if (!this.#isInView(next) || (isBack && next.getBoundingClientRect().top < this.#view.top)) {
      this.#rows.reveal(next.dataset['key'] ?? '');
    }
    return true;
  }

  #goToControl(row: HTMLElement, active: Element, key: string): boolean {
    const isVertical = key === 'ArrowUp' || key === 'ArrowDown';
    if (!isVertical && key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
    if (!isVertical && canScroll(active, key === 'ArrowRight')) return false;
    const isReversed = !isVertical && getComputedStyle(row).direction === 'rtl';
    const by = (key === 'ArrowUp' || key === 'ArrowLeft') === isReversed ? 1 : -1;
    const stops = [row, ...row.querySelectorAll<HTMLElement>(controls)].filter(
      // Up Arrow and Down Arrow open the menu of a button.
      (stop) => stop.checkVisibility({ visibilityProperty: true }) && !(isVertical && stop.ariaHasPopup === 'menu'),
    );
    const next = stops[stops.findIndex((stop) => stop === active) + by];
    if (!next || (isVertical && !this.#isInView(next))) return false;
    next.focus({ preventScroll: next === row });
    return true;
  }

  get #view(): DOMRect {
    return this.#rows.scroller.getBoundingClientRect();
  }

  #isInView(node: Element): boolean {
    const { top, bottom } = node.getBoundingClientRect();
    return bottom > this.#view.top + marginPx && top < this.#view.bottom - marginPx;
  }
}

/** Whether a wide code block, table, or formula has more to show on this side. */
function canScroll(node: Element, isRight: boolean): boolean {
  const { direction, overflowX } = getComputedStyle(node);
  const hiddenPx = node.scrollWidth - node.clientWidth;
  const fromLeftPx = node.scrollLeft + (direction === 'rtl' ? hiddenPx : 0);
  return overflowX === 'auto' && (isRight ? fromLeftPx < hiddenPx - 1 : fromLeftPx > 0);
}
