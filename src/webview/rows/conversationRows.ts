import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import type { PageBookmark, PageConversation, PageOlder, PagePatch } from '../../shared/protocol/pageModel.ts';
import type { PageDelivery, PageRow, StepId } from '../../shared/protocol/rowTypes.ts';
import { listen } from '../dom/listen.ts';
import type { RowSource } from '../list/mountedRows.ts';
import type { ScrollPosition } from '../list/scrollAnchor.ts';
import type { RowMetrics } from '../list/viewport.ts';
import { Rail } from './rail.ts';
import { WindowedList } from '../list/windowedList.ts';
import type { MessageAnnouncements } from './messageAnnouncements.ts';
import { AriaPositions } from './ariaPositions.ts';
import type { Bookmarks } from './bookmarks.ts';
import { type Followable, ListFrame } from './listFrame.ts';
import { OlderView } from './olderView.ts';
import { PromptNavigation } from './prompts.ts';
import { Jumps } from './jumps.ts';
import { RowStops } from './rowStops.ts';
import { estimateRowHeightPx } from './rowHeight.ts';
import type { RowContext } from './rowParts.ts';
import type { IdleQueue } from '../content/idleQueue.ts';
import { RowRequester } from './rowRequester.ts';
import { type InsertPatch, patchRuns, type ReplacePatch, RowTable } from './rowTable.ts';
import { RowViews } from './rowViews.ts';

/** Minimum distance in px from the edges of the viewport at which part of a row counts as visible. */
const topMarginPx = 16;
const bottomMarginPx = 24;
/** Height in px at the top of the viewport that always counts as covered, because the current prompt may be there. */
const minCoveredPx = 32;

/** Distance in px of new rows from the top of the viewport, so that the current prompt doesn't cover their start. */
const startOffsetPx = 40;

/** The key of the line above the first message. A control character sets it apart from the keys of messages. */
const olderKey = '\u0000older';

/** The messages of the conversation as a windowed list, updated by the host's patches. */
export class ConversationRows implements RowSource, Followable, Disposable {
  readonly frame: ListFrame;
  readonly prompts: PromptNavigation;
  readonly jumps = new Jumps(this);
  readonly rail: Rail;
  readonly #disposables = new Disposables();
  readonly #moved = this.#disposables.add(new Emitter<void>());
  readonly #settled = this.#disposables.add(new Emitter<void>());
  /** Fires when the mounted rows, the position, or the following of the end may have changed. */
  readonly onDidMove = this.#moved.event;
  /** Fires when scrolling has stopped, or when the content changed while the list wasn't scrolling. */
  readonly onDidSettle = this.#settled.event;
  readonly #announcements: MessageAnnouncements;
  readonly #table = new RowTable();
  readonly #bookmarks: Bookmarks;
  readonly #idle: IdleQueue;
  readonly #views: RowViews;
  readonly #older: OlderView;
  readonly #requester: RowRequester;
  readonly #ariaPositions: AriaPositions;
  readonly #list: WindowedList;
  /** Whether the agent may be running. If so, its last message may not be the final answer. */
  isRunning = false;
  /** Whether the user has sent a message whose row hasn't arrived yet. */
  isSending = false;
  #unseenCount = 0;
  /** The position to show once its row has arrived. The list is empty until then. */
  #pending: ScrollPosition | undefined;

