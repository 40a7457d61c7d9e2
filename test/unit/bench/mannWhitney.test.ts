import { expect, test } from 'vitest';
import { mannWhitneyP, smallestP } from '../../../tools/bench/against/mannWhitney.ts';

/** Samples of `size` values without ties, in which `u` pairs are in the unusual order. */
function samplesWith(size: number, u: number): readonly [number[], number[]] {
  const one = Array.from({ length: size }, (_, place) => 2 * place);
  const other = one.map((value) => value + 2 * size + 1);
  // Moving a value of the first sample past `step` values of the second one reverses `step` pairs.
  let left = u;
  for (let place = size - 1; place >= 0 && left > 0; place -= 1) {
    const step = Math.min(left, size);
    one[place] = 2 * size + 2 * step + 0.5 + place / (4 * size);
    left -= step;
  }
  return [one, other];
}

test.each([
  [3, 0, 2 / 20],
  [4, 0, 2 / 70],
  [4, 1, 4 / 70],
  [5, 0, 2 / 252],
  [5, 1, 4 / 252],
  [5, 2, 8 / 252],
  [5, 3, 14 / 252],
])('two samples of %i values with U = %i have the p-value of the table', (size, u, p) => {
  const [one, other] = samplesWith(size, u);
  expect(mannWhitneyP(one, other)).toBeCloseTo(p, 12);
  expect(mannWhitneyP(other, one)).toBeCloseTo(p, 12);
});

// From the usual table of critical values for a two-sided test: the largest U with p <= 0.05.
test.each([
  [4, 0],
  [5, 2],
  [6, 5],
  [7, 8],
  [8, 13],
  [9, 17],
  [10, 23],
])('for two samples of %i values, U = %i is the last with p <= 0.05', (size, critical) => {
  expect(mannWhitneyP(...samplesWith(size, critical))).toBeLessThanOrEqual(0.05);
  expect(mannWhitneyP(...samplesWith(size, critical + 1))).toBeGreaterThan(0.05);
});

test('equal values share the mean of their ranks', () => {
  // Ranks 1, 3, 3 of 1, 3, 3, 3, 5.5, 5.5: three of the 20 subsets have the sum 7 or less, three have 14 or more.
  expect(mannWhitneyP([1, 2, 2], [2, 3, 3])).toBeCloseTo(6 / 20, 12);
  // Ranks 1, 2, 3, four times 5.5, and 8, with the sum 36: no four of them have a sum closer to 18 than 17.5.
  expect(mannWhitneyP([1, 4, 4, 4], [2, 3, 4, 5])).toBe(1);
  expect(mannWhitneyP([7, 7, 7], [7, 7])).toBe(1);
});

test('samples can have different sizes, and an empty one has no p-value', () => {
  expect(mannWhitneyP([1, 2], [3, 4, 5, 6])).toBeCloseTo(2 / 15, 12);
  expect(mannWhitneyP([], [1])).toBeNaN();
});

test('three runs can show nothing, four can', () => {
  expect(smallestP(3, 3)).toBeCloseTo(0.1, 12);
  expect(smallestP(4, 4)).toBeLessThan(0.05);
});
