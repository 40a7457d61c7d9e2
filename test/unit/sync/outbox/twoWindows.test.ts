import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { replaceFile } from '../../../fakes/damage.ts';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { until } from '../../../fakes/until.ts';
import { OutboxRig, keyOf } from './outboxRig.ts';

const reset = new ApiError('unreachable', 'reset', { sent: 'maybe', code: 'ECONNRESET' });

/** Both windows run in one process but share only files, as separate processes would. */
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

  const seenBy = (rig: OutboxRig, states: string) => until(() => rig.states().join() === states, states);
  const files = () => readdir(join(one.folder, 'outbox'));
  const leases = () => readdir(join(one.folder, 'leases'));
  /** Waits until the window that holds the lease has received the request of the other window. */
  const requestTaken = async () => {
    await until(() => two.disk.created.some((name) => name.includes('-ask-')), 'a request');
    await until(async () => !(await leases()).some((name) => name.includes('-ask-')), 'the request to be taken');
    await one.idle();
  };
  /** Advances the clock and waits for all follow-up work. */
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
      one.clock.advance(1_000);
      await one.idle();
      await two.idle();
    }
  };

  it('send each message once, and both show its state', async () => {
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

  it('send messages in the order in which they were typed, one at a time', async () => {
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

  it('hold a message until the agent has finished with the message of a window that was closed', async () => {
    two.readSession();
    await one.enqueue('a');
    (await one.post(1)).answer();
    await seenBy(two, 'accepted');
    one.outbox.dispose();
    await one.idle();
    await two.enqueue('b', 's1', undefined, 'whenIdle');
    await two.idle();
    expect(one.service.posts).toHaveLength(1);
    two.readSession();
    expect((await one.post(2)).message.text).toBe('b');
  });

  it.each(['queued', 'sending'])(
    'hold a message until the agent has finished with one that was removed since it was seen as %s',
    async (state) => {
      two.readSession();
      one.isOnline = state === 'sending';
      await one.enqueue('a');
      await seenBy(two, state);
      two.isSuspended = true;
      one.isOnline = true;
      one.outbox.wake();
      (await one.post(1)).answer();
      await seenBy(one, 'accepted');
      one.poll();
      await until(async () => (await files()).length === 0 && (await leases()).length === 0);
      two.resume();
      await seenBy(two, '');
      await two.enqueue('b', 's1', undefined, 'whenIdle');
      await two.idle();
      expect(one.service.posts).toHaveLength(1);
      two.readSession();
      expect((await one.post(2)).message.text).toBe('b');
    },
  );

  it('report the outcome in the window in which the message was typed, even if the other one sent it', async () => {
    await one.enqueue('a');
    await one.post(1);
    const { entryId } = await two.enqueue('b');
    await seenBy(one, 'sending,queued');
    const settled = two.outbox.settled(entryId);
    (await one.post(1)).answer();
    const second = await one.post(2);
    second.answer();
    await seenBy(one, 'accepted,accepted');
    // The sending window removes the entry, but the other window still shows it.
    one.poll();
    expect(await settled).toEqual({ messageId: second.created?.id, status: 'unknown' });
    two.poll();
    await until(async () => (await files()).length === 0);
    expect(two.entries()).toEqual([]);
  });

  it('report the outcome even if the sending window had just read an earlier state', async () => {
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
    await until(() => held.isRead, 'a read');
    one.disk.held = undefined;
    second.answer();
    await seenBy(one, 'accepted,accepted');
    one.poll();
    handOver();
    await one.idle();
    expect(await files()).toEqual([`${entryId}.json`]);
    expect(await settled).toEqual({ messageId: second.created?.id, status: 'unknown' });
  });

  it('leave no file behind if the window in which a message was typed never lists it', async () => {
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

  it('both show a rejected message, and either of them can send it again', async () => {
    const { entryId } = await one.enqueue('a');
    (await one.post(1)).fail(new ApiError('status', '422', { sent: 'maybe', status: 422 }));
    await seenBy(two, 'notSent');
    expect(two.entries()[0]?.failure).toMatchObject({ status: 422 });
    expect(await two.outbox.sendAgain(entryId)).toBe(true);
    (await one.post(2)).answer();
    await seenBy(one, 'accepted');
    expect(one.service.texts('s1')).toEqual(['a']);
  });

  it('wait for the search by one of them, then accept a decision in either', async () => {
    const { entryId } = await one.enqueue('a');
    (await one.post(1)).fail(reset);
    await seenBy(two, 'unknown');
    await until(() => two.entries()[0]?.isSearching === true);
    const settled = two.outbox.settled(entryId);
    await pass(60_000);
    expect(await settled).toEqual({ unknown: true });
    expect(one.service.listCalls).toHaveLength(6);
    expect(await two.outbox.discard(entryId)).toBe(true);
    await seenBy(one, '');
    expect(await files()).toEqual([]);
  });

  it('return a waiting message for editing in one while the other is sending', async () => {
    await one.enqueue('a');
    await one.post(1);
    const { entryId } = await two.enqueue('b');
    await seenBy(one, 'sending,queued');
    let kept = '';
    const edited = two.outbox.edit(entryId, (_, { text }) => {
      kept = text;
      return Promise.resolve(() => undefined);
    });
    await requestTaken();
    (await one.post(1)).answer();
    expect(await edited).toBe(true);
    expect(kept).toBe('b');
    await seenBy(one, 'accepted');
    await pass(10_000);
    expect(one.service.texts('s1')).toEqual(['a']);
  });

  it('treat the same decision made in both at the same time as one', async () => {
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

  it('do not discard a message in one if the other does not release the lease in time', async () => {
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

  it('let one cancel a message that the other is sending', async () => {
    const { entryId } = await one.enqueue('a');
    await one.post(1);
    await seenBy(two, 'sending');
    expect(await two.outbox.cancel(entryId)).toBe(true);
    await until(() => one.states()[0] === 'unknown');
    await seenBy(two, 'unknown');
    expect(one.service.posts[0]?.options.signal?.aborted).toBe(true);
  });

  it('continue sending in one when the other ends, and search the list for the message in flight', async () => {
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

  it('continue sending in one after 30 s without a heartbeat from the other, and not earlier', async () => {
    await one.enqueue('a');
    (await one.post(1)).process();
    await two.enqueue('b');
    await seenBy(two, 'sending,queued');
    one.isSuspended = true;
    await pass(29_000);
    expect(two.states()).toEqual(['sending', 'queued']);
    await pass(10_000);
    expect(two.states()[0]).toMatch(/unknown|accepted/);
    (await one.post(2)).answer();
    await seenBy(two, 'accepted,accepted');
    // The suspended window resumes and receives the response that it waited for.
    one.resume();
    one.service.posts[0]?.answer();
    await pass(10_000);
    expect(one.states()).toEqual(['accepted', 'accepted']);
    expect(one.service.arrivals).toEqual(['a', 'b']);
  });

  it('send nothing from a suspended window that has lost the lease', async () => {
    one.isOnline = false;
    await one.enqueue('a');
    one.isOnline = true;
    one.service.onPost = (post) => post.fail(new ApiError('status', '429', { sent: 'maybe', status: 429 }));
    one.outbox.wake();
    await one.post(1);
    await until(() => one.states()[0] === 'queued');
    one.isSuspended = true;
    one.service.onPost = (post) => post.answer();
    await pass(60_000);
    await seenBy(two, 'accepted');
    expect(one.service.arrivals).toEqual(['a', 'a']);
    one.resume();
    one.outbox.wake();
    await pass(30_000);
    expect(one.service.arrivals).toEqual(['a', 'a']);
    expect(one.states()).toEqual(['accepted']);
  });

  it('distinguish an attempt that sent nothing from another one in the same millisecond', async () => {
    await one.enqueue('a');
    const first = await one.post(1);
    one.isSuspended = true;
    one.clock.jump(3_600_000);
    await one.enqueue('b');
    // The lease is lost immediately before the first attempt for `b`, and acquired again for the second.
    first.answer();
    const second = await one.post(2);
    one.clock.jump(3_600_000);
    second.process();
    one.resume();
    one.outbox.wake();
    await pass(10_000);
    expect(second.isOpen).toBe(false);
    expect(one.service.arrivals).toEqual(['a', 'b']);
    expect(one.states()).toEqual(['accepted', 'accepted']);
  });

  it.each(['accepted', 'unknown'])(
    'do not send a message again that became %s while the queue was lost, although an earlier attempt sent nothing',
    async (state) => {
      let endRead: () => void = () => undefined;
      const readEnd = new Promise<void>((resolve) => (endRead = resolve));
      // The first read of a lease is the one before the message is saved as sending.
      vi.spyOn(one.disk, 'readText').mockImplementationOnce(async (name) => {
        one.isSuspended = true;
        await readEnd;
        return one.disk.readText(name);
      });
      await one.enqueue('a');
      await until(() => one.isSuspended);
      await pass(40_000);
      if (state === 'accepted') (await one.post(1)).answer();
      else (await one.post(1)).fail(reset);
      await seenBy(two, state);
      two.poll();
      await two.searchToEnd();
      await pass(20_000);
      expect(await files()).toHaveLength(state === 'accepted' ? 0 : 1);
      // A running window would restore the final state.
      two.outbox.dispose();
      one.resume();
      await pass(5_000);
      expect(await leases()).toHaveLength(1);
      endRead();
      await pass(10_000);
      expect(one.service.arrivals).toEqual(['a']);
      expect(one.states()).toEqual(state === 'accepted' ? [] : ['unknown']);
    },
  );

  it('do not acquire a lease because the clock was changed', async () => {
    await one.enqueue('a');
    await one.post(1);
    await two.enqueue('b');
    await seenBy(two, 'sending,queued');
    for (const setMs of [-3_600_000, 7_200_000]) {
      // The waiting window checks the heartbeat before and after the clock is set.
      await pass(10_000);
      one.clock.set(setMs);
      two.outbox.wake();
      await two.idle();
      expect(two.states()).toEqual(['sending', 'queued']);
    }
    expect(one.service.posts).toHaveLength(1);
  });

  it('do not change the messages of the window that owns the queue, except to "accepted"', async () => {
    await one.enqueue('a');
    await one.post(1);
    const { entryId } = await one.enqueue('b');
    const path = join(one.folder, 'outbox', `${entryId}.json`);
    const { record } = await readRecordFile(path);
    await replaceFile(path, withChecksum({ version: 1, record: { ...record, state: 'notSent' } }));
    await pass(11_000);
    expect(one.states()).toEqual(['sending', 'queued']);
    (await one.post(1)).answer();
    (await one.post(2)).answer();
    await seenBy(one, 'accepted,accepted');
  });

  it('send nothing for a session that is removed from the list while its message is being saved', async () => {
    one.isOnline = false;
    two.isOnline = false;
    const { entryId } = await one.enqueue('a');
    const held = one.holdWrites(entryId);
    one.isOnline = true;
    one.outbox.wake();
    await held.reached();
    one.store.removeSession(keyOf('s1'));
    held.release();
    await one.idle();
    await two.idle();
    expect(one.service.arrivals).toEqual([]);
  });

  it('keep the lease of a closing window until its last save has ended', async () => {
    const { entryId } = await one.enqueue('a');
    const post = await one.post(1);
    const held = one.holdWrites(entryId);
    post.answer();
    await held.reached();
    one.outbox.dispose();
    let isReleased = false;
    const released = one.outbox.released().then(() => (isReleased = true));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect([isReleased, (await leases()).length]).toEqual([false, 1]);
    held.release();
    await released;
    expect(await leases()).toEqual([]);
  });

  it('leave no lease behind when there is nothing to send', async () => {
    await one.enqueue('a');
    (await one.post(1)).answer();
    await seenBy(one, 'accepted');
    await until(async () => (await leases()).length === 0);
  });
});