  /** @param gutterHolder see {@link ListFrame}. */
  constructor(context: RowContext, announcements: MessageAnnouncements, gutterHolder: HTMLElement) {
    const { strings, channel } = context;
    this.#announcements = announcements;
    this.#bookmarks = context.bookmarks;
    this.#idle = context.idle;
    this.#views = new RowViews(context);
    this.#older = new OlderView(channel, strings);
    this.#requester = this.#disposables.add(new RowRequester(channel));
    this.frame = this.#disposables.add(new ListFrame(strings, gutterHolder, this));
    this.#ariaPositions = new AriaPositions(this.scroller, this.#table, this.#older);
    this.#list = this.#disposables.add(new WindowedList(this.scroller, this));
    this.rail = this.#disposables.add(new Rail(strings, this.#list, this.#table, this.#bookmarks));
    this.frame.node.append(this.rail.node);
    this.prompts = new PromptNavigation(this.#list, this.#table, this.#requester);
    this.#disposables.add(new RowStops(this));
    // Content that is drawn later doesn't always change the height of its row. Without this, the list might not settle.
    this.#disposables.add(this.#idle.onDidFinish(() => this.#list.update()));
    listen(this.#disposables, this.scroller, 'click', (event) => this.#onClick(event.target));
  }

  get scroller(): HTMLElement {
    return this.frame.scroller;
  }

  get isFollowing(): boolean {
    return !this.#pending && this.#list.isFollowing;
  }

  get position(): ScrollPosition | undefined {
    return this.#pending ?? this.#list.position;
  }

  /** Number of rows that have been added at the end since the user left it. */
  get unseenCount(): number {
    return this.#unseenCount;
  }

  /** Whether no message is shown, and none is left to load. */
  get isEmpty(): boolean {
    return this.#table.count <= 1 && this.#older.state === 'none';
  }

  /** The last question that can be answered, in one line, and the key of its row; undefined if there is none. */
  get openQuestion(): { readonly key: string; readonly label: string } | undefined {
    return this.#table.openQuestion;
  }

  /**
   * Shows a conversation at the given position. Without one, shows it at the row with `newKey` if the rest doesn't fit
   * below the start of that row, or else at the end.
   */
  reset(conversation: PageConversation, position: ScrollPosition | undefined, newKey?: string): void {
    this.#views.clear();
    this.#bookmarks.replace(conversation.bookmarks);
    this.#requester.clear();
    this.#older.show(conversation.older);
    this.#table.reset(conversation.rowStubs, conversation.rows, [{ key: olderKey, estimatedLines: 0 }]);
    this.#announcements.reset(conversation.rows);
    this.#unseenCount = 0;
    this.isSending = false;
    this.#ariaPositions.earlierCount = conversation.earlierCount;
    this.#moveTo(position);
    if (!position && newKey !== undefined) this.#list.beginAt(newKey, startOffsetPx);
  }

  /**
   * Adds rows above the existing ones. `stubs` is the JSON of `RowStubColumns`. `leftCount` is the number of even
   * earlier rows, which the host sends later.
   */
  addEarlier(stubs: string, leftCount: number): void {
    const added = this.#table.prepend(stubs);
    this.#ariaPositions.earlierCount = leftCount;
    if (this.#pending) {
      this.#moveTo(this.#pending);
      return;
    }
    this.#list.spliced([], [added]);
    this.#list.update();
  }

  /** Stores bodies that the host sent, with or without a request. */
  putBodies(rows: readonly PageRow[]): void {
    const keys = this.#table.putBodies(rows);
    this.#table.dropBodiesFarFrom(this.isFollowing ? this.#table.count : this.indexOf(this.position?.key ?? ''));
    this.#requester.received(keys);
    const drawn = keys.filter((key) => this.#list.elementOf(key));
    for (const key of drawn) this.#list.changed(key);
    if (drawn.length > 0) this.#list.update();
    else this.rail.update();
  }

  /**
   * Applies patches. A row that is removed and inserted again has moved. `isReread`: the user changed which rows are
   * shown, for example with the filter, so no message is new. `newKey`: the first row that is new to the user.
   */
  patch({ patches, isReread = false, newKey }: PagePatch): void {
    let added: InsertPatch | undefined;
    const removed = new Set<string>();
    for (const run of patchRuns(patches)) {
      if ('inserts' in run) added = this.#insert(run.inserts, removed, isReread) ?? added;
      else if (run.op === 'replace') this.#replace(run);
      else this.#remove(run.keys, removed);
    }
    for (const key of removed) {
      if (this.indexOf(key) < 0) this.#views.forget(key);
      else this.#list.changed(key);
    }
    this.#list.update(isReread);
    if (added && this.isFollowing && !this.#isOwnMessageOnItsWay) this.#beginAtNews(added, newKey);
  }

  /** Whether a message that the user has just sent isn't part of the conversation yet, so it has to stay in view. */
  get #isOwnMessageOnItsWay(): boolean {
    return this.isSending || this.#table.outgoing.some(isOnItsWay);
  }

  /**
   * While the end is followed, shows the start of the first new row, or of the agent's answer, if the rest doesn't fit
   * below it. Only rows that were added at the end count: the user may be reading the end of those that were there
   * before.
   */
  #beginAtNews({ rows, rowStubs }: InsertPatch, newKey: string | undefined): void {
    const last = this.body(this.keyAt(this.#table.listedCount - 1) ?? '');
    const isFinal = last && (last.phase === 'final' || !this.isRunning) && isAnswer(last);
    const answerKey = isFinal && rows.includes(last) ? last.key : undefined;
    const begin = rowStubs.some(({ key }) => key === newKey) ? newKey : answerKey;
    if (begin !== undefined) this.#list.beginAt(begin, startOffsetPx);
  }

  /** Whether every loaded message has a row. */
  set isWhole(isWhole: boolean) {
    if (isWhole === this.#ariaPositions.isWhole) return;
    this.#ariaPositions.isWhole = isWhole;
    this.#ariaPositions.setAll();
  }

  showOlder(older: PageOlder): void {
    this.#older.show(older);
    this.#list.changed(olderKey);
    this.#list.update();
  }

  /** Replaces the bookmarks of the session. */
  showBookmarks(bookmarks: readonly PageBookmark[]): void {
    this.#views.showBookmarks(this.#bookmarks.replace(bookmarks));
    this.rail.update();
  }

  reveal(key: string): void {
    if (this.#pending) this.#moveTo({ key, offsetPx: 0 });
    else this.#list.reveal(key);
  }

  /** See {@link RowViews.expandSteps}. */
  expandSteps(key: string, steps: readonly StepId[]): Promise<HTMLElement | undefined> {
    return this.#views.expandSteps(key, steps);
  }

  /** Draws everything inside a part of a row now, so that all its text can be found. */
  finishDrawing(part: Element): void {
    this.#idle.finish(part);
  }

  /**
   * Scrolls, if necessary, so that `range`, a part of a row, is visible below the top `coveredPx` pixels of the
   * viewport, which the find widget covers. Does nothing if the row isn't mounted.
   */
  revealRange(key: string, range: Range, coveredPx: number): void {
    const view = this.scroller.getBoundingClientRect();
    const row = this.mounted(key)?.getBoundingClientRect();
    const part = range.getBoundingClientRect();
    const top = view.top + Math.max(minCoveredPx, coveredPx) + topMarginPx;
    if (!row || (part.top >= top && part.bottom <= view.bottom - bottomMarginPx)) return;
    this.#list.reveal(key, Math.round(Math.max(view.height / 3, top - view.top) - (part.top - row.top)));
  }

  /**
   * The key of the row before the first one that starts in the viewport; with -1, of the row after the last one that
   * starts above the viewport. Undefined if there is no such row.
   */
  keyBeside(by: 1 | -1): string | undefined {
    const { topIndex } = this.#list;
    const index = topIndex + (this.#list.startsAbove(topIndex) ? 1 : 0) - (by > 0 ? 1 : 0);
    return index > 0 ? this.keyAt(index) : undefined;
  }

  /** The element of the row, if it is in the document. */
  mounted(key: string): HTMLElement | undefined {
    return this.#list.elementOf(key);
  }

  /** The body of the row, if it has arrived. */
  body(key: string): PageRow | undefined {
    return this.#table.body(key);
  }

  followEnd(): void {
    if (this.#pending) this.#moveTo(undefined);
    else this.#list.followEnd();
  }

  stopFollowing(): void {
    this.#list.stopFollowing();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  get count(): number {
    return this.#pending ? 0 : this.#table.count;
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
    if (index > 0) return estimateRowHeightPx(this.#table.linesAt(index), metrics);
    return this.#older.isHidden ? 0 : 32;
  }

  draw(index: number): HTMLElement {
    const key = this.#table.keyAt(index) ?? '';
    if (index === 0) return this.#older.node;
    const row = this.#table.body(key);
    if (!row) this.#requester.request(key);
    const node = row ? this.#views.draw(row) : this.#views.placeholder(this.#list.heightPx(index));
    node.dataset['key'] = key;
    this.#ariaPositions.set(node, index);
    return node;
  }

  isDrawn(index: number): boolean {
    const key = this.keyAt(index) ?? '';
    const row = this.mounted(key);
    return row !== undefined && this.body(key) !== undefined && !this.#idle.isDrawing(row);
  }

  undrawn(key: string): void {
    this.#views.undrawn(key);
    this.#requester.cancel(key);
  }

  listMoved(): void {
    if (this.isFollowing) this.#unseenCount = 0;
    const isNearStart = this.#ariaPositions.earlierCount === 0 && this.#list.isNearStart;
    if (isNearStart && !this.isFollowing) this.#older.loadIfPossible();
    this.#ariaPositions.setAll();
    this.rail.update();
    this.#moved.fire();
  }

  listSettled(): void {
    this.#settled.fire();
  }

  /** Resets the list to this position or, if its row isn't in the list and can't arrive later, to the end. */
  #moveTo(position: ScrollPosition | undefined): void {
    const isHere = position !== undefined && this.indexOf(position.key) > 0;
    this.#pending = isHere || this.#ariaPositions.earlierCount === 0 ? undefined : position;
    this.#list.reset(isHere ? position : undefined);
  }

  /** Returns the patch with new messages at the end, if there is one. It lacks those in `removed`, which have moved. */
  #insert(patches: readonly InsertPatch[], removed: ReadonlySet<string>, isReread: boolean): InsertPatch | undefined {
    const isNew = ({ key }: { readonly key: string }) => !removed.has(key);
    const added = this.#table.insert(patches.map((patch) => ({ ...patch, index: patch.index + 1 })));
    if (!isReread && patches.some(({ rows }) => rows.some((row) => isNew(row) && isFromUser(row))))
      this.isSending = false;
    this.#list.spliced([], added);
    const { index = 0, count = 0 } = added.at(-1) ?? {};
    const last = patches.at(-1);
    if (isReread || !last || index + count < this.#table.listedCount) return undefined;
    const rowStubs = last.rowStubs.filter(isNew);
    const newCount = count - (last.rowStubs.length - rowStubs.length);
    if (newCount === 0) return undefined;
    if (!this.isFollowing) this.#unseenCount += newCount;
    const rows = last.rows.filter(isNew);
    this.#announcements.added(rows);
    return { ...last, rowStubs, rows };
  }

  #replace(patch: ReplacePatch): void {
    const { key } = patch.row;
    if (this.#table.replace(patch) < 0) return;
    this.#announcements.changed(patch.row);
    this.#requester.received([key]);
    this.#list.changed(key);
  }

  #remove(keys: readonly string[], removed: Set<string>): void {
    for (const key of keys) removed.add(key);
    const indexes = this.#table.indexesOf(keys.filter((key) => key !== olderKey));
    this.#list.beforeRemoval(indexes);
    this.#table.remove(indexes);
    this.#list.spliced(indexes, []);
  }

  /** Holds a row in place when the user expands or collapses part of it. */
  #onClick(target: EventTarget | null): void {
    const fold =
      target instanceof Element ? target.closest('[aria-expanded]:not([aria-haspopup]), [aria-pressed]') : null;
    const key = fold?.closest<HTMLElement>('[data-key]')?.dataset['key'];
    if (key !== undefined) this.#list.hold(key);
  }
}

function isAnswer({ role, blocks, phase }: PageRow): boolean {
  return role === 'assistant' && phase !== 'commentary' && blocks.some(({ type }) => type === 'markdown');
}

function isFromUser({ role, isContext = false }: PageRow): boolean {
  return role === 'user' && !isContext;
}

/**
 * Whether an outgoing message is being delivered: it isn't scheduled, doesn't wait for the agent or for another
 * message, and is neither unknown nor not sent.
 */
function isOnItsWay({ state, isWaiting = false }: PageDelivery): boolean {
  return !isWaiting && state !== 'notSent' && state !== 'unknown';
}
