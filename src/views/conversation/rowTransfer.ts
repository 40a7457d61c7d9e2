import type { PageConversation } from '../../shared/protocol/pageMessages.ts';
import { type ConversationRow, packSeeds } from '../../state/conversation/rows.ts';
import { compareRows, isUnchanged, patchesOf } from '../../state/conversation/rowDiff.ts';
import type { PageRow, RowPatch } from '../../shared/protocol/pageModel.ts';

/** Bodies of this many rows come with the first state: more than fit on a screen. */
const tailRows = 40;
/** Seeds of this many rows come with the first state, whatever the length. */
const firstSeeds = 1_000;
/** The seeds before those come in pieces of so many. */
const earlierSeeds = 10_000;
/** Rows inserted at once get their bodies with the patch up to this many; the others follow in the background. */
const patchedRows = 60;
/** One background piece holds about this much text: small enough to leave room for what is asked for meanwhile. */
const pieceLines = 2_000;
/** The page keeps at most about this much text (24 MB at 60 characters a line); what is beyond, it asks for. */
const budgetLines = 400_000;

/** What a page is told first of the rows; see PageConversation. */
export type FirstRows = Pick<PageConversation, 'seeds' | 'earlierCount' | 'rows'>;

/** Reads bodies, by row key. */
export type ReadBodies = (rows: readonly ConversationRow[]) => Promise<ReadonlyMap<string, PageRow>>;

/**
 * What one page has been given of a conversation: which rows, in which version, and which bodies are still to come.
 * First the tail, then the rest, the newest first (design, section 5).
 */
export class RowTransfer {
  #rows: readonly ConversationRow[] = [];
  /** How many rows at the beginning the page has no seeds of yet. */
  #earlierCount = 0;
  /** Rows whose bodies are to come, the next one last. */
  #waiting: ConversationRow[] = [];
  /** Rows whose bodies were not there when they were due; they are tried again when messages came. */
  readonly #owed = new Map<string, ConversationRow>();
  #sentLines = 0;

  /** Begins anew. Returns the seeds of the last rows, how many there are before, and the bodies of the tail. */
  async start(rows: readonly ConversationRow[], read: ReadBodies): Promise<FirstRows> {
    const split = Math.max(0, rows.length - tailRows);
    const earlierCount = Math.max(0, rows.length - firstSeeds);
    this.#rows = rows;
    this.#earlierCount = earlierCount;
    this.#waiting = rows.slice(0, split);
    this.#sentLines = 0;
    this.#owed.clear();
    return {
      seeds: packSeeds(rows.slice(earlierCount)),
      earlierCount,
      rows: await this.#bodies(rows.slice(split), read),
    };
  }

  /**
   * The next seeds of those before the first ones; undefined when the page has all. To be asked for before anything
   * else that tells of rows: what the page does not have cannot be changed.
   */
  earlier(): string | undefined {
    if (this.#earlierCount === 0) return undefined;
    const from = Math.max(0, this.#earlierCount - earlierSeeds);
    const seeds = packSeeds(this.#rows.slice(from, this.#earlierCount));
    this.#earlierCount = from;
    return seeds;
  }

  /**
   * The patches from what the page has to `rows`; empty where nothing is different. The new rows after `nearKey`, or
   * without it the last ones, come with their bodies.
   */
  async update(rows: readonly ConversationRow[], read: ReadBodies, nearKey?: string): Promise<RowPatch[]> {
    const difference = compareRows(this.#rows, rows);
    this.#rows = rows;
    const owed = this.#owed.size === 0 ? [] : rows.filter((row) => this.#owed.delete(row.key));
    this.#waiting.push(...owed);
    if (isUnchanged(difference)) return [];
    const removed = new Set(difference.removedKeys);
    if (removed.size > 0) this.#waiting = this.#waiting.filter((row) => !removed.has(row.key));
    const inserted = difference.inserts.flatMap((insert) => insert.rows);
    const near = nearKey === undefined ? inserted.slice(-patchedRows) : nextRows(rows, inserted, nearKey);
    const isNear = new Set(near);
    this.#waiting.push(...inserted.filter((row) => !isNear.has(row)));
    const bodies = await read([...near, ...difference.replaced]);
    return patchesOf(difference, (row) => bodies.get(row.key));
  }

  /** The bodies of the rows named, as far as they are in the list: the page wants them now. */
  wanted(keys: readonly string[], read: ReadBodies): Promise<PageRow[]> {
    const asked = new Set(keys);
    const rows = this.#rows.filter((row) => asked.has(row.key));
    this.#waiting = this.#waiting.filter((row) => !asked.has(row.key));
    return this.#bodies(rows, read);
  }

  /** The next piece in the background; undefined when there is none, or the page has as much as it should keep. */
  async next(read: ReadBodies): Promise<PageRow[] | undefined> {
    if (this.#waiting.length === 0 || this.#sentLines > budgetLines) return undefined;
    const piece: ConversationRow[] = [];
    for (let lines = 0; lines < pieceLines;) {
      const row = this.#waiting.pop();
      if (!row) break;
      piece.push(row);
      lines += row.weightLines;
    }
    return this.#bodies(piece, read);
  }

  async #bodies(rows: readonly ConversationRow[], read: ReadBodies): Promise<PageRow[]> {
    this.#sentLines += rows.reduce((sum, row) => sum + row.weightLines, 0);
    const bodies = await read(rows);
    for (const row of rows) if (!bodies.has(row.key)) this.#owed.set(row.key, row);
    return rows.flatMap((row) => bodies.get(row.key) ?? []);
  }
}

/** Those of `inserted` that stand next after a row, or are the last ones. */
function nextRows(
  rows: readonly ConversationRow[],
  inserted: readonly ConversationRow[],
  nearKey: string,
): readonly ConversationRow[] {
  const isInserted = new Set(inserted);
  const from = rows.findIndex(({ key }) => key === nearKey);
  const next = rows.slice(Math.max(0, from)).filter((row) => isInserted.has(row));
  return from < 0 || next.length < patchedRows ? inserted.slice(-patchedRows) : next.slice(0, patchedRows);
}
