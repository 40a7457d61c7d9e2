import { describe, expect, it } from 'vitest';
import type { SessionStatus } from '../../../../src/api/resources/session.ts';
import {
  FinishedTurns,
  answerOf,
  describeFinished,
  hasFailed,
  isBeingRead,
} from '../../../../src/state/sessions/finishedTurns.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import type { SessionRecord, Tail } from '../../../../src/state/store/sessionRecord.ts';
import { headerOf, key, minuteMs, now, recordOf, sessionOf, t } from '../samples.ts';

const at = (minutes: number, status: SessionStatus, part: Partial<SessionRecord> = {}) =>
  recordOf({ session: sessionOf({ status, updatedAt: minutes * minuteMs }), asOf: now + minutes * minuteMs, ...part });
const states = (workingMinutes: number, idleMinutes: number) => ({
  workingAt: workingMinutes * minuteMs,
  idleAt: idleMinutes * minuteMs,
});
const unread = { completeness: 'unread', isLoading: false } as const;
const down = { kind: 'unreachable', code: 'ECONNREFUSED', at: now } as const;

describe('a finished turn is detected', () => {
  it('if a refresh finds the agent idle after an earlier one found it working', () => {
    const turns = new FinishedTurns();
    expect(turns.take(at(0, 'idle'))).toBeUndefined();
    expect(turns.take(at(1, 'pending'))).toBeUndefined();
    expect(turns.take(at(2, 'running'))).toBeUndefined();
    expect(turns.take(at(7, 'idle'))).toEqual({ key, workedMs: 6 * minuteMs, ...states(2, 7) });
    expect(turns.take(at(8, 'idle'))).toBeUndefined();
  });

  it('with the last state in which the agent was working, and the one in which it was idle', () => {
    const turns = new FinishedTurns();
    turns.take(recordOf({ session: sessionOf({ status: 'running', updatedAt: 10 }) }));
    turns.take(recordOf({ session: sessionOf({ status: 'running', updatedAt: 20 }) }));
    const idle = recordOf({ session: sessionOf({ status: 'idle', updatedAt: 30 }) });
    expect(turns.take(idle)).toMatchObject({ workingAt: 20, idleAt: 30 });
  });

  it('with the duration by the clock of the service', () => {
    const turns = new FinishedTurns();
    const session = (status: SessionStatus, minutes: number) => sessionOf({ status, updatedAt: minutes * minuteMs });
    turns.take(at(0, 'idle'));
    turns.take(at(1, 'running', { session: session('running', 1) }));
    // This machine slept for 8 hours.
    expect(turns.take(at(481, 'idle', { session: session('idle', 4) }))).toMatchObject({ workedMs: 3 * minuteMs });
    turns.take(at(482, 'running', { session: session('running', 482) }));
    // Its clock was set back.
    expect(turns.take(at(427, 'idle', { session: session('idle', 487) }))).toMatchObject({ workedMs: 5 * minuteMs });
    turns.take(at(428, 'running', { session: session('running', 490) }));
    // The service reports no later change.
    expect(turns.take(at(429, 'idle', { session: session('idle', 490) }))).toEqual({ key, ...states(490, 490) });
  });

  it('without a duration if its start was not observed', () => {
    const turns = new FinishedTurns();
    turns.take(at(0, 'running'));
    turns.take(at(1, 'running'));
    expect(turns.take(at(2, 'idle'))).toEqual({ key, ...states(1, 2) });
  });

  it.each([
    ['known from an earlier window', at(0, 'running', { isRemembered: true })],
    ['read before it failed', at(0, 'running', { failure: down })],
    ['in a state nobody knows', at(0, 'unknown')],
  ])('but not for a state %s', (_what, record) => {
    const turns = new FinishedTurns();
    turns.take(record);
    expect(turns.take(at(1, 'idle'))).toBeUndefined();
  });

  it('but not by a failed refresh or an unknown status', () => {
    const turns = new FinishedTurns();
    turns.take(at(0, 'running'));
    expect(turns.take(at(1, 'idle', { failure: down }))).toBeUndefined();
    expect(turns.take(at(2, 'idle'))).toEqual({ key, ...states(0, 2) });
    turns.take(at(3, 'running'));
    expect(turns.take(at(4, 'unknown'))).toBeUndefined();
    expect(turns.take(at(5, 'idle'))).toEqual({ key, workedMs: 2 * minuteMs, ...states(3, 5) });
  });

  it('but not if the session was removed from the list', () => {
    const turns = new FinishedTurns();
    turns.take(at(0, 'running'));
    turns.forgetAllBut([]);
    expect(turns.take(at(1, 'idle'))).toBeUndefined();
  });
});

