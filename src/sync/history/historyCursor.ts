import type { HistoryState } from '../../state/store/sessionRecord.ts';
import type { SavedCursor } from '../cache/indexFormat.ts';
import { type RoleMemory, newRoleMemory } from './roles.ts';
import type { ListOrder } from './pagination.ts';

/** What a session says that tells whether its messages moved (spec 2.1). */
export interface SessionState {
  readonly status: string;
  readonly messageCount: number;
  readonly updatedAt: number;
}

/** Where reading of one session stands. */
export interface HistoryCursor {
  order: ListOrder;
  /** Newest first: the cursor of the page before the oldest one here. */
  olderCursor: string | undefined;
  /** Oldest first: the cursor of the last page, which is read again when something is new. */
  tailCursor: string | undefined;
  /** Oldest first: the cursors of the last pages, the earliest first; for looking at them again. */
  recentCursors: readonly string[];
  extent: HistoryState['completeness'];
  /** The state of the session at which its messages were last read. */
  readAt: SessionState | undefined;
  roles: RoleMemory;
  /** The person ended the loading of the rest: nothing but what they ask for goes on with it. */
  isStopped: boolean;
  /** Ends the reading under way. */
  stopping: AbortController;
  /** Page after page is read until a message stands among its neighbours. */
  isAttaching: boolean;
  /** Looking for what an earlier window left, once begun. */
  restoring: Promise<void> | undefined;
  /** Work on one session is done one after the other. */
  queue: Promise<void>;
}

/** A session of which nothing is known. */
export function newHistoryPlace(): HistoryCursor {
  return {
    order: 'unknown',
    olderCursor: undefined,
    tailCursor: undefined,
    recentCursors: [],
    extent: 'unread',
    readAt: undefined,
    roles: newRoleMemory(),
    isStopped: false,
    stopping: new AbortController(),
    isAttaching: false,
    restoring: undefined,
    queue: Promise.resolve(),
  };
}

/** Whether the rest of a list that begins with the oldest message is left out, as the person wished. */
export function isTailSkipped({ isStopped, order, extent }: HistoryCursor): boolean {
  return isStopped && order === 'oldestFirst' && extent === 'partial';
}

/** Whether many pages are being read, which a person may want to end. */
export function isLongWalk({ isAttaching, order, extent }: HistoryCursor): boolean {
  return isAttaching || (order === 'oldestFirst' && extent === 'partial');
}

/** What of a place outlives the window; undefined where nothing was read. */
export function keptPlaceOf(place: HistoryCursor): SavedCursor | undefined {
  const { order, olderCursor, tailCursor, extent, readAt, roles } = place;
  if (extent === 'unread') return undefined;
  const roleStops = [...roles.stops].map(([role, cursor]): SavedCursor['roleStops'][number] => [role, cursor ?? null]);
  return { order, olderCursor, tailCursor, extent, readAt, roleStops, unnamedIds: [...roles.unnamed] };
}

/** Goes on where an earlier window stood. */
export function resumePlace(place: HistoryCursor, kept: SavedCursor): void {
  const { order, olderCursor, tailCursor, extent, readAt, roleStops, unnamedIds } = kept;
  const stops = new Map(roleStops.map(([role, cursor]) => [role, cursor ?? undefined]));
  const roles = { stops, unnamed: new Set(unnamedIds) };
  Object.assign(place, { order, olderCursor, tailCursor, extent, readAt, roles });
}
