import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CalendarDays } from '../../../../src/state/conversation/calendarDays.ts';
import { findStep, stepsAround } from '../../../../src/state/conversation/turnSteps.ts';
import type { ShownConversation } from '../../../../src/state/conversation/turnRows.ts';
import { showConversation } from '../../../../src/state/conversation/rows.ts';
import { detailLevels } from '../../../../src/state/conversation/filter.ts';
import { toolMarksOf } from '../../../../src/state/tools/toolMarks.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { callOf, entryOf, headerOf, recordOf, resultOf, sessionOf, viewOf } from '../samples.ts';

const hourMs = 3_600_000;
const callMarks = callOf('a').tools ?? '';
const startedMarks =
  toolMarksOf([
    {
      ...{ type: 'tool_result', toolUseId: 'a', isError: false },
      content: [{ type: 'text', text: 'Process running with session ID 7\nOutput:\n' }],
    },
  ]) ?? '';
const input = { session_id: 7, chars: 'q' };
const inputMarks = toolMarksOf([{ type: 'tool_use', toolUseId: 'b', name: 'write_stdin', input }]) ?? '';
const kinds: readonly Partial<MessageHeader>[] = [
  { role: 'user' },
  { role: 'assistant' },
  { role: 'assistant', phase: 'final' },
  { role: 'assistant', hasText: false, toolCount: 1, tools: callMarks },
  { role: 'tool', hasText: false, toolCount: 1, tools: resultOf('', 'a').tools ?? '' },
  { role: 'tool', hasText: false, toolCount: 1, isError: true, tools: resultOf('', 'a', true).tools ?? '' },
  { role: 'assistant', toolCount: 1, hasThinking: true, tools: callMarks },
  { role: 'user', hasText: false, hasAddedText: true },
  { role: 'tool', hasText: false, toolCount: 1, tools: startedMarks },
  { role: 'assistant', hasText: false, toolCount: 1, tools: inputMarks },
];
/** Every message in every state. As in the store, each use refers to the same object. */
const pool = Array.from({ length: 30 }, (_, place) =>
  [...kinds, ...kinds].map((kind, state) =>
    headerOf(`m${place}`, {
      createdAt: place * 5 * hourMs,
      updatedAt: state,
      estimatedLines: 1 + state,
      ...(place % 3 === 0 ? {} : { parentId: `m${place - (place % 3)}` }),
      ...kind,
    }),
  ),
);
const days = new CalendarDays('UTC');
const wholeView = viewOf({ days });
const views = detailLevels.flatMap((detailLevel) =>
  [new Set<string>(), new Set(['m4', 'm9'])].flatMap((openedIds) => [
    viewOf({ filter: { detailLevel }, openedIds, days }),
    viewOf({ filter: { detailLevel }, openedIds, days, openRuns: new Set(['turn m3']) }),
    viewOf({ filter: { detailLevel }, openedIds, days, collapseUntil: 60 * hourMs }),
  ]),
);

const state = fc.option(fc.nat(19), { freq: 4 });
/** A conversation and its step-by-step changes; `null` is a missing message. */
const stories = fc.record({
  first: fc.array(state, { minLength: 30, maxLength: 30 }),
  steps: fc.array(
    fc.record({
      edits: fc.array(fc.tuple(fc.nat(29), state), { maxLength: 2 }),
      isIdle: fc.boolean(),
      sentId: fc.option(fc.nat(29)),
      isSending: fc.boolean(),
      way: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(17) }),
    }),
    { minLength: 2, maxLength: 6 },
  ),
});

/** Returns only the properties that affect the page. */
const seenOf = ({ rows, shownCount, totalCount }: ShownConversation) => ({
  rows: rows.map(({ key, version, estimatedLines, source, createdAt, startsDay, tookMs, branch, isPrompt }) => ({
    ...{ key, version, estimatedLines, source, createdAt, tookMs, branch },
    ...{ startsDay: startsDay ?? false, isPrompt: isPrompt ?? false },
  })),
  shownCount,
  totalCount,
});

