import { describe, expect, it } from 'vitest';
import type { RowsView } from '../../../../src/state/conversation/row.ts';
import { stepsRowVersion } from '../../../../src/state/conversation/rowVersion.ts';
import { showConversation } from '../../../../src/state/conversation/rows.ts';
import type { Step } from '../../../../src/state/conversation/turnSteps.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { toolMarksOf } from '../../../../src/state/tools/toolMarks.ts';
import { callOf, headerOf, recordOf, resultOf, sessionOf, viewOf } from '../samples.ts';

const work = { detailLevel: 'work' } as const;
const says = (id: string, part: Partial<MessageHeader> = {}) => headerOf(id, { role: 'assistant', ...part });

/**
 * The rows of a conversation: messages by ID, with `*` if their tools are shown too, and steps in brackets, after the
 * number of summarized steps.
 */
function shown(
  headers: readonly MessageHeader[],
  view: Partial<RowsView> = {},
  status: 'idle' | 'running' = 'idle',
  idleAfterId?: string,
) {
  const record = recordOf({ headers, session: sessionOf({ status }), idleAfterId });
  return showConversation(record, viewOf({ filter: work, ...view })).rows.map(({ source }) => {
    if ('messageId' in source) return `${source.messageId}${source.isTextOnly ? '' : '*'}`;
    if ('entryId' in source) return source.entryId;
    const { summarized, steps } = source.steps;
    const lines = steps.map(({ messageId, state }) => `${messageId} ${state}`).join(', ');
    return `${summarized ? `${summarized.all.length} ` : ''}[${lines}]`;
  });
}

/** A call and its result, `count` times. */
const calls = (count: number, from = 0, failed: readonly number[] = []) =>
  Array.from({ length: count }, (_, place) => from + place).flatMap((number) => [
    callOf(`c${number}`, { createdAt: 2_000 + number * 10 }),
    resultOf(`r${number}`, `c${number}`, failed.includes(number), { createdAt: 2_005 + number * 10 }),
  ]);

describe('the work of a turn', () => {
  it('is one step for each call with its result, between the texts', () => {
    const text = { toolCount: 1, tools: callOf('both').tools ?? '' };
    const turn = [headerOf('p'), ...calls(2), says('both', text), resultOf('r', 'both'), callOf('open'), says('end')];
    expect(shown(turn)).toEqual(['p*', '[c0 done, c1 done]', 'both', '[both done, open unanswered]', 'end*']);
  });

  it('is running until the turn ends', () => {
    expect(shown([headerOf('p'), callOf('a')], {}, 'running')).toEqual(['p*', '[a running]']);
    expect(shown([headerOf('p'), callOf('a')])).toEqual(['p*', '[a unanswered]']);
  });

  it('is running while its results can arrive after the next prompt', () => {
    const asked = [headerOf('p'), callOf('a'), headerOf('q')];
    expect(shown(asked, {}, 'running')).toEqual(['p*', '[a running]', 'q*']);
    expect(shown([...asked, says('end')], {}, 'running')).toEqual(['p*', '[a unanswered]', 'q*', 'end*']);
    expect(shown(asked, {}, 'running', 'a')).toEqual(['p*', '[a unanswered]', 'q*']);
    expect(shown(asked, {}, 'running', 'q')).toEqual(['p*', '[a unanswered]', 'q*']);
    expect(shown(asked)).toEqual(['p*', '[a unanswered]', 'q*']);
  });

  it('includes results after the next prompt, up to the next message of the agent', () => {
    const asked = [headerOf('p'), callOf('a'), headerOf('q')];
    const late = resultOf('r', 'a', true);
    expect(shown([...asked, late, says('end')])).toEqual(['p*', '[a failed]', 'q*', 'end*']);
    expect(shown([...asked, headerOf('q2'), late])).toEqual(['p*', '[a failed]', 'q*', 'q2*']);
    expect(shown([...asked, says('end'), resultOf('r', 'a')])).toEqual([
      ...['p*', '[a unanswered]', 'q*', 'end*', '[r done]'],
    ]);
    const answered = [headerOf('p'), callOf('a'), resultOf('first', 'a'), headerOf('q')];
    expect(shown([...answered, late, says('end')])).toEqual(['p*', '[a done]', 'q*', '[r failed]', 'end*']);
    expect(shown([...asked, resultOf('r', 'b'), says('end')])).toEqual([
      ...['p*', '[a unanswered]', 'q*', '[r done]', 'end*'],
    ]);
  });

  it('includes a late result of a call long before the next prompt once', () => {
    const turn = [headerOf('p'), callOf('long'), ...calls(40), says('end'), headerOf('q')];
    const rows = shown([...turn, resultOf('r', 'long'), says('end2')], { openRuns: new Set(['long.0']) });
    expect(rows.slice(-3)).toEqual(['end*', 'q*', 'end2*']);
  });

  it('includes results that the next prompt contains', () => {
    const both = headerOf('q', { toolCount: 1, tools: resultOf('', 'a').tools ?? '' });
    expect(shown([headerOf('p'), callOf('a'), both, says('end')])).toEqual(['p*', '[a done]', 'q', 'end*']);
  });

  it('includes results without a call, and thoughts', () => {
    const thought = says('thought', { hasText: false, hasThinking: true });
    expect(shown([headerOf('p'), thought, resultOf('r', 'gone'), says('end')])).toEqual([
      ...['p*', '[thought done, r done]', 'end*'],
    ]);
  });

  it('is summarized if it is long, with failed and newest steps', () => {
    expect(shown([headerOf('p'), ...calls(8, 0, [1])])).toEqual(['p*', '8 [c1 failed, c5 done, c6 done, c7 done]']);
    const all = shown([headerOf('p'), ...calls(8)], { openRuns: new Set(['c0.0']) });
    expect(all[1]).toMatch(/^8 \[c0 done, .* c7 done\]$/);
  });

  it('is shown in parts if it is expanded and very long', () => {
    const rows = shown([headerOf('p'), ...calls(100)], { openRuns: new Set(['c0.0']) });
    expect(rows.map((row) => row.split(',').length)).toEqual([1, 40, 40, 20]);
    expect(rows.map((row) => row.startsWith('100 '))).toEqual([false, true, false, false]);
  });

  it('shows an opened message as a whole', () => {
    expect(shown([headerOf('p'), ...calls(2)], { openedIds: new Set(['c1']) })).toEqual(['p*', '[c0 done]', 'c1*']);
    expect(shown([headerOf('p'), ...calls(2)], { openedIds: new Set(['r0']) })).toEqual([
      ...['p*', '[c0 done]', 'r0*', '[c1 done]'],
    ]);
  });

  it('keeps the key of its row while it grows, but changes the version', () => {
    const rowOf = (headers: readonly MessageHeader[]) =>
      showConversation(recordOf({ headers }), viewOf({ filter: work })).rows[0];
    const [before, after] = [rowOf(calls(2)), rowOf(calls(3))];
    expect(after?.key).toBe(before?.key);
    expect(after?.version).not.toBe(before?.version);
  });
});

