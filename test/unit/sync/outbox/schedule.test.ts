import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { until } from '../../../fakes/until.ts';
import type { SendCondition } from '../../../../src/shared/protocol/vocabulary.ts';
import { NotSentError } from '../../../../src/sync/outbox/outbox.ts';
import { missingMs, toleranceMs } from '../../../../src/sync/outbox/schedule.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { replaceFile } from '../../../fakes/damage.ts';
import { OutboxRig, keyOf } from './outboxRig.ts';

const hourMs = 3_600_000;
const whenOtherIdle: SendCondition = { kind: 'sessionIdle', key: { ...keyOf('s2') } };
const sessions = ['s1', 's2'];

let rig: OutboxRig;
let others: OutboxRig[];
beforeEach(async () => {
  rig = await OutboxRig.open({}, sessions);
  others = [];
  rig.service.onPost = (post) => post.answer();
});
afterEach(async () => {
  for (const other of others) await other.close();
  await rig.close();
});

async function secondWindow(): Promise<OutboxRig> {
  const other = await rig.secondWindow(sessions);
  others.push(other);
  return other;
}

const inMs = (ms: number): SendCondition => ({ kind: 'time', at: rig.clock.now() + 1 + ms });
const idle = async () => {
  for (const window of [rig, ...others, rig, ...others]) await window.idle();
};
const advance = async (ms: number) => {
  rig.clock.advance(ms);
  await idle();
};
const arrivals = () => rig.service.arrivals;
/** Whether there is one message and the user has to decide about it. */
const isAsked = (window = rig) => {
  const [entry, ...more] = window.entries();
  return more.length === 0 && entry?.state === 'notSent' && entry.after !== undefined;
};

