import type { PageFact, PageRow } from '../../shared/protocol/rowTypes.ts';
import { element, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import { type PlaceTools, setPlace } from './rowParts.ts';

/** How many rows out of view are kept drawn, so that scrolling back costs nothing. */
const keptRows = 80;

/** A row in the document. Showing a changed row keeps every part of it that is still the same. */
export interface DrawnRow {
  readonly node: HTMLElement;
  show(row: PageRow): void;
  /** Shows what was asked for about the message, where the row is one. */
  showDetails?(facts: readonly PageFact[]): void;
}

/** The drawn rows by key: those in the document, and the last few that were. */
export class RowViews {
  readonly #make: (row: PageRow) => DrawnRow;
  readonly #busyLabel: string;
  #views = new Map<string, DrawnRow>();
  #idle = new Set<string>();

  /** @param busyLabel the name of a row whose body is not there yet. */
  constructor(make: (row: PageRow) => DrawnRow, busyLabel: string) {
    this.#make = make;
    this.#busyLabel = busyLabel;
  }

  /** The row's element, up to date. */
  draw(row: PageRow): HTMLElement {
    const view = this.#views.get(row.key) ?? this.#make(row);
    this.#views.set(row.key, view);
    this.#idle.delete(row.key);
    view.show(row);
    return view.node;
  }

  /** Hands on what was asked for about a message, where its row is still drawn. */
  showDetails(key: string, facts: readonly PageFact[]): void {
    this.#views.get(key)?.showDetails?.(facts);
  }

  /** Stands for a row whose body has not arrived, as high as that is expected to be. */
  placeholder(heightPx: number): HTMLElement {
    const node = element('article', { class: 'row is-waiting', 'aria-busy': 'true', 'aria-label': this.#busyLabel });
    node.style.setProperty('height', `${heightPx}px`);
    return node;
  }

  /** The row has left the document; the longest gone are let go. */
  undrawn(key: string): void {
    if (!this.#views.has(key)) return;
    this.#idle.delete(key);
    this.#idle.add(key);
    for (const oldest of this.#idle) {
      if (this.#idle.size <= keptRows) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#idle.delete(key);
    this.#views.delete(key);
  }

  clear(): void {
    this.#idle.clear();
    this.#views.clear();
  }
}

/** The row that stands for several messages of tools, which follow it once it is opened. */
export class GroupView {
  readonly node = element('article', { class: 'row is-group', 'data-role': 'tool' });
  readonly #tools: PlaceTools;
  readonly #button = element('button', { type: 'button', class: 'fold-button', 'aria-expanded': 'false' });
  readonly #label = element('bdi', { class: 'fold-title' });
  #key = '';

  constructor(tools: PlaceTools, toggle: (key: string) => void) {
    this.#tools = tools;
    this.#button.append(icon('chevronRight', 'fold-mark'), icon('tools'), this.#label);
    this.#button.addEventListener('click', () => toggle(this.#key));
    this.node.append(this.#button);
  }

  show(row: PageRow): void {
    const { label, isOpen, hasErrors } = row.group ?? { label: row.roleLabel, isOpen: false, hasErrors: false };
    this.#key = row.key;
    this.node.setAttribute('aria-label', label);
    this.node.classList.toggle('has-errors', hasErrors);
    this.#button.setAttribute('aria-expanded', String(isOpen));
    setText(this.#label, label);
    setPlace(this.node, row, this.#tools);
  }
}
