import { describe, expect, it } from 'vitest';
import type { PageRow } from '../../../../src/shared/protocol/rowTypes.ts';
import type { ConversationRow } from '../../../../src/state/conversation/row.ts';
import type { RowBodies } from '../../../../src/views/conversation/sessionRowBodies.ts';
import { RowTransfer } from '../../../../src/views/conversation/rowTransfer.ts';

const rows: ConversationRow[] = Array.from({ length: 50 }, (_, place) => ({
  key: `m${place}`,
  estimatedLines: 1,
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

describe('bodies that could not be read', () => {
  it('are read again with the next update, but not before', async () => {
    const missing = new Set(['m49', 'm12', 'm3']);
    const asked: string[][] = [];
    const bodies: RowBodies = {
      read(wanted) {
        asked.push(wanted.map(({ key }) => key));
        return Promise.resolve(new Map(wanted.flatMap(({ key }) => (missing.has(key) ? [] : [[key, body(key)]]))));
      },
    };
    const transfer = new RowTransfer();
    expect((await transfer.start(rows, bodies)).rows).toHaveLength(38);
    expect(await transfer.next(bodies)).toHaveLength(9);
    expect(await transfer.next(bodies)).toBeUndefined();
    asked.length = 0;
    missing.clear();
    expect(await transfer.next(bodies)).toBeUndefined();
    expect(await transfer.update(rows, bodies)).toEqual([]);
    expect((await transfer.next(bodies))?.map(({ key }) => key).sort()).toEqual(['m12', 'm3', 'm49']);
    expect(await transfer.next(bodies)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });
});
