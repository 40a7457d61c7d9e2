import type { HostMessage } from '../../shared/protocol/hostMessages.ts';
import type { PageConversation } from '../../shared/protocol/pageModel.ts';
import type { PageRow, RowPatch } from '../../shared/protocol/rowTypes.ts';
import type { ConversationRow } from '../../state/conversation/row.ts';
import { packStubs } from '../../state/conversation/rows.ts';
import { compareRows, isUnchanged, patchesOf } from '../../state/conversation/rowDiff.ts';
import type { RowBodies } from './sessionRowBodies.ts';

/** Number of rows whose bodies are part of the first state; more than fit on a screen. */
const firstBodies = 40;
/** Maximum number of rows whose stubs are part of the first state. */
const firstStubs = 1_000;
/** Maximum number of stubs in each later chunk. */
const stubsPerChunk = 10_000;
/** Maximum number of new rows whose bodies are in a patch. The bodies of other new rows follow in the background. */
const bodiesPerPatch = 60;
/**
 * Lines of text in a chunk of the background transfer. Chunks are small, so that requested rows don't have to wait
 * long.
 */
const chunkLines = 2_000;
/**
 * The background transfer stops after this many lines of text (24 MB at 60 characters per line). The page requests the
 * remaining rows.
 */
const maxSentLines = 400_000;

/** The part of a page's first state that describes its rows; see PageConversation. */
export type FirstRows = Pick<PageConversation, 'rowStubs' | 'earlierCount' | 'rows'>;

/** Stubs above the rows that the page has, and the number of rows above them, whose stubs follow. */
export type EarlierRows = Omit<Extract<HostMessage, { type: 'earlier' }>, 'type'>;

/**
 * Tracks what one page has received of a conversation: which rows, in which version, and which bodies are pending. The
 * last rows are sent first, then the others from newest to oldest.
 */
export class RowTransfer {
  #rows: readonly ConversationRow[] = [];
  /** The number of rows at the beginning whose stubs the page doesn't have yet. */
  #earlierCount = 0;
  /** The number of rows at the beginning that are expected to {@link join} the others. */
  #laterCount = 0;
  /** Whether the page waits for the stubs of rows that joined, even if there are none. */
  #owesStubs = false;
  /** Rows whose bodies are pending; the next one is last. */
  #pending: ConversationRow[] = [];
  /** Rows whose bodies couldn't be read. The next update retries them. */
  readonly #missing = new Map<string, ConversationRow>();
  #sentLines = 0;

  /**
   * Starts again. Resolves to the stubs of the last rows, the number of earlier rows, and the bodies of the last rows.
   * `laterCount`: the estimated number of rows that will {@link join} these at their beginning; 0 if none.
   */
  async start(rows: readonly ConversationRow[], bodies: RowBodies, laterCount = 0): Promise<FirstRows> {
    const split = Math.max(0, rows.length - firstBodies);
    const earlierCount = Math.max(0, rows.length - firstStubs);
    this.#rows = rows;
    this.#earlierCount = earlierCount;
    this.#laterCount = laterCount;
    this.#owesStubs = false;
    this.#pending = rows.slice(0, split);
    this.#sentLines = 0;
    this.#missing.clear();
    return {
      rowStubs: packStubs(rows.slice(earlierCount)),
      earlierCount: earlierCount + laterCount,
      rows: await this.#read(rows.slice(split), bodies),
    };
  }

  /** Whether rows are expected to {@link join} those of the start. */
  get isJoinExpected(): boolean {
    return this.#laterCount > 0;
  }