describe('a message scheduled for a time', () => {
  it('is sent once, at that time and not before', async () => {
    const { entryId } = await rig.enqueue('later', 's1', inMs(hourMs));
    expect(await rig.outbox.settled(entryId)).toEqual({ queued: true });
    await advance(hourMs - 1);
    expect(arrivals()).toEqual([]);
    expect(rig.entries()).toMatchObject([{ state: 'queued', after: { kind: 'time' } }]);
    await advance(1);
    expect(arrivals()).toEqual(['later']);
    expect(rig.entries()).toMatchObject([{ state: 'accepted', after: undefined }]);
    rig.poll();
    await advance(hourMs);
    expect(arrivals()).toEqual(['later']);
  });

  it('counts as queued while another message is being sent', async () => {
    rig.service.onPost = undefined;
    await rig.enqueue('now');
    const { entryId } = await rig.enqueue('later', 's1', inMs(hourMs));
    await rig.post(1);
    expect(await rig.outbox.settled(entryId)).toEqual({ queued: true });
  });

  it('holds back no other message, and is held back by none before its time', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    await rig.enqueue('now');
    await idle();
    expect(arrivals()).toEqual(['now']);
    expect(rig.entries().map(({ text }) => text)).toEqual(['now', 'later']);
    await advance(hourMs);
    expect(arrivals()).toEqual(['now', 'later']);
  });

  it('joins the queue behind the messages that wait at its time', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    rig.isOnline = false;
    await rig.enqueue('first');
    await advance(hourMs);
    expect(rig.entries().map(({ text, after }) => [text, after])).toEqual([
      ['first', undefined],
      ['later', undefined],
    ]);
    rig.isOnline = true;
    rig.outbox.wake();
    await idle();
    rig.poll();
    await until(() => arrivals().length === 2);
    expect(arrivals()).toEqual(['first', 'later']);
  });

  it('is sent in the order of the times, not of typing', async () => {
    await rig.enqueue('third', 's1', inMs(2 * hourMs));
    await rig.enqueue('second', 's1', inMs(hourMs + 5));
    await rig.enqueue('first', 's1', inMs(hourMs));
    expect(rig.entries().map(({ text }) => text)).toEqual(['first', 'second', 'third']);
    rig.isSuspended = true;
    await advance(hourMs + 10);
    rig.resume();
    await idle();
    await advance(hourMs);
    expect(arrivals()).toEqual(['first', 'second', 'third']);
  });

  it('is checked every half minute, because timers are late after the computer was asleep', async () => {
    const after = vi.spyOn(rig.clock, 'after');
    await rig.enqueue('later', 's1', inMs(60 * 24 * hourMs));
    await advance(120_000);
    const delays = after.mock.calls.map(([delayMs]) => delayMs);
    expect(delays.filter((delayMs) => delayMs === 30_000).length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...delays)).toBe(30_000);
  });

  it('waits for the time by the clock if the clock is set back', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    await idle();
    rig.clock.set(-hourMs);
    await advance(2 * hourMs - 10_000);
    expect(arrivals()).toEqual([]);
    await advance(10_000);
    expect(arrivals()).toEqual(['later']);
  });

  it.each([
    ['is sent', toleranceMs, ['later']],
    ['asks the user', toleranceMs + 1, []],
  ])('%s if the time is noticed %d ms late', async (_, lateMs, sent) => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    await idle();
    rig.clock.jump(hourMs + lateMs);
    rig.outbox.wake();
    await idle();
    expect(arrivals()).toEqual(sent);
    expect(isAsked()).toBe(sent.length === 0);
  });

  it.each([
    ['sent', 30_000],
    ['missed', 2 * hourMs],
  ])('can still be waiting if the clock is set back before this window owns the queue: %s', async (_, tooFarMs) => {
    const other = await secondWindow();
    rig.service.onPost = undefined;
    await rig.enqueue('first');
    const post = await rig.post(1);
    await other.enqueue('later', 's1', inMs(hourMs));
    await idle();
    rig.clock.set(hourMs + tooFarMs);
    other.outbox.wake();
    await idle();
    rig.clock.set(-hourMs - tooFarMs);
    post.answer();
    rig.isSuspended = true;
    await idle();
    await advance(hourMs / 2);
    expect(arrivals()).toEqual(['first']);
    expect(other.entries().map(({ text, state }) => [text, state])).toContainEqual(['later', 'queued']);
  });

  it('asks the user if this window owns the queue more than a minute after the time', async () => {
    const other = await secondWindow();
    rig.service.onPost = undefined;
    await rig.enqueue('first');
    await rig.post(1);
    await other.enqueue('later', 's1', inMs(hourMs));
    await idle();
    rig.isSuspended = true;
    await advance(hourMs);
    rig.clock.jump(toleranceMs + 1);
    for (let check = 0; check < 12; check++) await advance(5_000);
    expect(arrivals()).toEqual(['first']);
    expect(other.entries().find(({ text }) => text === 'later')?.state).toBe('notSent');
  });

  it('asks the user if the computer was asleep at the time', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    rig.isSuspended = true;
    await advance(2 * hourMs);
    rig.resume();
    await idle();
    expect(isAsked()).toBe(true);
    await advance(hourMs);
    expect(arrivals()).toEqual([]);
  });

  it('asks the user if VS Code was closed at the time, in every window and after the next start', async () => {
    const { entryId } = await rig.enqueue('later', 's1', inMs(hourMs));
    rig.clock.jump(hourMs + toleranceMs + 1);
    await rig.restart(sessions);
    const other = await secondWindow();
    await idle();
    expect(rig.entries()).toMatchObject([{ entryId, state: 'notSent' }]);
    expect(other.entries()).toMatchObject([{ entryId, state: 'notSent', after: { kind: 'time' } }]);
    await rig.restart(sessions);
    expect(isAsked()).toBe(true);
    expect(arrivals()).toEqual([]);
    await expect(rig.outbox.settled(entryId)).rejects.toThrow(NotSentError);
    expect(await other.outbox.sendNow(entryId)).toBe(true);
    await until(() => arrivals().length === 1);
    await idle();
    expect(await rig.outbox.sendNow(entryId)).toBe(false);
    expect(arrivals()).toEqual(['later']);
  });

  it('is sent if VS Code starts within the tolerance', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    rig.clock.jump(hourMs + toleranceMs - 5_000);
    await rig.restart(sessions);
    await until(() => arrivals().length === 1);
  });

  it('holds back no other message while the user has to decide', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    rig.clock.jump(2 * hourMs);
    rig.outbox.wake();
    await idle();
    expect(isAsked()).toBe(true);
    await rig.enqueue('now');
    await idle();
    expect(arrivals()).toEqual(['now']);
  });

  it('waits for an idle agent after its time if the user chose that', async () => {
    rig.readSession('s1', 'running');
    await rig.enqueue('later', 's1', inMs(hourMs), 'whenIdle');
    await advance(hourMs);
    expect(rig.entries()).toMatchObject([{ state: 'queued', after: undefined, when: 'whenIdle' }]);
    expect(arrivals()).toEqual([]);
    rig.readSession('s1', 'idle');
    await until(() => arrivals().length === 1);
  });

  it('does not make an earlier message ignore a running agent', async () => {
    rig.whileRunning = 'whenIdle';
    rig.readSession('s1', 'running');
    await rig.enqueue('waits');
    await rig.enqueue('later', 's1', inMs(hourMs), 'now');
    await idle();
    expect(arrivals()).toEqual([]);
  });

  it('is left alone while its session is not in the list, and asked about afterward', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    rig.store.removeSession(keyOf('s1'));
    await advance(2 * hourMs);
    rig.store.addSession({ key: keyOf('s1'), addedAt: 1 });
    await idle();
    expect(rig.entries()).toMatchObject([{ state: 'notSent' }]);
    expect(arrivals()).toEqual([]);
  });

  it('survives a disk that is full at its time, and is sent once when the disk is free', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    rig.disk.writeError = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    await advance(hourMs);
    rig.disk.writeError = undefined;
    for (const { entryId, state } of rig.entries()) if (state === 'notSent') await rig.outbox.sendAgain(entryId);
    await until(() => arrivals().length === 1);
  });
});

