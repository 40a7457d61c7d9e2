import { expect, it } from 'vitest';
import { cutPoint } from '../../../../src/shared/text/cutPoint.ts';

it('cuts before a surrogate pair, never within it', () => {
  expect([0, 1, 2, 3, 4].map((most) => cutPoint('a🚀b', most))).toEqual([0, 1, 1, 3, 4]);
  expect(cutPoint('🚀', 1)).toBe(0);
  expect(cutPoint('', -1)).toBe(0);
});
