import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { SessionStatus } from '../../../../src/api/resources/session.ts';
import { pauseMs } from '../../../../src/sync/polling/intervals.ts';
import { PollerRig, keyOf, origin, statusError } from './pollerRig.ts';

let rig: PollerRig;
const open = (sessionIds?: readonly string[]) => (rig = new PollerRig(sessionIds));
const s1 = keyOf('s1');

afterEach(() => rig.poller.dispose());

describe('a poll', () => {
  it('reads the session, and its messages only if the session changed', async () => {
    open().poller.watch(s1, true);
    await rig.pass(0);
    expect(rig.calls.splice(0).map(({ name }) => name)).toEqual(['session', 'list']);
    await rig.pass(36_000);
    expect(rig.calls.splice(0).map(({ name }) => name)).toEqual(['session']);
    rig.updatedAt = 2;
    await rig.pass(36_000);
    expect(rig.calls.splice(0).map(({ name }) => name)).toEqual(['session', 'list']);
  });

  it('stores the session with the number of the request, even if the answer is late', async () => {
    open();
    let release: () => void = () => undefined;
    rig.gate = new Promise((resolve) => (release = resolve));
    rig.poller.watch(s1, false);
    await rig.pass(0);
    const requestsBefore = rig.store.requestCount;
    release();
    await rig.settle();
    expect([rig.store.record(s1)?.requestNumber, requestsBefore]).toEqual([1, 1]);
  });

  it('keeps the number of the request of a known state that is newer than the answer', async () => {
    open().updatedAt = 100;
    await rig.poller.refresh(s1);
    rig.updatedAt = 90;
    await rig.poller.refresh(s1);
    expect(rig.store.record(s1)).toMatchObject({ session: { updatedAt: 100 }, requestNumber: 1 });
    rig.updatedAt = 110;
    await rig.poller.refresh(s1);
    expect(rig.store.record(s1)).toMatchObject({ session: { updatedAt: 110 }, requestNumber: 3 });
  });

  it.each(['running', 'unknown'] as const)(
    'reads the newest message by ID while the status is %s and nothing has changed',
    async (status) => {
      open().status = status;
      rig.poller.watch(s1, true);
      await rig.pass(0);
      rig.take();
      await rig.pass(2_400);
      expect(rig.calls.map(({ name }) => name)).toEqual(['session', 'message']);
    },
  );

  it('reads no messages while none are shown, unless an accepted message is not listed yet', async () => {
    open().poller.watch(s1, false);
    await rig.pass(0);
    expect(rig.calls.splice(0).map(({ name }) => name)).toEqual(['session']);
    rig.store.setOutbox(s1, [
      { entryId: 'e', key: s1, text: 'x', attachments: [], createdAt: 1, state: 'accepted', messageId: 'm9' },
    ]);
    await rig.pass(0);
    expect(rig.calls.splice(0).map(({ name }) => name)).toEqual(['session', 'list']);
  });

  it('notes the state in which the newest messages were read while the agent was idle', async () => {
    const settledCount = () => rig.store.record(s1)?.history.settledCount;
    open().poller.watch(s1, true);
    expect(settledCount()).toBeUndefined();
    await rig.pass(0);
    expect(settledCount()).toBe(1);
    [rig.status, rig.updatedAt] = ['running', 2];
    await rig.poller.refresh(s1);
    expect(settledCount()).toBeUndefined();
    [rig.status, rig.updatedAt] = ['idle', 3];
    await rig.poller.refresh(s1);
    expect(settledCount()).toBe(1);
  });

  it('does not run before a session is watched or after watching ends', async () => {
    open();
    await rig.pass(120_000, 1_000);
    expect(rig.take()).toBe(0);
    const watching = rig.poller.watch(s1, true);
    await rig.pass(0);
    watching.dispose();
    rig.take();
    await rig.pass(300_000, 1_000);
    expect(rig.take()).toBe(0);
    expect(rig.clock.pendingTimers).toBe(0);
  });

  it('does not run immediately for a session that was just read', async () => {
    open().poller.watch(s1, true);
    await rig.pass(1_000);
    rig.take();
    rig.poller.watch(s1, true).dispose();
    rig.poller.watch(s1, false);
    await rig.pass(10_000);
    expect(rig.take()).toBe(0);
  });

  it('runs immediately when a conversation is opened whose session changed while only its row was shown', async () => {
    open().poller.watch(s1, true).dispose();
    await rig.pass(0);
    rig.poller.watch(s1, false);
    rig.updatedAt = 2;
    await rig.poller.refreshState(s1);
    rig.take();
    const opened = rig.poller.watch(s1, true);
    await rig.pass(0);
    expect(rig.calls.splice(0).map(({ name }) => name)).toEqual(['session', 'list']);
    opened.dispose();
    rig.poller.watch(s1, true);
    await rig.pass(0);
    expect(rig.take()).toBe(0);
  });

  it('keeps the newest messages loaded only while the conversation is watched', async () => {
    open().poller.watch(s1, false);
    await rig.pass(0);
    expect(rig.poller.hasNewestMessages(s1)).toBe(false);
    const watching = rig.poller.watch(s1, true);
    expect(rig.poller.hasNewestMessages(s1)).toBe(false);
    await rig.pass(0);
    expect(rig.poller.hasNewestMessages(s1)).toBe(true);
    watching.dispose();
    expect(rig.poller.hasNewestMessages(s1)).toBe(false);
    rig.updatedAt = 2;
    await rig.poller.refresh(s1);
    rig.poller.watch(s1, true);
    expect(rig.poller.hasNewestMessages(s1)).toBe(false);
    await rig.pass(0);
    expect(rig.poller.hasNewestMessages(s1)).toBe(true);
  });

  it('runs immediately when a conversation is opened whose messages were never read', async () => {
    open().poller.watch(s1, false);
    await rig.pass(0);
    rig.take();
    rig.poller.watch(s1, true);
    await rig.pass(0);
    expect(rig.calls.map(({ name }) => name)).toEqual(['session', 'list']);
  });
});

