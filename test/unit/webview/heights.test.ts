import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heights } from '../../../src/webview/rows/heights.ts';

type Change =
  | { readonly op: 'set'; readonly at: number; readonly height: number }
  | { readonly op: 'splice'; readonly at: number; readonly removed: number; readonly added: readonly number[] };

const heightList = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 60 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ op: fc.constant('set' as const), at: fc.nat(), height: fc.integer({ min: 0, max: 900 }) }),
  fc.record({ op: fc.constant('splice' as const), at: fc.nat(), removed: fc.nat(5), added: heightList }),
);

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function apply(heights: Heights, plain: number[], step: Change): void {
  const at = step.at % (plain.length + 1);
  if (step.op === 'set') {
    heights.set(at, step.height);
    if (at < plain.length) plain[at] = step.height;
    return;
  }
  const removed = Math.min(step.removed, plain.length - at);
  heights.splice(at, removed, step.added);
  plain.splice(at, removed, ...step.added);
}

describe('Heights', () => {
  it('knows sums and places as a plain list does, whatever happens to it', () => {
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

  it('has no row in an empty list', () => {
    expect(new Heights().indexAt(0)).toBe(-1);
  });
});
