import type { ConversationRow, RowsView } from './row.ts';
import { sameItems, sameValue } from '../../shared/equality.ts';
import type { RowStubColumns } from '../../shared/protocol/pageModel.ts';
import type { RowStub } from '../../shared/protocol/rowTypes.ts';
import type { AnswerSource } from './asked.ts';
import { readBranches } from './branches.ts';
import { maxDrawnLines } from './truncate.ts';
import { outgoingRowVersion } from './rowVersion.ts';
import {
  reusableTurns,
  type ShownConversation,
  type TurnPlace,
  turnRows,
  type TurnRows,
  withDays,
} from './turnRows.ts';
import { type MessageHeader, estimateTextLines } from '../store/messageHeader.ts';
import { type OutboxEntry, matchedMessageId, isBlocked, isScheduled, needsDecision } from '../store/outboxEntry.ts';
import { keyText } from '../store/sessionKey.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { isPrompt } from '../store/turns.ts';
import { isOfAgent, lateResults } from '../work/calls.ts';

/**
 * The rows of a conversation in order (messages, then outgoing messages), with totals. A message sent from this machine
 * keeps the key of its outbox entry, so that its row stays the same from the moment it is submitted (R33). Reuses the
 * rows of turns that are unchanged since `before`; reused rows are the same objects.
 */
export function showConversation(record: SessionRecord, view: RowsView, before?: ShownConversation): ShownConversation {
  const { headers } = record;
  const allBranches = readBranches(headers, before?.inputs.allBranches);
  const branches = allBranches.places;
  const entryIds = entryIdsOf(record);
  const context = { view, branches, entryIds };
  const kept = reusableTurns(before, headers, context);
  const { turns, ends, rows } = kept;
  const { messages = 0, shown = 0 } = ends.at(-1) ?? {};
  let shownCount = shown;
  let dayBefore = turns.at(-1)?.dayAfter ?? '';
  const unlisted = unlistedEntries(record);
  const outgoing = unlisted.map((entry) => outgoingRow(entry, isBlocked(entry, record.outbox), view));
  const outgoingReply = replyOf(unlisted);
  const last = isLastTurnOver(record, outgoingReply) ? 'ended' : 'running';
  const lastOfAgent = headers.findLastIndex(isOfAgent);
  const lastIdle = headers.findLastIndex(({ messageId }) => messageId === record.idleAfterId);
  for (let start = messages; start < headers.length;) {
    const known = kept.later.get(headers[start]);
    const keptEnd = known && isTurnAt(known, headers, start) ? start + known.headers.length : undefined;
    const end = keptEnd ?? turnEnd(headers, start);
    const next = headers[end];
    const reply = next ? { messageId: next.messageId, updatedAt: next.updatedAt } : outgoingReply;
    const place: TurnPlace = {
      ...{ state: next ? 'replied' : last, reply, dayBefore },
      after: lateResults(headers, end),
      isAwaited: last === 'running' && lastOfAgent < end && lastIdle < end - 1,
    };
    // A turn that continues earlier ones can't be kept, because earlier messages may have changed.
    const isSame = keptEnd !== undefined && known?.isContinuing === false;
    const isKept = isSame && isPlacedAt(known, place);
    const turn = isKept ? known : turnRows(headers, [start, end], place, context);
    turns.push(turn);
    for (const row of turn.rows) rows.push(row);
    shownCount += turn.shownCount;
    dayBefore = turn.dayAfter;
    start = end;
    ends.push({ messages: start, rows: rows.length, shown: shownCount });
  }
  for (const row of withDays(outgoing, view.days, dayBefore)) rows.push(row);
  const inputs = { view, branches, entryIds, headers, allBranches, turns, ends };
  return { rows, shownCount, totalCount: headers.length, inputs };
}

/**
 * Whether the agent has finished the last listed turn: it is idle, or an outgoing message is on its way and no message
 * was listed since the agent was last idle. In the latter case, the agent can only be working on the outgoing message.
 */
