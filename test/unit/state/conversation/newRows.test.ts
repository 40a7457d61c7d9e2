import { describe, expect, it } from 'vitest';
import { firstNewRow, withDivider } from '../../../../src/state/conversation/newRows.ts';
import { conversationRows } from '../conversationRows.ts';
import { describeRowPlace } from '../../../../src/state/presentation/describeFilter.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { entryOf, headerOf, recordOf, t, viewOf } from '../samples.ts';

const headers = [1, 2, 3, 4].map((createdAt) =>
  headerOf(`m${createdAt}`, { role: createdAt % 2 === 1 ? 'user' : 'assistant', createdAt }),
);

function firstNew(part: Partial<SessionRecord>): string | undefined {
  const record = recordOf({ headers, ...part });
  const rows = conversationRows(record);
  return rows[firstNewRow(rows, record)]?.key;
}

describe('the first new row', () => {
  it('is the first one after what was seen', () => {
    expect(firstNew({ newSince: 2 })).toBe('m3');
    expect(firstNew({ newSince: 4 })).toBeUndefined();
    expect(firstNew({ newSince: undefined })).toBeUndefined();
  });

  it('is no message that was sent from here', () => {
    const entryIdByMessageId = new Map([['m3', 'entry']]);
    expect(firstNew({ newSince: 2, entryIdByMessageId })).toBe('m4');
    const outbox = [entryOf({ createdAt: 9 })];
    expect(firstNew({ newSince: 4, outbox })).toBeUndefined();
  });

  it('is known while a message waits that was written before it', () => {
    expect(firstNew({ newSince: 2, outbox: [entryOf({ createdAt: 1 })] })).toBe('m3');
    expect(firstNew({ newSince: 4, outbox: [entryOf({ createdAt: 1 })] })).toBeUndefined();
  });

  it('is unknown if older rows may be new, too', () => {
    expect(firstNew({ newSince: 0, history: { completeness: 'partial', isLoading: false } })).toBeUndefined();
    expect(firstNew({ newSince: 0, history: { completeness: 'complete', isLoading: false } })).toBe('m1');
  });

  it('is known if only hidden and older messages are before it', () => {
    const hidden = headerOf('tool', { role: 'tool', hasText: false, toolCount: 1, createdAt: 1 });
    const shown = headers.slice(2);
    const history = { completeness: 'partial', isLoading: true } as const;
    const view = viewOf({ filter: { detailLevel: 'answers' } });
    const newKey = (before: MessageHeader) => {
      const record = recordOf({ headers: [before, ...shown], newSince: 2, history });
      const rows = conversationRows(record, view);
      return rows[firstNewRow(rows, record)]?.key;
    };
    expect(newKey(hidden)).toBe('m3');
    expect(newKey({ ...hidden, isDetached: true })).toBeUndefined();
  });

  it('has a divider, is drawn again for it, and is the only row that changes', () => {
    const rows = conversationRows(recordOf({ headers }));
    const divided = withDivider(rows, 2, 2);
    expect(divided.map((row, index) => row === rows[index])).toEqual([true, true, false, true]);
    const [row, marked] = [rows[2]!, divided[2]!];
    expect({ ...marked }).toMatchObject({ key: row.key, source: row.source, isPrompt: true });
    expect(marked.version).not.toBe(row.version);
    expect(describeRowPlace(marked, t)).toEqual({ newSince: 2 });
  });
});
