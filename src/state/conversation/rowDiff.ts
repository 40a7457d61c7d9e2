import type { RowPatch } from '../../shared/protocol/rowTypes.ts';
import type { ConversationRow } from './row.ts';
import { stubOf } from './rows.ts';

/** The changes that turn one list of rows into another, without bodies. `replaced` lists the rows to render again. */
interface RowDifference {
  readonly removedKeys: readonly string[];
  readonly inserts: readonly { readonly index: number; readonly rows: readonly ConversationRow[] }[];
  readonly replaced: readonly ConversationRow[];
}

/**
 * Compares two lists of rows. A row that moved is removed and inserted again. The indexes of `inserts` refer to the
 * list after all removals and all earlier inserts.
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

/**
 * Compares the middle parts of two lists. The rows before them (`skipped` rows in each list) and after them are equal.
 */
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

/** The previous versions of the rows that stay in place, by key. */
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

/** Whether a difference is empty, so nothing needs to be sent to the page. */
export function isUnchanged(difference: RowDifference): boolean {
  return difference.removedKeys.length + difference.inserts.length + difference.replaced.length === 0;
}

/**
 * Creates the patches for a difference. `bodyOf` returns the available bodies: an inserted row without one is only a
 * stub, and a replaced row without one gets no patch.
 */
export function patchesOf(
  difference: RowDifference,
  bodyOf: (row: ConversationRow) => Extract<RowPatch, { op: 'replace' }>['row'] | undefined,
): RowPatch[] {
  const patches: RowPatch[] = [];
  if (difference.removedKeys.length > 0) patches.push({ op: 'remove', keys: difference.removedKeys });
  for (const { index, rows } of difference.inserts) {
    patches.push({ op: 'insert', index, rowStubs: rows.map(stubOf), rows: rows.flatMap((row) => bodyOf(row) ?? []) });
  }
  for (const row of difference.replaced) {
    const body = bodyOf(row);
    if (!body) continue;
    const { estimatedLines, isPrompt } = row;
    patches.push({ op: 'replace', row: body, estimatedLines, ...(isPrompt ? { isPrompt } : {}) });
  }
  return patches;
}
