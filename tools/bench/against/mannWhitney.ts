/**
 * The exact two-sided p-value of the Mann-Whitney U test: the probability that two samples from one distribution differ
 * in their ranks at least as much as these do. Equal values get the mean of their ranks, and the distribution of the
 * rank sum is counted for exactly these ranks, so ties need no approximation. NaN if a sample is empty.
 */
export function mannWhitneyP(one: readonly number[], other: readonly number[]): number {
  const ranks = doubledRanks([...one, ...other]);
  const rankSum = sumOf(ranks.slice(0, one.length));
  const expected = (sumOf(ranks) * one.length) / ranks.length;
  const difference = Math.abs(rankSum - expected);
  let [asExtreme, all] = [0, 0];
  for (const [sum, count] of countSums(ranks, one.length)) {
    all += count;
    if (Math.abs(sum - expected) >= difference - 1e-9) asExtreme += count;
  }
  return one.length === 0 || other.length === 0 ? NaN : asExtreme / all;
}

/**
 * The smallest p-value of samples of these sizes without equal values. Equal values allow a smaller one only if the
 * sizes differ.
 */
export function smallestP(oneSize: number, otherSize: number): number {
  const one = Array.from({ length: oneSize }, (_, place) => place);
  return mannWhitneyP(
    one,
    Array.from({ length: otherSize }, (_, place) => oneSize + place),
  );
}

/** Twice the rank of each value. The rank of equal values is a multiple of one half. */
function doubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * below + equal + 1;
  });
}

/** The number of subsets of this size, by the sum of their ranks. */
function countSums(ranks: readonly number[], size: number): ReadonlyMap<number, number> {
  /** One map for each size of a subset of the ranks so far. */
  const bySize = Array.from({ length: size + 1 }, () => new Map<number, number>());
  bySize[0]?.set(0, 1);
  for (const rank of ranks) {
    // From the largest size down, so that a rank is added to a subset only once.
    for (const [place, larger] of [...bySize.entries()].reverse()) {
      for (const [sum, count] of bySize[place - 1] ?? []) larger.set(sum + rank, (larger.get(sum + rank) ?? 0) + count);
    }
  }
  return bySize[size] ?? new Map<number, number>();
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
