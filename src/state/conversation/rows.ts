import type { RowStub } from '../../shared/protocol/pageModel.ts';
import type { SeedColumns } from '../../shared/protocol/pageMessages.ts';
import { type BranchPlace, type Branches, readBranches } from './branches.ts';
import type { CalendarDays } from './calendarDays.ts';
import { maxDrawnLines } from './truncate.ts';
import { reusableTurns, type TurnEnd, turnRows, type TurnRows, type TurnContext, withDays } from './turnRows.ts';
import { type ConversationFilter, unfiltered } from './filter.ts';
import { type MessageHeader, estimateTextLines } from '../store/messageHeader.ts';
import { type OutboxEntry, matchedMessageId, isBlocked } from '../store/outboxEntry.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import type { ToolGroup } from './toolGroups.ts';
import { isPrompt } from './turns.ts';

/** One row of a conversation: a message the service lists, an outgoing one it does not list yet, or a group. */
export interface ConversationRow extends RowStub {
  /** Changes exactly when the row has to be drawn again. */
  readonly version: string;
  readonly source: { readonly messageId: string } | { readonly entryId: string } | { readonly group: ToolGroup };
  /** Unix ms. */
  readonly createdAt: number;
  /** The first row shown of its day. */
  readonly startsDay?: boolean;
  /** How long the turn took that ends with this row, in ms. */
  readonly tookMs?: number | undefined;
  readonly branch?: BranchPlace | undefined;
}

/** What a page shows of a conversation. */
export interface RowsView {
  readonly filter: ConversationFilter;
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
  /** What the rows were made of, turn by turn. */
  readonly inputs: TurnContext & {
    readonly headers: readonly MessageHeader[];
    readonly allBranches: Branches;
    readonly turns: readonly TurnRows[];
    readonly ends: readonly TurnEnd[];
  };
}

const unfilteredView: RowsView = { filter: unfiltered, openedIds: new Set() };

/**
 * The rows of a conversation in order: the messages, then what is on its way out. A message that was sent from here
 * keeps the key of its outgoing entry, so that there is one bubble from Enter on (R33).
 */
export function conversationRows(record: SessionRecord, view = unfilteredView): readonly ConversationRow[] {
  return showConversation(record, view).rows;
}

/**
 * {@link conversationRows}, counted. What was shown `before` makes it cheap: turns in which nothing changed keep their
 * rows, which are then the same objects.
 */
export function showConversation(record: SessionRecord, view: RowsView, before?: ShownConversation): ShownConversation {
  const { headers, session } = record;
  const allBranches = readBranches(headers, before?.inputs.allBranches);
  const around = { view, branches: allBranches.places, entryIds: entryIdsOf(record) };
  const kept = reusableTurns(before, headers, around);
  const { turns, ends, rows } = kept;
  const { messages = 0, shown = 0 } = ends.at(-1) ?? {};
  let shownCount = shown;
  let dayBefore = turns.at(-1)?.dayAfter ?? '';
  for (let start = messages; start < headers.length;) {
    const known = kept.later.get(headers[start]);
    const keptEnd = known && isTurnAt(known, headers, start) ? start + known.headers.length : undefined;
    const end = keptEnd ?? turnEnd(headers, start);
    const place = { isOver: end < headers.length || session?.status === 'idle', dayBefore };
    const isKept = keptEnd !== undefined && known?.isOver === place.isOver && known.dayBefore === dayBefore;
    const turn = isKept ? known : turnRows(headers.slice(start, end), place, around);
    turns.push(turn);
    for (const row of turn.rows) rows.push(row);
    shownCount += turn.shownCount;
    dayBefore = turn.dayAfter;
    start = end;
    ends.push({ messages: start, rows: rows.length, shown: shownCount });
  }
  rows.push(...withDays(outgoingRows(record), view.days, dayBefore));
  return { rows, shownCount, totalCount: headers.length, inputs: { ...around, headers, allBranches, turns, ends } };
}

/** Where the turn ends that begins at `start`. */
function turnEnd(headers: readonly MessageHeader[], start: number): number {
  for (let end = start + 1; end < headers.length; end += 1) {
    const header = headers[end];
    if (header && isPrompt(header)) return end;
  }
  return headers.length;
}

/** Whether the messages from `start` are those of a turn, and no more. */
function isTurnAt(turn: TurnRows, headers: readonly MessageHeader[], start: number): boolean {
  const next = headers[start + turn.headers.length];
  const isEnd = next === undefined || isPrompt(next);
  return isEnd && turn.headers.every((header, place) => header === headers[start + place]);
}

/** The outgoing entries that messages were: of those still on their way, and of all sent from here. */
function entryIdsOf({ outbox, entryIdByMessageId }: SessionRecord): ReadonlyMap<string, string> {
  if (outbox.length === 0) return entryIdByMessageId;
  const claims = outbox.flatMap((entry): [string, string][] => {
    const messageId = matchedMessageId(entry);
    return messageId === undefined ? [] : [[messageId, entry.entryId]];
  });
  return new Map([...entryIdByMessageId, ...claims]);
}

function outgoingRows({ headers, outbox }: SessionRecord): ConversationRow[] {
  if (outbox.length === 0) return [];
  const listed = new Set(headers.map(({ messageId }) => messageId));
  return outbox
    .filter((entry) => !listed.has(matchedMessageId(entry) ?? ''))
    .map((entry) => outgoingRow(entry, isBlocked(entry, outbox)));
}

function outgoingRow(entry: OutboxEntry, isBehind: boolean): ConversationRow {
  const progress = entry.progress === undefined ? '' : Math.round(entry.progress * 100);
  const problem = entry.problem ? ` ${entry.problem.kind} ${entry.problem.status ?? entry.problem.code ?? ''}` : '';
  return {
    key: entry.entryId,
    weightLines: Math.min(estimateTextLines(entry.text), maxDrawnLines) + entry.attachments.length,
    version: `e ${entry.state} ${progress} ${String(entry.isSearching ?? false)}${isBehind ? ' behind' : ''}${problem}`,
    source: { entryId: entry.entryId },
    createdAt: entry.createdAt,
    isPrompt: true,
  };
}

/** What the page's list is told of a row before its body. */
export function seedOf({ key, weightLines, isPrompt: isAsked }: ConversationRow): RowStub {
  return isAsked ? { key, weightLines, isPrompt: true } : { key, weightLines };
}

/** The same of many rows, as JSON. */
export function packSeeds(rows: readonly RowStub[]): string {
  const columns: SeedColumns = {
    keys: rows.map(({ key }) => key),
    weights: rows.map(({ weightLines }) => weightLines),
    promptIndexes: rows.flatMap(({ isPrompt: isAsked }, index) => (isAsked ? [index] : [])),
  };
  return JSON.stringify(columns);
}