describe('reused rows', () => {
  it('equal newly created rows after every change', () => {
    fc.assert(
      fc.property(stories, ({ first, steps }) => {
        const states = [...first];
        let before: ShownConversation | undefined;
        for (const { edits, isIdle, sentId, isSending, way } of steps) {
          for (const [place, next] of edits) states[place] = next;
          const record = recordOf({
            headers: states.flatMap((known, place) => (known === null ? [] : (pool[place]?.[known] ?? []))),
            session: sessionOf({ status: isIdle ? 'idle' : 'running' }),
            entryIdByMessageId: new Map(sentId === null ? [] : [[`m${sentId}`, 'entry-1']]),
            outbox: isSending ? [entryOf({ entryId: 'entry-2' })] : [],
          });
          const view = views[way] ?? wholeView;
          before = showConversation(record, view, before);
          expect(seenOf(before)).toEqual(seenOf(showConversation(record, view)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('show the command of an earlier turn that a call continues, also if it was loaded later', () => {
    const call = callOf('a', { createdAt: 1 }, 'npm run watch');
    const started = headerOf('r', { role: 'tool', hasText: false, toolCount: 1, tools: startedMarks, createdAt: 2 });
    const later = [
      headerOf('u', { createdAt: 3 }),
      headerOf('w', { role: 'assistant', hasText: false, toolCount: 1, tools: inputMarks, createdAt: 4 }),
      headerOf('u2', { createdAt: 5 }),
    ];
    const view = viewOf({ filter: { detailLevel: 'work' } });
    const labels = ({ rows }: ShownConversation) =>
      rows.flatMap(({ source }) => ('steps' in source ? source.steps.steps.map(({ label }) => label) : []));
    const before = showConversation(recordOf({ headers: later }), view);
    expect(labels(before)).toEqual(['q']);
    const after = showConversation(recordOf({ headers: [call, started, ...later] }), view, before);
    expect(labels(after)).toEqual(['npm run watch', 'npm run watch']);
    expect(findStep([call, started, ...later], 'w', 0)?.label).toBe('npm run watch');
  });

  it('show a result that arrives after the next prompt', () => {
    const headers = [
      headerOf('p', { createdAt: 1 }),
      callOf('a', { createdAt: 2 }, 'npm test'),
      headerOf('q', { createdAt: 3 }),
    ];
    const late = resultOf('r', 'a', true, { createdAt: 4 });
    const view = viewOf({ filter: { detailLevel: 'work' } });
    const states = ({ rows }: ShownConversation) =>
      rows.flatMap(({ source }) => ('steps' in source ? source.steps.steps.map((step) => step.state) : []));
    const session = sessionOf({ status: 'running' });
    const before = showConversation(recordOf({ headers, session }), view);
    expect(states(before)).toEqual(['running']);
    const after = showConversation(recordOf({ headers: [...headers, late], session }), view, before);
    expect(states(after)).toEqual(['failed']);
    expect(findStep([...headers, late], 'a', 0)?.state).toBe('failed');
    expect(stepsAround([...headers, late], 'a')?.errors).toMatchObject([{ label: 'npm test' }]);
    expect(stepsAround([...headers, late], 'q')?.errors).toEqual([]);
    expect(stepsAround(headers, 'other')).toBeUndefined();
  });

  it('are the same objects in unchanged turns', () => {
    const headers = pool
      .map((states, place) => states[place % 3 === 0 ? 0 : 1])
      .filter((header) => header !== undefined);
    const view = wholeView;
    const before = showConversation(recordOf({ headers }), view);
    const next = headerOf('next', { role: 'assistant', createdAt: 30 * 5 * hourMs });
    const after = showConversation(recordOf({ headers: [...headers, next] }), view, before);
    expect(after.rows).toHaveLength(31);
    expect(after.rows.filter((row, place) => row === before.rows[place])).toHaveLength(27);
  });
});