it('a message that waits for another session waits while its status is unknown (R54)', async () => {
  await rig.enqueue('later', 's1', { kind: 'sessionIdle', key: keyOf('s2') });
  for (const status of ['unknown', 'running', 'unknown'] as const) {
    rig.readSession('s2', status);
    await idle();
    expect(arrivals()).toEqual([]);
  }
  rig.readSession('s2', 'idle');
  await until(() => arrivals().length === 1);
});

describe('the user', () => {
  it('sends a scheduled message now, from another window, although the agent is running', async () => {
    rig.whileRunning = 'whenIdle';
    rig.readSession('s1', 'running');
    const { entryId } = await rig.enqueue('later', 's1', inMs(hourMs));
    const other = await secondWindow();
    other.whileRunning = 'whenIdle';
    other.readSession('s1', 'running');
    expect(await other.outbox.sendNow(entryId)).toBe(true);
    await until(() => arrivals().length === 1);
    await advance(2 * hourMs);
    expect(arrivals()).toEqual(['later']);
  });

  it('changes the time from another window; the earlier one no longer counts', async () => {
    const { entryId } = await rig.enqueue('later', 's1', inMs(hourMs));
    const other = await secondWindow();
    expect(await other.outbox.reschedule(entryId, inMs(2 * hourMs))).toBe(true);
    await advance(hourMs + toleranceMs);
    expect(arrivals()).toEqual([]);
    expect(rig.entries()).toMatchObject([{ state: 'queued', after: { kind: 'time' } }]);
    await advance(hourMs);
    await until(() => arrivals().length === 1);
    await idle();
    expect(arrivals()).toEqual(['later']);
  });

  it('schedules a message again whose time passed', async () => {
    const { entryId } = await rig.enqueue('later', 's1', inMs(hourMs));
    rig.clock.jump(2 * hourMs);
    rig.outbox.wake();
    await until(() => isAsked());
    expect(await rig.outbox.reschedule(entryId, inMs(hourMs))).toBe(true);
    expect(rig.entries()).toMatchObject([{ state: 'queued' }]);
    await advance(hourMs + 1);
    expect(arrivals()).toEqual(['later']);
  });

  it('sends a message again that missed its time, behind those that are queued', async () => {
    const { entryId } = await rig.enqueue('later', 's1', inMs(hourMs));
    rig.clock.jump(2 * hourMs);
    rig.outbox.wake();
    await until(() => isAsked());
    rig.isOnline = false;
    await rig.enqueue('first');
    expect(await rig.outbox.sendAgain(entryId)).toBe(true);
    expect(rig.entries().map(({ text }) => text)).toEqual(['first', 'later']);
  });

  it('cancels it or moves it to the draft before its time', async () => {
    const first = await rig.enqueue('first', 's1', inMs(hourMs));
    const second = await rig.enqueue('second', 's1', inMs(hourMs));
    const kept: string[] = [];
    expect(await rig.outbox.cancel(first.entryId)).toBe(true);
    const keep = (_: unknown, { text }: { readonly text: string }) => Promise.resolve(() => void kept.push(text));
    expect(await rig.outbox.edit(second.entryId, keep)).toBe(true);
    expect(rig.entries()).toEqual([]);
    await advance(2 * hourMs);
    expect(arrivals()).toEqual([]);
    expect(await readdir(join(rig.folder, 'outbox'))).toEqual([]);
  });

  it('can not reschedule a message that is not scheduled', async () => {
    rig.isOnline = false;
    const { entryId } = await rig.enqueue('now');
    expect(await rig.outbox.reschedule(entryId, inMs(hourMs))).toBe(false);
    expect(await rig.outbox.sendNow('unknown')).toBe(false);
  });
});

