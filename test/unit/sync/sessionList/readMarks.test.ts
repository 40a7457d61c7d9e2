import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/api/resources/session.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { isUnreadSession } from '../../../../src/state/sessions/attention.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { SessionList } from '../../../../src/sync/sessionList/sessionList.ts';
import { SessionListFiles } from '../../../../src/sync/sessionList/sessionListFiles.ts';
import { createRecordStore } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { ReadMarks } from '../../../../src/sync/sessionList/readMarks.ts';
import { FakeClock } from '../../../fakes/clock.ts';

const origin = 'https://a.test';
const key = { origin, sessionId: 's' };

describe('what was read', () => {
  let store: Store;
  let sessionList: SessionList;
  let marks: ReadMarks;
  let updates = 0;

  beforeEach(async () => {
    store = new Store(memoryBodies());
    // Nothing is written: the service counts as one that ends with the window.
    const records = new RecordStores(createRecordStore('/nowhere/lineside-test', silentLog));
    records.keepInMemory(key.origin);
    const files = new SessionListFiles(records);
    sessionList = new SessionList({ store, files, clock: new FakeClock(), log: silentLog });
    marks = new ReadMarks(store, sessionList);
    store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
    await sessionList.settled();
    await sessionList.add(key);
    come(10);
  });

  function come(messageCount: number, status: Session['status'] = 'idle'): void {
    const session = { sessionId: 's', status, messageCount, createdAt: 1, updatedAt: ++updates };
    store.takeSession(key, session, updates);
  }
  const isUnread = () => isUnreadSession(store.record(key)!);

  it('begins with what was there when it was first read', () => {
    expect(isUnread()).toBe(false);
    come(11);
    expect(isUnread()).toBe(true);
  });

  it('is what comes while somebody looks', () => {
    const look = marks.look(key);
    come(11);
    expect(isUnread()).toBe(false);
    look.dispose();
    come(12);
    expect(isUnread()).toBe(true);
    marks.look(key);
    expect(isUnread()).toBe(false);
  });

  it('is not what comes while the window has no focus', () => {
    marks.look(key);
    marks.setFocused(false);
    come(11);
    expect(isUnread()).toBe(true);
    marks.setFocused(true);
    expect(isUnread()).toBe(false);
  });

  it('is not the end of an answer that somebody saw the beginning of', () => {
    const look = marks.look(key);
    come(11, 'running');
    look.dispose();
    come(11);
    expect(isUnread()).toBe(true);
  });

  it('stays unread where it was marked so on screen, until somebody looks again', async () => {
    const look = marks.look(key);
    await sessionList.change(key, {
      readMark: { messageCount: 10, updatedAt: updates, wasAtWork: false, isUnread: true },
    });
    come(10);
    expect(isUnread()).toBe(true);
    look.dispose();
    expect(isUnread()).toBe(true);
    marks.look(key);
    expect(isUnread()).toBe(false);
  });

  it('is not kept of a session that is only shown below another', () => {
    sessionList.showTransientSessions(key, ['child']);
    const child = { origin, sessionId: 'child' };
    store.takeSession(child, { ...store.record(key)!.session!, sessionId: 'child' }, 1);
    marks.look(child);
    expect(store.record(child)?.listEntry).toMatchObject({ isTransient: true, parentId: 's' });
    expect(store.record(child)?.listEntry.readMark).toBeUndefined();
    expect(store.records).toHaveLength(1);
  });
});