describe('one read at a time (R27)', () => {
  it('combines all refreshes requested during a read into one more read', async () => {
    open(['s1', 's2']);
    let release: () => void = () => undefined;
    rig.gate = new Promise((resolve) => (release = resolve));
    rig.poller.watch(s1, true);
    rig.poller.watch(keyOf('s2'), true);
    const refreshes = [1, 2, 3, 4].map(() => rig.poller.refresh(s1));
    rig.poller.watch(s1, true);
    for (const isFocused of [false, true, false, true]) rig.poller.setFocused(isFocused);
    await rig.pass(60_000, 1_000);
    expect(rig.take()).toBe(2);
    release();
    await Promise.all(refreshes);
    await rig.settle();
    expect(rig.calls.filter((call) => call.sessionId === 's1').map(({ name }) => name)).toEqual(['list', 'session']);
    expect(rig.mostAtOnce).toBe(1);
  });

  it('also applies while the connection changes repeatedly', async () => {
    open(['s1', 's2']);
    for (const sessionId of ['s1', 's2']) rig.poller.watch(keyOf(sessionId), true);
    for (let round = 0; round < 30; round++) {
      rig.gate = round % 3 === 0 ? new Promise(() => undefined) : undefined;
      rig.store.setConnection({ kind: 'noKey', service: { origin, baseUrl: origin } });
      rig.connect();
      void rig.poller.refresh(s1);
      await rig.pass(round * 70);
    }
    expect(rig.take()).toBeGreaterThan(30);
    expect(rig.mostAtOnce).toBe(1);
  });
});

