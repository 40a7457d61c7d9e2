import type { PageRow, StepId } from '../../shared/protocol/rowTypes.ts';
import { element } from '../dom/element.ts';
import type { RowContext } from './rowParts.ts';
import { RowView } from './rowView.ts';
import { StepsView } from './stepsView.ts';

/** Maximum number of views that are kept for rows outside the document, to make scrolling back fast. */
const maxIdleViews = 80;

/** The views of rows by key: those in the document and the ones that left it last. */
export class RowViews {
  readonly #context: RowContext;
  readonly #views = new Map<string, RowView | StepsView>();
  /** Keys of the views outside the document, in the order in which their rows left it. */
  readonly #idle = new Set<string>();

  constructor(context: RowContext) {
    this.#context = context;
  }

  /** The row's up-to-date element. */
  draw(row: PageRow): HTMLElement {
    const view = this.#views.get(row.key) ?? (row.steps ? new StepsView(this.#context) : new RowView(this.#context));
    this.#views.set(row.key, view);
    this.#idle.delete(row.key);
    view.show(row);
    return view.node;
  }

  /** See `StepsView.expand`. Also resolves to undefined if the row isn't drawn. */
  async expandSteps(key: string, steps: readonly StepId[]): Promise<HTMLElement | undefined> {
    const view = this.#views.get(key);
    return view instanceof StepsView ? view.expand(steps) : undefined;
  }

  /** A placeholder, as high as the row is estimated to be, for a row whose body hasn't arrived. */
  placeholder(heightPx: number): HTMLElement {
    const label = this.#context.strings.get('message');
    const node = element('article', { class: 'row is-waiting', tabindex: 0, 'aria-busy': 'true', 'aria-label': label });
    node.style.setProperty('height', `${heightPx}px`);
    return node;
  }

  /** Updates the marks of bookmarks in these rows. */
  showBookmarks(keys: readonly string[]): void {
    for (const key of keys) {
      const view = this.#views.get(key);
      if (view instanceof RowView) view.showBookmark();
    }
  }

  /** Call this when a row has left the document. Drops the views that left it first if there are too many. */
  undrawn(key: string): void {
    if (!this.#views.has(key)) return;
    this.#idle.delete(key);
    this.#idle.add(key);
    for (const oldest of this.#idle) {
      if (this.#idle.size <= maxIdleViews) break;
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
