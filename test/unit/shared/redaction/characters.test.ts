import { describe, expect, it } from 'vitest';
import {
  alphanumeric,
  base64Characters,
  codeCharacters,
  dashes,
  equals,
  isDigit,
  isIn,
  lineCharacters,
  other,
  period,
  plusSlash,
  SearchedText,
  tilde,
  wordCharacters,
  wordOrPeriod,
} from '../../../../src/shared/redaction/characters.ts';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const punctuation = '&(),;<>[]{|}';
const symbols = '!#$%*:?@^\u007f';

function sorted(characters: string): string {
  return Array.from(characters).sort().join('');
}

describe('a set of characters', () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

  it.each([
    ['letters and digits', alphanumeric, letters + digits],
    ['dashes', dashes, '-_'],
    ['period', period, '.'],
    ['plus and slash', plusSlash, '+/'],
    ['equals', equals, '='],
    ['tilde', tilde, '~'],
    ['everything else', other, symbols],
    ['words', wordCharacters, `${letters}${digits}-_`],
    ['names', wordOrPeriod, `${letters}${digits}-_.`],
    ['base64', base64Characters, `${letters}${digits}+/=`],
    ['values in a line', lineCharacters, `${letters}${digits}-_.+/=~${punctuation}${symbols}`],
    ['values in code', codeCharacters, `${letters}${digits}-_.+/=~${symbols}`],
  ])('contains, of ASCII: %s', (_, set, expected) => {
    const found = ascii.filter((character) => isIn(set, character.charCodeAt(0)));
    expect(found.join('')).toBe(sorted(expected));
  });

  it('contains other characters only if it is one of values, and never an ellipsis', () => {
    const sets = [lineCharacters, codeCharacters, other, wordOrPeriod, base64Characters];
    expect(sets.map((set) => isIn(set, 'é'.charCodeAt(0)))).toEqual([true, true, true, false, false]);
    expect(sets.map((set) => isIn(set, 0x80))).toEqual([true, true, true, false, false]);
    expect(sets.map((set) => isIn(set, '…'.charCodeAt(0)))).toEqual([false, false, false, false, false]);
  });

  it('of digits is that of decimal numbers', () => {
    expect(ascii.filter((character) => isDigit(character.charCodeAt(0))).join('')).toBe(digits);
  });
});

describe('a searched text', () => {
  /** The result, and the number of characters that were examined for it. */
  function worked<T>(source: SearchedText, work: () => T): readonly [T, number] {
    const before = source.examined;
    const result = work();
    return [result, source.examined - before];
  }

  it('counts the characters of its parts', () => {
    const source = new SearchedText('password');
    expect(source.examined).toBe(0);
    expect(worked(source, () => source.part(2, 5))).toEqual(['ssw', 3]);
    expect(worked(source, () => source.part(6, 20))).toEqual(['rd', 2]);
  });

  it('finds the end of a run, and remembers the last three of each set', () => {
    const source = new SearchedText('ab.cd ef gh ij');
    const end = (set: number, from: number) => worked(source, () => source.runEnd(set, from));
    expect([end(alphanumeric, 0), end(alphanumeric, 2), end(wordOrPeriod, 0)]).toEqual([
      [2, 3],
      [2, 1],
      [5, 6],
    ]);
    expect([end(alphanumeric, 1), end(wordOrPeriod, 0), end(wordOrPeriod, 4)]).toEqual([
      [2, 0],
      [5, 0],
      [5, 0],
    ]);
    expect([end(wordOrPeriod, 6), end(wordOrPeriod, 9), end(wordOrPeriod, 12)]).toEqual([
      [8, 3],
      [11, 3],
      [14, 3],
    ]);
    expect([end(wordOrPeriod, 12), end(wordOrPeriod, 9), end(wordOrPeriod, 6), end(wordOrPeriod, 0)]).toEqual([
      [14, 0],
      [11, 0],
      [8, 0],
      [5, 6],
    ]);
  });

  it('has runs of at most 32,768 characters', () => {
    const source = new SearchedText('a'.repeat(40_000));
    expect(source.runEnd(alphanumeric, 5)).toBe(32_773);
    expect(source.runEnd(alphanumeric, 32_773)).toBe(40_000);
  });

  it('finds the start of a run, up to a limit', () => {
    const source = new SearchedText('x abcd');
    const start = (to: number, most: number) => worked(source, () => source.runStart(alphanumeric, to, most));
    expect([start(6, 9), start(6, 4), start(6, 3), start(1, 9), start(2, 9)]).toEqual([
      [2, 5],
      [2, 5],
      [3, 4],
      [0, 2],
      [2, 1],
    ]);
  });

  it('skips blanks after an index, up to a limit', () => {
    const source = new SearchedText(`a \t b\n${' '.repeat(70)}`);
    const after = (from: number) => worked(source, () => source.afterBlanks(from));
    expect([after(1), after(0), after(5), after(6)]).toEqual([
      [4, 4],
      [0, 1],
      [5, 1],
      [70, 65],
    ]);
  });

  it('skips blanks or other characters before an index, up to a limit', () => {
    const source = new SearchedText(`\t ${'b'.repeat(50)} \t c\n${' '.repeat(70)}`);
    expect(worked(source, () => source.beforeBlanks(55))).toEqual([52, 4]);
    expect(worked(source, () => source.beforeBlanks(2))).toEqual([0, 3]);
    expect(worked(source, () => source.beforeBlanks(127))).toEqual([63, 65]);
    expect(worked(source, () => source.before(52, 'b'))).toEqual([12, 41]);
    expect(worked(source, () => source.before(52, 'bc', 3))).toEqual([49, 4]);
    expect(worked(source, () => source.before(56, 'bc '))).toEqual([54, 3]);
  });

  it.each([
    ['one\ntwo three', 80, 'two three'],
    ['one\rtwo three', 80, 'two three'],
    ['one\n\rtwo three', 80, 'two three'],
    ['one\r\ntwo three', 80, 'two three'],
    ['two three', 80, 'two three'],
    ['one\ntwo three', 5, 'three'],
    ['two three\n', 80, ''],
  ])('knows the part of a line before an index: %j, at most %d', (text, most, expected) => {
    const source = new SearchedText(`${text}=`);
    expect(worked(source, () => source.lineBefore(text.length, most))).toEqual([expected, Math.min(most, text.length)]);
  });
});
