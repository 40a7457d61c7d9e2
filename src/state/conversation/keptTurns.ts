import type { BranchPlace } from './branches.ts';
import { commonBeginning } from './commonBeginning.ts';
import type { ConversationRow, RowsView, ShownConversation } from './rows.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import type { TurnRows, TurnSurroundings } from './turnRows.ts';

/** How many messages, rows and shown messages there are up to the end of a turn. */
export interface TurnEnd {
  readonly messages: number;
  readonly rows: number;
  readonly shown: number;
}

/** What can be kept of the turns that were shown before. */
export interface KeptTurns {
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
export function keptTurns(
  before: ShownConversation | undefined,
  headers: readonly MessageHeader[],
  around: TurnSurroundings,
): KeptTurns {
  if (!before || !isSameView(before.made.view, around.view)) {
    return { turns: [], ends: [], rows: [], later: new Map() };
  }
  const { made } = before;
  const changedIds = new Set<string>();
  noteChanges(made.entryIds, around.entryIds, (one, other) => one === other, changedIds);
  noteChanges(made.branches, around.branches, isSamePlace, changedIds);
  const count = turnsWithin(made.ends, unchangedMessages(made.headers, headers, changedIds));
  const later = new Map<unknown, TurnRows>();
  for (const turn of made.turns.slice(count)) {
    if (!turn.headers.some(({ messageId }) => changedIds.has(messageId))) later.set(turn.headers[0], turn);
  }
  const ends = made.ends.slice(0, count);
  return { turns: made.turns.slice(0, count), ends, rows: before.rows.slice(0, ends.at(-1)?.rows ?? 0), later };
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
  return one.reading === other.reading && one.openedIds === other.openedIds && one.days === other.days;
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
