import { describe, expect, it } from 'vitest';
import { type Step, TurnSteps } from '../../../../src/state/conversation/turnSteps.ts';
import { describeSteps, describeTurnChanges } from '../../../../src/state/presentation/describeSteps.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { callOf, resultOf, t } from '../samples.ts';
import { file, written } from '../work/marks.ts';

const edited = (path: string, added: number, removed: number) =>
  ({ path, change: 'edited', added, removed }) as const satisfies Step['files'][number];

const followUp = (action: 'wait' | 'input' | 'stop') => ({ action, handles: [] });

function stepOf(part: Partial<Step> = {}): Step {
  const place = { messageId: 'm', index: 0, result: undefined };
  const empty = { files: [], done: 0, total: 0, failure: '' };
  return { ...place, ...empty, kind: 'execute', label: 'npm test', state: 'done', startedAt: 0, endedAt: 0, ...part };
}

function lineOf(part: Partial<Step>): string | undefined {
  const source = { runKey: '', part: 0, summarized: undefined, isOpen: true, messageId: 'm', createdAt: 0 };
  return describeSteps('k', { ...source, steps: [stepOf(part)] }, t).steps?.lines[0]?.spoken;
}

function summaryOf(...steps: readonly Partial<Step>[]) {
  const source = { runKey: '', part: 0, isOpen: false, steps: [], messageId: 'm', createdAt: 0 };
  return describeSteps('k', { ...source, summarized: { all: steps.map(stepOf) } }, t).steps?.summary;
}

describe('a step', () => {
  it.each<[Partial<Step>, string]>([
    [{}, 'Ran npm test'],
    [{ state: 'running', endedAt: undefined }, 'Running npm test'],
    [{ state: 'failed', endedAt: 12_000 }, 'Ran npm test failed 12 s'],
    [{ state: 'unanswered' }, 'Ran npm test no result'],
    [{ state: 'rejected', endedAt: 12_000 }, 'Rejected: npm test'],
    [
      { kind: 'write', state: 'rejected', label: 'a.ts, b.ts', files: [edited('a.ts', 1, 0), edited('b.ts', 2, 1)] },
      'Rejected: a.ts, b.ts',
    ],
    [{ kind: 'plan', label: '', done: 2, total: 7, state: 'rejected' }, 'Rejected'],
    [{ kind: 'result', label: '', state: 'rejected' }, 'Rejected'],
    [{ kind: 'agent', label: '', state: 'rejected' }, 'Rejected'],
    [{ followUp: followUp('stop'), state: 'rejected' }, 'Rejected stopping npm test'],
    [{ followUp: followUp('input'), state: 'rejected' }, 'Rejected sending input to npm test'],
    [{ followUp: followUp('wait'), state: 'rejected' }, 'Rejected waiting for npm test'],
    [{ kind: 'write', files: [edited('src/a.ts', 12, 3)] }, 'Edited src/a.ts +12 −3'],
    [{ kind: 'write', state: 'failed', files: [edited('src/a.ts', 12, 3)] }, 'Edit src/a.ts failed'],
    [{ kind: 'write', state: 'failed', label: 'a.ts', files: [] }, 'Edit a.ts failed'],
    [
      { kind: 'write', state: 'failed', files: [edited('a.ts', 1, 0), edited('b.ts', 2, 1)] },
      'Edit a.ts and 1 more failed',
    ],
    [{ kind: 'write', state: 'failed', files: [{ ...edited('a.ts', 2, 0), change: 'created' }] }, 'Create a.ts failed'],
    [{ kind: 'write', state: 'failed', files: [{ ...edited('a.ts', 0, 0), change: 'deleted' }] }, 'Delete a.ts failed'],
    [
      { kind: 'write', state: 'failed', files: [{ ...edited('b.ts', 0, 0), change: 'renamed', oldPath: 'a.ts' }] },
      'Rename to b.ts failed',
    ],
    [{ kind: 'write', files: [{ ...edited('a.ts', 2, 0), change: 'created' }] }, 'Created a.ts +2 −0'],
    [
      { kind: 'write', label: 'a.ts, b.ts', files: [edited('a.ts', 1, 0), edited('b.ts', 2, 1)] },
      'Edited a.ts and 1 more +3 −1',
    ],
    [{ kind: 'write', files: [{ ...edited('a.ts', 0, 0), change: 'deleted' }] }, 'Deleted a.ts'],
    [{ kind: 'plan', done: 2, total: 7 }, 'Updated plan: 2 of 7 done'],
    [{ kind: 'plan', label: 'Add tax', task: { text: 'Add tax' } }, 'Updated plan: Add tax'],
    [{ kind: 'plan', label: '#3', task: { id: '#3', state: 'done' } }, 'Updated plan: #3 (done)'],
    [{ kind: 'plan', label: '#3', task: { id: '#3', state: 'removed' } }, 'Updated plan: #3 (removed)'],
    [{ kind: 'plan', label: '#3', task: { id: '#3' } }, 'Updated plan: #3'],
    [{ kind: 'plan', label: '', task: {} }, 'Read the plan'],
    [{ kind: 'plan', label: '', isPartial: true, done: 1, total: 1 }, 'Updated the plan'],
    [{ kind: 'plan', label: 'Add tax', isPartial: true, total: 1 }, 'Updated plan: Add tax'],
    [{ kind: 'skill', label: 'release' }, 'Used skill release'],
    [{ followUp: followUp('wait') }, 'Waited for npm test'],
    [{ followUp: followUp('wait'), state: 'running', endedAt: undefined }, 'Waiting for npm test'],
    [{ followUp: followUp('input'), state: 'failed' }, 'Sent input to npm test failed'],
    [{ kind: 'agent', label: 'Find callers', followUp: followUp('stop') }, 'Stopped Find callers'],
    [{ kind: 'write', files: [{ ...edited('a.ts', 0, 0), isEverywhere: true }] }, 'Edited a.ts all occurrences'],
    [
      { kind: 'write', files: [{ ...edited('a.ts', 1, 2), isEverywhere: true }] },
      'Edited a.ts +1 −2 and all occurrences',
    ],
    [{ kind: 'other', label: 'mystery' }, 'Used mystery'],
    [{ kind: 'thinking', label: 'It must be the cache' }, 'Thinking: It must be the cache'],
    [{ kind: 'thinking', label: '' }, 'Thinking'],
    [{ kind: 'result', label: '' }, 'Result'],
    [{ label: 'echo $& $1 {0}' }, 'Ran echo $& $1 {0}'],
  ])('says what was done and how it ended: %j', (part, text) => {
    expect(lineOf(part)).toBe(text);
  });
});

