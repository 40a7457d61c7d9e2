import { headerVersion, type MessageHeader } from '../store/messageHeader.ts';
import type { AgentChanges } from '../work/changes.ts';
import { needsDecision, type OutboxEntry } from '../store/outboxEntry.ts';
import { type Asked, askedMark } from './asked.ts';
import type { BranchPlace } from './branches.ts';
import { countSteps, mainStep, type Step, type StepsPart, type TurnSteps } from './turnSteps.ts';

/**
 * Versions of conversation rows: a row is rendered again exactly when its version changes. The version must include
 * every field that affects how the row is rendered, so add new fields here. Versions are compared and never parsed.
 */

/** The information that a message's row shows in addition to the message itself. */
export interface RowPlacement {
  /** Changes when a result of one of the message's tool calls arrives or changes. */
  readonly resultMark: string;
  readonly isTextOnly: boolean;
  readonly asked: readonly Asked[];
  readonly tookMs: number | undefined;
  readonly endedTurn: TurnSteps | undefined;
  readonly branch: BranchPlace | undefined;
  readonly isAnswer: boolean;
  readonly startsDay: boolean;
  /** The other messages that the row shows. */
  readonly others: readonly MessageHeader[];
}

export function messageRowVersion(
  header: MessageHeader,
  { resultMark, isTextOnly, asked, tookMs, endedTurn, branch, isAnswer, startsDay, others }: RowPlacement,
): string {
  const marks = [
    ...others.map((other) => ` and ${other.messageId} ${headerVersion(other)}`),
    isTextOnly ? ' text' : resultMark,
    askedMark(asked),
    endedTurn ? ` changed ${changeMark(endedTurn.changes)}` : '',
    tookMs === undefined ? '' : ` took ${tookMs}`,
    isAnswer ? ' answer' : '',
    branch ? ` branch ${branch.index} ${branch.messageIds.join(' ')}` : '',
  ];
  return withDayMark(`m ${headerVersion(header)}${marks.join('')}`, startsDay);
}

export function stepsRowVersion({ summarized, isOpen, steps }: StepsPart, startsDay: boolean): string {
  const summary = summarized ? summaryMark(summarized.all) : '';
  return withDayMark(`s ${String(isOpen)} ${summary} ${steps.map(stepMark).join('|')}`, startsDay);
}

function summaryMark(steps: readonly Step[]): string {
  const { byKind, ...counts } = countSteps(steps);
  // The summary of a single step shows that step. If nothing but thoughts is counted, the summary shows the main step.
  const own = steps.filter(({ kind }) => kind !== 'question');
  const isUncounted = [...byKind.keys()].every((kind) => kind === 'thinking');
  const only = own.length === 1 || isUncounted ? mainStep(own) : undefined;
  const single = only ? stepMark(only) : '';
  return [...[...byKind].flat(), ...Object.values(counts), single].join(' ');
}

function stepMark(step: Step): string {
  const { messageId, index, kind, state, label, failure, startedAt, endedAt, done, total, task, followUp } = step;
  const files = step.files.map(
    ({ path, change, added, removed, isEverywhere }) => `${path} ${change} ${added} ${removed} ${isEverywhere ?? ''}`,
  );
  const place = `${messageId} ${index} ${kind} ${state} ${startedAt} ${endedAt ?? ''}`;
  const work = `${done} ${total} ${task ? `task ${task.state ?? ''}` : ''} ${followUp?.action ?? ''}`;
  return `${place} ${label} ${failure} ${work} ${files.join(',')}`;
}

function changeMark({ confirmedCount, added, removed, isEverywhere }: AgentChanges): string {
  return `${confirmedCount} ${added} ${removed} ${String(isEverywhere ?? false)}`;
}

/**
 * @param isBlocked whether an earlier message blocks this one (R30).
 * @param awaitedTitle the title of the session for which a scheduled message waits, if it is known.
 */
export function outgoingRowVersion(entry: OutboxEntry, isBlocked: boolean, awaitedTitle = ''): string {
  const { state, progress, failure, after, when, isPassed } = entry;
  const schedule = after ? ` after ${after.kind === 'time' ? after.at : `${after.key.sessionId} ${awaitedTitle}`}` : '';
  const percent = progress === undefined ? '' : Math.round(progress * 100);
  const marks = [
    isBlocked ? ' behind' : '',
    schedule,
    when === undefined ? '' : ` when ${when}`,
    isPassed ? ' passed' : '',
    failure ? ` failed ${failure.kind} ${failure.status ?? failure.code ?? ''} ${failure.at}` : '',
  ];
  return `e ${state} ${percent} ${String(needsDecision(entry))}${marks.join('')}`;
}

export function withDayMark(version: string, startsDay: boolean): string {
  return startsDay ? `${version} day` : version;
}
