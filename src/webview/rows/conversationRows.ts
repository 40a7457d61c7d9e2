import type { PageConversation } from '../../shared/protocol/pageMessages.ts';
import type { PageFact, PageOlder, PageRow, RowPatch } from '../../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import type { RowSource } from '../list/mountedRows.ts';
import type { ReadingPosition } from '../list/scrollAnchor.ts';
import { estimateHeightPx, type RowMetrics } from '../list/viewport.ts';
import { WindowedList } from '../list/windowedList.ts';
import type { MessageAnnouncements } from './announcements.ts';
import { AriaPositions } from './ariaPositions.ts';
import type { OlderView } from './olderView.ts';
import { PromptSteps } from './prompts.ts';
import type { RowRequester } from './rowRequester.ts';
import { type InsertPatch, patchRuns, type ReplacePatch, RowTable } from './rowTable.ts';
import type { RowViews } from './rowViews.ts';

/** So far from the edges of the view a part is well within it, in px. */
const topMarginPx = 16;
const endMarginPx = 24;
/** Of the top of the view, at least so much is taken to be covered. */
const leastCoveredPx = 32;

/**
 * How far below the top of the view a row has to begin for a part of it to be well within the view, of which `coveredPx`
 * at the top are covered; undefined where it is there already.
 */
export function partOffsetPx(view: DOMRect, row: DOMRect, part: DOMRect, coveredPx: number): number | undefined {
  const top = view.top + Math.max(leastCoveredPx, coveredPx) + topMarginPx;
  if (part.top >= top && part.bottom <= view.bottom - endMarginPx) return undefined;
  return Math.round(Math.max(view.height / 3, top - view.top) - (part.top - row.top));
}

/** The key of the line before the first message; the service's keys never contain a control character. */
const olderKey = '\u0000older';

/** What the rows need from the page around them. */
export interface RowsSurroundings {
  readonly views: RowViews;
  readonly older: OlderView;
  readonly wanted: RowRequester;
  readonly moved: () => void;
  readonly settled: () => void;
  readonly arrivals: MessageAnnouncements;
}

/** The messages of the conversation as a windowed list, kept up to date by the host's patches. */
export class ConversationRows implements RowSource, Disposable {
  readonly #scroller: HTMLElement;
  readonly #around: RowsSurroundings;
  readonly #table = new RowTable();
  readonly #numbers: AriaPositions;
  readonly #list: WindowedList;
  readonly #disposables = new Disposables();
  /** The way from prompt to prompt. */
  readonly prompts: PromptSteps;
  #unseenCount = 0;
  /** Where the reader is to be, while that row is still to come; nothing is shown meanwhile. */
  #sought: ReadingPosition | undefined;

