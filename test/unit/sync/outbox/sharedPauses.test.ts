import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { ServiceClocks, ServicePauses } from '../../../../src/sync/connection/serviceLimits.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { ServiceSendState } from '../../../../src/sync/outbox/sendGate.ts';
import { OutboxRig, keyOf, origin } from './outboxRig.ts';

const tooMany = new ApiError('status', '429', { sent: 'maybe', status: 429, retryAfterMs: 60_000 });

describe('the pauses that all windows share', () => {
  let one: OutboxRig;
  beforeEach(async () => {
    one = await OutboxRig.open({}, ['s1', 's2']);
  });
  afterEach(() => one.close());

  /** Opens the pauses as another window on the same folder does. */
  const otherWindow = () => new ServicePauses(new RecordStores(one.disk), one.clock, silentLog);

  it('also hold messages back in other windows until the pause is over', async () => {
    otherWindow().failed(origin, 60_000);
    await one.disk.flush();
    await one.outbox.enqueue(keyOf('s1'), { text: 'Waits', attachments: [] });
    await one.idle();
    expect([one.states(), one.service.posts.length]).toEqual([['queued'], 0]);
    one.clock.advance(59_000);
    await one.idle();
    expect(one.service.posts).toHaveLength(0);
    one.clock.advance(2_000);
    expect((await one.post(1)).message.text).toBe('Waits');
  });

  it('are not longer if the clock is set back', async () => {
    await one.outbox.enqueue(keyOf('s1'), { text: 'Too many', attachments: [] });
    (await one.post(1)).fail(tooMany);
    await one.idle();
    one.clock.set(-86_400_000);
    one.clock.advance(61_000);
    await one.idle();
    one.clock.advance(61_000);
    expect((await one.post(2)).message.text).toBe('Too many');
  });

  it('include the pause that the service requested when it rejected a message', async () => {
    await one.outbox.enqueue(keyOf('s1'), { text: 'Too many', attachments: [] });
    (await one.post(1)).fail(tooMany);
    await one.idle();
    const other = otherWindow();
    await other.refresh(origin);
    expect(other.askedUntil(origin)).toBe(one.clock.now() + 60_000);
  });

  it('do not hold a message back just because another window couldn’t reach the service', async () => {
    const other = otherWindow();
    for (let failure = 0; failure < 8; failure++) other.failed(origin, undefined);
    await one.disk.flush();
    expect(other.notBefore(origin)).toBeGreaterThan(one.clock.now());
    await one.outbox.enqueue(keyOf('s2'), { text: 'Goes', attachments: [] });
    expect((await one.post(1)).message.text).toBe('Goes');
  });

  it('are those of this window alone if nothing is shared', async () => {
    const state = new ServiceSendState(origin, {
      clock: one.clock,
      clocks: new ServiceClocks(),
      apiFor: () => undefined,
    });
    await state.refreshPauses();
    expect([state.sharesPauses, state.remainingPauseMs]).toEqual([false, -one.clock.now()]);
    state.pauseRequested(1_000);
    await state.refreshPauses();
    expect(state.remainingPauseMs).toBe(1_000);
    expect(state.whileRunning).toBe('now');
  });

  it('are not shortened by a later, shorter request of the service', () => {
    const state = new ServiceSendState(origin, {
      clock: one.clock,
      clocks: new ServiceClocks(),
      apiFor: () => undefined,
    });
    state.pauseRequested(60_000);
    state.pauseRequested(1_000);
    expect(state.remainingPauseMs).toBe(60_000);
  });
});
