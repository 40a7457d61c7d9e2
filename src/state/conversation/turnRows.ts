import type { MessageHeader } from '../store/messageHeader.ts';
import { type BranchPlace, commonBeginning } from './branches.ts';
import type { CalendarDays } from './calendarDays.ts';
import { isShown } from './filter.ts';
import type { ConversationRow, RowsView, ShownConversation } from './rows.ts';
import { foldTools, type ToolGroup } from './toolGroups.ts';
import { resultMarks } from './toolPairs.ts';
import { maxDrawnLines } from './truncate.ts';
import { isPrompt, readTurns } from './turns.ts';

/** A day line is about as high as this many lines of text. */
const dayLines = 2;

/** The rows of one turn, with all that they were made of: where that is the same, so are they. */
export interface TurnRows {
  readonly headers: readonly MessageHeader[];
  readonly isOver: boolean;
  /** The day of the row before, and of the last one; empty where there is none. */
  readonly dayBefore: string;
  readonly dayAfter: string;
  readonly rows: readonly ConversationRow[];
  readonly shownCount: number;
}

/** What the rows of a turn are made of, beside its messages. */
export interface TurnContext {
  readonly view: RowsView;
  readonly branches: ReadonlyMap<string, BranchPlace>;
  /** The outgoing entries that messages were, by message id. */
  readonly entryIds: ReadonlyMap<string, string>;
}

/** Makes the rows of a turn: from a prompt to what stands before the next one. */
export function turnRows(
  headers: readonly MessageHeader[],
  { isOver, dayBefore }: Pick<TurnRows, 'isOver' | 'dayBefore'>,
  { view, branches, entryIds }: TurnContext,
): TurnRows {
  const { filter, openedIds, days } = view;
  const turns = readTurns(headers, isOver);
  const marks = resultMarks(headers);
  const shown = headers.filter((header) => openedIds.has(header.messageId) || isShown(header, filter, turns));
  const items = filter.lens === 'work' ? foldTools(shown, openedIds) : shown;
  let day = dayBefore;
  const rows = items.map((item): ConversationRow => {
    const name = days?.nameOf(item.createdAt) ?? '';
    const startsDay = name !== '' && name !== day;
    if (startsDay) day = name;
    if ('isOpen' in item) return groupRow(item, startsDay);
    const { messageId } = item;
    return new MessageRow(item, {
      key: entryIds.get(messageId) ?? messageId,
      mark: marks.get(messageId) ?? '',
      tookMs: turns.tookMs.get(messageId),
      branch: branches.get(messageId),
      startsDay,
    });
  });
  return { headers, isOver, dayBefore, dayAfter: day, rows, shownCount: shown.length };
}

/** Marks which of the rows behind the last turn begin a day. */
export function withDays(
  rows: readonly ConversationRow[],
  days: CalendarDays | undefined,
  dayBefore: string,
): readonly ConversationRow[] {
  if (!days) return rows;
  let day = dayBefore;
  return rows.map((row) => {
    const name = days.nameOf(row.createdAt);
    if (name === day || name === '') return row;
    day = name;
    return { ...row, startsDay: true, weightLines: row.weightLines + dayLines, version: `${row.version} day` };
  });
}

interface MessagePlace {
  readonly key: string;
  /** Changes when what belongs to its tool calls does. */
  readonly mark: string;
  readonly tookMs: number | undefined;
  readonly branch: BranchPlace | undefined;
  readonly startsDay: boolean;
}

/** The row of a message. There are thousands, and of most the version is never asked. */
class MessageRow implements ConversationRow {
  readonly key: string;
  readonly weightLines: number;
  readonly createdAt: number;
  readonly source: { readonly messageId: string };
  readonly isPrompt: boolean;
  readonly startsDay: boolean;
  readonly tookMs: number | undefined;
  readonly branch: BranchPlace | undefined;
  readonly #header: MessageHeader;
  readonly #mark: string;

  constructor(header: MessageHeader, { key, mark, tookMs, branch, startsDay }: MessagePlace) {
    const extraLines = (tookMs === undefined ? 0 : 1) + (branch ? 1 : 0) + (startsDay ? dayLines : 0);
    this.key = key;
    this.weightLines = Math.min(header.weightLines, maxDrawnLines) + extraLines;
    this.createdAt = header.createdAt;
    this.source = { messageId: header.messageId };
    this.isPrompt = isPrompt(header);
    this.startsDay = startsDay;
    this.tookMs = tookMs;
    this.branch = branch;
    this.#header = header;
    this.#mark = mark;
  }

