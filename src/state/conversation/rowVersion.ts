import { headerVersion, type MessageHeader } from '../store/messageHeader.ts';
import type { OutboxEntry } from '../store/outboxEntry.ts';
import type { BranchPlace } from './branches.ts';
import type { ToolGroup } from './toolGroups.ts';

/**
 * Versions of conversation rows: a row is rendered again exactly when its version changes. The version must include
 * every field that affects how the row is rendered, so add new fields here. Versions are compared and never parsed.
 */

/** The information that a message's row shows in addition to the message itself. */
export interface RowPlacement {
  /** Changes when a result of one of the message's tool calls arrives or changes. */
  readonly resultMark: string;
  readonly tookMs: number | undefined;
  readonly branch: BranchPlace | undefined;
  readonly startsDay: boolean;
}

export function messageRowVersion(
  header: MessageHeader,
  { resultMark, tookMs, branch, startsDay }: RowPlacement,
): string {
  const marks = [
    resultMark,
    tookMs === undefined ? '' : ` took ${tookMs}`,
    branch ? ` branch ${branch.index} ${branch.messageIds.join(' ')}` : '',
  ];
  return withDayMark(`m ${headerVersion(header)}${marks.join('')}`, startsDay);
}

export function groupRowVersion({ messageIds, errorCount, isOpen }: ToolGroup, startsDay: boolean): string {
  return withDayMark(`g ${messageIds.length} ${errorCount} ${String(isOpen)}`, startsDay);
}

/** @param isBlocked whether an earlier message blocks this one (R30). */
export function outgoingRowVersion(entry: OutboxEntry, isBlocked: boolean): string {
  const { state, progress, isSearching = false, problem } = entry;
  const percent = progress === undefined ? '' : Math.round(progress * 100);
  const failure = problem ? ` ${problem.kind} ${problem.status ?? problem.code ?? ''}` : '';
  return `e ${state} ${percent} ${String(isSearching)}${isBlocked ? ' behind' : ''}${failure}`;
}

export function withDayMark(version: string, startsDay: boolean): string {
  return startsDay ? `${version} day` : version;
}
