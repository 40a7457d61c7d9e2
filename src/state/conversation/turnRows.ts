import type { MessageHeader } from '../store/messageHeader.ts';
import { commonPrefixLength, sameValue } from '../../shared/equality.ts';
import { type AnswerSource, asksUser, TurnQuestions } from './asked.ts';
import type { BranchPlace, Branches } from './branches.ts';
import type { CalendarDays } from './calendarDays.ts';
import { isShown } from './filter.ts';
import type { ConversationRow, MessageSource, RowsView } from './row.ts';
import { messageRowVersion, type RowPlacement, stepsRowVersion, withDayMark } from './rowVersion.ts';
import { messagesBefore, type StepsPart, TurnSteps } from './turnSteps.ts';
import { resultMarks } from './toolPairs.ts';
import { maxDrawnLines } from './truncate.ts';
import { isContext, isPrompt, readTurns, type TurnState } from '../store/turns.ts';
import { isOfAgent, lateResults, maxLateDistance } from '../work/calls.ts';
import { hasChanges } from '../work/changes.ts';
import { arrangeWork, type WorkItem, type WorkMessage } from './arrangeWork.ts';

/** Estimated height of a day separator, in lines of text. */
const dayLines = 2;

/** The rows of one turn with their inputs. If the inputs are equal, the rows can be reused. */
export interface TurnRows {
  readonly headers: readonly MessageHeader[];
  readonly state: TurnState;
  /** The user's message after the turn; undefined if there is none yet. */
  readonly reply: AnswerSource | undefined;
  /** The calendar day of the row before the turn; empty if there is none. */
  readonly dayBefore: string;
  /** The calendar day of the last row up to the end of the turn; empty if there is none. */
  readonly dayAfter: string;
  readonly rows: readonly ConversationRow[];
  readonly shownCount: number;
  readonly steps: TurnSteps;
  /** See {@link lateResults}. */
  readonly after: readonly MessageHeader[];
  /** Whether late results can still arrive; see `TurnSurroundings` in turnSteps.ts. */
  readonly isAwaited: boolean;
  /**
   * Whether the turn continues an earlier one: a call continues another call, or a result at the beginning can belong
   * to an earlier call.
   */
  readonly isContinuing: boolean;
}

/** The state of a turn, and what its rows depend on in the messages and rows around it. */
export type TurnPlace = Pick<TurnRows, 'state' | 'reply' | 'dayBefore' | 'after' | 'isAwaited'>;

/** The inputs of a turn's rows in addition to its messages. */
interface TurnContext {
  readonly view: RowsView;
  readonly branches: ReadonlyMap<string, BranchPlace>;
  /** The ID of the outbox entry that each message was sent from, by message ID. */
  readonly entryIds: ReadonlyMap<string, string>;
}

/** The rows of a conversation with a filter applied, and the numbers of shown messages and of all loaded messages. */
export interface ShownConversation {
  readonly rows: readonly ConversationRow[];
  readonly shownCount: number;
  readonly totalCount: number;
  /** The turns and what they were made from, so that the next `showConversation` can reuse unchanged turns. */
  readonly inputs: TurnContext & {
    readonly headers: readonly MessageHeader[];
    readonly allBranches: Branches;
    readonly turns: readonly TurnRows[];
    readonly ends: readonly TurnEnd[];
  };
}