  get version(): string {
    const { updatedAt, weightLines, role, isError, isGone, isDetached } = this.#header;
    const { tookMs, branch, startsDay } = this;
    const marks = [
      isGone ? ' gone' : '',
      isDetached ? ' apart' : '',
      this.#mark,
      tookMs === undefined ? '' : ` took ${tookMs}`,
      branch ? ` branch ${branch.index} ${branch.messageIds.join(' ')}` : '',
      startsDay ? ' day' : '',
    ];
    return `m ${updatedAt} ${weightLines} ${role ?? ''} ${String(isError)}${marks.join('')}`;
  }
}

function groupRow(group: ToolGroup, startsDay: boolean): ConversationRow {
  const { messageIds, errorCount, isOpen, createdAt } = group;
  return {
    // No message's own: the service's ids never hold a control character.
    key: `\u0000group ${messageIds[0] ?? ''}`,
    weightLines: 1 + (startsDay ? dayLines : 0),
    version: `g ${messageIds.length} ${errorCount} ${String(isOpen)}${startsDay ? ' day' : ''}`,
    source: { group },
    createdAt,
    startsDay,
  };
}

/** How many messages, rows and shown messages there are up to the end of a turn. */
export interface TurnEnd {
  readonly messages: number;
  readonly rows: number;
  readonly shown: number;
}

/** What can be kept of the turns that were shown before. */
export interface ReusableTurns {
  /** At the beginning, as they were; for the caller to add to. */
  readonly turns: TurnRows[];
  readonly ends: TurnEnd[];
  readonly rows: ConversationRow[];
  /** Those further on in which nothing changed, by their first message. */
  readonly later: ReadonlyMap<unknown, TurnRows>;
}

/**
 * The turns of before in which no message has got another content, key or place among branches. Mostly a conversation
 * only grows at its end: then nothing is asked of the turns before that, however many they are.
 */
export function reusableTurns(
  before: ShownConversation | undefined,
  headers: readonly MessageHeader[],
  around: TurnContext,
): ReusableTurns {
  if (!before || !isSameView(before.inputs.view, around.view)) {
    return { turns: [], ends: [], rows: [], later: new Map() };
  }
  const { inputs } = before;
  const changedIds = new Set<string>();
  noteChanges(inputs.entryIds, around.entryIds, (one, other) => one === other, changedIds);
  noteChanges(inputs.branches, around.branches, isSamePlace, changedIds);
  const count = turnsWithin(inputs.ends, unchangedMessages(inputs.headers, headers, changedIds));
  const later = new Map<unknown, TurnRows>();
  for (const turn of inputs.turns.slice(count)) {
    if (!turn.headers.some(({ messageId }) => changedIds.has(messageId))) later.set(turn.headers[0], turn);
  }
  const ends = inputs.ends.slice(0, count);
  return { turns: inputs.turns.slice(0, count), ends, rows: before.rows.slice(0, ends.at(-1)?.rows ?? 0), later };
}

/** How many messages at the beginning are the same. */
function unchangedMessages(
  before: readonly MessageHeader[],
  after: readonly MessageHeader[],
  changedIds: ReadonlySet<string>,
): number {
  const same = commonBeginning(before, after);
  if (changedIds.size === 0) return same;
  const changed = after.findIndex(({ messageId }) => changedIds.has(messageId));
  return changed < 0 ? same : Math.min(same, changed);
}

/** How many turns end before the message at `same`: there, another one began as it begins now. */
function turnsWithin(ends: readonly TurnEnd[], same: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.messages ?? 0) < same) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSameView(one: RowsView, other: RowsView): boolean {
  return one.filter === other.filter && one.openedIds === other.openedIds && one.days === other.days;
}

function noteChanges<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T | undefined, other: T | undefined) => boolean,
  changedIds: Set<string>,
): void {
  for (const id of [...before.keys(), ...after.keys()]) {
    if (!isSame(before.get(id), after.get(id))) changedIds.add(id);
  }
}

function isSamePlace(one: BranchPlace | undefined, other: BranchPlace | undefined): boolean {
  return one?.index === other?.index && one?.messageIds.join(' ') === other?.messageIds.join(' ');
}
