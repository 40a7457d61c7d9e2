import { describe, expect, it } from 'vitest';
import type { StoredEntry } from '../../../../src/sync/outbox/outboxFiles.ts';
import { QueuedMessage } from '../../../../src/sync/outbox/queuedMessage.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { keyOf } from './outboxRig.ts';

const attempt = { attemptId: 'a1', startedAt: 1, knownMessageIds: [] };

function open(more: Partial<StoredEntry> = {}): QueuedMessage {
  const entry = { entryId: 'e', key: keyOf('s1'), order: 1, text: 'hello', attachments: [], createdAt: 1 };
  return new QueuedMessage({ ...entry, state: 'queued', ...more });
}

/** A search, or anything else that can be ended. */
function activity() {
  const ended = { count: 0, dispose: () => ++ended.count };
  return ended;
}

describe('an interrupted attempt', () => {
  it('is uncertain unless this window knows that it sent nothing', () => {
    const message = open();
    expect(message.interruptedAttempt).toBe('uncertain');
    message.startSending(attempt);
    expect(message.interruptedAttempt).toBe('uncertain');
    message.rememberUnsent({ ...attempt, attemptId: 'a0' });
    expect(message.interruptedAttempt).toBe('uncertain');
    message.rememberUnsent(attempt);
    expect(message.interruptedAttempt).toBe('unsent');
  });

  it('is canceled if the user stopped it', () => {
    const message = open();
    const signal = message.startSending(attempt);
    expect([signal.aborted, message.isCanceled]).toEqual([false, false]);
    message.cancelRequest();
    expect([signal.aborted, message.isCanceled]).toEqual([true, true]);
    message.rememberUnsent(attempt);
    expect(message.interruptedAttempt).toBe('canceled');
  });

  it('is uncertain if it has no ID', () => {
    const unnamed = { startedAt: 1, knownMessageIds: [] };
    const message = open({ state: 'sending', attempt: unnamed });
    message.rememberUnsent(unnamed);
    expect(message.interruptedAttempt).toBe('uncertain');
  });
});

describe('the search for an unknown message', () => {
  it('is due once, and only if the message has an attempt that was not searched for', () => {
    for (const more of [{ state: 'queued', attempt }, { state: 'unknown' }] as const) {
      const message = open(more);
      message.requestSearch();
      expect([message.isSearching, message.isSearchDue]).toEqual([false, false]);
    }
    const message = open({ state: 'unknown', attempt });
    message.requestSearch();
    expect([message.isSearching, message.isSearchDue]).toEqual([true, true]);
    const search = activity();
    message.startSearch(search);
    message.requestSearch();
    expect([message.isSearching, message.isSearchDue, search.count]).toEqual([true, false, 0]);
    message.completeSearch();
    message.requestSearch();
    expect([message.isSearching, search.count, message.stored.attempt?.isSearched]).toEqual([false, 1, true]);
  });

  it('ends at once if the message is no longer unknown', () => {
    const search = activity();
    open().startSearch(search);
    expect(search.count).toBe(1);
  });

  it('can be handed over to another window only while it is running', () => {
    const message = open({ state: 'unknown', attempt });
    message.handSearchOver();
    expect(message.isSearching).toBe(false);
    const search = activity();
    message.startSearch(search);
    message.handSearchOver();
    expect([message.isSearchDue, search.count]).toEqual([true, 1]);
  });

  it('ends with the message that was found', () => {
    const message = open({ state: 'unknown', attempt });
    const search = activity();
    message.startSearch(search);
    message.setFound('m1');
    expect([message.foundMessageId, message.isSearching, search.count]).toEqual(['m1', false, 1]);
    message.applyRemoteChange({ ...message.stored }, undefined);
    expect(message.foundMessageId).toBe('m1');
    message.apply({ to: 'accepted', added: { messageId: 'm1', status: 'running' } });
    expect([message.foundMessageId, message.status, message.stored.messageId]).toEqual([undefined, 'running', 'm1']);
  });
});

