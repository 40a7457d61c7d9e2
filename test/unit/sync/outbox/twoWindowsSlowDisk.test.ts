import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../fakes/until.ts';
import { OutboxRig } from './outboxRig.ts';

describe('two windows on a slow disk (R45)', () => {
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
  const leases = () => readdir(join(one.folder, 'leases'));
  const fileOf = (entryId: string) => readFile(join(one.folder, 'outbox', `${entryId}.json`), 'utf8');
  /** Advances the clock and waits for all follow-up work in the given windows. */
  const pass = async (ms: number, ...rigs: OutboxRig[]) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
      one.clock.advance(1_000);
      for (const rig of rigs) await rig.idle();
    }
  };
  /** Delivers a message typed in window one, then lets window one send a message typed in window two. */
  const sendForTwo = async () => {
    await one.enqueue('a');
    const first = await one.post(1);
    const { entryId } = await two.enqueue('b');
    await seenBy(one, 'sending,queued');
    const settled = two.outbox.settled(entryId);
    first.answer();
    const post = await one.post(2);
    await seenBy(two, 'accepted,sending');
    return { entryId, settled, post };
  };

  it('keep the lease until the outcome is on disk, even if the list contains the message', async () => {
    const { entryId, settled, post } = await sendForTwo();
    const writes = one.holdWrites(entryId);
    post.answer();
    await writes.reached();
    one.poll();
    expect(one.entries()).toEqual([]);
    one.outbox.wake();
    await pass(8_000, two);
    expect(two.states()).toEqual(['accepted', 'sending']);
    writes.release();
    expect(await settled).toEqual({ messageId: post.created?.id, status: 'unknown' });
    await until(async () => (await leases()).length === 0, 'the lease to be released');
  });

  it('keep the lease while the disk is full', async () => {
    const { settled, post } = await sendForTwo();
    one.disk.writeError = new Error('no space left');
    post.answer();
    await seenBy(one, 'accepted,accepted');
    one.poll();
    one.outbox.wake();
    await pass(30_000, one, two);
    expect(two.states()).toEqual(['accepted', 'sending']);
    one.disk.writeError = undefined;
    await pass(6_000, one, two);
    expect(await settled).toEqual({ messageId: post.created?.id, status: 'unknown' });
  });

  it('keep the lease until the outcome is on disk, even if the window closes', async () => {
    const { entryId, settled, post } = await sendForTwo();
    const writes = one.holdWrites(entryId);
    post.answer();
    await writes.reached();
    one.outbox.dispose();
    await pass(8_000, two);
    expect(two.states()).toEqual(['accepted', 'sending']);
    writes.release();
    expect(await settled).toEqual({ messageId: post.created?.id, status: 'unknown' });
    await one.outbox.released();
    expect(await leases()).toEqual([]);
  });

  it.each([true, false])('never undo "accepted" (message listed: %s)', async (isSeen) => {
    const { entryId, settled, post } = await sendForTwo();
    const writes = two.holdWrites(entryId);
    // Window one is suspended until window two holds the lease and considers the outcome of the message in flight
    // unknown.
    one.isSuspended = true;
    const reached = writes.reached();
    await until(async () => {
      one.clock.advance(1_000);
      // If the clock ran ahead of the disk, window two would believe that it was suspended itself.
      await Promise.all([one.idle(), Promise.race([two.idle(), reached])]);
      return two.states()[1] === 'unknown';
    });
    await reached;
    post.answer();
    await seenBy(one, 'accepted,accepted');
    if (isSeen) one.poll();
    await until(async () => (await fileOf(entryId)).includes('"state":"accepted"'));
    writes.release();
    one.resume();
    expect(await settled).toEqual({ messageId: post.created?.id, status: 'unknown' });
    await until(async () => (await fileOf(entryId)).includes('"state":"accepted"'));
  });
});