describe('the summary of steps', () => {
  const write = (path: string, state: Step['state'] = 'done') =>
    ({ kind: 'write', state, files: [edited(path, 1, 1)] }) as const;

  it('counts a command once, however often the agent waited for it', () => {
    expect(summaryOf({}, { followUp: followUp('wait') }, { followUp: followUp('input') })?.label).toBe('Ran 1 command');
    expect(summaryOf({ followUp: followUp('wait') }, { followUp: followUp('wait') })?.label).toBe('Ran 1 command');
  });

  it('counts files once, and what failed', () => {
    const steps = [write('a'), write('a'), write('b'), write('c', 'failed'), {}, { endedAt: 130_000 }];
    expect(summaryOf(...steps)).toMatchObject({
      label: 'Edited 2 files, ran 2 commands, 1 edit failed',
      hint: 'Edited 2 files, ran 2 commands, 1 edit failed, 2 min 10 s',
    });
    const failed = [write('c', 'failed'), write('d', 'failed'), { state: 'failed' }] as const;
    expect(summaryOf(...failed)?.label).toBe('Ran 1 command, 1 failed, 2 edits failed');
  });

  it('does not count reading the plan', () => {
    const [read, update] = [
      { kind: 'plan', label: '', task: {} },
      { kind: 'plan', total: 2 },
    ] as const;
    expect(summaryOf(update, read, read)?.label).toBe('Updated the plan');
    expect(summaryOf({}, read)?.label).toBe('Ran 1 command');
    expect(summaryOf(read, read)?.label).toBe('Read the plan');
    expect(summaryOf({ kind: 'thinking', label: '' }, read)?.label).toBe('Read the plan');
    expect(summaryOf(read, { ...read, state: 'failed' })?.label).toContain('1 failed');
    expect(summaryOf({ kind: 'thinking', label: '' }, write('a.ts', 'unanswered'))?.label).toContain('a.ts');
  });

  it('counts what was rejected as neither done nor failed', () => {
    const rejected = [
      { state: 'rejected' },
      write('c', 'rejected'),
      { followUp: followUp('wait'), state: 'rejected' },
    ] as const;
    expect(summaryOf({}, ...rejected)).toMatchObject({ label: 'Ran 1 command, 3 rejected', hasErrors: false });
    expect(summaryOf(...rejected)?.label).toBe('3 rejected');
    expect(summaryOf(rejected[0])?.label).toBe('Rejected: npm test');
  });

  it('counts what was read, listed, or fetched once', () => {
    const read = (...labels: readonly string[]) => labels.map((label) => ({ kind: 'read', label }) as const);
    expect(summaryOf(...read('a', 'b', 'a'))?.label).toBe('Read 2 files');
    expect(summaryOf(...read('a, b', 'b, c'))?.label).toBe('Read 3 files');
    expect(summaryOf(...read('long/a, b…', 'a'), { ...read('long/a, b…')[0], index: 1 })?.label).toBe('Read 3 files');
    expect(summaryOf({ kind: 'list' }, { kind: 'list' }, {})?.label).toBe('Ran 1 command, listed 1 folder');
  });

  it('counts an agent as started only if it was', () => {
    const stop = (label: string, ...handles: readonly string[]) =>
      ({ kind: 'agent', label, followUp: { action: 'stop', handles } }) as const;
    expect(summaryOf(stop('a'), stop('b'), stop('a'))?.label).toBe('Worked with 2 agents');
    const each = [stop('a', '1'), stop('a', '2'), stop('what was sent', '2')];
    expect(summaryOf(stop('a, b, c', '1', '2', '3'), ...each)?.label).toBe('Worked with 3 agents');
    expect(summaryOf({ kind: 'agent', label: 'c' }, stop('a'))?.label).toBe('Started 1 agent');
  });

  it('stays short, and names all kinds in its tooltip', () => {
    const kinds = ['read', 'execute', 'search', 'search', 'plan', 'list'] as const;
    expect(summaryOf(...kinds.map((kind) => ({ kind })))).toMatchObject({
      label: 'Ran 1 command, read 1 file',
      hint: 'Ran 1 command, read 1 file, searched 2 times, listed 1 folder, updated the plan',
    });
  });

  it('of thoughts alone is their duration', () => {
    const thought = { kind: 'thinking', label: 'So' } as const;
    expect(summaryOf(thought, { ...thought, endedAt: 130_000 })).toMatchObject({ label: '2 min 10 s' });
  });

  it('names a single step', () => {
    expect(summaryOf({ endedAt: 4_000 })).toMatchObject({ label: 'Ran npm test · 4 s', hint: 'Ran npm test · 4 s' });
  });
});

describe('the changes of a turn', () => {
  it('are those of completed calls', () => {
    const changes = (...headers: readonly MessageHeader[]) =>
      describeTurnChanges(new TurnSteps(headers, 'ended').changes, t)?.label;
    const one = file('a.ts', 'edited', 10, 4);
    expect(changes(...written('w', one))).toBe('1 file +10 −4');
    expect(changes(...written('w', one), ...written('v', one, file('b.ts')))).toBe('2 files +21 −9');
    expect(changes(...written('w', file('a.ts', 'deleted', 0, 0)))).toBe('1 file');
    expect(changes(callOf('a'), resultOf('r', 'a'))).toBeUndefined();
  });
});

it('steps are read from headers only when they are needed', () => {
  const steps = new TurnSteps([callOf('a'), resultOf('r', 'a', true)], 'ended');
  expect(steps.of('a')).toMatchObject([
    { label: 'run a', state: 'failed', failure: 'It broke.', result: { messageId: 'r' } },
  ]);
  expect(steps.all).toHaveLength(1);
});
