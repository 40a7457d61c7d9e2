import { describe, expect, it } from 'vitest';
import { isUnreached } from '../../../../src/state/store/connection.ts';
import {
  childSessionIds,
  emptyDraft,
  isEmptyDraft,
  isUnread,
  isWorking,
  readMarkOf,
  turnStart,
  unsentComments,
} from '../../../../src/state/store/sessionRecord.ts';
import { attachment, comment, key, recordOf, sessionOf } from '../samples.ts';

describe('the start of the last turn', () => {
  const at = (updatedAt: number, status: 'idle' | 'running' | 'pending' = 'idle', messageCount = 3) =>
    sessionOf({ updatedAt, status, messageCount });

  it('is the time of the last change when a session is first seen', () => {
    expect(turnStart({}, at(10, 'running'))).toBe(10);
  });

  it('moves when the agent starts working, and not while it works or when it finishes', () => {
    expect(turnStart({ session: at(10), turnStartedAt: 5 }, at(12, 'pending'))).toBe(12);
    expect(turnStart({ session: at(12, 'pending'), turnStartedAt: 12 }, at(14, 'running', 4))).toBe(12);
    expect(turnStart({ session: at(14, 'running', 4), turnStartedAt: 12 }, at(20, 'idle', 9))).toBe(12);
  });

  it('moves when a turn has come and gone between two refreshes, and not when settings change', () => {
    expect(turnStart({ session: at(10), turnStartedAt: 5 }, at(12, 'idle', 5))).toBe(12);
    expect(turnStart({ session: at(10), turnStartedAt: 5 }, at(12))).toBe(5);
  });
});

describe('the read mark of a session', () => {
  const session = sessionOf({ messageCount: 3, updatedAt: 10 });

  it.each([
    ['idle', false],
    ['running', true],
    ['pending', true],
  ] as const)('has the state that the user views (%s)', (status, wasAtWork) => {
    expect(readMarkOf({ ...session, status })).toEqual({ messageCount: 3, updatedAt: 10, wasAtWork });
    expect(isWorking({ ...session, status })).toBe(wasAtWork);
  });

  it('is out of date after a later change of the number of messages, or any later change if the agent was working', () => {
    const mark = readMarkOf(session);
    const later = (messageCount: number, updatedAt = 11) => ({ ...session, messageCount, updatedAt });
    expect([isUnread(later(3), mark), isUnread(later(4), mark), isUnread(later(2), mark)]).toEqual([false, true, true]);
    expect(isUnread(later(4, 10), mark)).toBe(false);
    expect(isUnread(later(3), { ...mark, wasAtWork: true })).toBe(true);
    expect(isUnread(later(3, 10), { ...mark, wasAtWork: true })).toBe(false);
  });

  it('can say that the session is unread, and does not if it or the session is missing', () => {
    const mark = readMarkOf(session);
    expect([isUnread(session, { ...mark, isUnread: true }), isUnread(undefined, { ...mark, isUnread: true })]).toEqual([
      true,
      true,
    ]);
    expect([isUnread(undefined, mark), isUnread(session, undefined), isWorking(undefined)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

it('a draft is empty without text, attachments, and a computer', () => {
  expect(isEmptyDraft(emptyDraft)).toBe(true);
  expect(isEmptyDraft({ ...emptyDraft, text: ' ' })).toBe(false);
  expect(isEmptyDraft({ ...emptyDraft, attachments: [attachment] })).toBe(false);
  expect(isEmptyDraft({ ...emptyDraft, computerId: 'c1' })).toBe(false);
  expect(isEmptyDraft({ ...emptyDraft, comments: [comment] })).toBe(false);
});

it('comments that were edited or added after they were sent are unsent', () => {
  const edited = { ...comment, commentId: 'c2', text: 'more' };
  const added = { ...comment, commentId: 'c3' };
  expect(unsentComments([{ ...comment }, edited, added], [comment, { ...edited, text: '' }])).toEqual([edited, added]);
  expect(unsentComments([comment], [])).toEqual([comment]);
});

it('the children of a session are those with an ID of their own', () => {
  const childInclusiveTokenUsageBySessionId = { '': {}, [key.sessionId]: {}, child: {}, x: {} };
  const session = sessionOf({ sessionSettings: { childInclusiveTokenUsageBySessionId } });
  expect(childSessionIds(recordOf({ session }))).toEqual(['child', 'x']);
  expect(childSessionIds(recordOf({ session: sessionOf() }))).toEqual([]);
  expect(childSessionIds(recordOf({ session: undefined }))).toEqual([]);
});

it('a session is not reached only if its service was unreachable', () => {
  expect(isUnreached(recordOf({ failure: { kind: 'unreachable', at: 1 } }))).toBe(true);
  expect(isUnreached(recordOf({ failure: { kind: 'status', at: 1 } }))).toBe(false);
  expect([isUnreached(recordOf()), isUnreached(undefined)]).toEqual([false, false]);
});
