import * as z from 'zod/mini';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionListEntry } from '../../state/store/sessionRecord.ts';
import { sessionKeySchema } from '../storage/recordNames.ts';

/** A value and when it was chosen, Unix ms by the clock of the machine where that was. */
function stamped<T extends z.ZodMiniType>(value: T) {
  return z.object({ value, at: z.number() });
}
const readMarkSchema = z.object({
  messageCount: z.number(),
  updatedAt: z.number(),
  wasAtWork: z.boolean(),
  isUnread: z.optional(z.boolean()),
});

/**
 * What is kept of a session of the deck. Every field has its own time, so that copies that were changed on several
 * machines merge without either side losing what it changed. Fields a later version adds are kept.
 */
export const sessionListRecordSchema = z.looseObject({
  key: sessionKeySchema,
  /** Whether it is on the deck. What was removed stays as a tombstone: a copy that comes back later is older. */
  presence: stamped(z.boolean()),
  computerId: z.optional(stamped(z.string())),
  name: z.optional(stamped(z.string())),
  isPinned: z.optional(stamped(z.boolean())),
  isMuted: z.optional(stamped(z.boolean())),
  readMark: z.optional(stamped(readMarkSchema)),
  parentId: z.optional(stamped(z.string())),
});
export type SessionListRecord = z.output<typeof sessionListRecordSchema>;

/** What can be changed of a session on the deck; an empty text takes a name, computer or parent away. */
export interface SessionListChange {
  readonly isListed?: boolean;
  readonly computerId?: string;
  readonly name?: string;
  readonly isPinned?: boolean;
  readonly isMuted?: boolean;
  readonly readMark?: z.output<typeof readMarkSchema>;
  readonly parentId?: string;
}

interface Stamped<T> {
  readonly value: T;
  readonly at: number;
}

/**
 * Both copies as one: of each field the later choice. The same whichever copy comes first, however often, and in
 * whatever order copies meet.
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
    parentId: laterIfAny(a.parentId, b.parentId),
  };
}

/**
 * The record after a choice made now. A choice always counts as later than what it replaces, also where that came from
 * a machine whose clock is ahead.
 */
export function changedRecord(record: SessionListRecord, change: SessionListChange, now: number): SessionListRecord {
  const { isListed } = change;
  return {
    ...record,
    presence: isListed === undefined ? record.presence : chosen(record.presence, isListed, now),
    computerId: chosenIfAny(record.computerId, change.computerId, now),
    name: chosenIfAny(record.name, change.name, now),
    isPinned: chosenIfAny(record.isPinned, change.isPinned, now),
    isMuted: chosenIfAny(record.isMuted, change.isMuted, now),
    readMark: chosenIfAny(record.readMark, change.readMark, now),
    parentId: chosenIfAny(record.parentId, change.parentId, now),
  };
}

/** A session that is put on the deck now. */
export function newSessionListRecord({ origin, sessionId }: SessionKey, now: number): SessionListRecord {
  return { key: { origin, sessionId }, presence: { value: true, at: now } };
}

/** What the store is told of a record that is on the deck. */
export function sessionListEntryOf(record: SessionListRecord): SessionListEntry {
  const { key, presence, isPinned, isMuted, readMark } = record;
  const [computerId, name, parentId] = [record.computerId, record.name, record.parentId].map(textOf);
  return {
    key,
    addedAt: presence.at,
    ...(computerId === undefined ? {} : { computerId }),
    ...(name === undefined ? {} : { name }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(isPinned?.value ? { isPinned: true } : {}),
    ...(isMuted?.value ? { isMuted: true } : {}),
    ...(readMark ? { readMark: readMark.value } : {}),
  };
}

/** Whether two records say the same. */
export function isSameSessionListRecord(a: SessionListRecord, b: SessionListRecord): boolean {
  return canonical(a) === canonical(b);
}

function textOf(field: Stamped<string> | undefined): string | undefined {
  return field?.value === '' ? undefined : field?.value;
}

function later<T>(a: Stamped<T>, b: Stamped<T>): Stamped<T> {
  if (a.at !== b.at) return a.at > b.at ? a : b;
  // Chosen in the same millisecond: either will do, as long as every machine takes the same one.
  return canonical(a) >= canonical(b) ? a : b;
}

function laterIfAny<T>(a: Stamped<T> | undefined, b: Stamped<T> | undefined): Stamped<T> | undefined {
  return a && b ? later(a, b) : (a ?? b);
}

function chosen<T>(before: Stamped<T> | undefined, value: T, now: number): Stamped<T> {
  return before && canonical(before.value) === canonical(value)
    ? before
    : { value, at: Math.max(now, (before?.at ?? 0) + 1) };
}

function chosenIfAny<T>(before: Stamped<T> | undefined, value: T | undefined, now: number): Stamped<T> | undefined {
  return value === undefined ? before : chosen(before, value, now);
}

/** The same text for equal values, whatever the order of their fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
