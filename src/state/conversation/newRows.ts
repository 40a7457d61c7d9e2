import { defined } from '../../shared/defined.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import type { ConversationRow } from './row.ts';

/** Estimated height of the divider above new messages, in lines of text. */
const dividerLines = 2;

/**
 * The index of the first row that is newer than what the user had seen when they opened the conversation; -1 if there
 * is none, or if older rows may be new, too, because they aren't loaded. A message that was sent from this machine
 * isn't new.
 */
export function firstNewRow(rows: readonly ConversationRow[], record: SessionRecord): number {
  const { newSince, entryIdByMessageId, headers, history } = record;
  if (newSince === undefined) return -1;
  // Outgoing rows are last, even if they were created before the messages above them.
  const first = rows.findLastIndex(({ source, createdAt }) => !('entryId' in source) && createdAt <= newSince) + 1;
  const isOwn = ({ source }: ConversationRow) =>
    'entryId' in source || ('messageId' in source && entryIdByMessageId.has(source.messageId));
  // The first loaded message may have no row. All messages that aren't loaded are older than it.
  const oldest = headers.find(({ isDetached }) => !isDetached);
  const isOldestNew = oldest === undefined || oldest.createdAt > newSince;
  const isPartial = first === 0 && history.completeness !== 'complete' && isOldestNew;
  return isPartial ? -1 : rows.findIndex((row, index) => index >= first && !isOwn(row));
}

/** The rows with the divider above the row at this index. The other rows are the same objects. */
export function withDivider(
  rows: readonly ConversationRow[],
  index: number,
  newSince: number | undefined,
): readonly ConversationRow[] {
  const row = rows[index];
  return row && newSince !== undefined ? rows.with(index, dividedRow(row, newSince)) : rows;
}

function dividedRow(row: ConversationRow, newSince: number): ConversationRow {
  const { key, source, createdAt, startsDay, isPrompt, isAnswer, tookMs, branch, endedTurn } = row;
  return {
    ...{ key, source, createdAt, newSince, tookMs, branch, endedTurn },
    ...defined({ startsDay, isPrompt, isAnswer }),
    estimatedLines: row.estimatedLines + dividerLines,
    version: `${row.version} new ${newSince}`,
  };
}