describe('a finished turn failed', () => {
  const reply = headerOf('m2');
  const error = headerOf('m3', { isError: true });
  const finishedWith = (before: MessageHeader[], after: MessageHeader[], isRead = true) => {
    const turns = new FinishedTurns();
    turns.take(at(0, 'running', { headers: before }));
    const history = { completeness: 'complete', isLoading: false, ...(isRead && { settledCount: 12 }) } as const;
    const record = at(2, 'idle', { headers: after, history });
    return hasFailed(turns.take(record)!, record);
  };

  it('if its last message is an error', () => {
    expect(finishedWith([reply], [reply, error])).toBe(true);
    expect(finishedWith([], [error])).toBe(true);
    expect(finishedWith([], [error, reply])).toBe(false);
    const removed = { ...error, isGone: true };
    expect(finishedWith([reply], [reply, removed])).toBe(false);
    expect(finishedWith([reply], [reply, error, { ...reply, messageId: 'm4', isGone: true }])).toBe(true);
  });

  it('if its newest messages were read without the conversation, and end in an error that came during the turn', () => {
    const tail = { messageCount: 12, messageId: 'm3', isError: true, excerpt: 'No space left', files: [] };
    const finishedFrom = (before: string | undefined, after: Partial<Tail> = {}) => {
      const turns = new FinishedTurns();
      const known = before === undefined ? {} : { tail: { ...tail, messageCount: 9, messageId: before } };
      turns.take(at(0, 'running', { history: unread, ...known }));
      const record = at(2, 'idle', { history: unread, tail: { ...tail, ...after } });
      const turn = turns.take(record)!;
      return [hasFailed(turn, record), answerOf(turn, record)];
    };
    const answer = { firstLine: 'Done.', isOfTurn: true };
    expect(finishedFrom(undefined)).toEqual([true, 'No space left']);
    expect(finishedFrom('m1')).toEqual([true, 'No space left']);
    expect(finishedFrom('m3')).toEqual([false, undefined]);
    expect(finishedFrom('m1', { isError: false, answer })).toEqual([false, 'Done.']);
    expect(finishedFrom('m1', { isError: false, answer: { ...answer, isOfTurn: false } })).toEqual([false, undefined]);
    expect(finishedFrom('m1', { messageCount: 11 })).toEqual([false, undefined]);
    expect(finishedFrom('m1', { isUnreadable: true, isError: false })).toEqual([false, undefined]);
  });

  it('but not if the error was there before, or if newer messages may not be loaded', () => {
    expect(finishedWith([error], [error])).toBe(false);
    expect(finishedWith([reply], [reply, error], false)).toBe(false);
    expect(finishedWith([], [])).toBe(false);
  });
});

it.each([
  ['unread', undefined, false],
  ['partial', undefined, true],
  ['partial', 3, true],
  ['partial', 4, false],
  ['complete', 4, false],
] as const)(
  'the messages of a turn (%s, read up to %s of 4) are being read: %s',
  (completeness, settledCount, expected) => {
    const history = { completeness, isLoading: false, ...(settledCount !== undefined && { settledCount }) };
    expect(isBeingRead(recordOf({ session: sessionOf({ messageCount: 4 }), history }))).toBe(expected);
  },
);

describe('the notification', () => {
  const turn = (title: string, workedMs?: number) => ({
    record: recordOf({ session: sessionOf({ title }) }),
    workedMs,
    hasFailed: false,
  });
  const failed = (title: string, workedMs?: number) => ({ ...turn(title, workedMs), hasFailed: true });

  it('names the session, and the duration if known', () => {
    expect(describeFinished([turn('Fix', 6 * minuteMs)], t)).toBe('"\u2068Fix\u2069" finished after 6 min.');
    expect(describeFinished([turn('Fix', 9_000)], t)).toBe('"\u2068Fix\u2069" finished after less than a minute.');
    expect(describeFinished([{ ...turn('Fix', 9_000), answer: 'All tests pass.' }], t)).toBe(
      '"\u2068Fix\u2069" finished: \u2068All tests pass.\u2069',
    );
    expect(describeFinished([turn('Fix')], t)).toBe('"\u2068Fix\u2069" finished.');
    expect(describeFinished([], t)).toBe('');
  });

  const asking = (title: string, question = 'Which one?') => ({
    record: recordOf({ session: sessionOf({ title }), waiting: { messageId: 'm', rule: 'answer', question } }),
    workedMs: 6 * minuteMs,
    hasFailed: false,
  });

  it('says that the agent may be waiting, with its question, instead of finished', () => {
    expect(describeFinished([asking('Fix')], t)).toBe(
      '"\u2068Fix\u2069" may be waiting for you: \u2068Which one?\u2069',
    );
    expect(describeFinished([asking('Fix', '')], t)).toBe('"\u2068Fix\u2069" may be waiting for you.');
    expect(describeFinished([asking('A'), asking('B')], t)).toBe('2 sessions may be waiting for you: "A", "B".');
    expect(describeFinished([turn('A'), turn('B'), turn('C'), asking('D')], t)).toBe(
      '4 sessions finished, 1 of which may be waiting for you: "D", "A", "B" and 1 more.',
    );
    expect(describeFinished([failed('A'), asking('B'), turn('C')], t)).toBe(
      '3 sessions finished, 1 with an error, and 1 may be waiting for you: "B", "A", "C".',
    );
  });

  it('says that the agent failed', () => {
    expect(describeFinished([failed('Fix', 6 * minuteMs)], t)).toBe('"\u2068Fix\u2069" failed after 6 min.');
    expect(describeFinished([failed('Fix', 9_000)], t)).toBe('"\u2068Fix\u2069" failed after less than a minute.');
    expect(describeFinished([failed('Fix')], t)).toBe('"\u2068Fix\u2069" failed.');
    expect(describeFinished([{ ...failed('Fix'), answer: 'No space left' }], t)).toBe(
      '"\u2068Fix\u2069" failed: \u2068No space left\u2069',
    );
    expect(describeFinished([failed('A'), turn('B')], t)).toBe('2 sessions finished, 1 with an error: "A", "B".');
  });

  it('combines several sessions', () => {
    expect(describeFinished([turn('A'), turn('B')], t)).toBe('2 sessions finished: "A", "B".');
    const five = ['A', 'B', 'C', 'D', 'E'].map((title) => turn(title));
    expect(describeFinished(five, t)).toBe('5 sessions finished: "A", "B", "C" and 2 more.');
  });
});