/** Creates the rows of a turn, whose messages are those from the index `start` up to, but not including, `end`. */
export function turnRows(
  all: readonly MessageHeader[],
  [start, end]: readonly [number, number],
  { state, reply, dayBefore, after, isAwaited }: TurnPlace,
  { view, branches, entryIds }: TurnContext,
): TurnRows {
  const { filter, openedIds, days } = view;
  const headers = all.slice(start, end);
  const isContinuing =
    headers.some(({ tools = '' }) => /"followUp"|"task":\{"id"/.test(tools)) || lateResults(headers, 0).length > 0;
  const isOver = state !== 'running';
  const turns = readTurns(headers, isOver);
  const marks = resultMarks([...headers, ...after]);
  const shown = headers.filter((header) => openedIds.has(header.messageId) || isShown(header, filter, turns));
  const steps = new TurnSteps(headers, state, {
    before: isContinuing ? messagesBefore(all, start) : [],
    after,
    isAwaited,
  });
  const isFollowed = !isOver || (headers.at(-1)?.createdAt ?? 0) > view.collapseUntil;
  const questions = new TurnQuestions(headers, steps, reply);
  const isWork = filter.detailLevel === 'work';
  const isAnswers = filter.detailLevel === 'answers';
  const arranged = isWork
    ? arrangeWork(shown, steps, turns, isFollowed, view)
    : shown.map((header) => ({
        header,
        isTextOnly: isAnswers && asksUser(header) && !openedIds.has(header.messageId),
      }));
  const items = withContextGroups(arranged, view);
  // The bar above the composer describes the last turn.
  const isDescribed = state === 'replied';
  const endedTurn = isDescribed && hasChanges(headers) ? steps : undefined;
  let day = dayBefore;
  const rows = items.map((item): ConversationRow => {
    const name = days?.nameOf('header' in item ? item.header.createdAt : item.createdAt) ?? '';
    const startsDay = name !== '' && name !== day;
    if (startsDay) day = name;
    if (!('header' in item)) return new StepsRow(item, startsDay);
    const { messageId, toolCount } = item.header;
    const tookMs = isDescribed ? turns.tookMs.get(messageId) : undefined;
    return new MessageRow(entryIds.get(messageId) ?? messageId, item.header, {
      resultMark: marks.get(messageId) ?? '',
      isTextOnly: item.isTextOnly && toolCount > 0,
      asked: questions.of(item.header),
      others: 'others' in item ? item.others : [],
      tookMs,
      endedTurn: tookMs === undefined ? undefined : endedTurn,
      branch: branches.get(messageId),
      isAnswer: isOver && turns.answerIds.has(messageId),
      startsDay,
    });
  });
  const shownCount = shown.length;
  const place = { state, reply, dayBefore, after, isAwaited };
  return { ...place, headers, dayAfter: day, rows, shownCount, steps, isContinuing };
}

/** The maximum number of messages of the agent's tooling in one row. */
const maxContextMessages = 50;

/** A message with the messages after it that its row shows too. */
interface ContextGroup extends WorkMessage {
  readonly others: MessageHeader[];
}

/**
 * Puts consecutive messages that the agent's tooling wrote into one item, at most {@link maxContextMessages}. A message
 * that was opened has its own item, and one that begins a day begins an item, so that its day separator can be shown.
 */
function withContextGroups(
  items: readonly WorkItem[],
  { openedIds, days }: RowsView,
): readonly (WorkItem | ContextGroup)[] {
  const grouped: (WorkItem | ContextGroup)[] = [];
  const isSameDay = (one: MessageHeader, other: MessageHeader) =>
    !days || days.nameOf(one.createdAt) === days.nameOf(other.createdAt);
  let first: MessageHeader | undefined;
  let group: ContextGroup | undefined;
  for (const item of items) {
    const header = 'header' in item && isContext(item.header) ? item.header : undefined;
    const isOwn = !header || openedIds.has(header.messageId);
    const count = group ? group.others.length + 1 : 1;
    if (!isOwn && first && count < maxContextMessages && isSameDay(first, header)) {
      if (!group) grouped[grouped.length - 1] = group = { header: first, isTextOnly: false, others: [] };
      group.others.push(header);
      continue;
    }
    grouped.push(item);
    first = header && !openedIds.has(header.messageId) ? header : undefined;
    group = undefined;
  }
  return grouped;
}

/** Adds day separators to rows that don't belong to a turn. */
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
    return {
      ...row,
      startsDay: true,
      estimatedLines: row.estimatedLines + dayLines,
      version: withDayMark(row.version, true),
    };
  });
}

/**
 * The row of a message. Its version is computed on demand, because a conversation can have thousands of rows and few of
 * them are compared.
 */
class MessageRow implements ConversationRow {
  readonly key: string;
  readonly estimatedLines: number;
  readonly createdAt: number;
  readonly source: MessageSource;
  readonly isPrompt: boolean;
  readonly isAnswer: boolean;
  readonly startsDay: boolean;
  readonly tookMs: number | undefined;
  readonly endedTurn: TurnSteps | undefined;
  readonly branch: BranchPlace | undefined;
  readonly #header: MessageHeader;
  readonly #placement: RowPlacement;

  constructor(key: string, header: MessageHeader, placement: RowPlacement) {
    const { isTextOnly, asked, tookMs, endedTurn, branch, isAnswer, startsDay, others } = placement;
    const hasFoot = isAnswer || tookMs !== undefined || branch !== undefined;
    const extraLines = (hasFoot ? 1 : 0) + (startsDay ? dayLines : 0);
    this.key = key;
    this.estimatedLines = Math.min(header.estimatedLines, maxDrawnLines) + extraLines;
    this.createdAt = header.createdAt;
    this.source = {
      messageId: header.messageId,
      ...(isTextOnly && { isTextOnly }),
      ...(asked.length > 0 && { asked }),
      ...(others.length > 0 && { contextIds: others.map(({ messageId }) => messageId) }),
    };
    this.isPrompt = isPrompt(header);
    this.isAnswer = isAnswer;
    this.startsDay = startsDay;
    this.tookMs = tookMs;
    this.endedTurn = endedTurn;
    this.branch = branch;
    this.#header = header;
    this.#placement = placement;
  }

