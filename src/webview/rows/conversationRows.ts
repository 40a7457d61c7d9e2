import type { PageConversation } from '../../protocol.ts';
import type { PageFact, PageOlder, PageRow, RowPatch } from '../../pageContent.ts';
import { setAttribute } from '../element.ts';
import { Owner, type Owned } from '../ownership.ts';
import { estimateHeightPx, type RowMetrics } from './estimate.ts';
import type { OlderView } from './olderView.ts';
import type { ReadingPosition } from './readingPosition.ts';
import type { RowSource } from './rowSource.ts';
import { RowTable } from './rowTable.ts';
import type { RowViews } from './rowViews.ts';
import type { WantedRows } from './wantedRows.ts';
import { WindowedList } from './windowedList.ts';

/** The key of the line before the first message; the service's keys never contain a control character. */
const olderKey = '\u0000older';

/** What the rows need from the page around them. */
export interface RowsSurroundings {
  readonly views: RowViews;
  readonly older: OlderView;
  readonly wanted: WantedRows;
  readonly moved: () => void;
  readonly settled: () => void;
  /** New messages have come in at the end. */
  readonly arrived: (rows: readonly PageRow[]) => void;
}

/** The messages of the conversation as a windowed list, kept up to date by the host's patches. */
export class ConversationRows implements RowSource, Owned {
  readonly #scroller: HTMLElement;
  readonly #around: RowsSurroundings;
  readonly #table = new RowTable();
  readonly #list: WindowedList;
  readonly #owner = new Owner();
  #unseenCount = 0;

  constructor(scroller: HTMLElement, around: RowsSurroundings) {
    this.#scroller = scroller;
    this.#around = around;
    this.#list = this.#owner.own(
      new WindowedList(scroller, this, { moved: () => this.#moved(), settled: () => around.settled() }),
    );
    this.#owner.listen(scroller, 'click', (event) => this.#clicked(event.target));
  }

  get isFollowing(): boolean {
    return this.#list.isFollowing;
  }

  get position(): ReadingPosition | undefined {
    return this.#list.position;
  }

  /** New messages since the reader left the end. */
  get unseenCount(): number {
    return this.#unseenCount;
  }

  get isEmpty(): boolean {
    return this.#table.count <= 1;
  }

  /** Shows a conversation from the given position, or at its end. */
  reset(conversation: PageConversation, position: ReadingPosition | undefined): void {
    this.#around.views.clear();
    this.#around.wanted.clear();
    this.#around.older.show(conversation.older);
    this.#table.reset([{ key: olderKey, weightLines: 0 }, ...conversation.seeds], conversation.rows);
    this.#unseenCount = 0;
    const isKnown = position !== undefined && this.indexOf(position.key) > 0;
    this.#list.reset(isKnown ? position : undefined);
  }

  /** Takes over bodies that were wanted or that stream in. */
  putBodies(rows: readonly PageRow[]): void {
    const keys = this.#table.putBodies(rows);
    this.#table.letGoFarFrom(this.isFollowing ? this.#table.count : this.indexOf(this.position?.key ?? ''));
    this.#around.wanted.arrived(keys);
    const drawn = keys.filter((key) => this.#list.isMounted(key));
    if (drawn.length === 0) return;
    for (const key of drawn) this.#list.changed(key);
    this.#list.update();
  }

  patch(patches: readonly RowPatch[]): void {
    for (const patch of patches) {
      if (patch.op === 'insert') this.#insert(patch);
      else if (patch.op === 'replace') this.#replace(patch.row, patch.weightLines);
      else for (const key of patch.keys) this.#remove(key);
    }
    this.#list.update();
  }

  showOlder(older: PageOlder): void {
    this.#around.older.show(older);
    this.#list.changed(olderKey);
    this.#list.update();
  }

  showDetails(key: string, facts: readonly PageFact[]): void {
    this.#around.views.showDetails(key, facts);
  }

  reveal(key: string): void {
    this.#list.reveal(key);
  }

  followEnd(): void {
    this.#list.followEnd();
  }

  stopFollowing(): void {
    this.#list.stopFollowing();
  }

  dispose(): void {
    this.#owner.dispose();
    this.#around.wanted.dispose();
  }

  get count(): number {
    return this.#table.count;
  }

  keyAt(index: number): string | undefined {
    return this.#table.keyAt(index);
  }

  indexOf(key: string): number {
    return this.#table.indexOf(key);
  }

  canAnchor(index: number): boolean {
    return index > 0;
  }

  estimatePx(index: number, metrics: RowMetrics): number {
    if (index > 0) return estimateHeightPx(this.#table.weightAt(index), metrics);
    return this.#around.older.state === 'none' ? 0 : 32;
  }

  draw(index: number): HTMLElement {
    const key = this.#table.keyAt(index) ?? '';
    if (index === 0) return this.#around.older.node;
    const row = this.#table.body(key);
    if (!row) this.#around.wanted.want(key);
    const node = row ? this.#around.views.draw(row) : this.#around.views.placeholder(this.#list.heightPx(index));
    node.dataset['key'] = key;
    this.#number(node, index);
    return node;
  }

  undrawn(key: string): void {
    this.#around.views.undrawn(key);
    this.#around.wanted.forget(key);
  }

  /** Its place among all messages of the session, also those that are not loaded; -1 stands for an unknown number. */
  #number(node: HTMLElement, index: number): void {
    const { count } = this.#around.older;
    setAttribute(node, 'aria-posinset', (count ?? 0) + index);
    setAttribute(node, 'aria-setsize', count === undefined ? -1 : count + this.#table.count - 1);
  }

  #insert(patch: Extract<RowPatch, { op: 'insert' }>): void {
    const wasLast = this.#table.count;
    const { index, count } = this.#table.insert({ ...patch, index: patch.index + 1 });
    this.#list.spliced(index, 0, count);
    if (index < wasLast || count === 0) return;
    if (!this.isFollowing) this.#unseenCount += count;
    this.#around.arrived(patch.rows);
  }

  #replace(row: PageRow, weightLines: number): void {
    if (this.#table.replace(row, weightLines) < 0) return;
    this.#around.wanted.arrived([row.key]);
    this.#list.changed(row.key);
  }

  #remove(key: string): void {
    const index = this.indexOf(key);
    if (index <= 0) return;
    this.#list.removing(index);
    this.#table.remove(key);
    this.#list.spliced(index, 1, 0);
    this.#around.views.forget(key);
  }

  /** A part of a row is opened or closed, with which the row will change its size. */
  #clicked(target: EventTarget | null): void {
    const fold = target instanceof Element ? target.closest('[aria-expanded], [aria-pressed]') : null;
    const key = fold?.closest<HTMLElement>('[data-key]')?.dataset['key'];
    if (key !== undefined) this.#list.hold(key);
  }

  #moved(): void {
    if (this.isFollowing) this.#unseenCount = 0;
    if (this.#list.isNearBeginning && !this.isFollowing) this.#around.older.approach();
    for (const node of this.#scroller.querySelectorAll<HTMLElement>('article[data-key]')) {
      this.#number(node, this.indexOf(node.dataset['key'] ?? ''));
    }
    this.#around.moved();
  }
}
