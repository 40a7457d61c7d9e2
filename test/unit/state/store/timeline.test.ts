import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { Timeline } from '../../../../src/state/store/timeline.ts';
import { headerOf } from '../samples.ts';

const ids = (timeline: Timeline) => timeline.headers.map(({ messageId }) => messageId);

/** States of messages, each with a position, an update number, and usually a role. */
const states = fc.array(
  fc.record({
    place: fc.nat(12),
    updates: fc.nat(4),
    role: fc.option(fc.constantFrom('user' as const, 'assistant' as const), { nil: undefined }),
  }),
  { maxLength: 40 },
);
const headerFor = ({ place, updates, role }: { place: number; updates: number; role: MessageHeader['role'] }) =>
  headerOf(`m${place}`, {
    createdAt: 1_000 + place,
    updatedAt: 2_000 + updates,
    firstLine: `state ${updates}`,
    // A message has a single role, which some of its states omit.
    role: role && (place % 2 === 0 ? 'user' : 'assistant'),
  });

describe('the timeline of a session', () => {
  it('is the same for every order and page size of the merged messages, even with duplicates', () => {
    fc.assert(
      fc.property(states, fc.array(fc.nat(), { maxLength: 8 }), fc.gen(), (drawn, cuts, gen) => {
        const headers = drawn.map(headerFor);
        const whole = new Timeline();
        whole.merge(headers);
        const shuffled = gen(() => fc.shuffledSubarray([...headers, ...headers], { minLength: headers.length * 2 }));
        const pieces = new Timeline();
        let start = 0;
        for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
          const end = start + (Number.isFinite(cut) ? cut % 7 : shuffled.length);
          pieces.merge(shuffled.slice(start, end), cut % 2 === 0 ? 'before' : 'after');
          start = end;
        }
        expect(pieces.headers).toEqual(whole.headers);
        expect(ids(pieces)).toEqual([...new Set(ids(pieces))]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the newest state of each message, and a role once it is known', () => {
    fc.assert(
      fc.property(states, (drawn) => {
        const timeline = new Timeline();
        for (const state of drawn) timeline.merge([headerFor(state)]);
        for (const header of timeline.headers) {
          const own = drawn.filter(({ place }) => `m${place}` === header.messageId);
          expect(header.updatedAt).toBe(2_000 + Math.max(...own.map(({ updates }) => updates)));
          expect(header.firstLine).toBe(`state ${header.updatedAt - 2_000}`);
          expect(header.role !== undefined).toBe(own.some(({ role }) => role !== undefined));
        }
      }),
    );
  });

  it('orders messages with equal times by arrival, at the end or at the start', () => {
    const timeline = new Timeline();
    timeline.merge([headerOf('c'), headerOf('d')]);
    timeline.merge([headerOf('e')]);
    timeline.merge([headerOf('a'), headerOf('b')], 'before');
    timeline.merge([headerOf('z')], 'before');
    expect(ids(timeline)).toEqual(['z', 'a', 'b', 'c', 'd', 'e']);
    timeline.merge([headerOf('c', { updatedAt: 2_000 }), headerOf('a', { updatedAt: 2_000 })]);
    expect(ids(timeline)).toEqual(['z', 'a', 'b', 'c', 'd', 'e']);
  });

  it('reports whether anything changed, and moves a message whose time changed', () => {
    const timeline = new Timeline();
    expect(timeline.merge([headerOf('a', { createdAt: 5 }), headerOf('b', { createdAt: 6 })])).toBe(true);
    expect(timeline.merge([headerOf('a', { createdAt: 5 })])).toBe(false);
    expect(timeline.merge([headerOf('a', { createdAt: 5, updatedAt: 10, firstLine: 'old' })])).toBe(false);
    expect(timeline.merge([headerOf('a', { createdAt: 7, updatedAt: 2_000 })])).toBe(true);
    expect(ids(timeline)).toEqual(['b', 'a']);
  });

  it('places older pages before known messages, regardless of their times', () => {
    const timeline = new Timeline();
    timeline.merge([headerOf('c', { createdAt: 3 }), headerOf('d', { createdAt: 3 })]);
    timeline.merge([headerOf('a', { createdAt: 1 }), headerOf('b', { createdAt: 3 })], 'before');
    expect(ids(timeline)).toEqual(['a', 'b', 'c', 'd']);
    // A message between known ones, a page out of order, and an older page after all of them.
    timeline.merge([headerOf('e', { createdAt: 2 })], 'before');
    timeline.merge([headerOf('g', { createdAt: 0 }), headerOf('f', { createdAt: -1 })], 'before');
    timeline.merge([headerOf('h', { createdAt: -1 })], 'before');
    expect(ids(timeline)).toEqual(['h', 'f', 'g', 'a', 'e', 'b', 'c', 'd']);
  });

  it('does not modify headers that it returned before', () => {
    const timeline = new Timeline();
    timeline.merge([headerOf('a')]);
    const before = timeline.headers;
    timeline.merge([headerOf('a', { updatedAt: 2_000, firstLine: 'grown' })]);
    expect(before[0]?.firstLine).toBe('line of a');
    expect(timeline.headers[0]?.firstLine).toBe('grown');
    expect(timeline.get('a')?.firstLine).toBe('grown');
  });

  it('keeps the order of arrival when all messages are sorted again', () => {
    const timeline = new Timeline();
    timeline.merge([headerOf('c'), headerOf('d')]);
    timeline.merge([headerOf('e')]);
    timeline.merge([headerOf('a'), headerOf('b')], 'before');
    timeline.merge([headerOf('f')]);
    timeline.merge([headerOf('first', { createdAt: 1 })]);
    expect(ids(timeline)).toEqual(['first', 'a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('marks messages that are gone, once, until they are listed again', () => {
    const timeline = new Timeline();
    timeline.merge([headerOf('a'), headerOf('b'), headerOf('c')]);
    expect(timeline.markGone(new Set(['absent']))).toBe(false);
    expect(timeline.markGone(new Set(['b']))).toBe(true);
    expect(timeline.headers).toEqual([headerOf('a'), headerOf('b', { isGone: true }), headerOf('c')]);
    expect(timeline.get('b')).toEqual(headerOf('b', { isGone: true }));
    expect(timeline.get('c')).toEqual(headerOf('c'));
    expect(timeline.markGone(new Set(['b']))).toBe(false);
    expect(timeline.markGone(new Set(['b', 'c']))).toBe(true);
    expect(timeline.merge([headerOf('b')])).toBe(true);
    expect(timeline.headers).toEqual([headerOf('a'), headerOf('b'), headerOf('c', { isGone: true })]);
  });

  it('keeps a message detached until it is listed, and never marks it as gone', () => {
    const timeline = new Timeline();
    timeline.merge([headerOf('a', { isDetached: true })]);
    expect(timeline.markGone(new Set(['a']))).toBe(false);
    const grown = headerOf('a', { isDetached: true, updatedAt: 2_000, firstLine: 'grown' });
    expect(timeline.merge([grown])).toBe(true);
    expect(timeline.headers).toEqual([grown]);
    expect(timeline.merge([headerOf('a')])).toBe(true);
    expect(timeline.headers).toEqual([headerOf('a', { updatedAt: 2_000, firstLine: 'grown' })]);
    expect(timeline.merge([headerOf('a', { isDetached: true })])).toBe(false);
  });
});
