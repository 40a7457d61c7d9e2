import type { BranchPlace } from './branches.ts';
import type { ConversationRow, RowsView, ShownConversation } from './conversationRows.ts';
import type { MessageHeader } from './messageHeader.ts';
import type { TurnRows, TurnSurroundings } from './turnRows.ts';

/** What can be kept of the turns that were shown before. */
export interface KeptTurns {
  /** At the beginning, as they were; for the caller to add to. */
  readonly turns: TurnRows[];
  readonly rows: ConversationRow[];
  /** How many messages those turns are of, and how many of them are shown. */
  readonly messageCount: number;
  readonly shownCount: number;
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
    return { turns: [], rows: [], messageCount: 0, shownCount: 0, later: new Map() };
  }
  const { made } = before;
  const changedIds = new Set<string>();
  noteChanges(made.entryIds, around.entryIds, (one, other) => one === other, changedIds);
  noteChanges(made.branches, around.branches, isSamePlace, changedIds);
  const firstCount = unchangedTurns(made, headers, changedIds);
  const later = new Map<unknown, TurnRows>();
  for (const turn of made.turns.slice(firstCount)) {
    if (!turn.headers.some(({ messageId }) => changedIds.has(messageId))) later.set(turn.headers[0], turn);
  }
  const turns = made.turns.slice(0, firstCount);
  const sum = (count: (turn: TurnRows) => number) => turns.reduce((sum, turn) => sum + count(turn), 0);
  const rowCount = sum(({ rows }) => rows.length);
  return {
    turns,
    rows: before.rows.slice(0, rowCount),
    messageCount: sum(({ headers }) => headers.length),
    shownCount: sum(({ shownCount }) => shownCount),
    later,
  };
}

/** How many turns at the beginning are the same, with the beginning of a turn behind each. */
function unchangedTurns(
  made: ShownConversation['made'],
  headers: readonly MessageHeader[],
  changedIds: ReadonlySet<string>,
): number {
  const changed = headers.findIndex((header, at) => header !== made.headers[at] || changedIds.has(header.messageId));
  const same = changed < 0 ? headers.length : changed;
  let end = 0;
  const count = made.turns.findIndex((turn) => (end += turn.headers.length) >= same);
  return Math.max(0, count);
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
