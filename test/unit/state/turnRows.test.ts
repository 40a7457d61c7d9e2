import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CalendarDays } from '../../../src/state/calendarDays.ts';
import { type RowsView, type ShownConversation, showConversation } from '../../../src/state/conversationRows.ts';
import { lenses, wholeReading } from '../../../src/state/lens.ts';
import type { MessageHeader } from '../../../src/state/messageHeader.ts';
import { entryOf, headerOf, recordOf, sessionOf } from './samples.ts';

const hourMs = 3_600_000;
const kinds: readonly Partial<MessageHeader>[] = [
  { role: 'user' },
  { role: 'assistant' },
  { role: 'assistant', phase: 'final' },
  { role: 'assistant', hasText: false, toolCount: 1 },
  { role: 'tool', hasText: false, toolCount: 1 },
  { role: 'tool', hasText: false, toolCount: 1, isError: true },
];
/** Every message there can be, in every state: the same object wherever it is named, as in the store. */
const pool = Array.from({ length: 30 }, (_, place) =>
  [...kinds, ...kinds].map((kind, state) =>
    headerOf(`m${place}`, {
      createdAt: place * 5 * hourMs,
      updatedAt: state,
      weightLines: 1 + state,
      ...(place % 3 === 0 ? {} : { parentId: `m${place - (place % 3)}` }),
      ...kind,
    }),
  ),
);
const days = new CalendarDays('UTC');
const readings = lenses.flatMap((lens) => [
  { lens, hiddenRoles: [] },
  { lens, hiddenRoles: ['user'] as const },
]);
const openings = [new Set<string>(), new Set(['m4', 'm9'])];

const conversations = fc
  .record({
    states: fc.array(fc.option(fc.nat(11), { freq: 4 }), { minLength: 30, maxLength: 30 }),
    isIdle: fc.boolean(),
    sentId: fc.option(fc.nat(29)),
    isSending: fc.boolean(),
    reading: fc.nat(readings.length - 1),
    opening: fc.nat(1),
  })
  .map(({ states, isIdle, sentId, isSending, reading, opening }) => ({
    record: recordOf({
      headers: states.flatMap((state, place) => (state === null ? [] : (pool[place]?.[state] ?? []))),
      session: sessionOf({ status: isIdle ? 'idle' : 'running' }),
      entryIdByMessageId: new Map(sentId === null ? [] : [[`m${sentId}`, 'entry-1']]),
      outbox: isSending ? [entryOf({ entryId: 'entry-2' })] : [],
    }),
    view: { reading: readings[reading] ?? wholeReading, openedIds: openings[opening] ?? new Set(), days },
  }));

/** Only what a page gets to see. */
const seenOf = ({ rows, shownCount, totalCount }: ShownConversation) => ({
  rows: rows.map(({ key, version, weightLines, source, createdAt, startsDay, tookMs, branch, isPrompt }) => ({
    ...{ key, version, weightLines, source, createdAt, tookMs, branch },
    ...{ startsDay: startsDay ?? false, isPrompt: isPrompt ?? false },
  })),
  shownCount,
  totalCount,
});

describe('rows made from those before', () => {
  it('are those made from nothing, whatever came, changed or went', () => {
    fc.assert(
      fc.property(fc.array(conversations, { minLength: 2, maxLength: 6 }), (steps) => {
        let before: ShownConversation | undefined;
        for (const { record, view } of steps) {
          before = showConversation(record, view, before);
          expect(seenOf(before)).toEqual(seenOf(showConversation(record, view)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are the same objects in turns in which nothing changed', () => {
    const headers = pool
      .map((states, place) => states[place % 3 === 0 ? 0 : 1])
      .filter((header) => header !== undefined);
    const view = { reading: wholeReading, openedIds: new Set<string>(), days };
    const before = showConversation(recordOf({ headers }), view);
    const next = headerOf('next', { role: 'assistant', createdAt: 30 * 5 * hourMs });
    const after = showConversation(recordOf({ headers: [...headers, next] }), view, before);
    expect(after.rows).toHaveLength(31);
    expect(after.rows.filter((row, place) => row === before.rows[place])).toHaveLength(27);
  });
});
