import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type SessionListChange,
  type SessionListRecord,
  changedRecord,
  sessionListEntryOf,
  sessionListRecordSchema,
  mergeSessionListRecords,
  newSessionListRecord,
  isSameSessionListRecord,
} from '../../../../src/sync/sessionList/sessionListRecord.ts';

const key = { origin: 'https://a.test', sessionId: 's' };
/** There are only a few different times and values, so that copies often conflict. */
const at = fc.nat({ max: 6 });
const stamped = <T>(value: fc.Arbitrary<T>) => fc.record({ value, at });
const name = fc.constantFrom('', 'a', 'b');
const messageId = fc.constantFrom('m1', 'm2', 'm3');
const bookmark = fc.record(
  { messageId, at, addedAt: at, note: name, newField: fc.constant('kept') },
  { requiredKeys: ['messageId', 'at'] },
);
const sorted = <T extends { readonly messageId: string }>(bookmarks: readonly T[]) =>
  bookmarks.toSorted((a, b) => a.messageId.localeCompare(b.messageId));
const record: fc.Arbitrary<SessionListRecord> = fc.record(
  {
    key: fc.constant(key),
    presence: stamped(fc.boolean()),
    name: stamped(name),
    computerId: stamped(name),
    isPinned: stamped(fc.boolean()),
    isMuted: stamped(fc.boolean()),
    parentId: stamped(name),
    notWaitingId: stamped(name),
    bookmarks: fc.uniqueArray(bookmark, { maxLength: 3, selector: ({ messageId }) => messageId }).map(sorted),
    readMark: stamped(
      fc.record({ messageCount: fc.nat({ max: 2 }), updatedAt: fc.nat({ max: 2 }), wasAtWork: fc.boolean() }),
    ),
  },
  { requiredKeys: ['key', 'presence'] },
);
const change: fc.Arbitrary<SessionListChange> = fc.record(
  {
    isListed: fc.boolean(),
    name,
    isPinned: fc.boolean(),
    isMuted: fc.boolean(),
    computerId: name,
    notWaitingId: name,
    bookmarks: fc.array(fc.record({ messageId, addedAt: at, note: name }, { requiredKeys: ['messageId'] }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
);

describe('copies of a session list record', () => {
  it('merge to the same result in any order, grouping, and number of repetitions', () => {
    fc.assert(
      fc.property(record, record, record, (a, b, c) => {
        const merge = mergeSessionListRecords;
        expect(isSameSessionListRecord(merge(a, b), merge(b, a))).toBe(true);
        expect(isSameSessionListRecord(merge(a, a), a)).toBe(true);
        expect(isSameSessionListRecord(merge(merge(a, b), c), merge(a, merge(b, c)))).toBe(true);
        expect(isSameSessionListRecord(merge(merge(a, b), a), merge(a, b))).toBe(true);
      }),
    );
  });

  it('never lose the later change to a field or invent one', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const merged = mergeSessionListRecords(a, b);
        for (const field of [
          'presence',
          'name',
          'isPinned',
          'isMuted',
          'readMark',
          'notWaitingId',
          'parentId',
        ] as const) {
          const times = [a[field]?.at, b[field]?.at].filter((time) => time !== undefined);
          expect(merged[field]?.at).toBe(times.length === 0 ? undefined : Math.max(...times));
          if (merged[field]) expect([a[field], b[field]]).toContainEqual(merged[field]);
        }
      }),
    );
  });

  it('let a change win over the copies it is based on, even if their timestamps come from a clock that is ahead', () => {
    fc.assert(
      fc.property(record, change, at, (before, made, now) => {
        const after = changedRecord(before, made, now);
        const merged = mergeSessionListRecords(before, after);
        expect(isSameSessionListRecord(merged, after)).toBe(true);
        for (const field of ['name', 'isPinned', 'isMuted', 'computerId'] as const) {
          if (made[field] !== undefined) expect(merged[field]?.value).toBe(made[field]);
        }
        if (made.isListed !== undefined) expect(merged.presence.value).toBe(made.isListed);
      }),
    );
  });

  it('from several machines converge in any merge order', () => {
    const story = fc.tuple(
      fc.array(fc.tuple(fc.nat({ max: 2 }), change, at), { maxLength: 12 }),
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    );
    fc.assert(
      fc.property(story, ([choices, order]) => {
        const copies = [0, 1, 2].map(() => newSessionListRecord(key, 0));
        for (const [machine, made, now] of choices) copies[machine] = changedRecord(copies[machine]!, made, now);
        const met = (machines: readonly number[]) =>
          machines.map((machine) => copies[machine]!).reduce((a, b) => mergeSessionListRecords(a, b));
        expect(isSameSessionListRecord(met(order), met([0, 1, 2]))).toBe(true);
      }),
    );
  });

  it('are the same if their fields are in another order', () => {
    const fields = { presence: { value: true, at: 1 }, name: { value: 'a', at: 2 }, isPinned: { value: true, at: 3 } };
    const turned: SessionListRecord = {
      ...{ isPinned: { at: 3, value: true }, name: { at: 2, value: 'a' }, presence: { at: 1, value: true } },
      key: { sessionId: key.sessionId, origin: key.origin },
    };
    expect(isSameSessionListRecord(turned, { key, ...fields })).toBe(true);
    expect(isSameSessionListRecord(turned, { key, ...fields, name: { value: 'a', at: 3 } })).toBe(false);
  });

  it('get the time of the change, or the next one after that of the replaced value', () => {
    const first = changedRecord(newSessionListRecord(key, 1), { name: 'a' }, 1);
    expect(first.name).toEqual({ value: 'a', at: 1 });
    expect(changedRecord(first, { name: 'b' }, 9).name).toEqual({ value: 'b', at: 9 });
    expect(changedRecord(first, { name: 'b' }, 0).name).toEqual({ value: 'b', at: 2 });
    expect(changedRecord(first, { name: 'a' }, 9).name).toEqual({ value: 'a', at: 1 });
  });

  it('are unchanged after a JSON round trip through the schema', () => {
    fc.assert(
      fc.property(record, (a) => {
        const read = sessionListRecordSchema.parse(JSON.parse(JSON.stringify(a)));
        expect(isSameSessionListRecord(read, a)).toBe(true);
      }),
    );
  });
});

describe('the store entry of a record', () => {
  it('omits values that were cleared', () => {
    const made = changedRecord(newSessionListRecord(key, 1), { name: 'Mine', isPinned: true, computerId: 'c' }, 2);
    expect(sessionListEntryOf(made)).toEqual({ key, addedAt: 1, name: 'Mine', isPinned: true, computerId: 'c' });
    const readMark = { messageCount: 1, updatedAt: 2, wasAtWork: true };
    const rest = { isMuted: true, parentId: 'p', notWaitingId: 'm', readMark };
    expect(sessionListEntryOf(changedRecord(newSessionListRecord(key, 1), rest, 2))).toEqual({
      ...{ key, addedAt: 1 },
      ...rest,
    });
    const back = changedRecord(made, { name: '', isPinned: false, computerId: '', isMuted: false, parentId: '' }, 3);
    expect(sessionListEntryOf(back)).toEqual({ key, addedAt: 1 });
  });

  it('uses the time at which the session was last added to the list', () => {
    const removed = changedRecord(newSessionListRecord(key, 1), { isListed: false }, 5);
    expect(sessionListEntryOf(changedRecord(removed, { isListed: true }, 9)).addedAt).toBe(9);
    expect(sessionListEntryOf(changedRecord(newSessionListRecord(key, 1), { isListed: true }, 9)).addedAt).toBe(1);
  });
});
