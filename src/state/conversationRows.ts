import type { RowSeed } from '../pageContent.ts';
import { type BranchPlace, readBranches } from './branches.ts';
import type { CalendarDays } from './calendarDays.ts';
import { type Reading, isShown, wholeReading } from './lens.ts';
import { mostDrawnLines } from './cutBlocks.ts';
import { type MessageHeader, estimateTextLines } from './messageHeader.ts';
import { type OutboxEntry, bubbleMessageId } from './outboxEntry.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { type ToolGroup, foldTools } from './toolGroups.ts';
import { resultMarks } from './toolPairs.ts';
import { type Turns, isPrompt, readTurns } from './turns.ts';

/** One row of a conversation: a message the service lists, an outgoing one it does not list yet, or a group. */
export interface ConversationRow extends RowSeed {
  /** Changes exactly when the row has to be drawn again. */
  readonly version: string;
  readonly source: { readonly messageId: string } | { readonly entryId: string } | { readonly group: ToolGroup };
  /** Unix ms. */
  readonly createdAt: number;
  /** The first row shown of its day. */
  readonly startsDay?: boolean;
  /** How long the turn took that ends with this row, in ms. */
  readonly tookMs?: number;
  readonly branch?: BranchPlace;
}

/** What a page shows of a conversation. */
export interface RowsView {
  readonly reading: Reading;
  /** Messages the person asked to see: shown whatever the lens says, and their groups are open. */
  readonly openedIds: ReadonlySet<string>;
  /** Without it, days are not told apart. */
  readonly days?: CalendarDays;
}

/** The rows of a conversation as it is read, and how many of the messages that are here they stand for. */
export interface ShownConversation {
  readonly rows: readonly ConversationRow[];
  readonly shownCount: number;
  readonly totalCount: number;
}

const wholeView: RowsView = { reading: wholeReading, openedIds: new Set() };

/**
 * The rows of a conversation in order: the messages, then what is on its way out. A message that was sent from here
 * keeps the key of its outgoing entry, so that there is one bubble from Enter on (R33).
 */
export function conversationRows(record: SessionRecord, view = wholeView): readonly ConversationRow[] {
  return showConversation(record, view).rows;
}

/** {@link conversationRows}, counted. */
export function showConversation(record: SessionRecord, { reading, openedIds, days }: RowsView): ShownConversation {
  const { headers, session } = record;
  const turns = readTurns(headers, session?.status === 'idle');
  const branches = readBranches(headers);
  const pairs = resultMarks(headers);
  const claims = new Map(record.outbox.map((entry) => [bubbleMessageId(entry), entry.entryId]));
  const isOpened = ({ messageId }: MessageHeader) => openedIds.has(messageId);
  const shown = headers.filter((header) => isOpened(header) || isShown(header, reading, turns));
  const messageRow = (header: MessageHeader): ConversationRow => {
    const { messageId } = header;
    const key = claims.get(messageId) ?? record.entryIdByMessageId.get(messageId) ?? messageId;
    const version = `${versionOf(header)}${pairs.get(messageId) ?? ''}`;
    return rowOf(header, { key, version }, turns, branches.get(messageId));
  };
  const items = reading.lens === 'work' ? foldTools(shown, openedIds) : shown;
  const rows = items.map((item) => ('isOpen' in item ? groupRow(item) : messageRow(item)));
  const all = [...rows, ...outgoingRows(record)];
  return { rows: days ? withDays(all, days) : all, shownCount: shown.length, totalCount: headers.length };
}

function rowOf(
  header: MessageHeader,
  { key, version }: Pick<ConversationRow, 'key' | 'version'>,
  turns: Turns,
  branch: BranchPlace | undefined,
): ConversationRow {
  const { messageId, createdAt, weightLines } = header;
  const tookMs = turns.tookMs.get(messageId);
  const marks = [
    tookMs === undefined ? '' : ` took ${tookMs}`,
    branch ? ` branch ${branch.index} ${branch.messageIds.join(' ')}` : '',
  ];
  return {
    key,
    weightLines: Math.min(weightLines, mostDrawnLines) + (tookMs === undefined ? 0 : 1) + (branch ? 1 : 0),
    version: `${version}${marks.join('')}`,
    source: { messageId },
    createdAt,
    ...(isPrompt(header) ? { isPrompt: true } : {}),
    ...(tookMs === undefined ? {} : { tookMs }),
    ...(branch ? { branch } : {}),
  };
}

function groupRow(group: ToolGroup): ConversationRow {
  const { messageIds, errorCount, isOpen, createdAt } = group;
  return {
    // No message's own: the service's ids never hold a control character.
    key: `\u0000group ${messageIds[0] ?? ''}`,
    weightLines: 1,
    version: `g ${messageIds.length} ${errorCount} ${String(isOpen)}`,
    source: { group },
    createdAt,
  };
}

function outgoingRows({ headers, outbox }: SessionRecord): ConversationRow[] {
  if (outbox.length === 0) return [];
  const listed = new Set(headers.map(({ messageId }) => messageId));
  return outbox.filter((entry) => !listed.has(bubbleMessageId(entry) ?? '')).map(outgoingRow);
}

function outgoingRow(entry: OutboxEntry): ConversationRow {
  const progress = entry.progress === undefined ? '' : Math.round(entry.progress * 100);
  return {
    key: entry.entryId,
    weightLines: Math.min(estimateTextLines(entry.text), mostDrawnLines) + entry.attachments.length,
    version: `e ${entry.state} ${progress} ${String(entry.isSearching ?? false)}`,
    source: { entryId: entry.entryId },
    createdAt: entry.createdAt,
    isPrompt: true,
  };
}

function withDays(rows: readonly ConversationRow[], days: CalendarDays): ConversationRow[] {
  let before = '';
  return rows.map((row) => {
    const day = days.nameOf(row.createdAt);
    if (day === before || day === '') return row;
    before = day;
    return { ...row, startsDay: true, weightLines: row.weightLines + 2, version: `${row.version} day` };
  });
}

function versionOf({ updatedAt, weightLines, role, isError, isGone, isDetached }: MessageHeader): string {
  const marks = `${isGone ? ' gone' : ''}${isDetached ? ' apart' : ''}`;
  return `m ${updatedAt} ${weightLines} ${role ?? ''} ${String(isError)}${marks}`;
}

/** What the page's list is told of a row before its body. */
export function seedOf({ key, weightLines, isPrompt: isAsked }: ConversationRow): RowSeed {
  return { key, weightLines, ...(isAsked ? { isPrompt: true } : {}) };
}