describe('two windows', () => {
  it('send a scheduled message once', async () => {
    const other = await secondWindow();
    await rig.enqueue('later', 's1', inMs(hourMs));
    await until(async () => {
      await idle();
      return other.entries().length === 1;
    });
    await advance(hourMs);
    await until(async () => {
      await advance(1_000);
      return arrivals().length > 0;
    });
    await advance(hourMs);
    expect(arrivals()).toEqual(['later']);
  });

  describe('on two computers whose clocks differ', () => {
    let other: OutboxRig;
    beforeEach(async () => {
      other = await rig.secondWindow(sessions, { host: 'another computer' });
      others.push(other);
    });
    /** Sets the clock of the other computer, and lets both computers compare their clocks with the service's. */
    const setOther = (offsetMs: number) => {
      other.clockOffsetMs = offsetMs;
      for (const window of [rig, other]) window.poll();
    };

    it.each([hourMs, -hourMs, 0])(
      'send the message by the clock of the one on which it was scheduled: %d ms',
      async (offsetMs) => {
        setOther(offsetMs);
        const after = inMs(30_000);
        await rig.enqueue('later', 's1', after);
        await advance(20_000);
        expect(arrivals()).toEqual([]);
        await advance(10_000);
        expect(arrivals()).toEqual(['later']);
      },
    );

    it.each([
      ['mbp.corp.example', ['later']],
      ['MBP', ['later']],
      ['mbp2.local', []],
    ])('are one computer if only the domain of its name changed: mbp.local, %s', async (host, sent) => {
      const first = await rig.secondWindow(sessions, { host: 'mbp.local' });
      await first.enqueue('later', 's1', inMs(30_000));
      await first.close();
      others.push(await rig.secondWindow(sessions, { host }));
      await advance(30_000);
      await advance(1_000);
      expect(arrivals()).toEqual(sent);
    });

    it('use the clock of the one on which the time was last changed', async () => {
      setOther(-hourMs);
      const { entryId } = await rig.enqueue('later', 's1', inMs(30_000));
      await until(async () => {
        await advance(100);
        return other.entries().length === 1;
      });
      const at = other.now + 60_000;
      expect(await other.outbox.reschedule(entryId, { kind: 'time', at })).toBe(true);
      await advance(at - other.now - 1);
      expect(arrivals()).toEqual([]);
      await advance(1);
      expect(arrivals()).toEqual(['later']);
    });

    it.each([2 * hourMs, -2 * hourMs, 0])('ask the user if VS Code was closed on that one: %d ms', async (offsetMs) => {
      setOther(offsetMs);
      await rig.enqueue('later', 's1', inMs(hourMs));
      await advance(1_000);
      rig.outbox.dispose();
      await idle();
      await advance(hourMs + toleranceMs - 5_000);
      expect(other.entries()).toMatchObject([{ state: 'queued' }]);
      await advance(10_000);
      expect(isAsked(other)).toBe(true);
      expect(arrivals()).toEqual([]);
    });

    it('ask the user if the clocks can not be compared', async () => {
      other.clockOffsetMs = hourMs;
      await rig.enqueue('later', 's1', inMs(30_000));
      await until(async () => {
        await advance(1_000);
        return isAsked();
      });
      expect(arrivals()).toEqual([]);
    });
  });

  it('leave the message to the window that was awake at its time', async () => {
    const other = await secondWindow();
    await rig.enqueue('later', 's1', inMs(hourMs));
    await until(async () => {
      await idle();
      return other.entries().length === 1;
    });
    rig.isSuspended = true;
    await advance(hourMs + 5_000);
    await until(() => arrivals().length === 1);
    await advance(hourMs);
    rig.resume();
    await idle();
    expect(arrivals()).toEqual(['later']);
    expect(rig.entries().map(({ state }) => state)).not.toContain('notSent');
  });
});

