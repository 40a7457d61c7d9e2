import type { RowPatch } from '../../shared/protocol/pageModel.ts';
import { type ConversationRow, seedOf } from './rows.ts';

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
  while (start < shortest && sameRow(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shortest - start && sameRow(before.at(-1 - end), after.at(-1 - end))) end += 1;
  return compareBetween(before.slice(start, before.length - end), after.slice(start, after.length - end), start);
}

function sameRow(one: ConversationRow | undefined, other: ConversationRow | undefined): boolean {
  return one === other || (one?.key === other?.key && one?.version === other?.version);
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
    patches.push({ op: 'insert', index, seeds: rows.map(seedOf), rows: rows.flatMap((row) => bodyOf(row) ?? []) });
  }
  for (const row of difference.replaced) {
    const body = bodyOf(row);
    if (!body) continue;
    const { weightLines, isPrompt } = row;
    patches.push({ op: 'replace', row: body, weightLines, ...(isPrompt ? { isPrompt } : {}) });
  }
  return patches;
}
