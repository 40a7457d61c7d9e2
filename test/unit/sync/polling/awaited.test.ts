import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SendCondition } from '../../../../src/shared/protocol/vocabulary.ts';
import type { OutboxEntry } from '../../../../src/state/store/outboxEntry.ts';
import { PollerRig, keyOf, statusError } from './pollerRig.ts';

const s1 = keyOf('s1');
const s2 = keyOf('s2');
const hourMs = 3_600_000;

let rig: PollerRig;
beforeEach(() => {
  rig = new PollerRig(['s1', 's2']);
  rig.status = 'running';
});
afterEach(() => rig.poller.dispose());

function waitFor(after: SendCondition | undefined, state: OutboxEntry['state'] = 'queued'): void {
  const entry = { entryId: 'e', key: s1, text: 'x', attachments: [], createdAt: 1, state, after };
  rig.store.setOutbox(s1, [entry]);
}

const whenOtherIdle: SendCondition = { kind: 'sessionIdle', key: { ...s2 } };

describe('a session that a message waits for (R27)', () => {
  it('is read immediately, and then regularly, although nothing shows it', async () => {
    waitFor(whenOtherIdle);
    await rig.pass(0);
    expect(rig.calls.splice(0)).toMatchObject([{ name: 'session', sessionId: 's2' }]);
    await rig.pass(60_000);
    const count = rig.take('s2');
    expect(count).toBeGreaterThanOrEqual(4);
    expect(count).toBeLessThanOrEqual(6);
  });

  it('is read for longer than other running sessions, also without the focus', async () => {
    rig.poller.setFocused(false);
    waitFor(whenOtherIdle);
    await rig.pass(5 * hourMs, 5_000);
    rig.take();
    await rig.pass(60_000, 5_000);
    expect(rig.take('s2')).toBeGreaterThanOrEqual(3);
  });

  it('is read even if it is archived or idle', async () => {
    rig.status = 'idle';
    waitFor(whenOtherIdle);
    await rig.pass(0);
    const session = { sessionId: 's2', status: 'idle', messageCount: 1, createdAt: 1, updatedAt: 1 } as const;
    rig.store.takeSession(s2, { ...session, sessionSettings: { archivedAt: 'now' } }, rig.clock.now(), 1);
    rig.take();
    await rig.pass(30_000);
    expect(rig.take('s2')).toBeGreaterThan(0);
  });

  it.each([
    ['the message no longer waits', undefined, 'queued'],
    ['the message waits for a time instead', { kind: 'time', at: 5 }, 'queued'],
    ['the user has to decide about the message', whenOtherIdle, 'notSent'],
  ] as const)('is no longer read when %s', async (_, after, state) => {
    rig.status = 'idle';
    waitFor(whenOtherIdle);
    await rig.pass(0);
    waitFor(after, state);
    await rig.pass(15_000);
    rig.take();
    await rig.pass(hourMs, 1_000);
    expect(rig.take('s2')).toBe(0);
  });

  it('is read when it is added to the list, and when another message waits for it after it was not found', async () => {
    rig.store.removeSession(s2);
    waitFor(whenOtherIdle);
    await rig.pass(60_000);
    expect(rig.take('s2')).toBe(0);
    rig.failure = () => statusError(404);
    rig.store.addSession({ key: s2, addedAt: 1 });
    await rig.pass(60_000);
    expect(rig.take('s2')).toBe(1);
    waitFor(whenOtherIdle, 'notSent');
    rig.failure = () => undefined;
    waitFor(whenOtherIdle);
    await rig.pass(0);
    expect(rig.take('s2')).toBe(1);
  });

  it('is also the session of a message that waits for its own agent, until the message no longer waits', async () => {
    rig.status = 'idle';
    const entry = { entryId: 'e', key: s1, text: 'x', attachments: [], createdAt: 1, state: 'queued' } as const;
    rig.store.setOutbox(s1, [entry]);
    await rig.pass(60_000, 1_000);
    expect(rig.take()).toBe(0);
    rig.store.setOutbox(s1, [{ ...entry, waitsForAgent: true }]);
    await rig.pass(0);
    expect(rig.calls.splice(0)[0]).toMatchObject({ name: 'session', sessionId: 's1' });
    await rig.pass(60_000, 1_000);
    expect(rig.take('s1')).toBeGreaterThanOrEqual(4);
    rig.store.setOutbox(s1, []);
    await rig.pass(15_000);
    rig.take();
    await rig.pass(hourMs, 1_000);
    expect(rig.take()).toBe(0);
  });

  it('does not need the messages of the session that the message is for', async () => {
    waitFor({ kind: 'time', at: rig.clock.now() + hourMs });
    rig.poller.watch(s1, false);
    await rig.pass(0);
    expect(rig.calls.map(({ name }) => name)).toEqual(['session']);
  });
});