describe('the polling interval (R27)', () => {
  it('applies to scheduled polls as soon as the setting is changed', async () => {
    open().intervals = { runningMs: 2_000, idleMs: 3_600_000 };
    rig.poller.followIntervals();
    rig.poller.watch(s1, true);
    await rig.pass(0);
    rig.take();
    await rig.pass(10_000);
    rig.intervals = { runningMs: 2_000, idleMs: 5_000 };
    rig.poller.followIntervals();
    await rig.pass(6_500);
    expect(rig.take()).toBe(1);
  });

  it.each([-3_600_000, 3_600_000])(
    'is the usual one after a change, with a service clock that is off by %d ms',
    async (ms) => {
      open().updatedAt = rig.clock.now() + ms;
      rig.clocks.learn(origin, rig.clock.now() + ms, rig.clock.now());
      rig.poller.watch(s1, false);
      await rig.pass(0);
      rig.take();
      await rig.pass(540_000);
      const changedCount = rig.take();
      await rig.pass(120_000);
      rig.take();
      await rig.pass(540_000);
      expect([changedCount > 14, rig.take() < 13]).toEqual([true, true]);
    },
  );

  it('is not counted from the beginning if other settings are changed', async () => {
    open().poller.watch(s1, true);
    await rig.pass(0);
    rig.take();
    await rig.pass(20_000);
    rig.poller.followIntervals();
    await rig.pass(16_500);
    expect(rig.take()).toBe(1);
  });

  /** Returns the pauses between consecutive reads of the session. */
  async function pauses(minutes: number): Promise<number[]> {
    await rig.pass(0);
    rig.take();
    await rig.pass(minutes * 60_000, 20);
    const times = rig.calls.filter(({ name }) => name === 'session').map(({ at }) => at);
    return times.slice(1).map((at, place) => at - times[place]!);
  }

  it.each<[SessionStatus, boolean, boolean, number | undefined]>([
    ['running', true, true, 2_000],
    ['pending', true, true, 2_000],
    ['idle', true, true, 30_000],
    ['unknown', true, true, 2_000],
    ['running', true, false, 12_500],
    ['unknown', true, false, 12_500],
    ['running', false, true, 12_500],
    ['pending', false, false, 12_500],
    ['idle', true, false, undefined],
    ['idle', false, true, undefined],
  ])('%s, visible %s, focused %s: every %s ms', async (status, isVisible, isFocused, everyMs) => {
    open().status = status;
    // The session has changed within the last ten minutes, however long the test lasts.
    rig.updatedAt = rig.clock.now() + 24 * 3_600_000;
    const watching = rig.poller.watch(s1, true);
    await rig.pass(0);
    if (!isVisible) watching.dispose();
    rig.poller.setFocused(isFocused);
    const seen = await pauses(everyMs === undefined ? 30 : everyMs / 400);
    if (everyMs === undefined) {
      expect(rig.take()).toBe(0);
      return;
    }
    expect(seen.length).toBeGreaterThan(100);
    for (const pause of seen) expect(Math.abs(pause - everyMs)).toBeLessThanOrEqual(everyMs * 0.2 + 20);
    expect(Math.max(...seen) - Math.min(...seen)).toBeGreaterThan(everyMs * 0.3);
  });

  it('doubles for a session that is only a row and has not changed for ten minutes', async () => {
    open();
    rig.updatedAt = rig.clock.now() - 540_000;
    const row = rig.poller.watch(s1, false);
    const asRow = await pauses(10);
    expect(asRow[0]).toBeLessThanOrEqual(36_000);
    expect(asRow.length).toBeGreaterThanOrEqual(9);
    for (const pause of asRow.slice(3)) expect(Math.abs(pause - 60_000)).toBeLessThanOrEqual(12_020);
    rig.poller.watch(s1, true);
    row.dispose();
    const shown = await pauses(10);
    expect(shown.length).toBeGreaterThanOrEqual(15);
    for (const pause of shown) expect(pause).toBeLessThanOrEqual(36_020);
  });

  it.each([
    [20_000, 40_000],
    [45_000, 60_000],
    [120_000, 120_000],
  ])('of %s ms becomes %s ms for such a session', (idleMs, expectedMs) => {
    const priority = { status: 'idle', isVisible: true, isFocused: true, isQuiet: true } as const;
    expect(pauseMs(priority, { runningMs: 2_000, idleMs }, () => 0.5)).toBe(expectedMs);
    expect(pauseMs({ ...priority, status: 'running' }, { runningMs: 2_000, idleMs }, () => 0.5)).toBe(2_000);
  });

  it('starts again for a session that is watched again soon after it was read', async () => {
    open().updatedAt = rig.clock.now();
    rig.poller.watch(s1, false).dispose();
    await rig.pass(1_000);
    rig.take();
    rig.poller.watch(s1, false);
    await rig.pass(23_000);
    expect(rig.take()).toBe(0);
    await rig.pass(13_000);
    expect(rig.take()).toBe(1);
  });

  it('is not interrupted when a window with the focus gets the focus again', async () => {
    open().poller.watch(s1, false);
    await rig.pass(1_000);
    rig.take();
    rig.poller.setFocused(true);
    await rig.pass(10_000);
    expect(rig.take()).toBe(0);
  });

  it('ends four hours after the start of a session that was never in sight', async () => {
    open().status = 'running';
    rig.poller.setFocused(false);
    rig.store.setOutbox(s1, [
      { entryId: 'e', key: s1, text: 'x', attachments: [], createdAt: 1, state: 'accepted', messageId: 'm1' },
    ]);
    await rig.pass(4 * 3_600_000, 5_000);
    expect(rig.take()).toBeGreaterThan(900);
    await rig.pass(3_600_000, 5_000);
    expect(rig.take()).toBe(0);
  });

  it('ends immediately when the window regains focus', async () => {
    open().poller.watch(s1, true);
    await rig.pass(0);
    rig.poller.setFocused(false);
    await rig.pass(600_000, 1_000);
    rig.take();
    rig.poller.setFocused(true);
    await rig.pass(0);
    expect(rig.take()).toBe(1);
  });
});

