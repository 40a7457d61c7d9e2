import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../../../src/api/errors.ts';
import { until } from '../../../fakes/until.ts';
import type { MemoryServiceHabits } from './memoryService.ts';
import { OutboxRig, keyOf } from './outboxRig.ts';

const unknown = (kind: ApiErrorKind = 'unreachable', status?: number) =>
  new ApiError(kind, 'x', { sent: 'maybe', status });
const hourMs = 3_600_000;

/** Advances the clock until the first entry is doubtful, because the first reads haven't found its message. */
async function readUntilDoubtful(rig: OutboxRig): Promise<void> {
  const startedAt = rig.clock.now();
  await rig.advanceUntil(() => rig.entries()[0]?.isDoubtful === true);
  expect(rig.clock.now() - startedAt).toBeLessThan(10_000);
}

describe('an unknown outcome (R32)', () => {
  let rig: OutboxRig;
  afterEach(() => rig.close());

  const faults = [unknown('unreachable'), unknown('deadline'), unknown('status', 500), unknown('notJson', 200)];
  const habits: Partial<MemoryServiceHabits>[] = [
    {},
    { order: 'asc' },
    { changeText: (text) => text.trim() },
    { skewMs: hourMs },
    { skewMs: -hourMs, order: 'asc' },
    { listsRoles: false },
    { hasDateHeader: false },
  ];
  const cases = habits.flatMap((habit) =>
    faults.map((fault) => [Object.keys(habit).join(), fault.kind, habit, fault] as const),
  );

  it.each(cases)('is resolved if the service (%s) processed the message before %s', async (_, __, habit, fault) => {
    rig = await OutboxRig.open(habit);
    for (let index = 0; index < 230; index++) rig.service.create('s1', `old ${index}`, 'user', 2 * 86_400_000);
    rig.service.create('s1', 'hello ', 'user', 86_400_000);
    rig.poll();
    const first = await rig.enqueue('hello ');
    const second = await rig.enqueue('hello ');
    const post = await rig.post(1);
    post.process();
    if (rig.service.habits.listsRoles) rig.service.create('s1', 'hello ', 'assistant');
    post.fail(fault);
    await until(() => rig.states()[0] === 'unknown');
    await rig.advanceUntil(() => rig.states()[0] !== 'unknown');
    expect(rig.entries()[0]).toMatchObject({ entryId: first.entryId, state: 'accepted', messageId: post.created?.id });
    const other = await rig.post(2);
    other.process();
    other.fail(fault);
    await until(() => rig.states()[1] === 'unknown');
    rig.poll();
    await until(() => rig.entries().length === 0);
    expect(rig.store.record(keyOf('s1'))?.entryIdByMessageId.get(other.created?.id ?? '')).toBe(second.entryId);
    expect(rig.service.arrivals).toHaveLength(2);
  });

  it('is not resolved by an older message with the same text, or by a new one with another text or role', async () => {
    rig = await OutboxRig.open();
    rig.service.create('s1', 'hello', 'user', 600_000);
    const entry = await rig.enqueue('hello');
    (await rig.post(1)).fail(unknown());
    await until(() => rig.states()[0] === 'unknown');
    rig.service.create('s1', 'hello there');
    rig.service.create('s1', 'hello', 'assistant');
    const started = rig.clock.now();
    const settled = rig.outbox.settled(entry.entryId);
    await rig.searchToEnd();
    expect(await settled).toEqual({ unknown: true });
    expect(rig.clock.now() - started).toBeLessThanOrEqual(60_000);
    expect(rig.service.listCalls).toHaveLength(6);
    expect(rig.entries()).toMatchObject([{ state: 'unknown', isSearching: false, failure: { kind: 'unreachable' } }]);
    await rig.restart();
    rig.clock.advance(120_000);
    await rig.idle();
    expect(rig.service.listCalls).toHaveLength(6);
    expect(rig.states()).toEqual(['unknown']);
  });

  it('lets the user decide at once if the service requests a long pause, in which nothing is requested', async () => {
    rig = await OutboxRig.open({}, ['s1', 's2']);
    const { entryId } = await rig.enqueue('hello');
    const error = new ApiError('status', 'x', { sent: 'maybe', status: 503, retryAfterMs: 240_000 });
    (await rig.post(1)).fail(error);
    await until(() => rig.entries()[0]?.isDoubtful === true);
    await rig.outbox.enqueue(keyOf('s2'), { text: 'elsewhere', attachments: [] });
    rig.clock.advance(239_000);
    await rig.idle();
    expect([rig.service.posts.length, rig.service.listCalls.length]).toEqual([1, 0]);
    expect(await rig.outbox.discard(entryId)).toBe(true);
    rig.clock.advance(2_000);
    expect((await rig.post(2)).message.text).toBe('elsewhere');
  });

  it('is left to the user if the service requests a pause of an hour', async () => {
    rig = await OutboxRig.open();
    const { entryId } = await rig.enqueue('hello');
    const error = new ApiError('status', 'x', { sent: 'maybe', status: 503, retryAfterMs: hourMs });
    (await rig.post(1)).fail(error);
    await until(() => rig.states()[0] === 'unknown');
    const settled = rig.outbox.settled(entryId);
    rig.clock.advance(1_000);
    expect(await settled).toEqual({ unknown: true });
    expect(rig.service.listCalls).toEqual([]);
  });

  it('is resolved with the last known status of the session', async () => {
    rig = await OutboxRig.open();
    rig.readSession();
    const entry = await rig.enqueue('hello');
    const post = await rig.post(1);
    post.process();
    post.fail(unknown());
    await until(() => rig.states()[0] === 'unknown');
    const settled = rig.outbox.settled(entry.entryId);
    await rig.searchToEnd();
    expect(await settled).toEqual({ messageId: post.created?.id, status: 'idle' });
  });

  it('is resolved by a later poll after the search has ended', async () => {
    rig = await OutboxRig.open();
    await rig.enqueue('hello');
    const post = await rig.post(1);
    post.fail(unknown('deadline'));
    await until(() => rig.states()[0] === 'unknown');
    await rig.searchToEnd();
    post.process();
    rig.poll();
    await until(() => rig.entries().length === 0);
  });

  it('holds later messages back until the user sends the message again or discards it', async () => {
    rig = await OutboxRig.open();
    const first = await rig.enqueue('first');
    await rig.enqueue('second');
    (await rig.post(1)).fail(unknown());
    await until(() => rig.states()[0] === 'unknown');
    await rig.searchToEnd();
    await rig.idle();
    expect([rig.states(), rig.service.posts.length]).toEqual([['unknown', 'queued'], 1]);
    expect(await rig.outbox.sendAgain(first.entryId)).toBe(true);
    (await rig.post(2)).fail(unknown());
    await until(() => rig.states()[0] === 'unknown');
    // The first reads are still running, so the user can't decide yet.
    expect(await rig.outbox.discard(first.entryId)).toBe(false);
    await readUntilDoubtful(rig);
    expect(rig.entries()[0]?.isSearching).toBe(true);
    expect(await rig.outbox.discard(first.entryId)).toBe(true);
    (await rig.post(3)).answer();
    await until(() => rig.states().join() === 'accepted');
    expect(rig.service.texts('s1')).toEqual(['second']);
  });

  it('no longer holds later messages back if the user lets them pass, and is still resolved by the search', async () => {
    rig = await OutboxRig.open();
    const first = await rig.enqueue('first');
    await rig.enqueue('second');
    const post = await rig.post(1);
    post.fail(unknown());
    await until(() => rig.states()[0] === 'unknown');
    expect(await rig.outbox.sendOthers(first.entryId)).toBe(false);
    await readUntilDoubtful(rig);
    expect(await rig.outbox.sendOthers(first.entryId)).toBe(true);
    (await rig.post(2)).answer();
    await until(() => rig.states().join() === 'unknown,accepted');
    expect(rig.entries()[0]).toMatchObject({ isPassed: true, isSearching: true });
    post.process();
    await rig.searchToEnd();
    await until(() => rig.states()[0] !== 'unknown');
    expect(rig.service.texts('s1')).toEqual(['second', 'first']);
    expect(rig.service.arrivals).toHaveLength(2);
  });

  it.each(['answered', 'lost'])(
    'is not resolved by a later message with the same text whose response is %s',
    async (response) => {
      rig = await OutboxRig.open();
      const first = await rig.enqueue('continue');
      (await rig.post(1)).fail(unknown());
      await until(() => rig.states()[0] === 'unknown');
      await readUntilDoubtful(rig);
      expect(await rig.outbox.sendOthers(first.entryId)).toBe(true);
      await rig.enqueue('continue');
      const post = await rig.post(2);
      post.process();
      rig.poll();
      await rig.idle();
      expect(rig.states()).toEqual(['unknown', 'sending']);
      if (response === 'answered') post.answer();
      else post.fail(unknown());
      rig.poll();
      await rig.searchToEnd();
      await rig.idle();
      rig.poll();
      await rig.idle();
      // The service created only one of the two messages, so the user has to decide about one entry.
      expect(rig.service.texts('s1')).toEqual(['continue']);
      expect(rig.entries().filter(({ state }) => state === 'unknown')).toHaveLength(1);
      await until(() => rig.states().join() === 'unknown');
      const other = await rig.secondWindow();
      await rig.restart();
      for (const window of [other, rig]) {
        window.poll();
        await window.searchToEnd();
        await window.idle();
        expect(window.states()).toEqual(['unknown']);
      }
      await other.close();
    },
  );

  it('stays passed after a restart, and is the first to be sent when the user sends it again', async () => {
    rig = await OutboxRig.open();
    const first = await rig.enqueue('first');
    (await rig.post(1)).fail(unknown());
    await until(() => rig.states()[0] === 'unknown');
    await rig.searchToEnd();
    expect(await rig.outbox.sendOthers(first.entryId)).toBe(true);
    await rig.restart();
    expect(rig.entries()).toMatchObject([{ state: 'unknown', isPassed: true }]);
    await rig.enqueue('second');
    (await rig.post(2)).answer();
    await until(() => rig.states()[1] === 'accepted');
    expect(await rig.outbox.sendAgain(first.entryId)).toBe(true);
    await rig.enqueue('third');
    (await rig.post(3)).answer();
    (await rig.post(4)).answer();
    await until(() => rig.service.texts('s1').length === 3);
    expect(rig.service.texts('s1')).toEqual(['second', 'first', 'third']);
  });

  it('is assumed for a message after a crash while it was being sent', async () => {
    rig = await OutboxRig.open();
    await rig.enqueue('processed');
    (await rig.post(1)).process();
    await rig.restart();
    expect(rig.entries()).toMatchObject([{ state: 'unknown', isSearching: true }]);
    await rig.advanceUntil(() => rig.states().join() === 'accepted');
    await rig.enqueue('not processed');
    await rig.post(2);
    await rig.restart();
    await rig.searchToEnd();
    expect(rig.states()).toEqual(['accepted', 'unknown']);
    expect(rig.service.arrivals).toHaveLength(2);
  });

  it('causes another search if the list couldn’t be read', async () => {
    rig = await OutboxRig.open();
    await rig.enqueue('hello');
    const post = await rig.post(1);
    post.process();
    post.fail(unknown());
    rig.service.listError = unknown();
    await until(() => rig.states()[0] === 'unknown');
    await rig.searchToEnd();
    expect(rig.entries()).toMatchObject([{ state: 'unknown', isSearching: false }]);
    rig.service.listError = undefined;
    rig.outbox.wake();
    await rig.advanceUntil(() => rig.states().join() === 'accepted');
  });

  it('is searched for 0.2, 1, 3, 8, 23, and 53 s after the failure', async () => {
    rig = await OutboxRig.open();
    await rig.enqueue('hello');
    (await rig.post(1)).fail(unknown());
    await until(() => rig.entries()[0]?.isSearching === true);
    await rig.idle();
    for (const [count, waitMs] of [200, 800, 2_000, 5_000, 15_000, 30_000].entries()) {
      rig.clock.advance(waitMs - 1);
      await rig.idle();
      expect(rig.service.listCalls).toHaveLength(count);
      rig.clock.advance(1);
      await rig.idle();
      expect(rig.service.listCalls).toHaveLength(count + 1);
    }
    expect(rig.entries()[0]?.isSearching).toBe(false);
  });

  it.each([
    ['status', 400, undefined],
    ['status', 404, undefined],
    ['status', 422, undefined],
    ['status', 500, 'user'],
    ['notJson', 404, 'user'],
  ] as const)(
    'is searched for without the role filter only if the service rejects it (%s, %i)',
    async (kind, code, role) => {
      rig = await OutboxRig.open();
      await rig.enqueue('hello');
      (await rig.post(1)).fail(unknown());
      rig.service.listError = unknown(kind, code);
      await until(() => rig.states()[0] === 'unknown');
      await rig.searchToEnd();
      expect(rig.service.listCalls.map((call) => call.role)).toEqual(['user', role, role, role, role, role]);
    },
  );

  it('remains if neither a clock nor an earlier message limits the age of a match', async () => {
    rig = await OutboxRig.open({ hasDateHeader: false });
    rig.service.create('s1', 'hello', 'user', 60_000);
    await rig.enqueue('hello');
    (await rig.post(1)).fail(unknown());
    await until(() => rig.states()[0] === 'unknown');
    await rig.searchToEnd();
    expect(rig.states()).toEqual(['unknown']);
  });
});
