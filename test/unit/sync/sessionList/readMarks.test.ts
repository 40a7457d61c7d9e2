import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/api/resources/session.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { isUnreadSession } from '../../../../src/state/sessions/attention.ts';
import { keyText } from '../../../../src/state/store/sessionKey.ts';
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

describe('the read mark of a session', () => {
  let store: Store;
  let sessionList: SessionList;
  let marks: ReadMarks;
  let updates = 0;

  beforeEach(async () => {
    store = new Store(memoryBodies());
    // Keeps the records in memory, so that nothing is written to disk.
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
    store.takeSession(key, session, updates, 1);
  }
  const isUnread = () => isUnreadSession(store.record(key)!);

  it('starts at the state of the first read', () => {
    expect(isUnread()).toBe(false);
    come(11);
    expect(isUnread()).toBe(true);
  });

  it('is assumed until the user views the session', () => {
    const isAssumed = () => store.record(key)?.listEntry.readMark?.isAssumed === true;
    expect(isAssumed()).toBe(true);
    marks.track(key).dispose();
    expect(isAssumed()).toBe(false);
  });

  it('is not assumed for a session that is on screen when it is first loaded', async () => {
    const opened = { origin, sessionId: 'opened' };
    await sessionList.add(opened);
    marks.track(opened);
    const session: Session = { sessionId: 'opened', status: 'idle', messageCount: 3, createdAt: 1, updatedAt: 2 };
    store.takeSession(opened, session, 1, 1);
    expect(store.record(opened)?.listEntry.readMark).toEqual({ messageCount: 3, updatedAt: 2, wasAtWork: false });
  });

  it('starts at the remembered state of a session that has no mark yet', () => {
    const added = { origin, sessionId: 'added' };
    const session: Session = { sessionId: 'added', status: 'idle', messageCount: 3, createdAt: 1, updatedAt: 2 };
    const remembered = new Map([[keyText(added), { session, asOf: 1 }]]);
    store.addSessions([{ key: added, addedAt: 1 }], remembered);
    expect(store.record(added)?.listEntry.readMark).toMatchObject({ messageCount: 3 });
  });

  describe('says what is new while the session is viewed', () => {
    const newSince = () => store.record(key)?.newSince;
    const comeAnswering = (messageCount: number, requestNumber: number, status: Session['status'] = 'idle') => {
      const session = { sessionId: 's', status, messageCount, createdAt: 1, updatedAt: ++updates };
      store.takeSession(key, session, updates, requestNumber);
    };

    it('if it came while they were away, until it is no longer viewed', () => {
      marks.track(key).dispose();
      const seenAt = updates;
      come(11);
      const look = marks.track(key);
      const other = marks.track(key);
      expect(newSince()).toBe(seenAt);
      come(12);
      expect(newSince()).toBe(seenAt);
      look.dispose();
      expect(newSince()).toBe(seenAt);
      other.dispose();
      expect(newSince()).toBeUndefined();
    });

    it('also if the first refresh after it was opened brings it, but not if it comes later', () => {
      marks.track(key).dispose();
      const seenAt = updates;
      const late = store.countRequest();
      const look = marks.track(key);
      // The response to a request that was sent before the session was opened.
      comeAnswering(10, late);
      comeAnswering(11, store.countRequest());
      expect(newSince()).toBe(seenAt);
      look.dispose();
      const again = marks.track(key);
      comeAnswering(11, store.countRequest());
      comeAnswering(12, store.countRequest());
      expect(newSince()).toBeUndefined();
      again.dispose();
    });

    it('not if it was only marked as unread, and something comes later', () => {
      marks.track(key).dispose();
      sessionList.note(key, { readMark: { ...store.record(key)!.listEntry.readMark!, isUnread: true } });
      const look = marks.track(key);
      expect(newSince()).toBeUndefined();
      comeAnswering(10, store.countRequest());
      comeAnswering(11, store.countRequest());
      expect(newSince()).toBeUndefined();
      look.dispose();
    });

    it('not if it was never viewed before', () => {
      come(11);
      const look = marks.track(key);
      expect(newSince()).toBeUndefined();
      look.dispose();
    });
  });

  it('includes new messages while the session is viewed', () => {
    const look = marks.track(key);
    come(11);
    expect(isUnread()).toBe(false);
    look.dispose();
    come(12);
    expect(isUnread()).toBe(true);
    marks.track(key);
    expect(isUnread()).toBe(false);
  });

  it('does not include new messages while the window is unfocused', () => {
    marks.track(key);
    marks.setFocused(false);
    come(11);
    expect(isUnread()).toBe(true);
    marks.setFocused(true);
    expect(isUnread()).toBe(false);
  });

  it('does not include the end of a response that was only viewed while the agent was running', () => {
    const look = marks.track(key);
    come(11, 'running');
    look.dispose();
    come(11);
    expect(isUnread()).toBe(true);
  });

  it('stays unread after the user marks the viewed session as unread, until it is viewed again', async () => {
    const look = marks.track(key);
    await sessionList.change(key, {
      readMark: { messageCount: 10, updatedAt: updates, wasAtWork: false, isUnread: true },
    });
    come(10);
    expect(isUnread()).toBe(true);
    look.dispose();
    expect(isUnread()).toBe(true);
    marks.track(key);
    expect(isUnread()).toBe(false);
  });

  it('includes new messages until the last view of the session is closed', () => {
    const views = [marks.track(key), marks.track(key)];
    views[0]?.dispose();
    come(11);
    expect(isUnread()).toBe(false);
    views[1]?.dispose();
    come(12);
    expect(isUnread()).toBe(true);
  });

  it('includes what a running agent wrote until the window loses the focus, and nothing after that', () => {
    const look = marks.track(key);
    come(11, 'running');
    const count = () => store.record(key)?.listEntry.readMark?.messageCount;
    expect(count()).toBe(10);
    marks.setFocused(false);
    expect(count()).toBe(11);
    come(12, 'running');
    look.dispose();
    marks.track(key);
    expect(count()).toBe(11);
  });

  it('stays unread in a window that keeps or loses the focus after the user marked the session as unread', async () => {
    marks.track(key);
    const readMark = { messageCount: 10, updatedAt: updates, wasAtWork: false, isUnread: true };
    await sessionList.change(key, { readMark });
    marks.setFocused(true);
    expect(isUnread()).toBe(true);
    marks.setFocused(false);
    expect(isUnread()).toBe(true);
    marks.setFocused(true);
    expect(isUnread()).toBe(false);
  });

  it('does not change after dispose', () => {
    marks.track(key);
    marks.dispose();
    come(11);
    expect(isUnread()).toBe(true);
  });

  it('does not exist before the session was read, even if reading it failed', async () => {
    const other = { origin, sessionId: 'other' };
    await sessionList.add(other);
    marks.track(other).dispose();
    store.takeFailure(other, { kind: 'unreachable', at: 1 });
    expect(store.record(other)?.listEntry.readMark).toBeUndefined();
  });

  it('is not saved for a transient child session', () => {
    sessionList.showTransientSessions(key, ['child']);
    const child = { origin, sessionId: 'child' };
    store.takeSession(child, { ...store.record(key)!.session!, sessionId: 'child' }, 1, 1);
    marks.track(child);
    expect(store.record(child)?.listEntry).toMatchObject({ isTransient: true, parentId: 's' });
    expect(store.record(child)?.listEntry.readMark).toBeUndefined();
    expect(store.records).toHaveLength(1);
  });
});