describe('polling with failing reads', () => {
  const broken = new ApiError('unreachable', 'reset', { sent: 'maybe', code: 'ECONNRESET' });

  it('retries with growing pauses, and returns to normal after a read succeeds (R24)', async () => {
    open().status = 'running';
    rig.poller.watch(s1, true);
    await rig.pass(0);
    rig.take();
    rig.failure = () => broken;
    await rig.pass(600_000, 200);
    const counted = rig.take();
    expect(counted).toBeGreaterThan(20);
    expect(counted).toBeLessThan(80);
    expect(rig.store.record(s1)).toMatchObject({ failure: { kind: 'unreachable' }, session: { status: 'running' } });
    rig.failure = () => undefined;
    await rig.pass(31_000, 200);
    expect(rig.store.record(s1)?.failure).toBeUndefined();
    rig.take();
    await rig.pass(10_000);
    expect(rig.calls.filter(({ name }) => name === 'session').length).toBeGreaterThan(3);
  });

  it.each([undefined, 60_000])(
    'goes on after the clock was set back a day, Retry-After: %s ms',
    async (retryAfterMs) => {
      open();
      rig.failure = () => statusError(503, { retryAfterMs });
      rig.poller.watch(s1, false);
      await rig.pass(40_000);
      rig.clock.set(-86_400_000);
      rig.failure = () => undefined;
      rig.take();
      // The rest of the old timer, and then the whole pause again.
      await rig.pass(20_000 + 2_500 + (retryAfterMs ?? 0));
      expect(rig.take()).toBeGreaterThanOrEqual(1);
      await rig.pass(120_000);
      expect(rig.take()).toBeGreaterThanOrEqual(1);
    },
  );

  it('retries immediately when another session of the service can be reached again', async () => {
    const sessionIds = ['s1', 's2', 's3', 's4', 's5', 's6'];
    open(sessionIds);
    for (const sessionId of sessionIds) rig.poller.watch(keyOf(sessionId), false);
    rig.failure = () => broken;
    await rig.pass(300_000, 200);
    // A 404 for one session also shows that the service is reachable.
    rig.failure = (sessionId) => (sessionId === 's2' ? statusError(404) : undefined);
    rig.take();
    while (rig.calls.length === 0) await rig.pass(50);
    await rig.pass(100);
    expect(rig.calls.map(({ sessionId }) => sessionId).sort()).toEqual(sessionIds);
    expect(sessionIds.map((sessionId) => rig.store.record(keyOf(sessionId))?.failure?.status)).toEqual([
      undefined,
      404,
      ...Array.from({ length: 4 }, () => undefined),
    ]);
  });

  it('tells when it retries a session whose conversation is shown, and never retries earlier', async () => {
    open().poller.watch(s1, true);
    await rig.pass(0);
    rig.failure = () => statusError(429, { retryAfterMs: 12_000 });
    rig.updatedAt = 2;
    while (rig.store.record(s1)?.failure === undefined) await rig.pass(100);
    const { failure, retryAt = 0 } = rig.store.record(s1)!;
    expect(retryAt).toBeGreaterThanOrEqual(failure!.at + 12_000);
    rig.take();
    rig.failure = () => undefined;
    while (rig.calls.length === 0) await rig.pass(100);
    expect(rig.calls[0]!.at).toBeGreaterThanOrEqual(retryAt);
    // A new failure doesn't keep an earlier retry time, and after one that stops polling there is no retry.
    rig.failure = () => statusError(404);
    await rig.poller.refresh(s1);
    expect(rig.store.record(s1)).toMatchObject({ failure: { status: 404 }, retryAt: undefined });
  });

  it('announces no time for a session whose conversation is not shown', async () => {
    open().poller.watch(s1, false);
    await rig.pass(0);
    rig.failure = () => broken;
    await rig.pass(60_000, 200);
    expect(rig.store.record(s1)?.failure).toBeDefined();
    expect(rig.store.record(s1)?.retryAt).toBeUndefined();
  });

  it('waits at least as long as the service requested, despite focus changes and new watchers (R24)', async () => {
    open().poller.watch(s1, true);
    await rig.pass(0);
    rig.updatedAt = 2;
    rig.failure = () => statusError(429, { retryAfterMs: 90_000 });
    await rig.pass(37_000);
    expect(rig.store.record(s1)?.failure).toMatchObject({ status: 429 });
    const failedAt = rig.calls.filter(({ name }) => name === 'session').at(-1)!.at;
    rig.take();
    rig.failure = () => undefined;
    for (let round = 0; rig.clock.now() + 2_000 < failedAt + 90_000; round++) {
      rig.poller.setFocused(round % 2 === 0);
      rig.poller.watch(s1, true).dispose();
      await rig.pass(2_000, 500);
    }
    expect(rig.take()).toBe(0);
    rig.poller.setFocused(true);
    await rig.pass(130_000, 500);
    expect(rig.calls[0]!.at - failedAt).toBeGreaterThanOrEqual(90_000);
  });

  it('does not retry immediately because of a watcher that was added during the read', async () => {
    open();
    let release: () => void = () => undefined;
    rig.gate = new Promise((resolve) => (release = resolve));
    rig.failure = () => statusError(503, { retryAfterMs: 20_000 });
    rig.poller.watch(s1, true);
    rig.poller.watch(s1, false);
    release();
    await rig.pass(19_000);
    expect(rig.take()).toBe(1);
  });

  it('stops until the user retries if the service requests a pause of more than five minutes', async () => {
    open().poller.watch(s1, true);
    rig.failure = () => statusError(503, { retryAfterMs: 301_000 });
    await rig.pass(3_600_000, 5_000);
    expect(rig.take()).toBe(1);
    expect(rig.store.record(s1)?.failure?.retryAfterMs).toBe(301_000);
    rig.failure = () => undefined;
    await rig.poller.refresh(s1);
    expect(rig.store.record(s1)?.failure).toBeUndefined();
  });

  it('goes on after the longest pause that a service may request', async () => {
    open().poller.watch(s1, true);
    rig.failure = () => statusError(503, { retryAfterMs: 300_000 });
    await rig.pass(0);
    rig.failure = () => undefined;
    await rig.pass(299_000, 1_000);
    expect(rig.take()).toBe(1);
    await rig.pass(62_000, 1_000);
    expect(rig.take()).toBeGreaterThan(0);
  });

  it('keeps the connection if a service that is not the current one rejects its key', async () => {
    open([]);
    const elsewhere = { origin: 'https://elsewhere.test', sessionId: 's9' };
    rig.store.addSession({ key: elsewhere, addedAt: 1 });
    rig.failure = () => statusError(401);
    await rig.poller.refresh(elsewhere);
    expect(rig.store.connection).toMatchObject({ kind: 'ready', service: { origin } });
    expect(rig.store.record(elsewhere)?.failure).toMatchObject({ status: 401 });
  });

  it.each([403, 404])('stops for one session after %i, and continues for the others (R12)', async (status) => {
    open(['s1', 's2']);
    rig.failure = (sessionId) => (sessionId === 's1' ? statusError(status) : undefined);
    rig.poller.watch(s1, true);
    rig.poller.watch(keyOf('s2'), true);
    await rig.pass(0);
    expect(rig.take('s1')).toBe(1);
    await rig.pass(300_000, 500);
    rig.poller.setFocused(false);
    rig.poller.setFocused(true);
    rig.poller.watch(s1, true);
    await rig.settle();
    expect(rig.calls.filter(({ sessionId }) => sessionId === 's2').length).toBeGreaterThan(5);
    expect(rig.take('s1')).toBe(0);
    expect(rig.store.record(s1)?.failure).toMatchObject({ status });
    expect(rig.store.connection.kind).toBe('ready');
    rig.failure = () => undefined;
    await rig.poller.refresh(s1);
    expect(rig.store.record(s1)?.failure).toBeUndefined();
  });

  describe('of the newest message only', () => {
    const failing = async (failure: Error) => {
      open().status = 'running';
      rig.poller.watch(s1, true);
      await rig.pass(0);
      rig.failure = (_sessionId, name) => (name === 'message' ? failure : undefined);
      await rig.pass(3_000);
      expect(rig.calls.at(-1)?.name).toBe('message');
    };

    it.each<[string, Error]>([
      ...[400, 403, 409, 410, 414, 422].map((status): [string, Error] => [String(status), statusError(status)]),
      ['an ID that no URL can contain', new ApiError('invalidRequest', 'invalid', { sent: 'no' })],
      ['a message without an ID', new ApiError('wrongShape', 'shape', { sent: 'maybe', status: 200 })],
      ['broken JSON', new ApiError('notJson', 'not JSON', { sent: 'maybe', status: 200 })],
    ])('continues, and shows no failure, after %s', async (_name, failure) => {
      await failing(failure);
      expect(rig.store.record(s1)?.failure).toBeUndefined();
      [rig.status, rig.updatedAt] = ['idle', 2];
      await rig.pass(3_000);
      expect(rig.store.record(s1)).toMatchObject({ failure: undefined, session: { status: 'idle' } });
    });

    it.each<[string, Error]>([
      ['a rejected key', statusError(401)],
      ['a missing key', new ApiError('invalidRequest', 'no key', { sent: 'no', code: 'NO_KEY' })],
      ['a redirect', new ApiError('redirect', 'redirect', { sent: 'maybe', status: 302 })],
    ])('stops after %s', async (_name, failure) => {
      await failing(failure);
      rig.take();
      await rig.pass(60_000, 500);
      expect(rig.take()).toBe(0);
    });

    it.each<[string, Error]>([
      ['429', statusError(429, { retryAfterMs: 20_000 })],
      ['503', statusError(503, { retryAfterMs: 20_000 })],
      ['a timeout', new ApiError('deadline', 'late', { sent: 'maybe', retryAfterMs: 20_000 })],
    ])('pauses, and shows the failure, after %s', async (_name, failure) => {
      await failing(failure);
      expect(rig.store.record(s1)?.failure).toBeDefined();
      rig.take();
      await rig.pass(15_000);
      expect(rig.take()).toBe(0);
      rig.failure = () => undefined;
      await rig.pass(15_000);
      expect(rig.take()).toBeGreaterThan(0);
    });
  });

  it('continues if a read succeeds after a message was accepted', async () => {
    open();
    rig.failure = () => statusError(404);
    rig.poller.watch(s1, false);
    await rig.pass(60_000);
    rig.failure = () => undefined;
    rig.status = 'running';
    rig.store.setOutbox(s1, [
      { entryId: 'e', key: s1, text: 'x', attachments: [], createdAt: 1, state: 'accepted', messageId: 'm1' },
    ]);
    await rig.pass(0);
    expect(rig.store.record(s1)?.failure).toBeUndefined();
    rig.take();
    await rig.pass(60_000);
    expect(rig.take('s1')).toBeGreaterThan(20);
  });

  it('repeats a read whose client was replaced, instead of reporting that it was canceled', async () => {
    open();
    rig.failure = () => {
      rig.failure = () => undefined;
      rig.replaceClient();
      return new ApiError('cancelled', 'cancelled', { sent: 'maybe' });
    };
    rig.poller.watch(s1, false);
    await rig.pass(0);
    expect(rig.store.record(s1)).toMatchObject({ failure: undefined, session: { status: 'idle' } });
    expect(rig.take('s1')).toBe(2);
  });

  it.each(['redirect', 'notJson', 'wrongShape', 'certificate', 'tooLarge'] as const)('stops after %s', async (kind) => {
    open().failure = () => new ApiError(kind, kind, { sent: 'maybe' });
    rig.poller.watch(s1, true);
    await rig.pass(300_000, 1_000);
    expect(rig.take()).toBe(1);
    expect(rig.store.record(s1)?.failure?.kind).toBe(kind);
  });

  it('stops for all sessions after a 401 until the key changes (R12)', async () => {
    open(['s1', 's2', 's3']);
    rig.status = 'running';
    for (const sessionId of ['s1', 's2', 's3']) rig.poller.watch(keyOf(sessionId), true);
    await rig.pass(5_000);
    rig.failure = () => statusError(401, { detail: 'who are you' });
    await rig.pass(3_000);
    expect(rig.store.connection).toMatchObject({
      kind: 'keyRejected',
      failure: { status: 401, detail: 'who are you' },
    });
    rig.take();
    rig.poller.setFocused(false);
    rig.poller.setFocused(true);
    await Promise.all(['s1', 's2', 's3'].map((sessionId) => rig.poller.refresh(keyOf(sessionId))));
    await rig.pass(60_000, 500);
    expect(rig.take()).toBe(0);
    expect(rig.clock.pendingTimers).toBe(0);
    rig.failure = () => undefined;
    rig.connect();
    await rig.pass(0);
    expect(new Set(rig.calls.map(({ sessionId }) => sessionId)).size).toBe(3);
    expect(rig.store.record(s1)?.failure).toBeUndefined();
  });
});