describe('a turn that was over when the conversation was opened', () => {
  const turn = [
    headerOf('p'),
    says('plan', { phase: 'commentary' }),
    ...calls(3, 0, [1]),
    says('end', { createdAt: 3_000 }),
  ];

  it('is collapsed to its prompt, one line of work, and its answer', () => {
    expect(shown(turn, { collapseUntil: 3_000 })).toEqual(['p*', '3 []', 'end*']);
    expect(shown(turn, { collapseUntil: 2_999 })).toEqual(['p*', 'plan*', '[c0 done, c1 failed, c2 done]', 'end*']);
  });

  it('shows all steps when it is expanded, unless there are very many', () => {
    const expanded = (count: number) =>
      shown([headerOf('p'), ...calls(count), says('end', { createdAt: 3_000 })], {
        collapseUntil: 9_000,
        openRuns: new Set(['turn c0']),
      });
    expect(expanded(8)[2]?.split(',')).toHaveLength(8);
    expect(expanded(41)[2]).toBe('41 []');
  });

  it('is expanded on request', () => {
    expect(shown(turn, { collapseUntil: 3_000, openRuns: new Set(['turn c0']) })).toEqual([
      ...['p*', '3 []', 'plan*', '[c0 done, c1 failed, c2 done]', 'end*'],
    ]);
  });

  it('keeps errors of the service and opened messages visible', () => {
    const error = headerOf('error', { role: 'system', isError: true, createdAt: 2_500 });
    const headers = [...turn.slice(0, -1), error, ...turn.slice(-1)];
    const view = { collapseUntil: 3_000, openedIds: new Set(['plan']) };
    expect(shown(headers, view)).toEqual(['p*', '3 []', 'plan*', 'error*', 'end*']);
  });

  it("keeps text visible if it isn't known whose it is", () => {
    const texts = ['unknown' as const, undefined].map((role, place) =>
      headerOf(`text ${place}`, { role, createdAt: 2_500 }),
    );
    const empty = headerOf('empty', { role: 'unknown', hasText: false, hasThinking: true, createdAt: 2_500 });
    const headers = [...turn.slice(0, -1), ...texts, empty, ...turn.slice(-1)];
    expect(shown(headers, { collapseUntil: 3_000 })).toEqual(['p*', '4 []', 'text 0*', 'text 1*', 'end*']);
    // Without any roles, prompts aren't known either.
    const unknown = turn.map((header) => ({ ...header, role: undefined }));
    expect(shown(unknown, { collapseUntil: 3_000 })).toEqual(['3 []', 'p*', 'plan*', 'end*']);
  });

  it('keeps a question at its end visible', () => {
    const input = { questions: [{ question: 'Which one?', options: [{ label: 'A' }] }] };
    const tools = toolMarksOf([{ type: 'tool_use', toolUseId: 'q', name: 'AskUserQuestion', input }]) ?? '';
    const asks = callOf('q', { createdAt: 3_000, tools });
    expect(shown([...turn.slice(0, -1), asks], { collapseUntil: 3_000 })).toEqual([...['p*', '4 []', 'plan*', 'q']]);
    // A message of the user answers it.
    const replied = [...turn.slice(0, -1), asks, headerOf('reply', { createdAt: 4_000 })];
    expect(shown(replied, { collapseUntil: 3_000 })).toEqual([...['p*', '4 []', 'plan*', 'q'], 'reply*']);
  });

  it('is not collapsed without tool calls', () => {
    expect(shown([headerOf('p'), says('a'), says('b')], { collapseUntil: 9_000 })).toEqual(['p*', 'a*', 'b*']);
  });
});

