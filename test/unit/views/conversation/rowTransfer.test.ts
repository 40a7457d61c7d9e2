import { describe, expect, it } from 'vitest';
import type { PageRow } from '../../../../src/shared/protocol/pageModel.ts';
import type { ConversationRow } from '../../../../src/state/conversation/rows.ts';
import { RowTransfer } from '../../../../src/views/conversation/rowTransfer.ts';

const rows: ConversationRow[] = Array.from({ length: 50 }, (_, place) => ({
  key: `m${place}`,
  weightLines: 1,
  version: '1',
  source: { messageId: `m${place}` },
  createdAt: 1,
}));
const body = (key: string): PageRow => ({
  key,
  role: 'user',
  roleLabel: 'User',
  createdAt: 1,
  isError: false,
  badges: [],
  blocks: [],
});

describe('bodies that were not there when they were due', () => {
  it('come when messages came, and are not asked for again and again before', async () => {
    const missing = new Set(['m49', 'm12', 'm3']);
    const asked: string[][] = [];
    const read = (wanted: readonly ConversationRow[]) => {
      asked.push(wanted.map(({ key }) => key));
      return Promise.resolve(new Map(wanted.flatMap(({ key }) => (missing.has(key) ? [] : [[key, body(key)]]))));
    };
    const stream = new RowTransfer();
    expect((await stream.start(rows, read)).rows).toHaveLength(38);
    expect(await stream.next(read)).toHaveLength(9);
    expect(await stream.next(read)).toBeUndefined();
    asked.length = 0;
    missing.clear();
    expect(await stream.next(read)).toBeUndefined();
    expect(await stream.update(rows, read)).toEqual([]);
    expect((await stream.next(read))?.map(({ key }) => key).sort()).toEqual(['m12', 'm3', 'm49']);
    expect(await stream.next(read)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });
});
