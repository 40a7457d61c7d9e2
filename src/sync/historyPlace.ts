import type { HistoryState } from '../state/sessionRecord.ts';
import type { KeptPlace } from './cacheIndex.ts';
import { type RoleMemory, newRoleMemory } from './roles.ts';
import type { ListOrder } from './walk.ts';

/** What a session says that tells whether its messages moved (spec 2.1). */
export interface SessionState {
  readonly status: string;
  readonly messageCount: number;
  readonly updatedAt: number;
}

/** Where reading of one session stands. */
export interface HistoryPlace {
  order: ListOrder;
  /** Newest first: the cursor of the page before the oldest one here. */
  olderCursor: string | undefined;
  /** Oldest first: the cursor of the last page, which is read again when something is new. */
  tailCursor: string | undefined;
  extent: HistoryState['extent'];
  /** The state of the session at which its messages were last read. */
  readAt: SessionState | undefined;
  roles: RoleMemory;
  /** Looking for what an earlier window left, once begun. */
  restoring: Promise<void> | undefined;
  /** Work on one session is done one after the other. */
  queue: Promise<void>;
}

/** A session of which nothing is known. */
export function newHistoryPlace(): HistoryPlace {
  return {
    order: 'unknown',
    olderCursor: undefined,
    tailCursor: undefined,
    extent: 'unread',
    readAt: undefined,
    roles: newRoleMemory(),
    restoring: undefined,
    queue: Promise.resolve(),
  };
}

/** What of a place outlives the window; undefined where nothing was read. */
export function keptPlaceOf(place: HistoryPlace): KeptPlace | undefined {
  const { order, olderCursor, tailCursor, extent, readAt, roles } = place;
  if (extent === 'unread') return undefined;
  const roleStops = [...roles.stops].map(([role, cursor]): KeptPlace['roleStops'][number] => [role, cursor ?? null]);
  return { order, olderCursor, tailCursor, extent, readAt, roleStops, unnamedIds: [...roles.unnamed] };
}

/** Goes on where an earlier window stood. */
export function resumePlace(place: HistoryPlace, kept: KeptPlace): void {
  const { order, olderCursor, tailCursor, extent, readAt, roleStops, unnamedIds } = kept;
  const stops = new Map(roleStops.map(([role, cursor]) => [role, cursor ?? undefined]));
  const roles = { stops, unnamed: new Set(unnamedIds) };
  Object.assign(place, { order, olderCursor, tailCursor, extent, readAt, roles });
}
