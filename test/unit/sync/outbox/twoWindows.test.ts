import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { until } from '../../../fakes/until.ts';
import { OutboxRig } from './outboxRig.ts';

const reset = new ApiError('unreachable', 'reset', { sent: 'maybe', code: 'ECONNRESET' });

/** Windows of one process stand for those of two: only the files are shared. */
describe('two windows on one folder (R35)', () => {
  let one: OutboxRig;
  let two: OutboxRig;
  beforeEach(async () => {
    one = await OutboxRig.open();
    two = await one.secondWindow();
  });
  afterEach(async () => {
    await two.close();
    await one.close();
  });

  const seenBy = (rig: OutboxRig, states: string) =>
    until(() => rig.states().join() === states, `${states} to be seen`);
  const files = () => readdir(join(one.folder, 'outbox'));
  const leases = () => readdir(join(one.folder, 'leases'));
  /** The window that has the lease knows that another one wants it. */
  const askHeard = async () => {
    await until(() => two.disk.created.some((name) => name.includes('-ask-')), 'an ask');
    await until(async () => !(await leases()).some((name) => name.includes('-ask-')), 'the ask to be heard');
    await one.idle();
  };
  /** Time passes, and whatever follows from it. */
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
      one.clock.advance(1_000);
      await one.idle();
      await two.idle();
    }
  };

  it('send a message typed in either once, and both show how far it is', async () => {
    const { entryId } = await one.enqueue('hello');
    const post = await one.post(1);
    await seenBy(two, 'sending');
    expect(two.entries()).toMatchObject([{ entryId, text: 'hello' }]);
    two.outbox.wake();
    await two.idle();
    post.answer();
    await seenBy(one, 'accepted');
    await seenBy(two, 'accepted');
    expect(two.entries()).toMatchObject([{ messageId: post.created?.id }]);
    two.poll();
    one.poll();
    expect([one.entries(), two.entries()]).toEqual([[], []]);
    await until(async () => (await files()).length === 0);
    expect(one.service.arrivals).toEqual(['hello']);
  });

  it('keep the order typed, across both, with one in flight', async () => {
    await one.enqueue('a');
    await two.enqueue('b');
    await one.enqueue('c');
    await seenBy(two, 'sending,queued,queued');
    for (let sent = 1; sent <= 3; sent++) {
      const post = await one.post(sent);
      await one.idle();
      await two.idle();
      expect(one.service.posts.filter(({ isOpen }) => isOpen)).toHaveLength(1);
      post.answer();
    }
    await seenBy(one, 'accepted,accepted,accepted');
    await seenBy(two, 'accepted,accepted,accepted');
    expect(one.service.texts('s1')).toEqual(['a', 'b', 'c']);
  });

  it('tell the window where it was typed what became of it, whichever sent it', async () => {
    await one.enqueue('a');
    await one.post(1);
    const { entryId } = await two.enqueue('b');
    await seenBy(one, 'sending,queued');
    const settled = two.outbox.settled(entryId);
    (await one.post(1)).answer();
    const second = await one.post(2);
    second.answer();
    await seenBy(one, 'accepted,accepted');
    // The sending window lets go of it, and it is still there for the other one.
    one.poll();
    expect(await settled).toEqual({ messageId: second.created?.id, status: 'unknown' });
    two.poll();
    await until(async () => (await files()).length === 0);
    expect(two.entries()).toEqual([]);
  });

  it('tell it also where the sending one had just read how far it was before', async () => {
    await one.enqueue('a');
    const first = await one.post(1);
    const { entryId } = await two.enqueue('b');
    await seenBy(one, 'sending,queued');
    const settled = two.outbox.settled(entryId);
    first.answer();
    const second = await one.post(2);
    await seenBy(two, 'accepted,sending');
    let handOver: () => void = () => undefined;
    const held = { entryId, until: new Promise<void>((resolve) => (handOver = resolve)), isRead: false };
    one.disk.held = held;
    one.clock.advance(10_000);
    await until(() => held.isRead, 'a reading');
    one.disk.held = undefined;
    second.answer();
    await seenBy(one, 'accepted,accepted');
    one.poll();
    handOver();
    await one.idle();
    expect(await files()).toEqual([`${entryId}.json`]);
    expect(await settled).toEqual({ messageId: second.created?.id, status: 'unknown' });
  });

  it('leave no file behind when the window that typed a message does not see it', async () => {
    await one.enqueue('a');
    await one.post(1);
    await two.enqueue('b');
    await seenBy(one, 'sending,queued');
    (await one.post(1)).answer();
    (await one.post(2)).answer();
    await seenBy(one, 'accepted,accepted');
    one.poll();
    await until(async () => (await files()).length === 1);
    await pass(40_000);
    expect(await files()).toEqual([]);
    expect(one.entries()).toEqual([]);
  });

  it('refuse in one what was refused in the other, and send again from there', async () => {
    const { entryId } = await one.enqueue('a');
    (await one.post(1)).fail(new ApiError('status', '422', { sent: 'maybe', status: 422 }));
    await seenBy(two, 'notSent');
    expect(two.entries()[0]?.problem).toMatchObject({ status: 422 });
    expect(await two.outbox.sendAgain(entryId)).toBe(true);
    (await one.post(2)).answer();
    await seenBy(one, 'accepted');
    expect(one.service.texts('s1')).toEqual(['a']);
  });

  it('wait for what one of them is looking for, and then decide in either', async () => {
    const { entryId } = await one.enqueue('a');
    (await one.post(1)).fail(reset);
    await seenBy(two, 'unknown');
    await until(() => two.entries()[0]?.isSearching === true);
    const settled = two.outbox.settled(entryId);
    await pass(60_000);
    expect(await settled).toEqual({ unknown: true });
    expect(one.service.listCalls).toHaveLength(5);
    expect(await two.outbox.discard(entryId)).toBe(true);
    await seenBy(one, '');
    expect(await files()).toEqual([]);
  });

  it('take a message back in one that waits while the other sends', async () => {
    await one.enqueue('a');
    await one.post(1);
    const { entryId } = await two.enqueue('b');
    await seenBy(one, 'sending,queued');
    let kept = '';
    const edited = two.outbox.edit(entryId, (_, { text }) => {
      kept = text;
      return Promise.resolve();
    });
    await askHeard();
    (await one.post(1)).answer();
    expect(await edited).toBe(true);
    expect(kept).toBe('b');
    await seenBy(one, 'accepted');
    await pass(10_000);
    expect(one.service.texts('s1')).toEqual(['a']);
  });

  it('hold a decision that both made at once for one decision', async () => {
    const { entryId } = await one.enqueue('a');
    (await one.post(1)).fail(reset);
    await seenBy(two, 'unknown');
    await pass(60_000);
    one.service.onPost = (post) => {
      post.process();
      post.fail(reset);
    };
    const decided = await Promise.all([one.outbox.sendAgain(entryId), pass(20_000), two.outbox.sendAgain(entryId)]);
    expect([decided[0], decided[2]].filter(Boolean)).toHaveLength(1);
    await pass(10_000);
    await seenBy(one, 'accepted');
    expect(one.service.arrivals).toEqual(['a', 'a']);
  });

  it('cannot take back in one what the other does not let go of in time', async () => {
    await one.enqueue('a');
    await one.post(1);
    const { entryId } = await two.enqueue('b');
    await seenBy(one, 'sending,queued');
    const discarded = two.outbox.discard(entryId);
    await pass(16_000);
    expect(await discarded).toBe(false);
    (await one.post(1)).answer();
    await pass(5_000);
    (await one.post(2)).answer();
    await until(() => one.service.texts('s1').join() === 'a,b');
  });

  it('cancel in one what the other is sending', async () => {
    const { entryId } = await one.enqueue('a');
    await one.post(1);
    await seenBy(two, 'sending');
    expect(await two.outbox.cancel(entryId)).toBe(true);
    await until(() => one.states()[0] === 'unknown');
    await seenBy(two, 'unknown');
    expect(one.service.posts[0]?.options.signal?.aborted).toBe(true);
  });

  it('go on in one when the other ends, asking the list what became of what was under way', async () => {
    await one.enqueue('a');
    (await one.post(1)).process();
    await two.enqueue('b');
    await seenBy(two, 'sending,queued');
    one.outbox.dispose();
    await until(() => two.states()[0] === 'unknown');
    two.clock.advance(1_000);
    (await one.post(2)).answer();
    await seenBy(two, 'accepted,accepted');
    expect(one.service.texts('s1')).toEqual(['a', 'b']);
  });

  it('go on in one when the other was silent for 30 s, and not earlier', async () => {
    await one.enqueue('a');
    (await one.post(1)).process();
    await two.enqueue('b');
    await seenBy(two, 'sending,queued');
    one.isStopped = true;
    await pass(29_000);
    expect(two.states()).toEqual(['sending', 'queued']);
    await pass(10_000);
    expect(two.states()[0]).toMatch(/unknown|accepted/);
    (await one.post(2)).answer();
    await seenBy(two, 'accepted,accepted');
    // The stopped window goes on, and the answer it waited for comes.
    one.goOn();
    one.service.posts[0]?.answer();
    await pass(10_000);
    expect(one.states()).toEqual(['accepted', 'accepted']);
    expect(one.service.arrivals).toEqual(['a', 'b']);
  });

  it('send nothing from a window that was stopped and was taken over from, however it goes on', async () => {
    one.isOnline = false;
    await one.enqueue('a');
    one.isOnline = true;
    one.service.onPost = (post) => post.fail(new ApiError('status', '429', { sent: 'maybe', status: 429 }));
    one.outbox.wake();
    await one.post(1);
    await until(() => one.states()[0] === 'queued');
    one.isStopped = true;
    one.service.onPost = (post) => post.answer();
    await pass(60_000);
    await seenBy(two, 'accepted');
    expect(one.service.arrivals).toEqual(['a', 'a']);
    one.goOn();
    one.outbox.wake();
    await pass(30_000);
    expect(one.service.arrivals).toEqual(['a', 'a']);
    expect(one.states()).toEqual(['accepted']);
  });

  it('do not take an attempt for one that sent nothing because both began in the same millisecond', async () => {
    await one.enqueue('a');
    const first = await one.post(1);
    one.isStopped = true;
    one.clock.jump(3_600_000);
    await one.enqueue('b');
    // The lease is lost just before the first attempt for `b`, and taken again for the second.
    first.answer();
    const second = await one.post(2);
    one.clock.jump(3_600_000);
    second.process();
    one.goOn();
    one.outbox.wake();
    await pass(10_000);
    expect(second.isOpen).toBe(false);
    expect(one.service.arrivals).toEqual(['a', 'b']);
    expect(one.states()).toEqual(['accepted', 'accepted']);
  });

  it('take no lease over because a clock was set', async () => {
    await one.enqueue('a');
    await one.post(1);
    await two.enqueue('b');
    await seenBy(two, 'sending,queued');
    for (const jumpMs of [-3_600_000, 7_200_000]) {
      one.clock.jump(jumpMs);
      await two.idle();
      expect(two.states()).toEqual(['sending', 'queued']);
    }
    expect(one.service.posts).toHaveLength(1);
  });

  it('leave no lease when there is nothing to send', async () => {
    await one.enqueue('a');
    (await one.post(1)).answer();
    await seenBy(one, 'accepted');
    await until(async () => (await leases()).length === 0);
  });
});