function isLastTurnOver(
  { session, headers, idleAfterId }: SessionRecord,
  outgoingReply: AnswerSource | undefined,
): boolean {
  if (session?.status === 'idle') return true;
  return outgoingReply !== undefined && idleAfterId !== undefined && headers.at(-1)?.messageId === idleAfterId;
}

/** Whether the rows of `turn` were created for the same place, so they can be reused. */
function isPlacedAt(turn: TurnRows, { state, reply, dayBefore, after, isAwaited }: TurnPlace): boolean {
  const isSame = turn.state === state && turn.dayBefore === dayBefore && turn.isAwaited === isAwaited;
  return isSame && sameValue(turn.reply, reply) && sameItems(turn.after, after);
}

/** The index after the last message of the turn that begins at `start`. */
function turnEnd(headers: readonly MessageHeader[], start: number): number {
  for (let end = start + 1; end < headers.length; end += 1) {
    const header = headers[end];
    if (header && isPrompt(header)) return end;
  }
  return headers.length;
}

/** Whether the messages from `start` to the next prompt are exactly those of `turn`. */
function isTurnAt(turn: TurnRows, headers: readonly MessageHeader[], start: number): boolean {
  const next = headers[start + turn.headers.length];
  const isEnd = next === undefined || isPrompt(next);
  return isEnd && turn.headers.every((header, place) => header === headers[start + place]);
}

/** The ID of the outbox entry of each message that was sent, or is being sent, from this machine, by message ID. */
function entryIdsOf({ outbox, entryIdByMessageId }: SessionRecord): ReadonlyMap<string, string> {
  if (outbox.length === 0) return entryIdByMessageId;
  const claims = outbox.flatMap((entry): [string, string][] => {
    const messageId = matchedMessageId(entry);
    return messageId === undefined ? [] : [[messageId, entry.entryId]];
  });
  return new Map([...entryIdByMessageId, ...claims]);
}

/** The outgoing messages that the service hasn't listed yet. */
function unlistedEntries({ headers, outbox }: SessionRecord): readonly OutboxEntry[] {
  if (outbox.length === 0) return [];
  const listed = new Set(headers.map(({ messageId }) => messageId));
  return outbox.filter((entry) => !listed.has(matchedMessageId(entry) ?? ''));
}

/**
 * The first outgoing message that is on its way, which answers open questions. A scheduled message answers nothing, and
 * neither does one that the user has to decide about.
 */
function replyOf(entries: readonly OutboxEntry[]): AnswerSource | undefined {
  const entry = entries.find((each) => !isScheduled(each) && !needsDecision(each));
  return entry && { entryId: entry.entryId };
}

function outgoingRow(entry: OutboxEntry, isBlocked: boolean, { awaitedTitles }: RowsView): ConversationRow {
  const { after } = entry;
  const title = after?.kind === 'sessionIdle' ? awaitedTitles?.[keyText(after.key)] : undefined;
  return {
    key: entry.entryId,
    estimatedLines: Math.min(estimateTextLines(entry.text), maxDrawnLines) + entry.attachments.length,
    version: outgoingRowVersion(entry, isBlocked, title),
    source: { entryId: entry.entryId },
    createdAt: entry.createdAt,
    isPrompt: true,
  };
}

/** The stub of a row, which the page receives before the row's body. */
export function stubOf({ key, estimatedLines, isPrompt: isAsked }: ConversationRow): RowStub {
  return isAsked ? { key, estimatedLines, isPrompt: true } : { key, estimatedLines };
}

/** Packs row stubs into columns and serializes them as JSON. */
export function packStubs(rows: readonly RowStub[]): string {
  const columns: RowStubColumns = {
    keys: rows.map(({ key }) => key),
    weights: rows.map(({ estimatedLines }) => estimatedLines),
    promptIndexes: rows.flatMap(({ isPrompt: isAsked }, index) => (isAsked ? [index] : [])),
  };
  return JSON.stringify(columns);
}
