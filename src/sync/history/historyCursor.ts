import { SerialQueue } from '../../shared/serialQueue.ts';
import type { ListedMessage } from '../../api/resources/message.ts';
import type { HistoryState } from '../../state/store/sessionRecord.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SavedCursor } from '../cache/indexFormat.ts';
import { ListLag } from './listLag.ts';
import { type ListOrder, orderOf } from './pagination.ts';
import { type RoleMemory, newRoleMemory } from './roles.ts';

/** The part of a session's state that shows whether its messages changed (spec 2.1). */
export interface SessionState {
  readonly status: string;
  readonly messageCount: number;
  readonly updatedAt: number;
}

/** The maximum number of recent page cursors to keep; see {@link HistoryCursor.recentCursor}. */
const recentCount = 10;

/**
 * Tracks which part of a session's messages is loaded. "Newest first" and "oldest first" refer to the order in which
 * the service lists messages. Tasks on one session run one at a time.
 */
export class HistoryCursor {
  readonly key: SessionKey;
  #order: ListOrder = 'unknown';
  #olderCursor: string | undefined;
  #tailCursor: string | undefined;
  #recentCursors: readonly string[] = [];
  #completeness: HistoryState['completeness'] = 'unread';
  #readAt: SessionState | undefined;
  #roles: RoleMemory = newRoleMemory();
  #isStopped = false;
  #stopping = new AbortController();
  #backfillCount = 0;
  #rest: Promise<void> | undefined;
  #restored: Promise<void> | undefined;
  /** Resolves when {@link hold} ends. */
  #held: Promise<void> | undefined;
  #release: (() => void) | undefined;
  /** How far the list lags behind the session. */
  readonly lag = new ListLag();
  readonly #queue = new SerialQueue();

  constructor(key: SessionKey) {
    this.key = key;
  }

  get order(): ListOrder {
    return this.#order;
  }

  /** Newest first: the cursor of the page before the oldest loaded one. */
  get olderCursor(): string | undefined {
    return this.#olderCursor;
  }

  /** Oldest first: the cursor of the last loaded page, which is reread to find new messages. */
  get tailCursor(): string | undefined {
    return this.#tailCursor;
  }

  /**
   * Oldest first: the cursor of the first of the last ten loaded pages. {@link reconcileHistory} starts there if it
   * compares only the newest messages.
   */
  get recentCursor(): string | undefined {
    return this.#recentCursors[0];
  }

  get completeness(): HistoryState['completeness'] {
    return this.#completeness;
  }

  /** The state of the session when its messages were last read. */
  get readAt(): SessionState | undefined {
    return this.#readAt;
  }

  /**
   * The session's `messageCount` when its newest messages were read while the agent was idle; undefined if they
   * weren't, or if some are missing.
   */
  get settledCount(): number | undefined {
    return this.#readAt?.status === 'idle' && this.lag.missingCount === 0 ? this.#readAt.messageCount : undefined;
  }

  /** Oldest first: the cursor of the last page, if all messages are loaded; otherwise undefined. */
  get lastPageCursor(): string | undefined {
    return this.#order === 'oldestFirst' && this.#completeness === 'complete' ? this.#tailCursor : undefined;
  }

  get roles(): RoleMemory {
    return this.#roles;
  }

  /** Whether the user stopped loading. Loading resumes only when the user requests it. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Aborts when the user stops loading, or the session leaves the list. Each {@link stop} creates a new signal. */
  get stopSignal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Whether the rest of a list that starts with the oldest message is skipped because the user stopped loading. */
  get isTailSkipped(): boolean {
    return this.#isStopped && this.#hasUnreadTail;
  }

  /** Whether pages are being loaded one after another, beyond what a refresh loads. */
  get isBackfilling(): boolean {
    return this.#backfillCount > 0;
  }

  /** Whether a load that is in progress may read many pages, so that the user may want to stop it. */
  get isLongLoad(): boolean {
    return this.isBackfilling || this.#hasUnreadTail;
  }

