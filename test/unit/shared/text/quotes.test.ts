import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../../../src/shared/slices.ts';
import * as quotes from '../../../../src/shared/text/quotes.ts';

const findQuote = (...given: Parameters<typeof quotes.findQuote>) => withoutPause(quotes.findQuote(...given));
const quoteOffset = (before: string) => withoutPause(quotes.quoteOffset(before));

const found = (text: string, quote: string, offset = 0) => {
  const place = findQuote(text, quote, offset);
  return place && text.slice(...place);
};

describe('a quote', () => {
  it('is found in spite of other white space', () => {
    expect(found('a\n  b\tc d', 'bc')).toBe('b\tc');
    expect(found('abc d', ' a\nb c\n')).toBe('abc');
  });

  it('is found without the signs of Markdown, but only if it is not found with them', () => {
    expect(found('- **two** with `code`, and', 'two with code')).toBe('two** with `code');
    expect(found('a-b ab', 'ab')).toBe('ab');
    expect(found('say "a, b"', '*a*, b!')).toBe('a, b');
  });

  it('is the nearest one of several', () => {
    const text = 'end and end and end';
    expect(findQuote(text, 'end', 0)).toEqual([0, 3]);
    expect(findQuote(text, 'end', quoteOffset('end and '))).toEqual([8, 11]);
    expect(findQuote(text, 'end', 1_000)).toEqual([16, 19]);
  });

  it('is the nearest one of several that are found without signs', () => {
    const text = 'a, b, c, d, e, f, g, h: see `x` now. And see `x` now. ((((((((((( See `x` now.';
    const places = [...text.matchAll(/see `x` now/g)].map(({ index }) => [index, index + 11]);
    const offsets = places.map(([start]) => quoteOffset(text.slice(0, start)));
    expect(offsets).toEqual([16, 29]);
    expect(offsets.map((offset) => findQuote(text, 'see x now', offset))).toEqual(places);
    const end = text.indexOf('See');
    expect(findQuote(text, 'See x now', quoteOffset(text.slice(0, end)))).toEqual([end, end + 11]);
    expect(findQuote(text, 'x now', 1_000)).toEqual([end + 5, end + 11]);
  });

  it('is the first of the nearest ones, also if they overlap', () => {
    const simply = (text: string, quote: string, offset: number) => {
      const places = Array.from(text, (_, index) => index).filter((index) => text.startsWith(quote, index));
      const distances = places.map((place) => Math.abs(place - offset));
      const at = places[distances.indexOf(Math.min(...distances))];
      return at === undefined ? undefined : [at, at + quote.length];
    };
    const [text, quote] = [fc.stringMatching(/^[ab]{0,40}$/), fc.stringMatching(/^[ab]{1,9}$/)];
    fc.assert(
      fc.property(text, quote, fc.nat(40), (whole, part, offset) => {
        expect(findQuote(whole, part, offset)).toEqual(simply(whole, part, offset));
      }),
      { numRuns: 2_000 },
    );
    expect(findQuote('aabaaabaaab', 'aabaaab', 4)).toEqual([4, 11]);
  });

  it('consists of whole characters outside the basic plane', () => {
    expect(found('𝒂 **𝒃** 𝒄', '𝒃𝒄')).toBe('𝒃** 𝒄');
    expect(found('x 👍 y', '👍')).toBe('👍');
  });

  it('is not found if it is empty, has only signs, or is not there', () => {
    expect([found('a', ''), found('a', ' \n'), found('a *', '**'), found('a', 'b')]).toEqual(Array(4).fill(undefined));
    expect(found('a => b', '=>')).toBe('=>');
  });

  it('is located by the characters before it, without white space', () => {
    expect(quoteOffset(' a\n bc ')).toBe(3);
    expect(quoteOffset('*a* - b')).toBe(5);
  });

  it('is found in a long text, wherever the text is divided', () => {
    for (const length of [15_990, 15_999, 16_000, 16_001, 31_998, 32_005]) {
      for (const gap of ['', ' '.repeat(20_000), '-'.repeat(20_000)]) {
        const text = `${'a'.repeat(length)}${gap}𝒃 x${gap}y ${'b '.repeat(20_000)}`;
        expect(found(text, '𝒃xy')).toBe(`𝒃 x${gap}y`);
        expect(found(text, 'a𝒃')).toBe(`a${gap}𝒃`);
      }
    }
  });
});
