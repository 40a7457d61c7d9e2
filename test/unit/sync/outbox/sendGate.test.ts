import { describe, expect, it } from 'vitest';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import type { SendTime } from '../../../../src/shared/protocol/vocabulary.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { SendGate, type SendSource, ServiceSendStates } from '../../../../src/sync/outbox/sendGate.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { key, now, ready } from '../../state/samples.ts';

const api = {} as SessionsApi;

interface Facts {
  /** The next message; null if there is none. */
  readonly next?: object | null;
  readonly others?: readonly object[];
  readonly isSendingHere?: boolean;
  readonly isIdle?: boolean;
  readonly isListed?: boolean;
  readonly connection?: Parameters<Store['setConnection']>[0];
  readonly whileRunning?: SendTime;
  /** The time until which the service asked other windows to wait. */
  readonly askedUntil?: number;
}

const queued = { state: 'queued', isHeld: false, isScheduled: false, stored: { whileConnected: true } };

/**
 * A gate on a clock that only the test advances, with the timers that it started, the origins whose pauses it read, and
 * the pauses that it shared, in ms.
 */
function gateWith(facts: Facts = {}) {
  const store = new Store(memoryBodies());
  store.setConnection(facts.connection ?? ready);
  if (facts.isListed !== false) store.addSession({ key, addedAt: 1 });
  const next = facts.next === null ? undefined : { ...queued, ...facts.next };
  const all = [...(next ? [next] : []), ...(facts.others ?? [])];
  const entries = { next, all, isSendingHere: facts.isSendingHere ?? false };
  const timers: { readonly delayMs: number; readonly run: () => void }[] = [];
  const time = { nowMs: now };
  const clock = {
    now: () => time.nowMs,
    random: () => 0.5,
    after: (delayMs: number, run: () => void) => {
      const timer = { delayMs, run };
      timers.push(timer);
      return { dispose: () => void timers.splice(timers.indexOf(timer), 1) };
    },
  };
  const refreshed: string[] = [];
  const requested: number[] = [];
  const pauses = {
    refresh: async (origin: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      refreshed.push(origin);
    },
    askedUntil: () => (refreshed.length > 0 ? (facts.askedUntil ?? 0) : 0),
    failed: (_: string, retryAfterMs: number) => requested.push(retryAfterMs),
  };
  const source = { clock, pauses, apiFor: () => api, whileRunning: () => facts.whileRunning ?? 'now' };
  const states = new ServiceSendStates(source as unknown as SendSource);
  const service = states.of(key.origin);
  const agents = { isIdle: () => facts.isIdle ?? true };
  type Given = ConstructorParameters<typeof SendGate>;
  const gate = new SendGate(key, entries as unknown as Given[1], agents as unknown as Given[2], store, service, clock);
  return { gate, service, states, timers, time, refreshed, requested };
}

describe('the gate before a message', () => {
  it('is open for the first queued message of a session in the list', () => {
    const { gate } = gateWith();
    expect([gate.api, gate.isOpen, gate.askedFirst]).toEqual([api, true, undefined]);
  });

  it('is closed if no message is next', () => {
    const { gate } = gateWith({ next: null });
    expect([gate.api, gate.isOpen, gate.askedFirst]).toEqual([undefined, false, undefined]);
  });

  it.each<[string, Facts]>([
    ['is being sent', { next: { state: 'sending' } }],
    ['may have been sent', { next: { state: 'unknown' } }],
    ['is held', { next: { isHeld: true } }],
    ['follows one that this window is sending', { isSendingHere: true }],
    ['belongs to a session that is no longer in the list', { isListed: false }],
    [
      'waits for an agent of which nothing is known',
      { next: { stored: { ...queued.stored, when: 'whenIdle' } }, isIdle: false },
    ],
    ['waits because of the setting', { whileRunning: 'whenIdle', isIdle: false }],
  ])('is closed if it %s', (_, facts) => {
    const { gate } = gateWith(facts);
    expect([gate.api, gate.isOpen]).toEqual([undefined, false]);
  });

  it('is open for a message that waits for an idle agent if a later one is sent immediately, to keep their order', () => {
    const next = { stored: { ...queued.stored, when: 'whenIdle' } };
    const later = { ...queued, stored: { ...queued.stored, when: 'now' } };
    expect(gateWith({ next, isIdle: false, others: [later] }).gate.isOpen).toBe(true);
    expect(gateWith({ next, isIdle: false, others: [{ ...later, isScheduled: true }] }).gate.isOpen).toBe(false);
    expect(gateWith({ next, isIdle: false, others: [{ ...later, state: 'accepted' }] }).gate.isOpen).toBe(false);
    expect(gateWith({ next, isIdle: true }).gate.isOpen).toBe(true);
  });

  it('asks about a message of an earlier version if the current service is another one, or is not known', () => {
    const next = { stored: {} };
    const service = { origin: 'https://other.test', baseUrl: 'https://other.test' };
    for (const connection of [{ kind: 'ready', service }, { kind: 'noService' }] as const) {
      const facts = { next, connection: connection as Facts['connection'] & object };
      expect(gateWith(facts).gate.askedFirst).toMatchObject(next);
      expect(gateWith(facts).gate.isOpen).toBe(false);
      expect(gateWith({ ...facts, isListed: false }).gate.askedFirst).toBeUndefined();
      expect(gateWith({ ...facts, next: { ...next, isHeld: true } }).gate.askedFirst).toBeUndefined();
      expect(gateWith({ ...facts, next: { ...next, state: 'sending' } }).gate.askedFirst).toBeUndefined();
      expect(gateWith({ ...facts, next: queued }).gate.askedFirst).toBeUndefined();
    }
    expect(gateWith({ next }).gate.askedFirst).toBeUndefined();
    expect(gateWith({ next }).gate.isOpen).toBe(true);
  });

  it('is closed while the service rejects the key, for all sessions of the service', () => {
    const { gate, service, states } = gateWith();
    service.isKeyRejected = true;
    expect(gate.isOpen).toBe(false);
    expect(states.of(key.origin)).toBe(service);
    states.clearKeyRejections();
    expect(gate.isOpen).toBe(true);
  });
});

