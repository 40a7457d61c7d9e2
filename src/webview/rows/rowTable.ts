import type { SeedColumns } from '../../shared/protocol/pageModel.ts';
import type { PageRow, RowPatch, RowStub } from '../../shared/protocol/rowTypes.ts';
import type { RowRange } from '../list/mountedRows.ts';

/** The seeds of a conversation from the JSON of their columns. Throws where that is none. */
export function unpackStubs(json: string): SeedColumns {
  const columns: unknown = JSON.parse(json);
  if (!areColumns(columns)) throw new Error('the list of messages is not one');
  return columns;
}

function areColumns(columns: unknown): columns is SeedColumns {
  if (typeof columns !== 'object' || columns === null) return false;
  if (!('keys' in columns) || !('weights' in columns) || !('promptIndexes' in columns)) return false;
  return [columns.keys, columns.weights, columns.promptIndexes].every(Array.isArray);
}

export type InsertPatch = Extract<RowPatch, { op: 'insert' }>;
export type ReplacePatch = Extract<RowPatch, { op: 'replace' }>;

/** The rows of one conversation: a seed for each, in order and in columns, and the bodies that have arrived. */
export class RowTable {
  #keys: string[] = [];
  #weights: number[] = [];
  readonly #promptKeys = new Set<string>();
  #indexes = new Map<string, number>();
  /** Rows of the page's own, at the beginning. */
  #ownCount = 0;
  #bodies = new Map<string, PageRow>();
  #heldLines = 0;

  get count(): number {
    return this.#keys.length;
  }

