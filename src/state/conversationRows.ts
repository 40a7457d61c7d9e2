import type { RowPatch, RowSeed } from '../pageContent.ts';
import { mostDrawnLines } from './cutBlocks.ts';
import { type MessageHeader, estimateTextLines } from './messageHeader.ts';
import { bubbleMessageId } from './outboxEntry.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { resultMarks } from './toolPairs.ts';

/** One row of a conversation: a message the service lists, or an outgoing one it does not list yet. */
export interface ConversationRow extends RowSeed {
  /** Changes exactly when the row has to be drawn again. */
  readonly version: string;
  readonly source: { readonly messageId: string } | { readonly entryId: string };
}

/**
 * The rows of a conversation in order: the messages, then what is on its way out. A message that was sent from here
 * keeps the key of its outgoing entry, so that there is one bubble from Enter on (R33).
 */
export function conversationRows(record: SessionRecord): ConversationRow[] {
  const listed = new Set<string>();
  const claims = new Map(record.outbox.map((entry) => [bubbleMessageId(entry), entry.entryId]));
  const marks = resultMarks(record.headers);
  const rows: ConversationRow[] = record.headers.map((header) => {
    listed.add(header.messageId);
    const entryId = claims.get(header.messageId) ?? record.entryIdByMessageId.get(header.messageId);
    return {
      key: entryId ?? header.messageId,
      weightLines: Math.min(header.weightLines, mostDrawnLines),
      version: `${versionOf(header)}${marks.get(header.messageId) ?? ''}`,
      source: { messageId: header.messageId },
    };
  });
  for (const entry of record.outbox) {
    if (listed.has(bubbleMessageId(entry) ?? '')) continue;
    const progress = entry.progress === undefined ? '' : Math.round(entry.progress * 100);
    rows.push({
      key: entry.entryId,
      weightLines: Math.min(estimateTextLines(entry.text), mostDrawnLines) + entry.attachments.length,
      version: `e ${entry.state} ${progress} ${String(entry.isSearching ?? false)}`,
      source: { entryId: entry.entryId },
    });
  }
  return rows;
}

function versionOf({ updatedAt, weightLines, role, isError, isGone, isDetached }: MessageHeader): string {
  const marks = `${isGone ? ' gone' : ''}${isDetached ? ' apart' : ''}`;
  return `m ${updatedAt} ${weightLines} ${role ?? ''} ${String(isError)}${marks}`;
}

/** How to get from one list of rows to the other, without bodies; `replaced` are the rows to be drawn again. */
export interface RowDifference {
  readonly removedKeys: readonly string[];
  readonly inserts: readonly { readonly index: number; readonly rows: readonly ConversationRow[] }[];
  readonly replaced: readonly ConversationRow[];
}

/**
 * Compares two lists of rows. Rows that stay keep their order; one that moved is removed and inserted. Indexes of
 * `inserts` are those of the list as it is after the removals and the inserts before.
 */
export function compareRows(before: readonly ConversationRow[], after: readonly ConversationRow[]): RowDifference {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && isSameRow(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shortest - start && isSameRow(before.at(-1 - end), after.at(-1 - end))) end += 1;
  return compareBetween(before.slice(start, before.length - end), after.slice(start, after.length - end), start);
}

function isSameRow(one: ConversationRow | undefined, other: ConversationRow | undefined): boolean {
  return one?.key === other?.key && one?.version === other?.version;
}

/** Compares what is left of two lists when `skipped` rows at their beginnings, and those at their ends, are the same. */
function compareBetween(
  before: readonly ConversationRow[],
  after: readonly ConversationRow[],
  skipped: number,
): RowDifference {
  const keptVersions = keptRows(before, after);
  const inserts: { index: number; rows: ConversationRow[] }[] = [];
  const replaced: ConversationRow[] = [];
  after.forEach((row, place) => {
    const version = keptVersions.get(row.key);
    if (version !== undefined) {
      if (version !== row.version) replaced.push(row);
      return;
    }
    const last = inserts.at(-1);
    const index = place + skipped;
    if (last && last.index + last.rows.length === index) last.rows.push(row);
    else inserts.push({ index, rows: [row] });
  });
  const removedKeys = before.filter((row) => !keptVersions.has(row.key)).map((row) => row.key);
  return { removedKeys, inserts, replaced };
}

/** The rows in both lists that need not move, by key, with their version before. */
function keptRows(before: readonly ConversationRow[], after: readonly ConversationRow[]): ReadonlyMap<string, string> {
  const positions = new Map(after.map((row, index) => [row.key, index]));
  const kept = new Map<string, string>();
  let lastPosition = -1;
  for (const row of before) {
    const position = positions.get(row.key);
    if (position === undefined || position < lastPosition) continue;
    kept.set(row.key, row.version);
    lastPosition = position;
  }
  return kept;
}

/** Whether two lists are the same to the eye: then nothing is sent to the page. */
export function isUnchanged(difference: RowDifference): boolean {
  return difference.removedKeys.length + difference.inserts.length + difference.replaced.length === 0;
}

/** The patches that carry a difference, with the bodies at hand. */
export function patchesOf(
  difference: RowDifference,
  bodyOf: (row: ConversationRow) => Extract<RowPatch, { op: 'replace' }>['row'] | undefined,
): RowPatch[] {
  const patches: RowPatch[] = [];
  if (difference.removedKeys.length > 0) patches.push({ op: 'remove', keys: difference.removedKeys });
  for (const { index, rows } of difference.inserts) {
    const seeds = rows.map(({ key, weightLines }) => ({ key, weightLines }));
    patches.push({ op: 'insert', index, seeds, rows: rows.flatMap((row) => bodyOf(row) ?? []) });
  }
  for (const row of difference.replaced) {
    const body = bodyOf(row);
    if (body) patches.push({ op: 'replace', row: body, weightLines: row.weightLines });
  }
  return patches;
}
