import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../fakes/until.ts';
import { OutboxRig } from './outboxRig.ts';

describe('two windows where writing takes long (R45)', () => {
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
  const leases = () => readdir(join(one.folder, 'leases'));
  const fileOf = (entryId: string) => readFile(join(one.folder, 'outbox', `${entryId}.json`), 'utf8');
  /** Time passes, and what follows from it in windows that are not held up. */
  const pass = async (ms: number, ...rigs: OutboxRig[]) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
      one.clock.advance(1_000);
      for (const rig of rigs) await rig.idle();
    }
  };
  /** A message typed in window two is on its way from window one. */
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

  it('keep the lease until what is known of a message is on disk, also when it was seen in the list', async () => {
    const { entryId, settled, post } = await sendForTwo();
    const writes = one.holdWrites(entryId);
    post.answer();
    await writes.reached();
    one.poll();
    expect(one.entries()).toEqual([]);
    one.outbox.wake();
    await pass(8_000, two);
    expect(two.states()).toEqual(['accepted', 'sending']);
    writes.letGo();
    expect(await settled).toEqual({ messageId: post.created?.id, status: 'unknown' });
    await until(async () => (await leases()).length === 0, 'the lease to be given back');
  });

  it('keep it where the disk refuses, until it does not any more', async () => {
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

  it('keep it until then also when the window ends', async () => {
    const { entryId, settled, post } = await sendForTwo();
    const writes = one.holdWrites(entryId);
    post.answer();
    await writes.reached();
    one.outbox.dispose();
    await pass(8_000, two);
    expect(two.states()).toEqual(['accepted', 'sending']);
    writes.letGo();
    expect(await settled).toEqual({ messageId: post.created?.id, status: 'unknown' });
    await one.outbox.released();
    expect(await leases()).toEqual([]);
  });

  it.each([true, false])('let nobody turn back what the service said (seen in the list: %s)', async (isSeen) => {
    const { entryId, settled, post } = await sendForTwo();
    const writes = two.holdWrites(entryId);
    // Stopped so long that the other one takes over, and takes what was under way for unknown.
    one.isStopped = true;
    await until(async () => {
      one.clock.advance(1_000);
      await one.idle();
      return two.states()[1] === 'unknown';
    });
    await writes.reached();
    post.answer();
    await seenBy(one, 'accepted,accepted');
    if (isSeen) one.poll();
    await until(async () => (await fileOf(entryId)).includes('"state":"accepted"'));
    writes.letGo();
    one.goOn();
    expect(await settled).toEqual({ messageId: post.created?.id, status: 'unknown' });
    await until(async () => (await fileOf(entryId)).includes('"state":"accepted"'));
  });
});
