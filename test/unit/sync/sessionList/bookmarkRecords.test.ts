import { describe, expect, it } from 'vitest';
import {
  changedRecord,
  mergeSessionListRecords,
  newSessionListRecord,
  sessionListEntryOf,
  type SessionListRecord,
  sessionListRecordSchema,
} from '../../../../src/sync/sessionList/sessionListRecord.ts';

const key = { origin: 'https://a.test', sessionId: 's' };
const start = newSessionListRecord(key, 1);
const shown = (record: SessionListRecord) => sessionListEntryOf(record).bookmarks;
const add = (record: SessionListRecord, messageId: string, now: number, note?: string) =>
  changedRecord(record, { bookmarks: [{ messageId, addedAt: now, ...(note === undefined ? {} : { note }) }] }, now);
const remove = (record: SessionListRecord, messageId: string, now: number) =>
  changedRecord(record, { bookmarks: [{ messageId }] }, now);

describe('bookmarks in the record of a session', () => {
  it('of two windows are merged one by one', () => {
    const one = add(start, 'a', 10, 'mine');
    const other = add(start, 'b', 5);
    const merged = mergeSessionListRecords(one, other);
    expect(shown(merged)).toEqual([
      { messageId: 'a', addedAt: 10, note: 'mine' },
      { messageId: 'b', addedAt: 5 },
    ]);
    const edited = add(merged, 'a', 20, 'later');
    expect(shown(mergeSessionListRecords(edited, merged))?.[0]?.note).toBe('later');
    expect(shown(mergeSessionListRecords(merged, edited))?.[0]?.note).toBe('later');
  });

  it('stay removed when an older copy arrives, and come back when they are added again', () => {
    const before = add(start, 'a', 10, 'old');
    const removed = remove(before, 'a', 20);
    expect(removed.bookmarks).toEqual([{ messageId: 'a', at: 20 }]);
    expect(shown(mergeSessionListRecords(before, removed))).toBeUndefined();
    expect(shown(mergeSessionListRecords(before, add(removed, 'a', 5)))).toEqual([{ messageId: 'a', addedAt: 5 }]);
  });

  it('are removed with the session, and restored when the removal is undone', () => {
    const before = add(start, 'a', 10, 'note');
    const gone = changedRecord(before, { isListed: false }, 20);
    expect(JSON.stringify(gone)).not.toContain('note');
    expect(shown(changedRecord(gone, { isListed: true }, 30))).toBeUndefined();
    const bookmarks = shown(before) ?? [];
    expect(shown(changedRecord(gone, { isListed: true, bookmarks }, 30))).toEqual(bookmarks);
  });

  it('keep the fields of later versions when they are read, merged, and changed', () => {
    const text = JSON.stringify({ ...start, bookmarks: [{ messageId: 'a', at: 1, addedAt: 1, color: 'red' }] });
    const read = sessionListRecordSchema.parse(JSON.parse(text));
    const changed = add(mergeSessionListRecords(read, start), 'a', 2, 'note');
    expect(changed.bookmarks).toEqual([{ messageId: 'a', at: 2, addedAt: 2, color: 'red', note: 'note' }]);
    expect(shown(changed)).toEqual([{ messageId: 'a', addedAt: 2, note: 'note' }]);
  });

  it('are unchanged if they are set to the same values', () => {
    const before = add(start, 'a', 10, 'note');
    const again = changedRecord(before, { bookmarks: [{ messageId: 'a', addedAt: 10, note: 'note' }] }, 50);
    expect(again.bookmarks).toEqual(before.bookmarks);
    expect(remove(start, 'b', 5).bookmarks ?? []).toEqual([]);
  });

  it('show a hostile note in one line of at most 200 characters, without hidden characters', () => {
    const note = `first\nsecond\u202e\u200bend ${'x'.repeat(500)}`;
    const [{ note: line = '' } = {}] = shown(add(start, 'a', 1, note)) ?? [];
    expect(line).toMatch(/^first second<U\+202E><U\+200B>end x+…$/);
    expect(line).toHaveLength(200);
    expect(shown(add(start, 'a', 1, ' \n\t'))).toEqual([{ messageId: 'a', addedAt: 1 }]);
  });

  it('remember the 200 bookmarks that were removed last', () => {
    let record = start;
    for (let index = 0; index < 205; index += 1)
      record = remove(add(record, `m${index}`, index), `m${index}`, 1_000 + index);
    expect(record.bookmarks).toHaveLength(200);
    expect(record.bookmarks?.some(({ messageId }) => messageId === 'm4')).toBe(false);
    expect(record.bookmarks?.some(({ messageId }) => messageId === 'm5')).toBe(true);
  });
});
