import type { PagePlace, PageRow, PageStep, PageSteps } from '../../shared/protocol/rowTypes.ts';
import { defined } from '../../shared/defined.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import {
  countSteps,
  mainStep,
  readsPlan,
  type Step,
  type StepCounts,
  type StepRun,
  type StepsPart,
  stepsOfMessage,
} from '../conversation/turnSteps.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import type { FollowUpAction } from '../tools/toolCall.ts';
import type { FileMark } from '../tools/toolMarks.ts';
import type { AgentChanges } from '../work/changes.ts';
import { planStateLabel } from './describePlan.ts';
import { describeDuration, minSpokenMs } from './describeTime.ts';

/**
 * A summary names at most this many kinds of steps, so that it fits on one line in most side bars. Its tooltip names
 * all.
 */
const maxSummaryKinds = 2;
/** The minimum duration of a step for which its line says how long it took. */
const minShownMs = 10_000;

/** Describes the part of a run of steps that one row shows. */
export function describeSteps(key: string, part: StepsPart, t: Translate): PageRow {
  const { summarized, isOpen, steps, createdAt } = part;
  const summary = summarized && describeSummary(summarized, isOpen, t);
  const lines = steps.map((step) => describeStep(step, t));
  return {
    key,
    role: 'tool',
    roleLabel: summary?.label ?? t.formats.list(lines.map(({ spoken }) => spoken)),
    createdAt,
    isError: false,
    badges: [],
    blocks: [],
    steps: { ...defined({ summary }), lines },
  };
}

function describeSummary(run: StepRun, isOpen: boolean, t: Translate): NonNullable<PageSteps['summary']> {
  // Questions have cards.
  const steps = run.all.filter(({ kind }) => kind !== 'question');
  const counts = countSteps(steps);
  const main = describeMain(counts, t);
  // Thoughts, reading the plan, and edits without a result aren't counted.
  const only = steps.length === 1 || main === '' ? mainStep(steps) : undefined;
  const hint = only ? describeSingle(only, t) : describeAll(counts, t);
  return { label: only ? hint : main || hint, hint, isOpen, hasErrors: counts.failedCount > 0 };
}

/** A step in one line, for example "Ran npm test · failed · 12 s". */
function describeSingle(step: Step, t: Translate): string {
  const { label, object, changed, status } = describeStep(step, t);
  const words = [label.replace(slot, () => object), changed].filter((text) => text !== undefined).join(' ');
  return [words, status, durationOf(step, t)].filter((text) => text !== undefined).join(' · ');
}

/** How long a step took; undefined if it took less than a second, or if only the person's decision took time. */
function durationOf({ state, startedAt, endedAt = startedAt }: Step, t: Translate): string | undefined {
  const tookMs = endedAt - startedAt;
  return tookMs >= minSpokenMs && state !== 'rejected' ? describeDuration(tookMs, t) : undefined;
}

/** What steps mainly did, for example "Edited 3 files, ran 5 commands, 1 failed". */
function describeMain(counts: StepCounts, t: Translate): string {
  return capitalized([...describeKinds(counts, t).slice(0, maxSummaryKinds), ...describeFailed(counts, t)], t);
}

/** Everything that steps did, and how long it took. */
function describeAll(counts: StepCounts, t: Translate): string {
  const { tookMs = 0 } = counts;
  const duration = tookMs >= minSpokenMs ? [describeDuration(tookMs, t)] : [];
  return capitalized([...describeKinds(counts, t), ...describeFailed(counts, t), ...duration], t);
}

function describeKinds({ byKind, continuedAgentCount }: StepCounts, t: Translate): string[] {
  return summaryKinds.flatMap((kind) => {
    if (kind === 'agent' && continuedAgentCount > 0)
      return [t({ one: 'worked with 1 agent', other: 'worked with {0} agents' }, continuedAgentCount)];
    const count = byKind.get(kind);
    return count === undefined ? [] : [countOf(kind, count, t)];
  });
}

/**
 * The numbers of failed and of rejected steps. Failed edits are counted separately, because no other part of the
 * sentence includes them. Other failed steps are also included in the number of their kind.
 */
function describeFailed({ failedCount, failedWriteCount, rejectedCount }: StepCounts, t: Translate): string[] {
  const otherCount = failedCount - failedWriteCount;
  return [
    ...(otherCount === 0 ? [] : [t({ one: '1 failed', other: '{0} failed' }, otherCount)]),
    ...(failedWriteCount === 0 ? [] : [t({ one: '1 edit failed', other: '{0} edits failed' }, failedWriteCount)]),
    ...(rejectedCount === 0 ? [] : [t({ one: '1 rejected', other: '{0} rejected' }, rejectedCount)]),
  ];
}

function capitalized(parts: readonly string[], { formats }: Translate): string {
  const sentence = formats.list(parts);
  return sentence.charAt(0).toLocaleUpperCase(formats.language) + sentence.slice(1);
}

