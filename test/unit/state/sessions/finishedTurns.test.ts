import { describe, expect, it } from 'vitest';
import type { SessionStatus } from '../../../../src/api/resources/session.ts';
import { FinishedTurns, describeFinished } from '../../../../src/state/sessions/finishedTurns.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { key, minuteMs, now, recordOf, sessionOf, t } from '../samples.ts';

const at = (minutes: number, status: SessionStatus, part: Partial<SessionRecord> = {}) =>
  recordOf({ session: sessionOf({ status }), asOf: now + minutes * minuteMs, ...part });
const down = { kind: 'unreachable', code: 'ECONNREFUSED', at: now } as const;

describe('an agent has finished', () => {
  it('where a reading found it idle after a reading found it at work', () => {
    const turns = new FinishedTurns();
    expect(turns.take(at(0, 'idle'))).toBeUndefined();
    expect(turns.take(at(1, 'pending'))).toBeUndefined();
    expect(turns.take(at(2, 'running'))).toBeUndefined();
    expect(turns.take(at(7, 'idle'))).toEqual({ key, workedMs: 6 * minuteMs });
    expect(turns.take(at(8, 'idle'))).toBeUndefined();
  });

  it('without saying since when where its beginning was not seen', () => {
    const turns = new FinishedTurns();
    turns.take(at(0, 'running'));
    turns.take(at(1, 'running'));
    expect(turns.take(at(2, 'idle'))).toEqual({ key });
  });

  it.each([
    ['known from an earlier window', at(0, 'running', { isRemembered: true })],
    ['read before it failed', at(0, 'running', { failure: down })],
    ['in a state nobody knows', at(0, 'unknown')],
  ])('not by a state %s', (_what, record) => {
    const turns = new FinishedTurns();
    turns.take(record);
    expect(turns.take(at(1, 'idle'))).toBeUndefined();
  });

  it('not where reading failed, nor where the next state is not known; then when it is known', () => {
    const turns = new FinishedTurns();
    turns.take(at(0, 'running'));
    expect(turns.take(at(1, 'idle', { failure: down }))).toBeUndefined();
    expect(turns.take(at(2, 'idle'))).toEqual({ key });
    turns.take(at(3, 'running'));
    expect(turns.take(at(4, 'unknown'))).toBeUndefined();
    expect(turns.take(at(5, 'idle'))).toBeUndefined();
  });

  it('not where it left the deck meanwhile', () => {
    const turns = new FinishedTurns();
    turns.take(at(0, 'running'));
    turns.forgetAllBut([]);
    expect(turns.take(at(1, 'idle'))).toBeUndefined();
  });
});

describe('the notice', () => {
  const turn = (title: string, workedMs?: number) => ({
    record: recordOf({ session: sessionOf({ title }) }),
    workedMs,
  });

  it('says which and after how long, as far as that is known', () => {
    expect(describeFinished([turn('Fix', 6 * minuteMs)], t)).toBe('"\u2068Fix\u2069" finished after 6 min.');
    expect(describeFinished([turn('Fix', 9_000)], t)).toBe('"\u2068Fix\u2069" finished after less than a minute.');
    expect(describeFinished([turn('Fix')], t)).toBe('"\u2068Fix\u2069" finished.');
    expect(describeFinished([], t)).toBe('');
  });

  it('is one for several', () => {
    expect(describeFinished([turn('A'), turn('B')], t)).toBe('2 sessions finished: "A", "B".');
    const five = ['A', 'B', 'C', 'D', 'E'].map((title) => turn(title));
    expect(describeFinished(five, t)).toBe('5 sessions finished: "A", "B", "C" and 2 more.');
  });
});