describe('a message that waits for another session', () => {
  it('is sent once, after a refresh that shows the session idle', async () => {
    rig.readSession('s2', 'idle');
    await rig.enqueue('later', 's1', whenOtherIdle);
    await advance(hourMs);
    expect(arrivals()).toEqual([]);
    rig.readSession('s2', 'running');
    await idle();
    expect(arrivals()).toEqual([]);
    rig.readSession('s2', 'idle');
    await until(() => arrivals().length === 1);
    rig.readSession('s2', 'idle');
    await advance(hourMs);
    expect(arrivals()).toEqual(['later']);
  });

  it('is not sent because of the state from an earlier window', async () => {
    await rig.enqueue('later', 's1', whenOtherIdle);
    await rig.restart(sessions);
    const session = { sessionId: 's2', status: 'idle', messageCount: 0, createdAt: 1, updatedAt: 1 } as const;
    rig.store.rememberSession(keyOf('s2'), { session, asOf: rig.clock.now() });
    await advance(hourMs);
    expect(arrivals()).toEqual([]);
    rig.readSession('s2', 'idle');
    await until(() => arrivals().length === 1);
  });

  it('is not sent while the session can not be reached', async () => {
    rig.readSession('s2', 'idle');
    await rig.enqueue('later', 's1', whenOtherIdle);
    rig.store.takeFailure(keyOf('s2'), { kind: 'unreachable', at: rig.clock.now() });
    await advance(hourMs);
    expect(arrivals()).toEqual([]);
    expect(rig.entries()).toMatchObject([{ state: 'queued' }]);
  });

  it('is not sent because of an idle state that was read before the session could no longer be reached', async () => {
    rig.isOnline = false;
    const { entryId } = await rig.enqueue('to the other', 's2');
    await rig.enqueue('later', 's1', whenOtherIdle);
    rig.readSession('s2', 'idle');
    rig.store.takeFailure(keyOf('s2'), { kind: 'unreachable', at: rig.clock.now() });
    await rig.outbox.discard(entryId);
    rig.outbox.wake();
    await idle();
    expect(rig.entries()).toMatchObject([{ after: { kind: 'sessionIdle' } }]);
  });

  it('waits for the messages that are on their way to the session', async () => {
    rig.isOnline = false;
    await rig.enqueue('to the other', 's2');
    await rig.enqueue('later', 's1', whenOtherIdle);
    rig.readSession('s2', 'idle');
    await idle();
    expect(rig.entries()).toMatchObject([{ after: { kind: 'sessionIdle' } }]);
    const earlier = rig.store.countRequest();
    rig.isOnline = true;
    rig.outbox.wake();
    await until(() => arrivals().length === 1);
    rig.readSession('s2', 'idle', earlier);
    await idle();
    rig.poll('s2');
    await idle();
    rig.outbox.wake();
    await idle();
    expect(arrivals()).toEqual(['to the other']);
    rig.readSession('s2', 'idle');
    await until(() => arrivals().length === 2);
  });

  it('asks the user if the session was removed from the list, but not if that was undone', async () => {
    await rig.enqueue('later', 's1', whenOtherIdle);
    rig.store.removeSession(keyOf('s2'));
    await advance(missingMs - 1);
    rig.store.addSession({ key: keyOf('s2'), addedAt: 1 });
    await advance(hourMs);
    expect(rig.entries()).toMatchObject([{ state: 'queued' }]);
    rig.store.removeSession(keyOf('s2'));
    await advance(missingMs);
    expect(isAsked()).toBe(true);
    expect(arrivals()).toEqual([]);
  });

  it('asks the user just as soon if the clock is set back', async () => {
    await rig.enqueue('later', 's1', whenOtherIdle);
    await idle();
    rig.store.removeSession(keyOf('s2'));
    await idle();
    rig.clockOffsetMs = -24 * hourMs;
    await advance(2 * missingMs);
    expect(isAsked()).toBe(true);
  });

  it('asks the user just as soon if another message is sent in the meantime', async () => {
    await rig.enqueue('later', 's1', whenOtherIdle);
    rig.store.removeSession(keyOf('s2'));
    await advance(missingMs - 1_000);
    await rig.enqueue('now');
    await idle();
    expect(arrivals()).toEqual(['now']);
    await advance(1_000);
    expect(rig.entries().find(({ text }) => text === 'later')?.state).toBe('notSent');
  });

  it('asks the user if the session was not in the list at the start', async () => {
    await rig.enqueue('later', 's1', whenOtherIdle);
    await rig.restart(['s1']);
    await advance(missingMs);
    expect(isAsked()).toBe(true);
  });

  it('does not ask while the API keys are being read, because the session may be one of another service', async () => {
    await rig.enqueue('later', 's1', whenOtherIdle);
    const { connection } = rig.store;
    rig.store.setConnection({ kind: 'starting', service: { origin: keyOf('s1').origin, baseUrl: keyOf('s1').origin } });
    rig.store.removeSession(keyOf('s2'));
    await advance(2 * missingMs);
    expect(rig.entries()).toMatchObject([{ state: 'queued' }]);
    rig.store.setConnection(connection);
    await advance(missingMs - 1);
    expect(rig.entries()).toMatchObject([{ state: 'queued' }]);
    await advance(1);
    expect(isAsked()).toBe(true);
  });

  it.each([403, 404, 410])('asks the user if the service answers with status %d', async (status) => {
    await rig.enqueue('later', 's1', whenOtherIdle);
    rig.store.takeFailure(keyOf('s2'), { kind: 'status', status, at: rig.clock.now() });
    await until(() => isAsked());
    expect(arrivals()).toEqual([]);
  });

  it('ignores a failure that is older than the message', async () => {
    rig.store.takeFailure(keyOf('s2'), { kind: 'status', status: 404, at: rig.clock.now() });
    await rig.enqueue('later', 's1', whenOtherIdle);
    await advance(hourMs);
    expect(rig.entries()).toMatchObject([{ state: 'queued' }]);
  });

  it('can wait for another session instead, and only a later refresh counts', async () => {
    const { entryId } = await rig.enqueue('later', 's1', inMs(hourMs));
    rig.clock.advance(10);
    rig.readSession('s2', 'idle');
    await rig.outbox.reschedule(entryId, whenOtherIdle);
    await advance(2 * hourMs);
    expect(arrivals()).toEqual([]);
    rig.readSession('s2', 'idle');
    await until(() => arrivals().length === 1);
  });
});