/** The kinds of steps in the order of a summary. It doesn't mention thoughts, and questions have cards. */
const summaryKinds = [
  'write',
  'execute',
  'read',
  'search',
  'list',
  'fetch',
  'plan',
  'agent',
  'skill',
  'other',
  'result',
] as const;

function countOf(kind: (typeof summaryKinds)[number], count: number, t: Translate): string {
  switch (kind) {
    case 'write':
      return t({ one: 'edited 1 file', other: 'edited {0} files' }, count);
    case 'execute':
      return t({ one: 'ran 1 command', other: 'ran {0} commands' }, count);
    case 'read':
      return t({ one: 'read 1 file', other: 'read {0} files' }, count);
    case 'search':
      return t({ one: 'searched once', other: 'searched {0} times' }, count);
    case 'list':
      return t({ one: 'listed 1 folder', other: 'listed {0} folders' }, count);
    case 'fetch':
      return t({ one: 'fetched 1 page', other: 'fetched {0} pages' }, count);
    case 'plan':
      return t({ one: 'updated the plan', other: 'updated the plan {0} times' }, count);
    case 'agent':
      return t({ one: 'started 1 agent', other: 'started {0} agents' }, count);
    case 'skill':
      return t({ one: 'used 1 skill', other: 'used {0} skills' }, count);
    case 'other':
      return t({ one: 'used 1 tool', other: 'used tools {0} times' }, count);
    case 'result':
      return t({ one: '1 tool result', other: '{0} tool results' }, count);
  }
}

function describeStep(step: Step, t: Translate): PageStep {
  const { messageId, index, kind, state, files, failure, startedAt, endedAt } = step;
  const [label, object] = labelOf(step, t);
  const hasChanges = kind === 'write' && state !== 'failed' && state !== 'rejected';
  const counts = hasChanges ? lineCounts(files, t) : '';
  const changed = counts === '' ? undefined : counts;
  const tookMs = endedAt === undefined ? 0 : endedAt - startedAt;
  const duration = durationOf(step, t);
  const took = tookMs >= minShownMs ? duration : undefined;
  const status = statusOf(step, t);
  const spoken = [label.replace(slot, () => object), changed, status, duration]
    .filter((text) => text !== undefined)
    .join(' ');
  return {
    messageId,
    index,
    kind,
    state,
    label,
    object,
    spoken,
    ...defined({ changed, status, took, failure: failure === '' ? undefined : failure }),
  };
}

function statusOf({ state }: Step, t: Translate): string | undefined {
  if (state === 'failed') return t('failed');
  return state === 'unanswered' ? t('no result') : undefined;
}

/**
 * What the tool calls of a message did, for example "Edited src/a.ts, Ran npm test · failed"; empty if it has no calls.
 * `headers` are those of the session.
 */
export function describeCalls(header: MessageHeader, headers: readonly MessageHeader[], t: Translate): string {
  const calls = stepsOfMessage(header, headers).filter(({ kind }) => kind !== 'result' && kind !== 'thinking');
  return t.formats.list(
    calls.map((step) => {
      const [label, object] = labelOf(step, t);
      const words = label.replace(slot, () => object);
      return step.state === 'failed' ? `${words} · ${t('failed')}` : words;
    }),
  );
}

/**
 * The numbers of added and removed lines of files, for example "+12 −3", and whether a text is replaced everywhere.
 * Empty if no lines are known, as for a deleted file.
 */
export function lineCounts(files: readonly CountedLines[], t: Translate): string {
  const sum = (count: (file: CountedLines) => number) => files.reduce((total, file) => total + count(file), 0);
  const [added, removed] = [sum((file) => file.added), sum((file) => file.removed)];
  const counts = added + removed === 0 ? '' : t('+{0} −{1}', added, removed);
  if (!files.some(({ isEverywhere }) => isEverywhere)) return counts;
  return counts === '' ? t('all occurrences') : t('{0} and all occurrences', counts);
}

type CountedLines = Pick<FileMark, 'added' | 'removed' | 'isEverywhere'>;

/** The placeholder for the object in the label of a step. The page replaces it with an element. */
const slot = '{0}';

/** The label of a step, with {@link slot} as the placeholder for the object, and the object. */
function labelOf(step: Step, t: Translate): [label: string, object: string] {
  if (step.state !== 'rejected') return workLabel(step, t);
  const object = plainLine(step.label, 120);
  if (object === '') return [t('Rejected'), ''];
  return [step.followUp ? rejectedFollowUpLabel(step.followUp.action, t) : t('Rejected: {0}', slot), object];
}

function rejectedFollowUpLabel(action: FollowUpAction, t: Translate): string {
  switch (action) {
    case 'wait':
      return t('Rejected waiting for {0}', slot);
    case 'input':
      return t('Rejected sending input to {0}', slot);
    case 'stop':
      return t('Rejected stopping {0}', slot);
  }
}