describe('added and removed sessions', () => {
  it('are read as soon as they are in the session list if they were already watched', async () => {
    open([]);
    rig.poller.watch(s1, true);
    await rig.pass(60_000, 1_000);
    expect(rig.take()).toBe(0);
    rig.store.addSession({ key: keyOf('another'), addedAt: 1 });
    rig.store.addSession({ key: s1, addedAt: 1 });
    await rig.pass(0);
    expect(rig.take('s1')).toBe(2);
    await rig.pass(36_000);
    expect(rig.take('s1')).toBeGreaterThan(0);
  });

  it('are not read while they are removed from the session list, and are read again after they are added back', async () => {
    open().status = 'running';
    const watching = rig.poller.watch(s1, true);
    await rig.pass(3_000);
    rig.store.removeSession(s1);
    await rig.pass(0);
    rig.take();
    await rig.pass(60_000, 500);
    expect(rig.take()).toBe(0);
    rig.store.addSession({ key: s1, addedAt: 1 });
    await rig.pass(5_000);
    expect(rig.calls.map(({ name }) => name).slice(0, 2)).toEqual(['session', 'list']);
    expect(rig.store.record(s1)?.headers).toHaveLength(1);
    watching.dispose();
  });
});

describe('after dispose', () => {
  it('fires no timers, sends no requests, and drops pending results', async () => {
    open(['s1', 's2']);
    const watching = rig.poller.watch(s1, true);
    await rig.pass(0);
    rig.gate = new Promise(() => undefined);
    void rig.poller.refresh(keyOf('s2'));
    await rig.settle();
    rig.take();
    const changes: unknown[] = [];
    rig.store.onDidChange((change) => changes.push(change));
    rig.poller.dispose();
    rig.gate = undefined;
    await rig.pass(120_000, 1_000);
    watching.dispose();
    await rig.poller.refresh(s1);
    rig.poller.watch(s1, true);
    rig.poller.setFocused(false);
    rig.poller.setFocused(true);
    await rig.pass(120_000, 1_000);
    expect(rig.take()).toBe(0);
    expect(changes).toEqual([]);
    expect(rig.clock.pendingTimers).toBe(0);
  });
});