  /**
   * The next chunk of stubs above the ones sent; undefined if the page has all stubs. Must be sent before any other
   * message about rows, because a patch can refer only to rows that the page has.
   */
  earlierStubs(): EarlierRows | undefined {
    if (this.#earlierCount === 0 && !this.#owesStubs) return undefined;
    this.#owesStubs = false;
    const from = Math.max(0, this.#earlierCount - stubsPerChunk);
    const rowStubs = packStubs(this.#rows.slice(from, this.#earlierCount));
    this.#earlierCount = from;
    return { rowStubs, leftCount: from + this.#laterCount };
  }

  /**
   * Call this once when the expected rows are at the beginning of `rows`, before the next {@link earlierStubs}. The
   * page gets their stubs as it gets those of a long conversation, because a patch with thousands of rows would block
   * it.
   */
  join(rows: readonly ConversationRow[]): void {
    this.#laterCount = 0;
    this.#owesStubs = true;
    const known = new Set(this.#rows.map(({ key }) => key));
    const firstKnown = rows.findIndex(({ key }) => known.has(key));
    const joined = rows.slice(0, Math.max(0, firstKnown));
    this.#rows = [...joined, ...this.#rows];
    this.#earlierCount += joined.length;
    this.#pending = [...joined, ...this.#pending];
  }

  /**
   * The patches that update the page to `rows`; empty if nothing differs. They contain the bodies of replaced rows, and
   * of a limited number of new rows: those from `nearKey` on or, without a key, the last ones.
   */
  async update(rows: readonly ConversationRow[], bodies: RowBodies, nearKey?: string): Promise<RowPatch[]> {
    const difference = compareRows(this.#rows, rows);
    this.#rows = rows;
    const missing = this.#missing.size === 0 ? [] : rows.filter((row) => this.#missing.delete(row.key));
    for (const row of missing) this.#pending.push(row);
    if (isUnchanged(difference)) return [];
    const removed = new Set(difference.removedKeys);
    if (removed.size > 0) this.#pending = this.#pending.filter((row) => !removed.has(row.key));
    const inserted = difference.inserts.flatMap((insert) => insert.rows);
    const near = nearKey === undefined ? inserted.slice(-bodiesPerPatch) : nextRows(rows, inserted, nearKey);
    const isNear = new Set(near);
    for (const row of inserted) if (!isNear.has(row)) this.#pending.push(row);
    const read = await bodies.read([...near, ...difference.replaced]);
    return patchesOf(difference, (row) => read.get(row.key));
  }

  /** The bodies of the requested rows that exist. */
  requested(keys: readonly string[], bodies: RowBodies): Promise<PageRow[]> {
    const requested = new Set(keys);
    const rows = this.#rows.filter((row) => requested.has(row.key));
    this.#pending = this.#pending.filter((row) => !requested.has(row.key));
    return this.#read(rows, bodies);
  }

  /** The next chunk of the background transfer; undefined if no row is pending or the transfer limit was reached. */
  async next(bodies: RowBodies): Promise<PageRow[] | undefined> {
    if (this.#pending.length === 0 || this.#sentLines > maxSentLines) return undefined;
    const chunk: ConversationRow[] = [];
    for (let lines = 0; lines < chunkLines;) {
      const row = this.#pending.pop();
      if (!row) break;
      chunk.push(row);
      lines += row.estimatedLines;
    }
    return this.#read(chunk, bodies);
  }

  async #read(rows: readonly ConversationRow[], bodies: RowBodies): Promise<PageRow[]> {
    this.#sentLines += rows.reduce((sum, row) => sum + row.estimatedLines, 0);
    const read = await bodies.read(rows);
    for (const row of rows) if (!read.has(row.key)) this.#missing.set(row.key, row);
    return rows.flatMap((row) => read.get(row.key) ?? []);
  }
}

/** The first inserted rows from `nearKey` on, or the last inserted rows if there are too few. */
function nextRows(
  rows: readonly ConversationRow[],
  inserted: readonly ConversationRow[],
  nearKey: string,
): readonly ConversationRow[] {
  const isInserted = new Set(inserted);
  const from = rows.findIndex(({ key }) => key === nearKey);
  const next = rows.slice(Math.max(0, from)).filter((row) => isInserted.has(row));
  return from < 0 || next.length < bodiesPerPatch ? inserted.slice(-bodiesPerPatch) : next.slice(0, bodiesPerPatch);
}
