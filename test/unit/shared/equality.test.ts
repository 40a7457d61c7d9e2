import { describe, expect, it } from 'vitest';
import { commonPrefixLength, sameItems, sameValue } from '../../../src/shared/equality.ts';

describe('equality of lists', () => {
  const [a, b] = [{}, {}];

  it('compares objects by identity', () => {
    expect(sameItems([a, b], [a, b])).toBe(true);
    expect(sameItems([a, b], [b, a])).toBe(false);
    expect(sameItems([a], [a, b])).toBe(false);
    expect(sameItems([{}], [{}])).toBe(false);
  });

  it('determines the length of the common prefix', () => {
    expect(commonPrefixLength([a, b], [a, a])).toBe(1);
    expect(commonPrefixLength([], [a])).toBe(0);
    expect(commonPrefixLength([a, b], [a, b, a])).toBe(2);
  });
});

describe('equality of plain data', () => {
  it.each([
    [{ a: 1, b: [1, { c: 'x' }] }, { b: [1, { c: 'x' }], a: 1 }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [[], {}, false],
    [[1, 2], [2, 1], false],
    [null, {}, false],
    [undefined, undefined, true],
  ])('%j and %j: %s', (a, b, isSame) => expect(sameValue(a, b)).toBe(isSame));
});
