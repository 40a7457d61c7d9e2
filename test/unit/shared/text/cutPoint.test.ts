import { expect, it } from 'vitest';
import { cutPoint, startPoint } from '../../../../src/shared/text/cutPoint.ts';

it('cuts before a surrogate pair, never within it', () => {
  expect([0, 1, 2, 3, 4].map((most) => cutPoint('a🚀b', most))).toEqual([0, 1, 1, 3, 4]);
  expect(cutPoint('🚀', 1)).toBe(0);
  expect(cutPoint('', -1)).toBe(0);
});

it('starts after a surrogate pair, never within it', () => {
  expect([0, 1, 2, 3, 4].map((least) => startPoint('a🚀b', least))).toEqual([0, 1, 3, 3, 4]);
  expect([startPoint('🚀', 1), startPoint('', -1), startPoint('a', -3), startPoint('a🚀', 3)]).toEqual([2, 0, 0, 3]);
});
