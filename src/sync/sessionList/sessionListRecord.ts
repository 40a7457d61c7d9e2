import * as z from 'zod/mini';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionListEntry } from '../../state/store/sessionRecord.ts';
import { sessionKeySchema } from '../storage/recordNames.ts';
import {
  type BookmarkChange,
  bookmarkRecordSchema,
  bookmarksOf,
  changedBookmarks,
  mergeBookmarks,
} from './bookmarkRecords.ts';
import { canonical, later, laterTime, type Stamped, stamped } from './stamped.ts';

const readMarkSchema = z.object({
  messageCount: z.number(),
  updatedAt: z.number(),
  wasAtWork: z.boolean(),
  isUnread: z.optional(z.boolean()),
  isAssumed: z.optional(z.boolean()),
});

/**
 * The record of a session in the list. Every field has its own time, so that changes from several machines merge
 * without loss. Fields added by later versions are kept.
 */
export const sessionListRecordSchema = z.looseObject({
  key: sessionKeySchema,
  /**
   * Whether the session is in the list. A removed session stays as a tombstone, so that an older copy that is synced
   * later doesn't restore it.
   */
  presence: stamped(z.boolean()),
  computerId: z.optional(stamped(z.string())),
  name: z.optional(stamped(z.string())),
  isPinned: z.optional(stamped(z.boolean())),
  isMuted: z.optional(stamped(z.boolean())),
  readMark: z.optional(stamped(readMarkSchema)),
  /** The ID of the message after which, according to the user, the agent isn't waiting. */
  notWaitingId: z.optional(stamped(z.string())),
  parentId: z.optional(stamped(z.string())),
  bookmarks: z.optional(z.array(bookmarkRecordSchema)),
});
export type SessionListRecord = z.output<typeof sessionListRecordSchema>;

/** A change to a session in the list. An empty string removes `computerId`, `name`, `notWaitingId`, or `parentId`. */
export interface SessionListChange {
  readonly isListed?: boolean;
  readonly computerId?: string;
  readonly name?: string;
  readonly isPinned?: boolean;
  readonly isMuted?: boolean;
  readonly readMark?: z.output<typeof readMarkSchema>;
  readonly notWaitingId?: string;
  readonly parentId?: string;
  /** The bookmarks that change. */
  readonly bookmarks?: readonly BookmarkChange[];
}

/**
 * Merges two copies: the later value of each field wins. The result does not depend on the order or number of merges,
 * except for fields added by later versions, which have no known time.
 */
export function mergeSessionListRecords(a: SessionListRecord, b: SessionListRecord): SessionListRecord {
  return {
    ...a,
    ...b,
    key: a.key,
    presence: later(a.presence, b.presence),
    computerId: laterIfAny(a.computerId, b.computerId),
    name: laterIfAny(a.name, b.name),
    isPinned: laterIfAny(a.isPinned, b.isPinned),
    isMuted: laterIfAny(a.isMuted, b.isMuted),
    readMark: laterIfAny(a.readMark, b.readMark),
    notWaitingId: laterIfAny(a.notWaitingId, b.notWaitingId),
    parentId: laterIfAny(a.parentId, b.parentId),
    bookmarks: mergeBookmarks(a.bookmarks, b.bookmarks),
  };
}

/**
 * Returns the record after a change at the time `now` (Unix ms). A new value always gets a later time than the one it
 * replaces, even if that one came from a machine whose clock is ahead. Removing a session from the list also removes
 * its bookmarks.
 */
export function changedRecord(record: SessionListRecord, change: SessionListChange, now: number): SessionListRecord {
  const { isListed } = change;
  const removals = record.bookmarks?.map(({ messageId }) => ({ messageId }));
  return {
    ...record,
    presence: isListed === undefined ? record.presence : chosen(record.presence, isListed, now),
    computerId: chosenIfAny(record.computerId, change.computerId, now),
    name: chosenIfAny(record.name, change.name, now),
    isPinned: chosenIfAny(record.isPinned, change.isPinned, now),
    isMuted: chosenIfAny(record.isMuted, change.isMuted, now),
    readMark: chosenIfAny(record.readMark, change.readMark, now),
    notWaitingId: chosenIfAny(record.notWaitingId, change.notWaitingId, now),
    parentId: chosenIfAny(record.parentId, change.parentId, now),
    bookmarks: changedBookmarks(record.bookmarks, isListed === false ? removals : change.bookmarks, now),
  };
}

/** The record of a session that is added to the list now. */
export function newSessionListRecord({ origin, sessionId }: SessionKey, now: number): SessionListRecord {
  return { key: { origin, sessionId }, presence: { value: true, at: now } };
}

/** Converts the record of a listed session to the store's list entry. */
export function sessionListEntryOf(record: SessionListRecord): SessionListEntry {
  const { key, presence, isPinned, isMuted, readMark } = record;
  const texts = [record.computerId, record.name, record.parentId, record.notWaitingId];
  const [computerId, name, parentId, notWaitingId] = texts.map(textOf);
  const bookmarks = bookmarksOf(record.bookmarks);
  return {
    key,
    addedAt: presence.at,
    ...(computerId === undefined ? {} : { computerId }),
    ...(name === undefined ? {} : { name }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(notWaitingId === undefined ? {} : { notWaitingId }),
    ...(isPinned?.value ? { isPinned: true } : {}),
    ...(isMuted?.value ? { isMuted: true } : {}),
    ...(readMark ? { readMark: readMark.value } : {}),
    ...(bookmarks.length > 0 ? { bookmarks } : {}),
  };
}

/** Whether two records have the same content. */
export function isSameSessionListRecord(a: SessionListRecord, b: SessionListRecord): boolean {
  return a === b || canonical(a) === canonical(b);
}

function textOf(field: Stamped<string> | undefined): string | undefined {
  return field?.value === '' ? undefined : field?.value;
}

function laterIfAny<T>(a: Stamped<T> | undefined, b: Stamped<T> | undefined): Stamped<T> | undefined {
  return a && b ? later(a, b) : (a ?? b);
}

function chosen<T>(before: Stamped<T> | undefined, value: T, now: number): Stamped<T> {
  return before && canonical(before.value) === canonical(value) ? before : { value, at: laterTime(before?.at, now) };
}

function chosenIfAny<T>(before: Stamped<T> | undefined, value: T | undefined, now: number): Stamped<T> | undefined {
  return value === undefined ? before : chosen(before, value, now);
}