  get version(): string {
    return messageRowVersion(this.#header, this.#placement);
  }
}

/**
 * A row of steps. Its key begins with a NUL character, which isn't expected in an ID, so it differs from the key of
 * every message.
 */
class StepsRow implements ConversationRow {
  readonly key: string;
  readonly estimatedLines: number;
  readonly createdAt: number;
  readonly source: { readonly steps: StepsPart };
  readonly startsDay: boolean;

  constructor(part: StepsPart, startsDay: boolean) {
    const lines = (part.summarized ? 1 : 0) + part.steps.length;
    this.key = `\u0000steps ${part.part} ${part.runKey}`;
    this.estimatedLines = lines + (startsDay ? dayLines : 0);
    this.createdAt = part.createdAt;
    this.source = { steps: part };
    this.startsDay = startsDay;
  }

  get version(): string {
    return stepsRowVersion(this.source.steps, this.startsDay);
  }
}

/** Running totals of messages, rows, and shown messages at the end of a turn. */
interface TurnEnd {
  readonly messages: number;
  readonly rows: number;
  readonly shown: number;
}

/** The previously shown turns that can be reused. */
interface ReusableTurns {
  /** The unchanged turns at the beginning. The caller appends to these three lists. */
  readonly turns: TurnRows[];
  readonly ends: TurnEnd[];
  readonly rows: ConversationRow[];
  /**
   * Later turns in which no message changed its key or branch, by their first message. The caller compares their
   * messages.
   */
  readonly later: ReadonlyMap<unknown, TurnRows>;
}

/**
 * Finds the previously shown turns in which no message changed its key or branch. In the turns at the beginning, no
 * message changed its content either. If messages were only appended, these turns aren't inspected individually.
 */
export function reusableTurns(
  before: ShownConversation | undefined,
  headers: readonly MessageHeader[],
  context: TurnContext,
): ReusableTurns {
  if (!before || !isSameView(before.inputs.view, context.view)) {
    return { turns: [], ends: [], rows: [], later: new Map() };
  }
  const { inputs } = before;
  const changedIds = new Set<string>();
  noteChanges(inputs.entryIds, context.entryIds, (one, other) => one === other, changedIds);
  noteChanges(inputs.branches, context.branches, sameValue, changedIds);
  const same = unchangedMessages(inputs.headers, headers, changedIds);
  const count = turnsWithin(inputs.ends, settledMessages(headers, same));
  const later = new Map<unknown, TurnRows>();
  for (const turn of inputs.turns.slice(count)) {
    if (!turn.headers.some(({ messageId }) => changedIds.has(messageId))) later.set(turn.headers[0], turn);
  }
  const ends = inputs.ends.slice(0, count);
  return { turns: inputs.turns.slice(0, count), ends, rows: before.rows.slice(0, ends.at(-1)?.rows ?? 0), later };
}

/** The number of messages at the beginning that are unchanged. */
function unchangedMessages(
  before: readonly MessageHeader[],
  after: readonly MessageHeader[],
  changedIds: ReadonlySet<string>,
): number {
  const same = commonPrefixLength(before, after);
  if (changedIds.size === 0) return same;
  const changed = after.findIndex(({ messageId }) => changedIds.has(messageId));
  return changed < 0 ? same : Math.min(same, changed);
}

/**
 * The number of messages at the beginning whose turns get no late results from messages after the first `same`: those
 * up to the agent's last message among the first `same`, or all but the last {@link maxLateDistance} of them if that
 * message is earlier.
 */
function settledMessages(headers: readonly MessageHeader[], same: number): number {
  let count = same;
  while (count > 0 && count > same - maxLateDistance) {
    const last = headers[count - 1];
    if (last && isOfAgent(last)) break;
    count -= 1;
  }
  return count;
}

/**
 * The number of turns that end before index `same`. The first message of the next turn must be unchanged too, because
 * it ends the previous one.
 */
function turnsWithin(ends: readonly TurnEnd[], same: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.messages ?? 0) < same) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether two views show the same messages in the same rows. */
export function isSameView(one: RowsView, other: RowsView): boolean {
  return (
    one.filter === other.filter &&
    one.openedIds === other.openedIds &&
    one.openRuns === other.openRuns &&
    one.collapseUntil === other.collapseUntil &&
    one.days === other.days
  );
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
