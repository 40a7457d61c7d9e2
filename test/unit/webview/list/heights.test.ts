import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heights } from '../../../../src/webview/list/heights.ts';

type Change =
  | { readonly op: 'set'; readonly at: number; readonly height: number }
  | {
      readonly op: 'splice';
      readonly removed: readonly number[];
      readonly added: readonly { readonly at: number; readonly heights: readonly number[] }[];
    };

const heightList = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 60 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ op: fc.constant('set' as const), at: fc.nat(), height: fc.integer({ min: 0, max: 900 }) }),
  fc.record({
    op: fc.constant('splice' as const),
    removed: fc.array(fc.nat(80), { maxLength: 20 }),
    added: fc.array(fc.record({ at: fc.nat(80), heights: heightList }), { maxLength: 4 }),
  }),
);

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function apply(heights: Heights, plain: number[], step: Change): void {
  if (step.op === 'set') {
    const at = step.at % (plain.length + 1);
    heights.set(at, step.height);
    if (at < plain.length) plain[at] = step.height;
    return;
  }
  const removed = [...new Set(step.removed)].filter((index) => index < plain.length).sort((a, b) => a - b);
  for (const index of removed.toReversed()) plain.splice(index, 1);
  let from = 0;
  const added = step.added.map(({ at, heights: values }) => {
    const index = Math.min(plain.length, from + at);
    plain.splice(index, 0, ...values);
    from = index + values.length;
    return { index, heights: values };
  });
  heights.splice(removed, added);
}

describe('Heights', () => {
  it('has the same sums and positions as a plain array after any change', () => {
    fc.assert(
      fc.property(heightList, fc.array(change, { maxLength: 12 }), fc.nat(20_000), (first, steps, place) => {
        const heights = new Heights();
        const plain = [...first];
        heights.reset(first);
        for (const step of steps) apply(heights, plain, step);
        expect(heights.count).toBe(plain.length);
        expect(heights.total).toBe(sum(plain));
        for (let index = 0; index <= plain.length; index += 1) {
          expect(heights.topOf(index)).toBe(sum(plain.slice(0, index)));
        }
        const index = heights.indexAt(place);
        if (place >= sum(plain)) expect(index).toBe(plain.length - 1);
        else {
          expect(heights.topOf(index)).toBeLessThanOrEqual(place);
          expect(heights.topOf(index + 1)).toBeGreaterThan(place);
        }
      }),
    );
  });

  it('returns -1 as the index in an empty list', () => {
    expect(new Heights().indexAt(0)).toBe(-1);
  });
});