describe('a single refresh of the state', () => {
  it('reads the state of a session once, and does not count as one of the polled sessions', async () => {
    open(['s1', 's2']);
    await rig.poller.refreshState(keyOf('s1'));
    expect(rig.calls.map(({ name, sessionId }) => [name, sessionId])).toEqual([['session', 's1']]);
    await rig.pass(60_000, 1_000);
    expect(rig.take()).toBe(1);
    rig.status = 'running';
    await rig.poller.refreshState(keyOf('s2'));
    await rig.pass(30_000, 1_000);
    // The agent is running, so polling continues.
    expect(rig.take('s2')).toBeGreaterThan(1);
  });

  it('is left out during a pause, and after a failure that stopped polling', async () => {
    open();
    rig.failure = () => statusError(404);
    await rig.poller.refresh(keyOf('s1'));
    await rig.poller.refreshState(keyOf('s1'));
    expect(rig.take()).toBe(1);
    rig.failure = () => statusError(429, { retryAfterMs: 60_000 });
    await rig.poller.refresh(keyOf('s1'));
    await rig.poller.refreshState(keyOf('s1'));
    expect(rig.take()).toBe(1);
  });

  it('tells whether the messages are read with the state', () => {
    open(['s1', 's2']);
    const row = rig.poller.watch(keyOf('s1'), false);
    expect(rig.poller.readsMessages(keyOf('s1'))).toBe(false);
    const conversation = rig.poller.watch(keyOf('s1'), true);
    expect(['s1', 's2'].map((id) => rig.poller.readsMessages(keyOf(id)))).toEqual([true, false]);
    conversation.dispose();
    row.dispose();
    expect(rig.poller.readsMessages(keyOf('s1'))).toBe(false);
  });
});
