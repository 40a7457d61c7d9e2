import type { PageRow, RowPatch, RowSeed } from '../../pageContent.ts';

/** The rows of one conversation: the order of all keys, their estimated weights, and the bodies that have arrived. */
export class RowTable {
  #keys: string[] = [];
  #weights: number[] = [];
  #indexes = new Map<string, number>();
  #bodies = new Map<string, PageRow>();
  #heldLines = 0;

  get count(): number {
    return this.#keys.length;
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

  /** The body, if it has arrived. */
  body(key: string): PageRow | undefined {
    return this.#bodies.get(key);
  }

  reset(seeds: readonly RowSeed[], rows: readonly PageRow[]): void {
    this.#keys = seeds.map((seed) => seed.key);
    this.#weights = seeds.map((seed) => seed.weightLines);
    this.#bodies.clear();
    this.#heldLines = 0;
    this.#reindex(0);
    this.putBodies(rows);
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
    for (let low = 0, high = this.#keys.length - 1; low < high && this.#heldLines > budgetLines * 0.85;) {
      this.#letGo(index - low > high - index ? low++ : high--);
    }
  }

  /** Inserts rows that are not in the list yet; answers the index at which they stand. */
  insert(patch: Extract<RowPatch, { op: 'insert' }>): { readonly index: number; readonly count: number } {
    const index = Math.min(patch.index, this.#keys.length);
    const seeds = patch.seeds.filter((seed) => !this.#indexes.has(seed.key));
    this.#keys = [...this.#keys.slice(0, index), ...seeds.map((seed) => seed.key), ...this.#keys.slice(index)];
    this.#weights = [
      ...this.#weights.slice(0, index),
      ...seeds.map((seed) => seed.weightLines),
      ...this.#weights.slice(index),
    ];
    this.#reindex(index);
    this.putBodies(patch.rows);
    return { index, count: seeds.length };
  }

  /** Replaces the body and weight of a row; answers its index, -1 if it is not in the list. */
  replace(row: PageRow, weightLines: number): number {
    const index = this.indexOf(row.key);
    if (index < 0) return -1;
    this.#letGo(index);
    this.#weights[index] = weightLines;
    this.#hold(row);
    return index;
  }

  /** Removes one row; answers where it was, -1 if it was not in the list. */
  remove(key: string): number {
    const index = this.indexOf(key);
    if (index < 0) return -1;
    this.#letGo(index);
    this.#keys.splice(index, 1);
    this.#weights.splice(index, 1);
    this.#indexes.delete(key);
    this.#reindex(index);
    return index;
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
    for (let index = from; index < this.#keys.length; index += 1) {
      const key = this.#keys[index];
      if (key !== undefined) this.#indexes.set(key, index);
    }
  }
}
