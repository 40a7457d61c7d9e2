import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionStatus } from '../../../../src/api/resources/session.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import {
  type TailCandidate,
  TailQueue,
  longestQuietMs,
  maxStartReads,
  nextTail,
} from '../../../../src/sync/tails/tailQueue.ts';
import { key, now, sessionOf, unreadRecord } from '../../state/samples.ts';

const keyOf = (sessionId: string) => ({ ...key, sessionId });
const own: ReadonlySet<string> = new Set([key.origin]);
const candidate = fc.record({
  key: fc.nat(10_000).map((number) => keyOf(`s${number}`)),
  messageCount: fc.option(fc.nat(9), { nil: undefined }),
  isRefreshed: fc.boolean(),
  isFollowed: fc.boolean(),
  changedAt: fc.integer({ min: now - 2 * longestQuietMs, max: now }),
  notBefore: fc.integer({ min: now - 5, max: now + 5 }),
  attempts: fc.nat(3),
});

interface State {
  readonly sessionId: string;
  readonly status?: SessionStatus;
  readonly messageCount?: number;
  readonly ageMs?: number;
  readonly part?: Partial<SessionRecord>;
}

function recordWith({ sessionId, status = 'idle', messageCount = 3, ageMs = 0, part = {} }: State): SessionRecord {
  const session = sessionOf({ sessionId, status, messageCount, updatedAt: now - ageMs });
  return unreadRecord({ listEntry: { key: keyOf(sessionId), addedAt: now }, session, asOf: now, ...part });
}

describe('the session to read next', () => {
  it('is due, allowed, and the first of those', () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 40 }), fc.nat(2), (candidates, left) => {
        const next = nextTail(candidates, left, now);
        const isAllowed = (one: TailCandidate) =>
          one.notBefore <= now && (one.isFollowed || (left > 0 && now - one.changedAt <= longestQuietMs));
        const allowed = candidates.filter(isAllowed);
        expect(next === undefined).toBe(allowed.length === 0);
        if (!next) return;
        expect(allowed).toContain(next);
        expect(next.isFollowed).toBe(allowed.some(({ isFollowed }) => isFollowed));
        const same = allowed.filter(({ isFollowed }) => isFollowed === next.isFollowed);
        expect(next.changedAt).toBe(Math.max(...same.map(({ changedAt }) => changedAt)));
      }),
    );
  });
});

/** Reads everything that is due. Returns `<session ID> <message count>` for each read, in order. */
function drain(queue: TailQueue, at: number): string[] {
  const read: string[] = [];
  for (let next = queue.next(own, at); next; next = queue.next(own, at)) {
    read.push(`${next.key.sessionId} ${next.messageCount ?? '?'}`);
    queue.begin(next);
    queue.end(next);
  }
  return read;
}

