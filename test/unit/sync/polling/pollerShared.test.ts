import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { type RecordStore, openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { pauseMs } from '../../../../src/sync/polling/intervals.ts';
import { RetryBudget } from '../../../../src/sync/connection/backoff.ts';
import { ServicePauses } from '../../../../src/sync/connection/serviceLimits.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { replaceFile } from '../../../fakes/damage.ts';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { until } from '../../../fakes/until.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { PollerRig, keyOf, origin, pace, statusError } from './pollerRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const hourMs = 3_600_000;
const middle = () => 0.5;

describe('background polling', () => {
  const away = { isVisible: false, isFocused: false } as const;

  it('reads a running session every 10 to 15 s for four hours', () => {
    for (const chance of [0, 0.5, 0.999]) {
      const rest = pauseMs({ ...away, status: 'running', unattendedMs: 4 * hourMs - 1 }, pace, () => chance)!;
      expect(rest).toBeGreaterThanOrEqual(10_000);
      expect(rest).toBeLessThanOrEqual(15_000);
    }
    expect(pauseMs({ ...away, status: 'running', unattendedMs: 4 * hourMs }, pace, middle)).toBeUndefined();
    expect(pauseMs({ ...away, status: 'idle' }, pace, middle)).toBeUndefined();
  });

  it('treats a session as running after a message was sent to it', () => {
    expect(pauseMs({ ...away, status: 'idle', isExpected: true }, pace, middle)).toBe(12_500);
  });

  it('skips archived sessions, even if they are visible and running', () => {
    const attention = { status: 'running', isVisible: true, isFocused: true } as const;
    expect(pauseMs({ ...attention, isArchived: true }, pace, middle)).toBeUndefined();
    expect(pauseMs(attention, pace, middle)).toBe(2_000);
  });

  it('limits all visible running rows together to five requests per second', () => {
    const attention = { status: 'running', isVisible: true, isFocused: true } as const;
    expect(pauseMs({ ...attention, watchedCount: 50 }, pace, middle)).toBe(10_000);
    expect(pauseMs({ ...attention, watchedCount: 5 }, pace, middle)).toBe(2_000);
    expect(pauseMs({ ...attention, status: 'idle', watchedCount: 50 }, pace, middle)).toBe(30_000);
    expect(pauseMs({ ...attention, status: 'idle', watchedCount: 300 }, pace, middle)).toBe(60_000);
  });

  it('does not depend on the number of archived sessions and of sessions that left the list', async () => {
    const archived = Array.from({ length: 100 }, (_, place) => `archived${place}`);
    const removed = Array.from({ length: 100 }, (_, place) => `removed${place}`);
    const rig = new PollerRig([...archived, ...removed, 's1']);
    rig.status = 'running';
    for (const id of archived) rig.archivedIds.add(id);
    for (const id of [...archived, ...removed, 's1']) rig.poller.watch(keyOf(id), false);
    await rig.settle();
    expect(rig.take()).toBe(201);
    rig.store.removeSessions(removed.map(keyOf));
    await rig.poller.refresh(keyOf('s1'));
    rig.take();
    await rig.pass(60_000, 200);
    // Every 2 s with 20 % jitter.
    expect(rig.take()).toBeGreaterThanOrEqual(25);
    rig.poller.dispose();
  });

  it('stops after four hours in an unfocused window, and resumes when the user returns', async () => {
    const rig = new PollerRig();
    rig.status = 'running';
    const watching = rig.poller.watch(keyOf('s1'), false);
    await rig.settle();
    rig.poller.setFocused(false);
    watching.dispose();
    await rig.pass(4 * hourMs, 5_000);
    const during = rig.take();
    expect(during).toBeGreaterThan(900);
    await rig.pass(hourMs, 5_000);
    expect(rig.take()).toBeLessThanOrEqual(1);
    rig.poller.watch(keyOf('s1'), false);
    rig.poller.setFocused(true);
    await rig.settle();
    expect(rig.take()).toBeGreaterThan(0);
    rig.poller.dispose();
  });
});

describe('an unavailable service', () => {
  it.each([1, 10, 50])('receives less than 1.2 times the normal requests from %i sessions (R25)', async (count) => {
    const ids = Array.from({ length: count }, (_, place) => `s${place}`);
    const requests = async (failure: Error | undefined) => {
      const rig = new PollerRig(ids);
      rig.status = 'running';
      for (const id of ids) rig.poller.watch(keyOf(id), false);
      await rig.pass(10_000);
      rig.take();
      rig.failure = () => failure;
      await rig.pass(5 * 60_000, 250);
      rig.poller.dispose();
      return rig.take();
    };
    const normal = await requests(undefined);
    const outage = await requests(statusError(503));
    expect(outage).toBeLessThan(1.2 * normal);
    // Every session fails once. After that, all sessions share one retry budget.
    expect(outage).toBeLessThanOrEqual(count + 10 + 60 + 1);
  });

  it('restores the full retry budget with its first response', () => {
    const clock = new FakeClock();
    const budget = new RetryBudget(clock);
    for (let taken = 0; taken < 10; taken++) expect(budget.take().isTaken).toBe(true);
    expect(budget.take()).toEqual({ isTaken: false, waitMs: 5_000 });
    clock.advance(4_000);
    expect(budget.take()).toEqual({ isTaken: false, waitMs: 1_000 });
    clock.advance(1_000);
    expect(budget.take().isTaken).toBe(true);
    budget.fill();
    for (let taken = 0; taken < 10; taken++) expect(budget.take().isTaken).toBe(true);
    clock.set(-1e6);
    expect(budget.take().isTaken).toBe(false);
  });
});

describe('a pause shared by all windows', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let disk: RecordStore;
  const clock = new FakeClock();
  beforeEach(async () => {
    ({ path: folder, remove } = await temporaryFolder());
    disk = await openDisk(folder, silentLog, clock);
  });
  afterEach(() => remove());
  const open = () => new ServicePauses(new RecordStores(disk), clock, silentLog);
  const files = () => readdir(join(folder, 'pauses')).catch(() => []);

  it('applies after Retry-After in every window, until it is over or a request succeeds', async () => {
    const [one, other] = [open(), open()];
    one.failed(origin, 20_000);
    await disk.flush();
    expect(other.notBefore(origin)).toBe(0);
    await other.refresh(origin);
    expect(other.notBefore(origin)).toBe(clock.now() + 20_000);
    expect(other.notBefore('https://other.test')).toBe(0);
    one.failed(origin, 30_000);
    await disk.flush();
    await other.refresh(origin);
    expect(other.notBefore(origin)).toBe(clock.now() + 30_000);
    other.succeeded(origin, other.requestCount(origin));
    await disk.flush();
    expect(await files()).toEqual([]);
    expect(other.notBefore(origin)).toBe(0);
  });

  it('starts after several consecutive failures, not after single ones, and grows with each failure', async () => {
    const pauses = open();
    pauses.failed(origin, undefined);
    pauses.failed(origin, undefined);
    expect(pauses.notBefore(origin)).toBe(0);
    pauses.failed(origin, undefined);
    const first = pauses.notBefore(origin) - clock.now();
    for (let more = 0; more < 6; more++) pauses.failed(origin, undefined);
    expect(first).toBeGreaterThan(0);
    expect(pauses.notBefore(origin) - clock.now()).toBeGreaterThan(10 * first);
    await disk.flush();
  });

  it('grows from the third failure on, and never ends earlier because of a later failure', async () => {
    const pauses = open();
    const pausedMs = () => pauses.notBefore(origin) - clock.now();
    for (let failure = 1; failure <= 2; failure++) pauses.failed(origin, undefined);
    expect(pauses.notBefore(origin)).toBe(0);
    for (const expectedMs of [500, 1_000, 2_000]) {
      pauses.failed(origin, undefined);
      expect(pausedMs()).toBe(expectedMs);
    }
    expect(pauses.askedUntil(origin)).toBe(0);
    pauses.failed(origin, 60_000);
    pauses.failed(origin, 10_000);
    expect([pausedMs(), pauses.askedUntil(origin) - clock.now()]).toEqual([60_000, 60_000]);
    await disk.flush();
  });

  it('counts the failures again from the start after a response', () => {
    const pauses = open();
    for (let round = 0; round < 3; round++) {
      pauses.failed(origin, undefined);
      pauses.failed(origin, undefined);
      pauses.succeeded(origin, pauses.requestCount(origin));
    }
    expect(pauses.notBefore(origin)).toBe(0);
  });

  it('without a request of the service, or in the file of another service, delays no message', async () => {
    const pauses = open();
    pauses.failed(origin, 60_000);
    await disk.flush();
    const path = join(folder, 'pauses', (await files())[0]!);
    const { record } = await readRecordFile(path);
    const unasked = { origin, notBefore: record['notBefore'] };
    await writeFile(path, withChecksum({ version: 1, record: unasked }));
    const other = open();
    await other.refresh(origin);
    expect([other.notBefore(origin), other.askedUntil(origin)]).toEqual([clock.now() + 60_000, 0]);
    await writeFile(path, withChecksum({ version: 1, record: { ...record, origin: 'https://other.test' } }));
    const third = open();
    await third.refresh(origin);
    expect([third.notBefore(origin), third.askedUntil(origin)]).toEqual([0, 0]);
  });

  it('that the service requested lasts at most five minutes too, and is never shortened by a file', async () => {
    const pauses = open();
    pauses.failed(origin, 60_000);
    await disk.flush();
    const path = join(folder, 'pauses', (await files())[0]!);
    const { record } = await readRecordFile(path);
    const store = (askedUntil: number) =>
      writeFile(path, withChecksum({ version: 1, record: { ...record, askedUntil } }));
    await store(Number.MAX_SAFE_INTEGER);
    const other = open();
    await other.refresh(origin);
    expect(other.askedUntil(origin)).toBe(clock.now() + 5 * 60_000);
    await store(clock.now() + 1_000);
    await other.refresh(origin);
    expect(other.askedUntil(origin)).toBe(clock.now() + 5 * 60_000);
  });

  it('does not end with the response to a request that was sent before the service requested it', async () => {
    const rig = new PollerRig(['s1', 's2'], open(), clock);
    let release: () => void = () => undefined;
    rig.gate = new Promise((resolve) => (release = resolve));
    rig.poller.watch(keyOf('s2'), false);
    await rig.quiet(disk);
    const answered = rig.gate;
    rig.gate = undefined;
    rig.failure = (sessionId) => (sessionId === 's1' ? statusError(429, { retryAfterMs: 60_000 }) : undefined);
    rig.poller.watch(keyOf('s1'), false);
    await rig.quiet(disk);
    release();
    await answered;
    await rig.quiet(disk);
    expect(rig.store.record(keyOf('s2'))?.session).toBeDefined();
    const other = open();
    await other.refresh(origin);
    expect(other.askedUntil(origin)).toBe(clock.now() + 60_000);
    rig.poller.dispose();
  });

  it('that another window recorded does not end with the response to an earlier request', async () => {
    const [one, other] = [open(), open()];
    const before = other.requestCount(origin);
    one.failed(origin, 60_000);
    await disk.flush();
    await other.refresh(origin);
    other.succeeded(origin, before);
    expect(other.askedUntil(origin)).toBe(clock.now() + 60_000);
    other.succeeded(origin, other.requestCount(origin));
    expect(other.askedUntil(origin)).toBe(0);
    await disk.flush();
  });

  it('is not longer if the clock is set back', async () => {
    const [one, other, later] = [open(), open(), open()];
    one.failed(origin, 30_000);
    await disk.flush();
    await other.refresh(origin);
    clock.set(-2_400_000);
    await later.refresh(origin);
    for (const pauses of [one, other, later]) {
      const ends = [pauses.notBefore(origin), pauses.askedUntil(origin)];
      expect(ends).toEqual([clock.now() + 30_000, clock.now() + 30_000]);
    }
    clock.set(2_400_000);
  });

  it('of a newer version is neither overwritten nor deleted', async () => {
    const pauses = open();
    pauses.failed(origin, 60_000);
    await disk.flush();
    const path = join(folder, 'pauses', (await files())[0]!);
    const newer = withChecksum({ version: 2, record: {} });
    await replaceFile(path, newer);
    await pauses.refresh(origin);
    pauses.failed(origin, 120_000);
    pauses.succeeded(origin, pauses.requestCount(origin));
    await disk.flush();
    expect(await readFile(path, 'utf8')).toBe(newer);
  });

  it('lasts at most five minutes, regardless of the file content, and ignores damaged files', async () => {
    const pauses = open();
    pauses.failed(origin, 10 * hourMs);
    await disk.flush();
    expect(pauses.notBefore(origin)).toBe(clock.now() + 5 * 60_000);
    const path = join(folder, 'pauses', (await files())[0]!);
    const { record } = await readRecordFile(path);
    await writeFile(path, withChecksum({ version: 1, record: { ...record, notBefore: Number.MAX_SAFE_INTEGER } }));
    const other = open();
    await other.refresh(origin);
    expect(other.notBefore(origin)).toBe(clock.now() + 5 * 60_000);
    await writeFile(path, '{');
    const third = open();
    await third.refresh(origin);
    expect(third.notBefore(origin)).toBe(0);
    await until(async () => (await files()).length === 0);
  });

  it('prevents polling in windows without failures of their own, but not a refresh by the user', async () => {
    open().failed(origin, 60_000);
    await disk.flush();
    const rig = new PollerRig(['s1'], open(), clock);
    rig.poller.watch(keyOf('s1'), false);
    await rig.quiet(disk);
    expect(rig.take()).toBe(0);
    await rig.poller.refresh(keyOf('s1'));
    expect(rig.take()).toBe(1);
    rig.poller.dispose();
    await disk.flush();
  });

  it('ends automatically', async () => {
    open().failed(origin, 60_000);
    await disk.flush();
    const rig = new PollerRig(['s1'], open(), clock);
    rig.poller.watch(keyOf('s1'), false);
    await rig.quiet(disk);
    clock.advance(59_000);
    await rig.quiet(disk);
    expect(rig.take()).toBe(0);
    clock.advance(3_000);
    await until(() => rig.calls.length === 1, 'the reading after the pause');
    await until(async () => (await files()).length === 0, 'the pause to be forgotten');
    rig.poller.dispose();
    await disk.flush();
  });
});