describe('a message in memory', () => {
  it('has a request of this window only until the request has ended', () => {
    const message = open({ state: 'sending', attempt });
    expect(message.isSendingHere).toBe(false);
    const own = open();
    own.startSending(attempt);
    expect(own.isSendingHere).toBe(true);
    own.endRequest();
    expect([own.isSendingHere, own.state]).toEqual([false, 'sending']);
  });

  it('shows its progress only while it is being sent', () => {
    const message = open();
    message.setProgress(0.5);
    expect(message.toEntry().progress).toBeUndefined();
    message.startSending(attempt);
    message.setProgress(0.5);
    expect(message.toEntry().progress).toBe(0.5);
    message.apply({ to: 'unknown', failure: { kind: 'unreachable', at: 1 } });
    expect(message.toEntry()).toMatchObject({ state: 'unknown', progress: undefined });
  });

  it('keeps its candidate when its outcome becomes unknown, and loses it when it is accepted', () => {
    const message = open();
    message.setCandidate('m1');
    expect(message.candidateMessageId).toBeUndefined();
    message.startSending(attempt);
    message.setCandidate('m1');
    message.apply({ to: 'unknown', failure: { kind: 'unreachable', at: 1 } });
    expect(message.candidateMessageId).toBe('m1');
    message.acceptLate({ messageId: 'm1', status: 'idle' });
    expect([message.candidateMessageId, message.status, message.stored.problem]).toEqual([
      undefined,
      'idle',
      undefined,
    ]);
  });

  it('is hidden only if it is accepted', () => {
    const message = open();
    message.hide();
    expect(message.isHidden).toBe(false);
    message.acceptLate({ messageId: 'm1', status: 'idle' });
    expect(message.isHidden).toBe(false);
    message.hide();
    expect(message.isHidden).toBe(true);
  });

  it('is left to the window in which it was typed until the given time', () => {
    const clock = new FakeClock();
    const message = open();
    let isOver = false;
    message.leaveToOthers(clock, 3_000, () => (isOver = true));
    clock.advance(2_999);
    expect([message.isLeftToOthers, isOver]).toEqual([true, false]);
    clock.advance(1);
    expect([message.isLeftToOthers, isOver]).toEqual([false, true]);
    message.leaveToOthers(clock, 3_000, () => undefined);
    message.release();
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ['queued', 'unknown'],
    ['sending', 'unknown'],
    ['notSent', 'notSent'],
    ['unknown', 'unknown'],
    ['accepted', 'accepted'],
  ] as const)('whose file is lost while it is %s becomes %s if another window wrote the file', (state, after) => {
    const message = open({ state });
    message.restore(7);
    expect(message.state).toBe(after);
    const isDecided = state === 'queued' || state === 'sending';
    expect(message.stored.problem).toEqual(isDecided ? { kind: 'disk', code: 'ELOST', at: 7 } : undefined);
    const own = open({ state });
    own.noteWritten(own.stored);
    own.restore(7);
    expect([own.state, own.stored.problem]).toEqual([state, undefined]);
  });

  it('is more complete than its rescued file, unless it was rescued itself', () => {
    const rescued = open({ state: 'unknown', isRescued: true });
    expect(open().isMoreCompleteThan(rescued.stored)).toBe(true);
    expect(open().isMoreCompleteThan({ ...rescued.stored, state: 'queued' })).toBe(false);
    expect(open().isMoreCompleteThan({ ...rescued.stored, isRescued: undefined })).toBe(false);
    expect(rescued.isMoreCompleteThan(rescued.stored)).toBe(false);
  });

  it('is queued again or discarded by the user whether its outcome is unknown or it was not sent', () => {
    for (const state of ['unknown', 'notSent'] as const) {
      const message = open({ state, isRescued: true, problem: { kind: 'unreachable', at: 1 } });
      message.requeue();
      expect(message.stored).toMatchObject({ state: 'queued', isRescued: undefined, problem: undefined });
      const other = open({ state });
      other.discard();
      expect(other.isGone).toBe(true);
    }
    expect(() => open({ state: 'accepted' }).requeue()).toThrow();
    expect(() => open({ state: 'sending' }).discard()).toThrow();
  });
});

it('an unknown message does not take a found message of which another window knows that it is not its own', () => {
  const message = open({ state: 'unknown', attempt });
  message.setFound('m1');
  expect(message.foundMessageId).toBe('m1');
  const known = { ...attempt, knownMessageIds: ['m1'] };
  message.applyRemoteChange({ ...message.stored, attempt: known }, 'idle');
  expect(message.foundMessageId).toBeUndefined();
  expect(message.exclude('m1')).toBe(false);
  message.setFound('m2');
  expect(message.isSearching).toBe(false);
  expect([message.exclude('m2'), message.foundMessageId, message.isSearching]).toEqual([true, undefined, true]);
});
