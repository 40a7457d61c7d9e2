/** The heights, in px, of rows added at one index. */
export interface AddedHeights {
  readonly index: number;
  readonly heights: ArrayLike<number>;
}

/**
 * The heights of all rows of a list, in px, and their running sums: finds the top of a row, or the row at a place, in
 * O(log n). A Fenwick tree over one typed array. Inserting and removing rows rebuilds the tree, which is linear but
 * takes well under a millisecond for 100,000 rows.
 */
export class Heights {
  #values = new Float64Array(0);
  #tree = new Float64Array(1);
  #count = 0;
  #total = 0;

  get count(): number {
    return this.#count;
  }

  /** The sum of all heights. */
  get total(): number {
    return this.#total;
  }

  at(index: number): number {
    return index < this.#count ? (this.#values[index] ?? 0) : 0;
  }

  set(index: number, height: number): void {
    const change = height - this.at(index);
    if (change === 0 || index < 0 || index >= this.#count) return;
    this.#values[index] = height;
    this.#total += change;
    for (let node = index + 1; node <= this.#count; node += node & -node) {
      this.#tree[node] = (this.#tree[node] ?? 0) + change;
    }
  }

  /**
   * Removes the rows at the `removed` indexes, then inserts rows with the given heights. Both are in ascending order;
   * the index of an insertion refers to the final list.
   */
  splice(removed: readonly number[], added: readonly AddedHeights[]): void {
    const addedCount = added.reduce((sum, { heights }) => sum + heights.length, 0);
    const next = new Float64Array(this.#count - removed.length + addedCount);
    const kept = keptPieces(this.#values.subarray(0, this.#count), removed);
    let filled = 0;
    const fill = (piece: ArrayLike<number>) => {
      next.set(piece, filled);
      filled += piece.length;
    };
    const rest = added.values();
    let due = rest.next();
    for (let piece of kept) {
      while (!due.done && due.value.index <= filled + piece.length) {
        const before = due.value.index - filled;
        fill(piece.subarray(0, before));
        piece = piece.subarray(before);
        fill(due.value.heights);
        due = rest.next();
      }
      fill(piece);
    }
    for (; !due.done; due = rest.next()) fill(due.value.heights);
    this.#values = next;
    this.#rebuild(Math.min(this.#count, removed[0] ?? Infinity, added[0]?.index ?? Infinity));
  }

  /** Replaces all rows with rows of these heights. */
  reset(heights: ArrayLike<number>): void {
    this.#values = new Float64Array(heights);
    this.#rebuild(0);
  }

  /** The top of the row: the sum of the heights before `index`. */
  topOf(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.#count); node > 0; node -= node & -node) sum += this.#tree[node] ?? 0;
    return sum;
  }

  /**
   * The index of the row that covers `place`: the first or last row for places outside the list, -1 in an empty list.
   */
  indexAt(place: number): number {
    let index = 0;
    let rest = place;
    for (let step = highestPowerOfTwo(this.#count); step > 0; step >>= 1) {
      const next = index + step;
      const sum = this.#tree[next] ?? 0;
      if (next <= this.#count && sum <= rest) {
        index = next;
        rest -= sum;
      }
    }
    return Math.min(index, this.#count - 1);
  }

  /** Rebuilds the sums from the first height that changed. */
  #rebuild(from: number): void {
    this.#count = this.#values.length;
    const tree = new Float64Array(this.#count + 1);
    tree.set(this.#tree.subarray(0, from + 1));
    for (let node = from + 1; node <= this.#count; node += 1) {
      let sum = this.#values[node - 1] ?? 0;
      for (let below = 1; below < (node & -node); below <<= 1) sum += tree[node - below] ?? 0;
      tree[node] = sum;
    }
    this.#tree = tree;
    this.#total = this.topOf(this.#count);
  }
}

/** The values without those at the removed indexes, in pieces. */
function* keptPieces(values: Float64Array, removed: readonly number[]): Generator<Float64Array> {
  let from = 0;
  for (const index of removed) {
    if (index > from) yield values.subarray(from, index);
    from = index + 1;
  }
  yield values.subarray(from);
}

function highestPowerOfTwo(count: number): number {
  return count < 1 ? 0 : 2 ** (31 - Math.clz32(count));
}
