import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/api/resources/session.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { PolledSession } from '../../../../src/sync/polling/polledSession.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { keyOf } from './pollerRig.ts';

const key = keyOf('s1');

/** A listed session and its polling state. The session was read at `asOf`, or never if that is undefined. */
function open(asOf?: number) {
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  if (asOf !== undefined) store.takeSession(key, stateAt(1), asOf, 1);
  return { poll: new PolledSession(key, true), store, record: store.record(key)! };
}

const stateAt = (updatedAt: number): Session => {
  return { sessionId: 's1', status: 'idle', messageCount: 1, createdAt: 1, updatedAt };
};

describe('the polling state of a session', () => {
  it('counts failures until a read succeeds, and keeps the pause until the user asks', () => {
    const { poll } = open();
    expect([poll.failures, poll.notBefore(5_000), poll.isStopped]).toEqual([0, 0, false]);
    poll.failed(5_000, 1_000, true);
    poll.failed(5_000, 2_000, true);
    expect([poll.failures, poll.notBefore(5_000), poll.isStopped]).toEqual([2, 7_000, true]);
    poll.clearPause();
    expect([poll.failures, poll.notBefore(5_000), poll.isStopped]).toEqual([2, 0, false]);
    poll.failed(5_000, 4_000, true);
    poll.succeeded();
    expect([poll.failures, poll.notBefore(5_000), poll.isStopped]).toEqual([0, 0, false]);
    poll.failed(5_000, 4_000, true);
    poll.resetFailures();
    expect([poll.failures, poll.notBefore(5_000), poll.isStopped]).toEqual([0, 0, false]);
  });

  it('believes the fifth consecutive answer that is older than the known one', () => {
    const { poll } = open();
    const known = stateAt(10);
    const older = stateAt(9);
    for (let answer = 1; answer <= 4; answer++) expect(poll.newestState(known, older)).toBe(known);
    const same = stateAt(10);
    expect(poll.newestState(known, same)).toBe(same);
    for (let answer = 1; answer <= 4; answer++) expect(poll.newestState(known, older)).toBe(known);
    expect(poll.newestState(known, older)).toBe(older);
    expect(poll.newestState(undefined, older)).toBe(older);
  });

  it('expects the agent to start for a minute after a new message was accepted', () => {
    const { poll, record } = open();
    const isExpectedAt = (now: number) => poll.priority(record, true, now, 1).isExpected;
    const entry = { entryId: 'e', key, text: 'x', attachments: [], createdAt: 1, state: 'accepted' } as const;
    expect(isExpectedAt(0)).toBe(false);
    expect(poll.noteSent([{ ...entry, state: 'queued' }], 100)).toBe(false);
    expect(isExpectedAt(100)).toBe(false);
    expect(poll.noteSent([{ ...entry, messageId: 'm1' }], 1_000)).toBe(true);
    expect(poll.noteSent([{ ...entry, messageId: 'm1' }], 40_000)).toBe(false);
    expect([isExpectedAt(60_999), isExpectedAt(61_000)]).toEqual([true, false]);
  });

  it('is out of sight since it was last watched in a focused window', () => {
    const { poll, record } = open();
    const unattendedMs = (isFocused: boolean, now: number) => poll.priority(record, isFocused, now, 1).unattendedMs;
    expect(unattendedMs(true, 1_000)).toBe(0);
    expect(unattendedMs(true, 3_000)).toBe(2_000);
    poll.addWatcher({ wantsMessages: false });
    expect(unattendedMs(false, 4_000)).toBe(3_000);
    expect(unattendedMs(true, 5_000)).toBe(0);
    expect(unattendedMs(false, 9_000)).toBe(4_000);
  });

  it('is fresh if this window read it later than the given time', () => {
    const { poll, record } = open(5_000);
    expect([poll.isFresh(record, 4_999), poll.isFresh(record, 5_000)]).toEqual([true, false]);
    expect(poll.isFresh({ ...record, isRemembered: true }, 4_999)).toBe(false);
    expect(poll.isFresh(undefined, 0)).toBe(false);
    expect(poll.isFresh(open().record, 0)).toBe(false);
  });

  it('needs the messages for an outgoing message, or for a watcher that shows them', () => {
    const { poll, store, record } = open();
    const row = { wantsMessages: false };
    const conversation = { wantsMessages: true };
    poll.addWatcher(row);
    expect([poll.wantsMessages(record), poll.wantsMessages(undefined)]).toEqual([false, false]);
    poll.addWatcher(conversation);
    expect([poll.wantsMessages(record), poll.priority(record, true, 0, 7).watchedCount]).toEqual([true, 0]);
    poll.removeWatcher(conversation);
    expect([poll.wantsMessages(record), poll.priority(record, true, 0, 7).watchedCount]).toEqual([false, 7]);
    store.setOutbox(key, [{ entryId: 'e', key, text: 'x', attachments: [], createdAt: 1, state: 'queued' }]);
    expect(poll.wantsMessages(store.record(key))).toBe(true);
  });

  it('is archived only while its conversation is not open', () => {
    const { poll, store } = open();
    const isArchived = () => poll.priority(store.record(key)!, true, 0, 1).isArchived;
    expect(isArchived()).toBe(false);
    store.takeSession(key, { ...stateAt(1), sessionSettings: { archivedAt: '' } }, 1, 1);
    expect(isArchived()).toBe(false);
    store.takeSession(key, { ...stateAt(1), sessionSettings: { archivedAt: '2026-01-01T00:00:00Z' } }, 1, 1);
    expect(isArchived()).toBe(true);
    poll.addWatcher({ wantsMessages: true });
    expect(isArchived()).toBe(false);
  });

  it('repeats a request for messages or for another poll only once', () => {
    const { poll } = open();
    expect([poll.consumeMessageRequest(), poll.consumeRerunRequest()]).toEqual([false, false]);
    poll.requestMessages();
    expect([poll.consumeMessageRequest(), poll.consumeMessageRequest()]).toEqual([true, false]);
    const never = () => new Promise<void>(() => undefined);
    const first = poll.start(true, never);
    expect(poll.consumeRerunRequest()).toBe(false);
    expect(poll.start(true, never)).toBe(first);
    void poll.start(false, never);
    expect([poll.consumeRerunRequest(), poll.consumeRerunRequest()]).toEqual([true, false]);
  });

  it('ends its request and its timer when it leaves the list', () => {
    const { poll } = open();
    let cleared = 0;
    const timer = { dispose: () => cleared++ };
    const signal = poll.newSignal();
    poll.setTimer(timer);
    poll.setTimer(timer);
    expect([cleared, signal.aborted]).toEqual([1, false]);
    poll.failed(1, 0, true);
    poll.forget();
    expect([cleared, signal.aborted, poll.failures, poll.isStopped]).toEqual([2, true, 0, false]);
    poll.end();
    expect(cleared).toBe(2);
  });
});
