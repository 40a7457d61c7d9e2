import { describe, expect, it } from 'vitest';
import { Places } from '../../../../src/shared/text/places.ts';

/** Counts the searches in a text. */
class CountingPattern extends RegExp {
  searches = 0;

  override exec(text: string): RegExpExecArray | null {
    this.searches += 1;
    return super.exec(text);
  }
}

describe('the places of something in a text', () => {
  const pattern = () => new CountingPattern('x', 'g');

  it.each([
    [0, 2],
    [2, 2],
    [3, 5],
    [5, 5],
    [6, Infinity],
    [9, Infinity],
  ])('at or after %d begin at %d', (index, place) => {
    expect(new Places('abxcdx', pattern()).from(index)).toBe(place);
  });

  it('are searched once for each place, if the index rises', () => {
    const counting = pattern();
    const places = new Places('abxcdxef', counting);
    const found = Array.from({ length: 12 }, (_, index) => places.from(index));
    expect(found).toEqual([2, 2, 2, 5, 5, 5, ...Array<number>(6).fill(Infinity)]);
    expect(counting.searches).toBe(3);
    expect(places.from(11)).toBe(Infinity);
    expect(counting.searches).toBe(3);
  });

  it('are searched again for an index before the last search', () => {
    const places = new Places('abxcdxef', pattern());
    expect([places.from(3), places.from(2), places.from(6), places.from(0)]).toEqual([5, 2, Infinity, 2]);
  });
});