  /** How many there are without those at the end that are still on their way out. */
  get listedCount(): number {
    let { count } = this;
    while (this.#bodies.get(this.keyAt(count - 1) ?? '')?.delivery) count -= 1;
    return count;
  }

  keyAt(index: number): string | undefined {
    return this.#keys[index];
  }

  /** Where the row is, or -1. */
  indexOf(key: string): number {
    return this.#indexes.get(key) ?? -1;
  }

  /** Lines of text at 60 characters a line, as the host estimated them. */
  weightAt(index: number): number {
    return this.#weights[index] ?? 1;
  }

  /** The nearest prompt from `index` on, backwards with -1; -1 where there is none. */
  promptFrom(index: number, by: 1 | -1): number {
    let at = index;
    while (at >= 0 && at < this.count && !this.#promptKeys.has(this.#keys[at] ?? '')) at += by;
    return at < this.count ? Math.max(-1, at) : -1;
  }

  /** The body, if it has arrived. */
  body(key: string): PageRow | undefined {
    return this.#bodies.get(key);
  }

  /** Begins anew with a conversation; rows of the page's own may stand before it. */
  reset(seeds: string, rows: readonly PageRow[], own: readonly RowStub[] = []): void {
    this.#keys = own.map(({ key }) => key);
    this.#weights = own.map(({ weightLines }) => weightLines);
    this.#ownCount = own.length;
    this.#promptKeys.clear();
    this.#bodies.clear();
    this.#heldLines = 0;
    this.#reindex(0);
    this.prepend(seeds);
    this.putBodies(rows);
  }

  /** Takes over rows that stand before all but the page's own; answers where they stand. */
  prepend(seeds: string): RowRange {
    const index = this.#ownCount;
    const { keys, weights, promptIndexes } = unpackStubs(seeds);
    this.#keys = this.#keys.slice(0, index).concat(keys, this.#keys.slice(index));
    this.#weights = this.#weights.slice(0, index).concat(weights, this.#weights.slice(index));
    for (const promptIndex of promptIndexes) this.#promptKeys.add(keys[promptIndex] ?? '');
    this.#reindex(index);
    return { index, count: keys.length };
  }

  /** Keeps the bodies of rows that are in the list and answers which those were. */
  putBodies(rows: readonly PageRow[]): string[] {
    const known = rows.filter((row) => this.#indexes.has(row.key));
    for (const row of known) this.#hold(row);
    return known.map((row) => row.key);
  }

  /**
   * Lets go of the bodies farthest from `index` where all of them together are too much to keep; they can be had again.
   * A little more than the host sends by itself is kept, so that this is rarely due.
   */
  letGoFarFrom(index: number, budgetLines = 480_000): void {
    if (this.#heldLines <= budgetLines) return;
    for (let low = 0, high = this.count - 1; low < high && this.#heldLines > budgetLines * 0.85;) {
      this.#letGo(index - low > high - index ? low++ : high--);
    }
  }

  /**
   * Inserts rows that are not in the list yet, in ascending order; answers where they stand in the end. An index is that
   * of the list with the inserts before it.
   */
  insert(patches: readonly InsertPatch[]): RowRange[] {
    // What stands before the first of them stays: mostly they come at the end.
    const from = Math.min(this.count, Math.max(0, patches[0]?.index ?? this.count));
    const later = { keys: this.#keys.splice(from), weights: this.#weights.splice(from) };
    let taken = 0;
    const keepUntil = (count: number) => {
      for (; this.count < count && taken < later.keys.length; taken += 1) {
        this.#keys.push(later.keys[taken] ?? '');
        this.#weights.push(later.weights[taken] ?? 1);
      }
    };
    const added = patches.map((patch) => {
      keepUntil(patch.index);
      const index = this.count;
      for (const seed of patch.seeds) {
        if (this.#indexes.has(seed.key)) continue;
        this.#keys.push(seed.key);
        this.#weights.push(seed.weightLines);
        this.#notePrompt(seed);
      }
      return { index, count: this.count - index };
    });
    keepUntil(Infinity);
    this.#reindex(from);
    for (const patch of patches) this.putBodies(patch.rows);
    return added;
  }

  /** Replaces the body and weight of a row; answers its index, -1 if it is not in the list. */
  replace({ row, weightLines, isPrompt }: ReplacePatch): number {
    const index = this.indexOf(row.key);
    if (index < 0) return -1;
    this.#letGo(index);
    this.#weights[index] = weightLines;
    this.#notePrompt({ key: row.key, isPrompt });
    this.#hold(row);
    return index;
  }

  /** Where those of the rows stand that are in the list, in ascending order. */
  indexesOf(keys: readonly string[]): number[] {
    const indexes = keys.map((key) => this.indexOf(key)).filter((index) => index >= 0);
    return indexes.sort((a, b) => a - b);
  }

  /** Removes the rows at these places. */
  remove(indexes: readonly number[]): void {
    const removed = new Set(indexes);
    for (const index of removed) {
      const key = this.keyAt(index);
      if (key === undefined) continue;
      this.#letGo(index);
      this.#indexes.delete(key);
      this.#promptKeys.delete(key);
    }
    this.#keys = this.#keys.filter((_, index) => !removed.has(index));
    this.#weights = this.#weights.filter((_, index) => !removed.has(index));
    this.#reindex(indexes[0] ?? this.count);
  }

  #notePrompt({ key, isPrompt }: Pick<RowStub, 'key'> & { readonly isPrompt?: boolean | undefined }): void {
    if (isPrompt) this.#promptKeys.add(key);
    else this.#promptKeys.delete(key);
  }

  #hold(row: PageRow): void {
    if (!this.#bodies.has(row.key)) this.#heldLines += this.weightAt(this.indexOf(row.key));
    this.#bodies.set(row.key, row);
  }

  #letGo(index: number): void {
    if (this.#bodies.delete(this.keyAt(index) ?? '')) this.#heldLines -= this.weightAt(index);
  }

  #reindex(from: number): void {
    if (from === 0) this.#indexes.clear();
    for (let index = from; index < this.count; index += 1) this.#indexes.set(this.#keys[index] ?? '', index);
  }
}

/** Inserts that can be made together, in ascending order, or one other patch. */
type PatchRun = { readonly inserts: InsertPatch[] } | Exclude<RowPatch, InsertPatch>;

/** The patches in their order, with inserts that follow each other down the list put together. */
export function patchRuns(patches: readonly RowPatch[]): PatchRun[] {
  const runs: PatchRun[] = [];
  for (const patch of patches) {
    if (patch.op !== 'insert') {
      runs.push(patch);
      continue;
    }
    const run = runs.at(-1);
    const last = run && 'inserts' in run ? run.inserts.at(-1) : undefined;
    if (run && 'inserts' in run && last && patch.index >= last.index + last.seeds.length) run.inserts.push(patch);
    else runs.push({ inserts: [patch] });
  }
  return runs;
}
