import { describe, expect, it } from 'vitest';
import { changedRecord, newSessionListRecord } from '../../../../src/sync/sessionList/sessionListRecord.ts';
import { SyncedSessionList } from '../../../../src/sync/sessionList/syncedSessionList.ts';

const recordOf = (sessionId: string, at: number) => newSessionListRecord({ origin: 'https://a.test', sessionId }, at);

function memoryOf(value?: unknown) {
  const writes: unknown[] = [];
  const memory = {
    value,
    writes,
    read: () => memory.value,
    write: (written: unknown) => {
      memory.value = written;
      writes.push(written);
      return Promise.resolve();
    },
  };
  return memory;
}

describe('the synced session list', () => {
  it('is the same on every machine', async () => {
    const memory = memoryOf();
    await new SyncedSessionList(memory).write([recordOf('a', 5)]);
    expect(memory.value).toEqual({
      version: 1,
      records: [{ key: { origin: 'https://a.test', sessionId: 'a' }, presence: { value: true, at: 5 } }],
    });
    expect(new SyncedSessionList(memory).readNew()).toEqual([recordOf('a', 5)]);
  });

  it('is read once per value', () => {
    const memory = memoryOf({ version: 1, records: [recordOf('a', 1)] });
    const list = new SyncedSessionList(memory);
    expect([list.readNew().length, list.readNew().length]).toEqual([1, 0]);
    memory.value = { version: 1, records: [recordOf('a', 1), recordOf('b', 2)] };
    expect(list.readNew()).toHaveLength(2);
  });

  it.each([undefined, null, 'text', { version: 1 }, { version: 2, records: [recordOf('a', 1)] }])(
    'is empty for a value that this version cannot read: %o',
    (value) => {
      expect(new SyncedSessionList(memoryOf(value)).readNew()).toEqual([]);
    },
  );

  it('is written only when it changes, and never over a newer version', async () => {
    const memory = memoryOf();
    const list = new SyncedSessionList(memory);
    await list.write([recordOf('a', 1)]);
    await list.write([recordOf('a', 1)]);
    expect(memory.writes).toHaveLength(1);
    await list.write([recordOf('a', 2)]);
    expect(memory.writes).toHaveLength(2);
    memory.value = { version: 2, records: [] };
    await list.write([recordOf('a', 3)]);
    expect(memory.writes).toHaveLength(2);
  });

  it('contains the 1,000 sessions that changed last, newest first, whatever changed in them', async () => {
    const memory = memoryOf();
    const readMark = { messageCount: 1, updatedAt: 1, wasAtWork: false };
    const changed = [
      { computerId: 'c' },
      { name: 'Mine' },
      { isPinned: true },
      { isMuted: true },
      { readMark },
      { notWaitingId: 'm' },
    ].map((change, index) => changedRecord(recordOf(`changed ${index}`, 1), change, 5_000 + index));
    const others = Array.from({ length: 995 }, (_, index) => recordOf(`other ${index}`, 10 + index));
    await new SyncedSessionList(memory).write([...changed, ...others]);
    const ids = new SyncedSessionList(memory).readNew().map(({ key }) => key.sessionId);
    expect(ids).toEqual([...[...changed].reverse(), ...others.slice(1).reverse()].map(({ key }) => key.sessionId));
    expect(ids).toHaveLength(1_000);
  });
});