describe('the queue', () => {
  it('holds its caps for 10,000 sessions, most recent first', () => {
    const queue = new TailQueue();
    const minute = 60_000;
    for (let place = 9_999; place >= 0; place--)
      queue.follow(recordWith({ sessionId: `s${place}`, ageMs: place * 10 * minute }), false, now);
    const read = drain(queue, now);
    expect(read).toEqual(Array.from({ length: maxStartReads }, (_, place) => `s${place} 3`));
    for (let place = 0; place < 10_000; place++)
      queue.follow(recordWith({ sessionId: `s${place}`, ageMs: place * 10 * minute }), false, now);
    expect(drain(queue, now)).toEqual([]);
    // A session whose agent finishes is still read, even if it is old.
    queue.follow(recordWith({ sessionId: 's9999', status: 'running', messageCount: 4 }), false, now);
    queue.follow(recordWith({ sessionId: 's9999', messageCount: 5 }), false, now);
    expect(drain(queue, now)).toEqual(['s9999 5']);
  });

  const step = fc.oneof(
    fc.record({
      kind: fc.constant('state' as const),
      session: fc.nat(5),
      status: fc.constantFrom<SessionStatus>('idle', 'running', 'pending', 'unknown'),
      grows: fc.nat(2),
      isOpen: fc.boolean(),
      isRemembered: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('read' as const), outcome: fc.constantFrom('end', 'later', 'busy') }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(100_000) }),
  );

  it('never reads a session twice for the same count, nor during a rest, nor one that works or is open', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const queue = new TailQueue();
        const counts = new Map<string, number>();
        const states = new Map<string, { status: SessionStatus; isOpen: boolean }>();
        const ended = new Set<string>();
        let [at, restUntil] = [now, 0];
        for (const one of steps) {
          if (one.kind === 'pass') at += one.ms;
          else if (one.kind === 'state') {
            const sessionId = `s${one.session}`;
            const messageCount = (counts.get(sessionId) ?? 1) + one.grows;
            counts.set(sessionId, messageCount);
            states.set(sessionId, { status: one.status, isOpen: one.isOpen });
            const part = { isRemembered: one.isRemembered };
            queue.follow(recordWith({ sessionId, status: one.status, messageCount, part }), one.isOpen, at);
          } else {
            const next = queue.next(own, at);
            if (!next) continue;
            expect(at).toBeGreaterThanOrEqual(restUntil);
            const { sessionId } = next.key;
            expect(states.get(sessionId)).toEqual({ status: 'idle', isOpen: false });
            expect(next.messageCount).toBe(counts.get(sessionId));
            const read = `${sessionId} ${next.messageCount}`;
            expect(ended.has(read)).toBe(false);
            queue.begin(next);
            if (one.outcome === 'end') {
              ended.add(read);
              queue.end(next);
            } else if (one.outcome === 'later') {
              queue.postpone(next, at + 1_000, true);
              expect(queue.next(own, at)?.key.sessionId).not.toBe(sessionId);
            } else {
              restUntil = at + 60_000;
              queue.rest(key.origin, restUntil, at);
              expect(queue.next(own, at)).toBeUndefined();
              expect(queue.waitMs(own, at)).toBeGreaterThanOrEqual(60_000);
            }
          }
        }
      }),
    );
  });

  it.each([-3_600_000, 3_600_000])('does not depend on a clock that is set by %d ms', (byMs) => {
    const queue = new TailQueue();
    queue.follow(recordWith({ sessionId: 'a' }), false, now);
    const next = queue.next(own, now);
    if (!next) throw new Error('nothing is due');
    queue.rest(key.origin, now + 60_000, now);
    queue.postpone(next, now + 30_000, true);
    expect(queue.waitMs(own, now)).toBe(60_000);
    const at = now + byMs;
    expect(queue.waitMs(own, at)).toBe(0);
    expect(queue.next(own, at)).toMatchObject({ key: next.key, attempts: 1 });
    queue.rest(key.origin, at + 60_000, at);
    expect(queue.next(own, at)).toBeUndefined();
    expect(queue.waitMs(own, at)).toBe(60_000);
    queue.rest(key.origin, at + 10_000, at);
    expect(queue.waitMs(own, at)).toBe(60_000);
  });

  it('lets one service rest, and reads those of another', () => {
    const queue = new TailQueue();
    const other = { origin: 'https://other.test', sessionId: 'a' };
    const both = new Set([key.origin, other.origin]);
    const record = recordWith({ sessionId: 'a' });
    queue.follow(record, false, now);
    queue.follow({ ...record, listEntry: { ...record.listEntry, key: other } }, false, now);
    expect(queue.origins).toEqual(both);
    queue.rest(key.origin, now + 60_000, now);
    expect(queue.next(own, now)).toBeUndefined();
    expect(queue.next(both, now)?.key).toEqual(other);
    expect(queue.waitMs(both, now)).toBe(0);
    expect(queue.waitMs(own, now)).toBe(60_000);
    expect(queue.next(new Set(), now)).toBeUndefined();
    queue.clearRest(new Set([other.origin]));
    expect(queue.next(own, now)).toBeUndefined();
    queue.clearRest(own);
    expect(queue.next(own, now)?.key).toEqual(keyOf('a'));
  });

  it('reads a session that was dropped before it was refreshed', () => {
    const queue = new TailQueue();
    queue.follow(recordWith({ sessionId: 'a', part: { isRemembered: true } }), false, now);
    const next = queue.next(own, now + 5_000);
    if (!next) throw new Error('nothing is due');
    queue.drop(next);
    expect(queue.has(next.key)).toBe(false);
    queue.follow(recordWith({ sessionId: 'a' }), false, now);
    queue.drop(next);
    expect(queue.next(own, now)).toMatchObject({ messageCount: 3, isRefreshed: true });
  });

  it('reads a session whose agent finished before others, whatever their age', () => {
    const queue = new TailQueue();
    queue.follow(recordWith({ sessionId: 'new' }), false, now);
    queue.follow(recordWith({ sessionId: 'old', status: 'running', ageMs: 2 * longestQuietMs }), false, now);
    queue.follow(recordWith({ sessionId: 'old', ageMs: 2 * longestQuietMs, messageCount: 4 }), false, now);
    queue.follow(recordWith({ sessionId: 'quiet', ageMs: 2 * longestQuietMs }), false, now);
    expect(drain(queue, now)).toEqual(['old 4', 'new 3']);
    expect(queue.waitMs(own, now)).toBeUndefined();
  });

  it.each<[string, Partial<SessionRecord>]>([
    ['failed', { failure: { kind: 'status', status: 404, at: now } }],
    ['is settled', { history: { completeness: 'partial', isLoading: false, settledCount: 3 } }],
    ['is known', { tail: { messageCount: 3, isError: false, excerpt: '', files: [] } }],
    ['is transient', { listEntry: { key: keyOf('a'), addedAt: now, isTransient: true } }],
    ['is archived', { session: sessionOf({ messageCount: 3, sessionSettings: { archivedAt: '2026-01-01' } }) }],
    ['is empty', { session: sessionOf({ messageCount: 0 }) }],
  ])('does not read a session that %s', (_, part) => {
    const queue = new TailQueue();
    queue.follow(recordWith({ sessionId: 'a' }), false, now);
    queue.follow(recordWith({ sessionId: 'a', part }), false, now);
    expect(queue.has(keyOf('a'))).toBe(false);
    expect(drain(queue, now)).toEqual([]);
  });

  it('does not take an unknown status for idle, nor for the end of a turn', () => {
    const queue = new TailQueue();
    const ageMs = 2 * longestQuietMs;
    queue.follow(recordWith({ sessionId: 'a', status: 'running', ageMs }), false, now);
    queue.follow(recordWith({ sessionId: 'a', status: 'unknown', ageMs, messageCount: 4 }), false, now);
    expect(queue.next(own, now)).toBeUndefined();
    queue.follow(recordWith({ sessionId: 'a', ageMs, messageCount: 4 }), false, now);
    expect(queue.next(own, now)).toMatchObject({ isFollowed: true, messageCount: 4 });
  });

  it('waits a moment for the first poll of a session that was not refreshed in this window', () => {
    const queue = new TailQueue();
    queue.follow(unreadRecord({ listEntry: { key: keyOf('a'), addedAt: now } }), false, now);
    expect(queue.next(own, now)).toBeUndefined();
    expect(queue.waitMs(own, now)).toBe(5_000);
    expect(queue.next(own, now + 5_000)).toMatchObject({ messageCount: undefined });
    queue.follow(recordWith({ sessionId: 'a' }), false, now);
    expect(queue.next(own, now)).toMatchObject({ messageCount: 3, isFollowed: false });
    queue.forgetAllBut([]);
    expect(queue.has(keyOf('a'))).toBe(false);
    queue.follow(unreadRecord({ listEntry: { key: keyOf('b'), addedAt: now } }), false, now);
    queue.follow(recordWith({ sessionId: 'b', ageMs: 2 * longestQuietMs }), false, now);
    expect(queue.has(keyOf('b'))).toBe(false);
  });
});