  constructor(scroller: HTMLElement, around: RowsSurroundings) {
    this.#scroller = scroller;
    this.#around = around;
    this.#numbers = new AriaPositions(scroller, this.#table, around.older);
    this.#list = this.#disposables.add(
      new WindowedList(scroller, this, { moved: () => this.#moved(), settled: () => around.settled() }),
    );
    this.prompts = new PromptSteps(this.#list, this.#table, (key) => around.wanted.want(key));
    listen(this.#disposables, scroller, 'click', (event) => this.#clicked(event.target));
  }

  get isFollowing(): boolean {
    return !this.#sought && this.#list.isFollowing;
  }

  get position(): ReadingPosition | undefined {
    return this.#sought ?? this.#list.position;
  }

  /** New messages since the reader left the end. */
  get unseenCount(): number {
    return this.#unseenCount;
  }

  /** Whether there is nothing, and nothing on its way or left to load. */
  get isEmpty(): boolean {
    return this.#table.count <= 1 && this.#around.older.state === 'none';
  }

  /** Shows a conversation from the given position, or at its end. */
  reset(conversation: PageConversation, position: ReadingPosition | undefined): void {
    this.#around.views.clear();
    this.#around.wanted.clear();
    this.#around.older.show(conversation.older);
    this.#table.reset(conversation.seeds, conversation.rows, [{ key: olderKey, weightLines: 0 }]);
    this.#around.arrivals.reset(conversation.rows);
    this.#unseenCount = 0;
    this.#numbers.earlierCount = conversation.earlierCount;
    this.#goTo(position);
  }

  /** Takes over rows before those that are here. */
  addEarlier(seeds: string): void {
    const added = this.#table.prepend(seeds);
    this.#numbers.earlierCount -= added.count;
    if (this.#sought) {
      this.#goTo(this.#sought);
      return;
    }
    this.#list.spliced([], [added]);
    this.#list.update();
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

  /** Takes over a change of the list. `isReread`: the person reads it in another way; nothing has come in. */
  patch(patches: readonly RowPatch[], isReread = false): void {
    for (const run of patchRuns(patches)) {
      if ('inserts' in run) this.#insert(run.inserts, isReread);
      else if (run.op === 'replace') this.#replace(run);
      else this.#remove(run.keys);
    }
    this.#list.update(isReread);
  }

  /** Whether every message that is here has a row: a lens leaves out an unknown number of those that are not. */
  set isWhole(isWhole: boolean) {
    if (isWhole === this.#numbers.isWhole) return;
    this.#numbers.isWhole = isWhole;
    this.#numbers.putAll();
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
    if (this.#sought) this.#goTo({ key, offsetPx: 0 });
    else this.#list.reveal(key);
  }

  /** Scrolls, if it must, until a part of a row is well within the view; `whereIs` tells where it is now. */
  showWithin(key: string, whereIs: () => DOMRect, coveredPx: number): void {
    const view = this.#scroller.getBoundingClientRect();
    const row = this.#scroller.querySelector(`[data-key="${CSS.escape(key)}"]`)?.getBoundingClientRect();
    const offsetPx = row && partOffsetPx(view, row, whereIs(), coveredPx);
    if (offsetPx !== undefined) this.#list.reveal(key, offsetPx);
  }

  followEnd(): void {
    if (this.#sought) this.#goTo(undefined);
    else this.#list.followEnd();
  }

  stopFollowing(): void {
    this.#list.stopFollowing();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#around.wanted.dispose();
  }

  get count(): number {
    return this.#sought ? 0 : this.#table.count;
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
    this.#numbers.put(node, index);
    return node;
  }

  undrawn(key: string): void {
    this.#around.views.undrawn(key);
    this.#around.wanted.forget(key);
  }

  /** Shows the list anew: at this position, or, where there is no such row and none to come, at its end. */
  #goTo(position: ReadingPosition | undefined): void {
    const isHere = position !== undefined && this.indexOf(position.key) > 0;
    this.#sought = isHere || this.#numbers.earlierCount === 0 ? undefined : position;
    this.#list.reset(isHere ? position : undefined);
  }

  #insert(patches: readonly InsertPatch[], isReread: boolean): void {
    const added = this.#table.insert(patches.map((patch) => ({ ...patch, index: patch.index + 1 })));
    this.#list.spliced([], added);
    const { index = 0, count = 0 } = added.at(-1) ?? {};
    if (isReread || count === 0 || index + count < this.#table.listedCount) return;
    if (!this.isFollowing) this.#unseenCount += count;
    this.#around.arrivals.came(patches.at(-1)?.rows ?? []);
  }

  #replace(patch: ReplacePatch): void {
    const { key } = patch.row;
    if (this.#table.replace(patch) < 0) return;
    this.#around.arrivals.changed(patch.row);
    this.#around.wanted.arrived([key]);
    this.#list.changed(key);
  }

  #remove(keys: readonly string[]): void {
    const indexes = this.#table.indexesOf(keys.filter((key) => key !== olderKey));
    this.#list.removing(indexes);
    this.#table.remove(indexes);
    this.#list.spliced(indexes, []);
    for (const key of keys) this.#around.views.forget(key);
  }

  /** A part of a row is opened or closed, with which the row will change its size. */
  #clicked(target: EventTarget | null): void {
    const fold = target instanceof Element ? target.closest('[aria-expanded], [aria-pressed]') : null;
    const key = fold?.closest<HTMLElement>('[data-key]')?.dataset['key'];
    if (key !== undefined) this.#list.hold(key);
  }

  #moved(): void {
    if (this.isFollowing) this.#unseenCount = 0;
    const isNearBeginning = this.#numbers.earlierCount === 0 && this.#list.isNearBeginning;
    if (isNearBeginning && !this.isFollowing) this.#around.older.approach();
    this.#numbers.putAll();
    this.#around.moved();
  }
}
