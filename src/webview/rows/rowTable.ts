import type { RowStubColumns } from '../../shared/protocol/pageModel.ts';
import type { PageDelivery, PageRow, RowPatch, RowStub } from '../../shared/protocol/rowTypes.ts';
import type { RowRange } from '../list/mountedRows.ts';

/**
 * Reads the row stubs of a conversation from the JSON of their columns.
 * @throws Error if the text isn't JSON or has another shape.
 */
export function unpackStubs(json: string): RowStubColumns {
  const columns: unknown = JSON.parse(json);
  if (!areColumns(columns)) throw new Error('the row stubs have an unexpected shape');
  return columns;
}

function areColumns(columns: unknown): columns is RowStubColumns {
  if (typeof columns !== 'object' || columns === null) return false;
  if (!('keys' in columns) || !('weights' in columns) || !('promptIndexes' in columns)) return false;
  return [columns.keys, columns.weights, columns.promptIndexes].every(Array.isArray);
}

export type InsertPatch = Extract<RowPatch, { op: 'insert' }>;
export type ReplacePatch = Extract<RowPatch, { op: 'replace' }>;

/** The rows of a conversation: a stub for each row, stored in columns, and the bodies that have arrived. */
export class RowTable {
  #keys: string[] = [];
  #lines: number[] = [];
  readonly #promptKeys = new Set<string>();
  #indexes = new Map<string, number>();
  /** Number of rows at the start that don't come from the host. */
  #ownCount = 0;
  #bodies = new Map<string, PageRow>();
  #bodyLines = 0;
  /** Keys of rows with errors, among those whose bodies have arrived. */
  readonly #errorKeys = new Set<string>();
  /** The questions that can be answered, each in one line, by the keys of their rows, if the bodies have arrived. */
  readonly #questions = new Map<string, string>();
  #revision = 0;

  /** Increases when rows are added or removed, or become or cease to be prompts or rows with errors. */
  get revision(): number {
    return this.#revision;
  }

  get promptKeys(): Iterable<string> {
    return this.#promptKeys;
  }

  get errorKeys(): Iterable<string> {
    return this.#errorKeys;
  }