describe('the file of a scheduled message', () => {
  const fileOf = async () => join(rig.folder, 'outbox', (await readdir(join(rig.folder, 'outbox')))[0] ?? '');

  it('has a version that earlier versions leave alone', async () => {
    await rig.enqueue('later', 's1', whenOtherIdle);
    const { version, record } = await readRecordFile(await fileOf());
    expect(version).toBe(2);
    expect(record['after']).toEqual(whenOtherIdle);
  });

  it('of an earlier version is still read', async () => {
    rig.isOnline = false;
    await rig.enqueue('old');
    const { record } = await readRecordFile(await fileOf());
    await replaceFile(await fileOf(), withChecksum({ version: 1, record }));
    await rig.restart(sessions);
    rig.isOnline = true;
    rig.outbox.wake();
    await until(() => arrivals().length === 1);
  });

  it('asks the user if it was lost after another window wrote it', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    const other = await secondWindow();
    rig.outbox.dispose();
    await rm(await fileOf());
    await until(async () => {
      rig.clock.advance(1_000);
      await other.idle();
      return other.entries()[0]?.state === 'unknown';
    });
    expect(other.entries()).toMatchObject([{ after: undefined }]);
    expect(arrivals()).toEqual([]);
  });

  it('asks the user if it was damaged', async () => {
    await rig.enqueue('later', 's1', inMs(hourMs));
    rig.outbox.dispose();
    const { version, record } = await readRecordFile(await fileOf());
    const damaged = withChecksum({ version, record }).replace('later', 'later!');
    await replaceFile(await fileOf(), damaged);
    await rig.restart(sessions);
    await advance(2 * hourMs);
    expect(rig.entries()).toMatchObject([{ state: 'unknown', after: undefined }]);
    expect(arrivals()).toEqual([]);
  });
});
