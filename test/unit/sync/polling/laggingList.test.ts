import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { laggingKey, LaggingService } from '../../../fakes/laggingService.ts';

describe.each(['newestFirst', 'oldestFirst'] as const)('a list that lags behind its session, %s (R39)', (order) => {
  it.each([
    [5_000, 4],
    [60_000, 4],
    [60_000, 250],
  ])(
    'by %i ms, after %i messages: every message appears by itself, and the panel reports it until then',
    async (lagMs, count) => {
      const service = await LaggingService.open(order, count);
      const known = service.shownIds.length;
      service.isListed = ({ createdAt }) => createdAt <= service.clock.now() - lagMs;
      service.add(2);
      await service.poller.refresh(laggingKey);
      expect(service.shownIds).toHaveLength(known);
      expect(service.missingCount).toBe(2);
      await service.pass(lagMs * 2 + 2_000);
      expect(service.shownIds).toEqual(service.ids.slice(-known - 2));
      expect(service.missingCount).toBe(0);
      // Nothing is missing, so the list isn't read again.
      service.listCalls = 0;
      await service.pass(120_000);
      expect(service.listCalls).toBe(0);
    },
  );

  it.each([4, 250])('and is then ahead of it, after %i messages: nothing is missing later', async (count) => {
    const service = await LaggingService.open(order, count);
    service.setStatus('running');
    await service.pass(10_000);
    service.sessionLagMs = 5_000;
    service.add(1);
    await service.poller.refresh(laggingKey);
    expect(service.shownIds.at(-1)).toBe(`m${count}`);
    expect(service.missingCount).toBe(0);
    service.sessionLagMs = 0;
    await service.poller.refresh(laggingKey);
    expect(service.missingCount).toBe(0);
    // A later message that isn't listed counts as missing again.
    service.isListed = ({ id }) => id !== `m${count + 2}`;
    service.add(2);
    await service.poller.refresh(laggingKey);
    expect(service.missingCount).toBe(1);
  });

  it('with a hole between loaded messages is completed', async () => {
    const service = await LaggingService.open(order, 150);
    const filledAt = service.clock.now() + 20_000;
    service.isListed = ({ id }) => id !== 'm151' || service.clock.now() >= filledAt;
    service.add(4);
    await service.poller.refresh(laggingKey);
    expect(service.shownIds).not.toContain('m151');
    expect(service.missingCount).toBe(1);
    await service.pass(60_000);
    expect(service.shownIds.slice(-4)).toEqual(['m150', 'm151', 'm152', 'm153']);
    expect(service.missingCount).toBe(0);
  });

  it.each(['m4', 'm5'])(
    'is read less and less often, and not forever if the service never lists %s',
    async (hidden) => {
      const service = await LaggingService.open(order, 4);
      service.isListed = ({ id }) => id !== hidden;
      service.add(2);
      await service.poller.refresh(laggingKey);
      service.listCalls = 0;
      await service.pass(600_000);
      expect(service.listCalls).toBeLessThan(60);
      expect(service.missingCount).toBe(0);
      service.listCalls = 0;
      await service.pass(120_000);
      expect(service.listCalls).toBe(0);
      service.add(1);
      await service.poller.refresh(laggingKey);
      expect(service.shownIds.at(-1)).toBe('m6');
      expect(service.missingCount).toBe(0);
    },
  );

  it.each([3_000, 15_000])(
    'only with the content of the answer, by %i ms: the whole answer appears by itself',
    async (lagMs) => {
      const service = await LaggingService.open(order, 250);
      await service.run();
      service.contentLagMs = lagMs;
      service.grow();
      service.setStatus('idle');
      await service.pass(60_000);
      expect(service.shownNewestAt).toBe(service.newestAt);
      // The answer is as new as the session, so nothing is read again.
      [service.listCalls, service.messageCalls] = [0, 0];
      await service.pass(120_000);
      expect([service.listCalls, service.messageCalls]).toEqual([0, 0]);
    },
  );

  it('first with a message and then with its content is read until both are there', async () => {
    const service = await LaggingService.open(order, 4);
    await service.run();
    const listedAt = service.clock.now() + 30_000;
    service.isListed = ({ id }) => id !== 'm4' || service.clock.now() >= listedAt;
    service.add(1);
    service.setStatus('running');
    await service.pass(1_000);
    service.contentLagMs = 33_000;
    service.grow();
    service.setStatus('idle');
    await service.pass(120_000);
    expect(service.shownNewestAt).toBe(service.newestAt);
  });

  it('is read at most three times more if the session changes after its newest message', async () => {
    const service = await LaggingService.open(order, 4);
    await service.run();
    service.setStatus('idle');
    [service.listCalls, service.messageCalls] = [0, 0];
    await service.pass(600_000);
    expect(service.listCalls).toBeLessThanOrEqual(2);
    expect(service.messageCalls).toBe(3);
  });

  it('is read at most three times more if its newest message can never be read by its ID', async () => {
    const service = await LaggingService.open(order, 4);
    await service.run();
    service.messageError = new ApiError('status', 'x', { sent: 'maybe', status: 500 });
    service.setStatus('idle');
    service.messageCalls = 0;
    await service.pass(300_000);
    expect(service.messageCalls).toBeLessThanOrEqual(3);
    expect(service.failure).toBeUndefined();
  });

  it('is not read again and again while an idle session changes without new messages', async () => {
    const service = await LaggingService.open(order, 4);
    await service.run();
    service.setStatus('idle');
    await service.pass(60_000);
    service.listCalls = 0;
    service.messageCalls = 0;
    for (let second = 0; second < 120; second++) {
      service.setStatus('idle');
      await service.pass(1_000);
    }
    // Each of the usual polls finds a change, and reads the list at most twice.
    expect(service.listCalls).toBeLessThanOrEqual(2 * 6);
    expect(service.messageCalls).toBe(0);
  });

  it('does not mark a message as removed that an older copy of the list lacks', async () => {
    const service = await LaggingService.open(order, 6);
    service.isListed = ({ id }) => id !== 'm5' && id !== 'm4';
    service.setStatus('idle');
    await service.poller.refresh(laggingKey);
    expect(service.store.record(laggingKey)?.headers.filter(({ isGone }) => isGone)).toEqual([]);
  });
});

it('an older state of the session does not replace a newer one, unless the service went back for good', async () => {
  const service = await LaggingService.open('newestFirst', 4);
  service.setStatus('running');
  await service.poller.refresh(laggingKey);
  expect(service.status).toBe('running');
  service.sessionLagMs = 3_600_000;
  await service.poller.refresh(laggingKey);
  expect(service.status).toBe('running');
  await service.pass(60_000);
  expect(service.status).toBe('idle');
});

it('a refresh by the user reads the newest page even if the session is unchanged', async () => {
  const service = await LaggingService.open('newestFirst', 4);
  service.listCalls = 0;
  await service.poller.refresh(laggingKey);
  expect(service.listCalls).toBe(1);
});