  get #hasUnreadTail(): boolean {
    return this.#order === 'oldestFirst' && this.#completeness === 'partial';
  }

  /** Runs a task after all earlier tasks on this session. */
  run(task: () => Promise<void>): Promise<void> {
    return this.#queue.run(task);
  }

  /** Calls `load` after {@link unstop}. While an earlier call is running, returns the promise of that call instead. */
  loadRestOnce(load: () => Promise<void>): Promise<void> {
    if (!this.#rest) this.unstop();
    return (this.#rest ??= load().finally(() => (this.#rest = undefined)));
  }

  /** Whether the cached messages are in the store, or being put there. */
  get isRestoring(): boolean {
    return this.#restored !== undefined;
  }

  /** Resolves when no {@link hold} applies. */
  async unheld(): Promise<void> {
    await this.#held;
  }

  /** Until {@link restoreOnce} or {@link release}, delays a restore that a refresh requests. */
  hold(): void {
    this.#held ??= new Promise((resolve) => (this.#release = resolve));
  }

  /** Ends {@link hold}. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
    this.#held = undefined;
  }

  /** Ends {@link hold}, and calls `restore` once; later calls return the same promise. */
  restoreOnce(restore: () => Promise<void>): Promise<void> {
    this.release();
    return (this.#restored ??= restore());
  }

  /** Determines the direction of the list from a page, unless it is already known. */
  learnOrder(messages: readonly ListedMessage[]): void {
    if (this.#order === 'unknown') this.#order = orderOf(messages);
  }

  /** Forgets the direction of the list, which was misjudged, and the cursors that were used for it. */
  forgetOrder(): void {
    this.#order = 'unknown';
    this.#olderCursor = undefined;
    this.#tailCursor = undefined;
    this.#recentCursors = [];
    this.#roles.stops.clear();
  }

  /**
   * Newest first: records that a page before all loaded ones was loaded; `next` is the cursor of the page before it.
   */
  loadedOlder(next: string | undefined): void {
    this.#olderCursor = next;
    this.#completeness = next === undefined ? 'complete' : 'partial';
  }

  /** Oldest first: records that the page at `cursor` was loaded; `next` is the cursor of the page after it. */
  loadedNext(cursor: string | undefined, next: string | undefined): void {
    this.#tailCursor = cursor;
    if (cursor !== undefined && !this.#recentCursors.includes(cursor)) {
      this.#recentCursors = [...this.#recentCursors, cursor].slice(-recentCount);
    }
    this.#completeness = next === undefined ? 'complete' : 'partial';
  }

  /** Newest first: records that the oldest message of the list was reached. */
  reachedOldest(): void {
    this.#completeness = 'complete';
  }

  /** Newest first: sets the cursor of the page at which loading older messages continues. */
  continueAt(olderCursor: string): void {
    this.#olderCursor = olderCursor;
  }

  /** Forgets the tail cursor because the service rejected it. */
  dropTailCursor(): void {
    this.#tailCursor = undefined;
  }

  /** Forgets the recent cursors because the service rejected one. */
  dropRecentCursors(): void {
    this.#recentCursors = [];
  }

  /** Whether the messages were last read when the session was in this state, and none was missing from the list. */
  isReadAt({ status, messageCount, updatedAt }: SessionState): boolean {
    const readAt = this.#readAt;
    const isSame = readAt?.status === status && readAt.messageCount === messageCount && readAt.updatedAt === updatedAt;
    return isSame && this.lag.missingCount === 0;
  }

  markReadAt({ status, messageCount, updatedAt }: SessionState): void {
    this.#readAt = { status, messageCount, updatedAt };
  }

  /** Stops loading and aborts the current request. */
  stop(): void {
    this.#isStopped = true;
    this.#stopping.abort();
    this.#stopping = new AbortController();
  }

  /** Allows loading again after {@link stop}. */
  unstop(): void {
    this.#isStopped = false;
  }

  /** Ends all work that uses this cursor, including queued work, because the session left the list. */
  forget(): void {
    this.#stopping.abort();
    this.release();
  }

  /** Whether {@link forget} was called. */
  get isForgotten(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Records that pages are being loaded one after another, until {@link endBackfill}. Several loads can overlap. */
  beginBackfill(): void {
    this.#backfillCount++;
  }

  endBackfill(): void {
    this.#backfillCount--;
  }

  /** The part that the cache saves; undefined if nothing was read. */
  get saved(): SavedCursor | undefined {
    if (this.#completeness === 'unread') return undefined;
    const roleStops = [...this.#roles.stops].map(([role, cursor]): SavedCursor['roleStops'][number] => [
      role,
      cursor ?? null,
    ]);
    return {
      order: this.#order,
      olderCursor: this.#olderCursor,
      tailCursor: this.#tailCursor,
      completeness: this.#completeness,
      readAt: this.#readAt,
      roleStops,
      unnamedIds: [...this.#roles.unnamed],
      ...this.lag.saved,
    };
  }

  /** Continues where an earlier window stopped. */
  resume(saved: SavedCursor): void {
    const { order, olderCursor, tailCursor, completeness, readAt, roleStops, unnamedIds } = saved;
    this.lag.resume(saved);
    const stops = new Map(roleStops.map(([role, cursor]) => [role, cursor ?? undefined]));
    this.#order = order;
    this.#olderCursor = olderCursor;
    this.#tailCursor = tailCursor;
    this.#completeness = completeness;
    this.#readAt = readAt;
    this.#roles = { stops, unnamed: new Set(unnamedIds) };
  }
}