describe('the pause after a failed attempt', () => {
  it('doubles with each failure, and begins again once the service was reached', () => {
    const { gate, timers } = gateWith();
    const delays = () => timers.map(({ delayMs }) => delayMs);
    expect(gate.checkPause()).toBe(false);
    for (const expected of [500, 1_000, 2_000]) {
      gate.attemptFailed(undefined);
      expect([gate.checkPause(), delays()]).toEqual([true, [expected]]);
    }
    gate.resetFailures();
    gate.attemptFailed(undefined);
    expect(delays()).toEqual([500]);
  });

  it('ends with an event, or when the gate is disposed', () => {
    const { gate, timers } = gateWith();
    let ends = 0;
    gate.onDidEndPause(() => (ends += 1));
    gate.attemptFailed(undefined);
    timers[0]?.run();
    expect([gate.checkPause(), ends]).toEqual([false, 1]);
    timers.length = 0;
    gate.attemptFailed(undefined);
    gate.dispose();
    expect([gate.checkPause(), ends, timers.length]).toEqual([false, 1, 0]);
  });

  it('lasts at least as long as the service requested, and tells the other windows', () => {
    const { gate, service, timers, time, requested } = gateWith();
    gate.attemptFailed(60_000);
    expect([timers.map(({ delayMs }) => delayMs), requested]).toEqual([[60_500], [60_000]]);
    // The user can end the pause of the gate, but not the one that the service requested.
    gate.endPause();
    expect([gate.checkPause(), timers.map(({ delayMs }) => delayMs)]).toEqual([true, [60_000]]);
    expect(gate.checkPause()).toBe(true);
    expect(timers.length).toBe(1);
    service.pauseRequested(1_000);
    expect(service.remainingPauseMs).toBe(60_000);
    gate.endPause();
    time.nowMs += 60_000;
    expect([gate.checkPause(), timers.length]).toEqual([false, 0]);
  });

  it('is not longer if the clock is set back', () => {
    const { gate, service, timers, time } = gateWith();
    service.pauseRequested(30_000);
    time.nowMs -= 2_400_000;
    expect(gate.checkPause()).toBe(true);
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([30_000]);
    gate.endPause();
    time.nowMs += 30_000;
    expect(gate.checkPause()).toBe(false);
  });

  it('includes what the service requested of another window', async () => {
    const { gate, service, refreshed } = gateWith({ askedUntil: now + 5_000 });
    expect(service.sharesPauses).toBe(true);
    expect(gate.checkPause()).toBe(false);
    await service.refreshPauses();
    expect(refreshed).toEqual([key.origin]);
    expect(service.remainingPauseMs).toBe(5_000);
    expect(gate.checkPause()).toBe(true);
  });

  it('needs neither a setting nor other windows', async () => {
    const clock = { now: () => now, random: () => 0.5, after: () => ({ dispose: () => undefined }) };
    const learned: unknown[] = [];
    const clocks = { offsetMs: () => 7, learn: (...given: unknown[]) => learned.push(given) };
    const service = new ServiceSendStates({ clock, clocks, apiFor: () => undefined } as unknown as SendSource).of('a');
    expect([service.whileRunning, service.sharesPauses, service.api]).toEqual(['now', false, undefined]);
    service.pauseRequested(1_000);
    await service.refreshPauses();
    expect(service.remainingPauseMs).toBe(1_000);
    expect(service.scheduler('host')).toEqual({ host: 'host', serverOffsetMs: 7 });
    service.learnClock(5);
    expect(learned).toEqual([['a', 5, now]]);
  });
});