/** What a step does or did, and with what. */
function workLabel(step: Step, t: Translate): [label: string, object: string] {
  const { kind, state, label, files, followUp } = step;
  const isRunning = state === 'running';
  const object = plainLine(label, 120);
  if (followUp !== undefined) return [followUpLabel(followUp.action, isRunning, t), object];
  switch (kind) {
    case 'write':
      return state === 'failed' ? failedWriteLabel(files, object, t) : writeLabel(files, isRunning, object, t);
    case 'read':
      return [isRunning ? t('Reading {0}', slot) : t('Read {0}', slot), object];
    case 'list':
      return [isRunning ? t('Listing {0}', slot) : t('Listed {0}', slot), object];
    case 'search':
      return [isRunning ? t('Searching for {0}', slot) : t('Searched for {0}', slot), object];
    case 'execute':
      return [isRunning ? t('Running {0}', slot) : t('Ran {0}', slot), object];
    case 'fetch':
      return [isRunning ? t('Fetching {0}', slot) : t('Fetched {0}', slot), object];
    case 'plan':
      return planLabel(step, object, t);
    case 'question':
      return [t('Asked: {0}', slot), object];
    case 'agent':
      return [isRunning ? t('Agent working on: {0}', slot) : t('Agent worked on: {0}', slot), object];
    case 'skill':
      return [isRunning ? t('Using skill {0}', slot) : t('Used skill {0}', slot), object];
    case 'thinking':
      return object === '' ? [t('Thinking'), ''] : [t('Thinking: {0}', slot), object];
    case 'result':
      return [t('Result'), ''];
    case 'other':
      return [isRunning ? t('Using {0}', slot) : t('Used {0}', slot), object];
  }
}

function followUpLabel(action: FollowUpAction, isRunning: boolean, t: Translate): string {
  switch (action) {
    case 'wait':
      return isRunning ? t('Waiting for {0}', slot) : t('Waited for {0}', slot);
    case 'input':
      return isRunning ? t('Sending input to {0}', slot) : t('Sent input to {0}', slot);
    case 'stop':
      return isRunning ? t('Stopping {0}', slot) : t('Stopped {0}', slot);
  }
}

function planLabel(step: Step, object: string, t: Translate): [label: string, object: string] {
  const { done, total, task, isPartial } = step;
  if (readsPlan(step)) return [t('Read the plan'), ''];
  if (isPartial === true && object === '') return [t('Updated the plan'), ''];
  const words = task ? taskText(task, object, t) : isPartial === true ? object : t('{0} of {1} done', done, total);
  return [t('Updated plan: {0}', slot), words];
}

/** The changed item of a to-do list with its state, for example "Write tests (done)". */
function taskText({ state }: NonNullable<Step['task']>, object: string, t: Translate): string {
  if (state === undefined) return object;
  return t('{0} ({1})', object, state === 'removed' ? t('removed') : planStateLabel(state, t));
}

function writeLabel(files: readonly FileMark[], isRunning: boolean, paths: string, t: Translate): [string, string] {
  const [file, ...others] = files;
  if (!file) return [isRunning ? t('Editing {0}', slot) : t('Edited {0}', slot), paths];
  const object = plainLine(file.path, 120);
  if (others.length > 0) {
    const count = others.length;
    return isRunning
      ? [t({ other: 'Editing {0} and {1} more' }, slot, count), object]
      : [t({ other: 'Edited {0} and {1} more' }, slot, count), object];
  }
  switch (file.change) {
    case 'created':
      return [isRunning ? t('Creating {0}', slot) : t('Created {0}', slot), object];
    case 'edited':
      return [isRunning ? t('Editing {0}', slot) : t('Edited {0}', slot), object];
    case 'deleted':
      return [isRunning ? t('Deleting {0}', slot) : t('Deleted {0}', slot), object];
    case 'renamed':
      return [isRunning ? t('Renaming to {0}', slot) : t('Renamed to {0}', slot), object];
  }
}

/** Names the change without saying that it was made. The status follows the label: "Edit src/a.ts failed". */
function failedWriteLabel([file, ...others]: readonly FileMark[], paths: string, t: Translate): [string, string] {
  if (!file) return [t('Edit {0}', slot), paths];
  const object = plainLine(file.path, 120);
  if (others.length > 0) return [t({ other: 'Edit {0} and {1} more' }, slot, others.length), object];
  switch (file.change) {
    case 'created':
      return [t('Create {0}', slot), object];
    case 'edited':
      return [t('Edit {0}', slot), object];
    case 'deleted':
      return [t('Delete {0}', slot), object];
    case 'renamed':
      return [t('Rename to {0}', slot), object];
  }
}

/** The files that the agent changed in a turn, for example "3 files +40 −12"; undefined if none is confirmed. */
export function describeTurnChanges(changes: AgentChanges, t: Translate): PagePlace['changes'] {
  const { confirmedCount } = changes;
  if (confirmedCount === 0) return undefined;
  const lines = lineCounts([changes], t);
  return {
    label:
      lines === ''
        ? t({ one: '1 file', other: '{0} files' }, confirmedCount)
        : t({ one: '1 file {1}', other: '{0} files {1}' }, confirmedCount, lines),
    hint: t('Show the changes as the agent wrote them'),
  };
}
