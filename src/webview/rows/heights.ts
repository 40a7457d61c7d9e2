/**
 * The heights of all rows of a list, in px, with their running sums: where a row begins, and which row is at a place,
 * in O(log n). A Fenwick tree over one typed array; inserting and removing rebuilds it, which is linear and takes
 * well under a millisecond for 100,000 rows.
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

  /** Replaces `removed` rows at `index` by rows of the given heights. */
  splice(index: number, removed: number, added: ArrayLike<number>): void {
    const kept = this.#values.subarray(0, this.#count);
    const next = new Float64Array(this.#count - removed + added.length);
    next.set(kept.subarray(0, index));
    next.set(added, index);
    next.set(kept.subarray(index + removed), index + added.length);
    this.#values = next;
    this.#rebuild();
  }

  /** Replaces everything. */
  reset(heights: ArrayLike<number>): void {
    this.#values = Float64Array.from(heights);
    this.#rebuild();
  }

  /** Where the row begins: the sum of the heights before `index`. */
  topOf(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.#count); node > 0; node -= node & -node) sum += this.#tree[node] ?? 0;
    return sum;
  }

  /** The row that covers `place`; the first or last row for places outside, -1 if there are no rows. */
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

  #rebuild(): void {
    this.#count = this.#values.length;
    const tree = new Float64Array(this.#count + 1);
    let total = 0;
    for (let node = 1; node <= this.#count; node += 1) {
      const height = this.#values[node - 1] ?? 0;
      total += height;
      tree[node] = (tree[node] ?? 0) + height;
      const parent = node + (node & -node);
      if (parent <= this.#count) tree[parent] = (tree[parent] ?? 0) + (tree[node] ?? 0);
    }
    this.#tree = tree;
    this.#total = total;
  }
}

function highestPowerOfTwo(count: number): number {
  return count < 1 ? 0 : 2 ** (31 - Math.clz32(count));
}
