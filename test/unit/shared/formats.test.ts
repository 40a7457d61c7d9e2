import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Formats } from '../../../src/shared/formats.ts';

const [english, german] = [new Formats('en'), new Formats('de')];
const time = new Date(2026, 4, 20, 15, 30).getTime();

describe('formats', () => {
  it('follow the language', () => {
    expect([1, 999, 1_200, 0.0125].map((value) => german.number(value))).toEqual(['1', '999', '1.200', '0,0125']);
    expect([english.compact(1_234_567), german.compact(1_234_567)]).toEqual(['1.2M', '1,2\u00a0Mio.']);
    expect([english.size(1_234), german.size(1_234)]).toEqual(['1.2 KB', '1,2 KB']);
    expect([english.dateTime(time), german.dateTime(time)]).toEqual(['May 20, 2026, 3:30 PM', '20.05.2026, 15:30']);
    expect(german.timeRange(time, time + 60_000)).toBe('20.05.2026, 15:30\u201315:31 Uhr');
    expect(['en', 'de', 'ja', 'zh-cn'].map((locale) => new Formats(locale).list(['a', 'b', 'c']))).toEqual([
      'a, b, c',
      'a, b und c',
      'a、b、c',
      'a、b、c',
    ]);
  });

  it('of lists follow the language of the sentences, and of times the display language', () => {
    const untranslated = new Formats('de', 'en');
    expect([untranslated.list(['a', 'b']), untranslated.time(time)]).toEqual(['a, b', '15:30']);
  });

  it('show nothing for a time outside the range of dates', () => {
    for (const invalid of [NaN, Infinity, 8.64e15 + 1]) expect(english.dateTime(invalid)).toBe('');
  });

  it('accept any language tag', () => {
    fc.assert(fc.property(fc.string(), (locale) => new Formats(locale).dateTime(time) !== ''));
    expect(new Formats('no such language').number(1_200)).not.toBe('');
  });
});

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 KB'],
    [1_234, '1.2 KB'],
    [99_940, '99.9 KB'],
    [123_456, '123 KB'],
    [999_499, '999 KB'],
    [999_999, '1.0 MB'],
    [1_000_000, '1.0 MB'],
    [12_345_678, '12.3 MB'],
    [99_960_000, '100 MB'],
    [1_500_000_000, '1,500 MB'],
  ])('show %i bytes as %s', (sizeBytes, shown) => expect(english.size(sizeBytes)).toBe(shown));
});