it('a question has a row if its message has thinking, too, and the thinking is not a step', () => {
  const input = { questions: [{ question: 'Which one?' }] };
  const uses = ['AskUserQuestion', 'Bash'].map((name) => ({ type: 'tool_use' as const, toolUseId: name, name, input }));
  const asks = says('q', { toolCount: 2, hasText: false, hasThinking: true, tools: toolMarksOf(uses) });
  const turn = [headerOf('p'), ...calls(1), asks];
  expect(shown(turn)).toEqual(['p*', '[c0 done]', 'q', '[q unanswered]']);
  expect(shown(turn, {}, 'running')).toEqual(['p*', '[c0 done]', 'q', '[q running]']);
});

describe('the version of a row of steps', () => {
  const file = { path: 'a.ts', change: 'edited', added: 1, removed: 0 } as const;
  const step: Step = {
    ...{ messageId: 'm', index: 0, kind: 'write', label: 'a.ts', files: [file], done: 0, total: 3, failure: '' },
    ...{ state: 'done', startedAt: 0, endedAt: 0, result: undefined },
  };
  const row = { runKey: '', part: 0, isOpen: false, steps: [], messageId: 'm', createdAt: 0 };
  const lineOf = (part: Partial<Step>) =>
    stepsRowVersion({ ...row, summarized: undefined, steps: [{ ...step, ...part }] }, false);
  const summaryOf = (part: Partial<Step>, ...others: readonly Step[]) =>
    stepsRowVersion({ ...row, summarized: { all: [{ ...step, ...part }, ...others] } }, false);

  it.each<Partial<Step>>([
    { kind: 'read' },
    { label: 'b.ts' },
    { state: 'rejected' },
    { failure: 'No such file' },
    { done: 1 },
    { total: 4 },
    { task: { id: '1', state: 'done' } },
    { followUp: { action: 'wait', handles: ['1'] } },
    { startedAt: -5_000 },
    { endedAt: 5_000 },
    { files: [] },
    { files: [{ ...file, path: 'b.ts' }] },
    { files: [{ ...file, change: 'created' }] },
    { files: [{ ...file, added: 2 }] },
    { files: [{ ...file, removed: 1 }] },
    { files: [{ ...file, isEverywhere: true }] },
    { files: [file, file] },
  ])('changes with %j, also if a summary shows only that step', (part) => {
    expect(lineOf(part)).not.toBe(lineOf({}));
    const question: Step = { ...step, index: 1, kind: 'question' };
    for (const others of [[], [question]]) expect(summaryOf(part, ...others)).not.toBe(summaryOf({}, ...others));
  });

  it('changes if only the number of rejected steps in a summary does', () => {
    expect(summaryOf({ state: 'rejected' }, step)).not.toBe(summaryOf({ state: 'unanswered' }, step));
  });
});

it('a question has its calls at the level of answers only if its message was opened', () => {
  const input = { questions: [{ question: 'Which one?' }] };
  const tools = toolMarksOf([{ type: 'tool_use', toolUseId: 'q', name: 'AskUserQuestion', input }]) ?? '';
  const turn = [headerOf('p'), says('q', { toolCount: 1, tools })];
  const filter = { detailLevel: 'answers' } as const;
  expect(shown(turn, { filter })).toEqual(['p*', 'q']);
  expect(shown(turn, { filter, openedIds: new Set(['q']) })).toEqual(['p*', 'q*']);
});