  /** The last question that can be answered, and the key of its row; undefined if there is none. */
  get openQuestion(): { readonly key: string; readonly label: string } | undefined {
    const keys = this.indexesOf([...this.#questions.keys()]);
    const key = this.keyAt(keys.at(-1) ?? -1);
    const label = this.#questions.get(key ?? '');
    return key === undefined || label === undefined ? undefined : { key, label };
  }

  get count(): number {
    return this.#keys.length;
  }

  /** The outgoing messages at the end, the last one first. */
  get outgoing(): PageDelivery[] {
    const found: PageDelivery[] = [];
    for (let index = this.count - 1; ; index -= 1) {
      const delivery = this.#bodies.get(this.keyAt(index) ?? '')?.delivery;
      if (!delivery) return found;
      found.push(delivery);
    }
  }

  /** Number of rows without the outgoing messages at the end. */
  get listedCount(): number {
    return this.count - this.outgoing.length;
  }

  keyAt(index: number): string | undefined {
    return this.#keys[index];
  }

  /** The index of the row, or -1. */
  indexOf(key: string): number {
    return this.#indexes.get(key) ?? -1;
  }

  /** The host's estimate of the row's lines, at 60 characters per line. */
  linesAt(index: number): number {
    return this.#lines[index] ?? 1;
  }

  /** The index of the nearest prompt from `index` on, searching backward if `by` is -1. Returns -1 if there is none. */
  promptFrom(index: number, by: 1 | -1): number {
    let at = index;
    while (at >= 0 && at < this.count && !this.#promptKeys.has(this.#keys[at] ?? '')) at += by;
    return at < this.count ? Math.max(-1, at) : -1;
  }

  /** The body of the row, if it has arrived. */
  body(key: string): PageRow | undefined {
    return this.#bodies.get(key);
  }

  /**
   * Replaces all rows with those of a conversation. `stubs` is the JSON of {@link RowStubColumns}. `own` contains the
   * rows before them that don't come from the host.
   * @throws Error if `stubs` isn't JSON or has another shape.
   */
  reset(stubs: string, rows: readonly PageRow[], own: readonly RowStub[] = []): void {
    this.#keys = own.map(({ key }) => key);
    this.#lines = own.map(({ estimatedLines }) => estimatedLines);
    this.#ownCount = own.length;
    this.#promptKeys.clear();
    this.#errorKeys.clear();
    this.#questions.clear();
    this.#bodies.clear();
    this.#bodyLines = 0;
    this.#reindex(0);
    this.prepend(stubs);
    this.putBodies(rows);
  }

  /**
   * Adds rows before all others except the page's own. `stubs` is the JSON of {@link RowStubColumns}. Returns the
   * indexes of the added rows.
   * @throws Error if `stubs` isn't JSON or has another shape.
   */
  prepend(stubs: string): RowRange {
    const index = this.#ownCount;
    const { keys, weights, promptIndexes } = unpackStubs(stubs);
    this.#keys = this.#keys.slice(0, index).concat(keys, this.#keys.slice(index));
    this.#lines = this.#lines.slice(0, index).concat(weights, this.#lines.slice(index));
    for (const promptIndex of promptIndexes) this.#promptKeys.add(keys[promptIndex] ?? '');
    this.#reindex(index);
    return { index, count: keys.length };
  }

  /** Stores the bodies of rows that are in the list and returns the keys of those rows. */
  putBodies(rows: readonly PageRow[]): string[] {
    const known = rows.filter((row) => this.#indexes.has(row.key));
    for (const row of known) this.#store(row);
    return known.map((row) => row.key);
  }

  /**
   * Drops the bodies farthest from `index` if all bodies together exceed the budget; they can be requested again. The
   * budget is slightly larger than the bodies that the host sends without a request, so this rarely happens.
   */
  dropBodiesFarFrom(index: number, budgetLines = 480_000): void {
    if (this.#bodyLines <= budgetLines) return;
    for (let low = 0, high = this.count - 1; low < high && this.#bodyLines > budgetLines * 0.85;) {
      this.#drop(index - low > high - index ? low++ : high--);
    }
  }

  /**
   * Inserts the rows of these patches, which are in ascending order, and returns the final indexes of the added rows.
   * Rows that are already in the list stay where they are. The index of a patch refers to the list after the preceding
   * inserts.
   */
  insert(patches: readonly InsertPatch[]): RowRange[] {
    // The rows before the first insert stay untouched: usually, rows are added at the end.
    const from = Math.min(this.count, Math.max(0, patches[0]?.index ?? this.count));
    const later = { keys: this.#keys.splice(from), lines: this.#lines.splice(from) };
    let taken = 0;
    const keepUntil = (count: number) => {
      for (; this.count < count && taken < later.keys.length; taken += 1) {
        this.#keys.push(later.keys[taken] ?? '');
        this.#lines.push(later.lines[taken] ?? 1);
      }
    };
    const added = patches.map((patch) => {
      keepUntil(patch.index);
      const index = this.count;
      for (const stub of patch.rowStubs) {
        if (this.#indexes.has(stub.key)) continue;
        this.#keys.push(stub.key);
        this.#lines.push(stub.estimatedLines);
        this.#setPrompt(stub);
      }
      return { index, count: this.count - index };
    });
    keepUntil(Infinity);
    this.#reindex(from);
    for (const patch of patches) this.putBodies(patch.rows);
    return added;
  }

  /** Replaces the body and the estimate of a row. Returns its index, or -1 if it isn't in the list. */
  replace({ row, estimatedLines, isPrompt }: ReplacePatch): number {
    const index = this.indexOf(row.key);
    if (index < 0) return -1;
    this.#drop(index);
    this.#lines[index] = estimatedLines;
    this.#setPrompt({ key: row.key, isPrompt });
    this.#store(row);
    return index;
  }

  /** The indexes of the rows with these keys, in ascending order, without rows that aren't in the list. */
  indexesOf(keys: readonly string[]): number[] {
    const indexes = keys.map((key) => this.indexOf(key)).filter((index) => index >= 0);
    return indexes.sort((a, b) => a - b);
  }

  /** Removes the rows at these indexes, which are in ascending order. */
  remove(indexes: readonly number[]): void {
    const removed = new Set(indexes);
    for (const index of removed) {
      const key = this.keyAt(index);
      if (key === undefined) continue;
      this.#drop(index);
      this.#indexes.delete(key);
      this.#promptKeys.delete(key);
      this.#errorKeys.delete(key);
      this.#questions.delete(key);
    }
    this.#keys = this.#keys.filter((_, index) => !removed.has(index));
    this.#lines = this.#lines.filter((_, index) => !removed.has(index));
    this.#reindex(indexes[0] ?? this.count);
  }

  #setPrompt({ key, isPrompt }: Pick<RowStub, 'key'> & { readonly isPrompt?: boolean | undefined }): void {
    this.#put(this.#promptKeys, key, isPrompt === true);
  }

  #put(keys: Set<string>, key: string, isIn: boolean): void {
    if (keys.has(key) === isIn) return;
    if (isIn) keys.add(key);
    else keys.delete(key);
    this.#revision += 1;
  }

  #store(row: PageRow): void {
    if (!this.#bodies.has(row.key)) this.#bodyLines += this.linesAt(this.indexOf(row.key));
    this.#bodies.set(row.key, row);
    this.#put(this.#errorKeys, row.key, hasErrors(row));
    const asked = row.blocks.find((block) => block.type === 'asked' && block.state === 'open');
    if (asked?.type === 'asked') this.#questions.set(row.key, asked.label);
    else this.#questions.delete(row.key);
  }

  #drop(index: number): void {
    if (this.#bodies.delete(this.keyAt(index) ?? '')) this.#bodyLines -= this.linesAt(index);
  }

  #reindex(from: number): void {
    this.#revision += 1;
    if (from === 0) this.#indexes.clear();
    for (let index = from; index < this.count; index += 1) this.#indexes.set(this.#keys[index] ?? '', index);
  }
}

/** Whether a row shows an error: of its message, a tool call, or a step. */
export function hasErrors({ isError, blocks, steps }: PageRow): boolean {
  return (
    isError ||
    blocks.some(
      (block) =>
        (block.type === 'fold' && (block.isError || block.result?.isError === true)) ||
        (block.type === 'asked' && block.state === 'failed'),
    ) ||
    steps?.summary?.hasErrors === true ||
    steps?.lines.some(({ state }) => state === 'failed') === true
  );
}

/** Consecutive inserts in ascending order, or one other patch. */
type PatchRun = { readonly inserts: InsertPatch[] } | Exclude<RowPatch, InsertPatch>;

/** The patches in their order, with consecutive inserts in ascending order merged into one run. */
export function patchRuns(patches: readonly RowPatch[]): PatchRun[] {
  const runs: PatchRun[] = [];
  for (const patch of patches) {
    if (patch.op !== 'insert') {
      runs.push(patch);
      continue;
    }
    const run = runs.at(-1);
    const last = run && 'inserts' in run ? run.inserts.at(-1) : undefined;
    if (run && 'inserts' in run && last && patch.index >= last.index + last.rowStubs.length) run.inserts.push(patch);
    else runs.push({ inserts: [patch] });
  }
  return runs;
}
