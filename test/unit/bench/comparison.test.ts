import { expect, test } from 'vitest';
import { comparisonOf } from '../../../tools/bench/against/comparison.ts';
import type { Figure } from '../../../tools/bench/tables/figures.ts';

const time: Figure<number> = { name: 'time, ms', of: (value) => value, digits: 0, isTime: true };
const amount: Figure<number> = { name: 'amount', of: (value) => 2 * value, digits: 1 };
const version = (title: string, ...values: readonly number[]) => ({ title, columns: new Map([['100', values]]) });

/** The cells of the rows of the only table, without white space around their text. */
function rowsOf(now: readonly number[], against: readonly number[]): string[][] {
  const [text = ''] = comparisonOf([time, amount], [version('now', ...now), version('abc', ...against)]);
  const lines = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('|  '));
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

test('a significant difference of times is called slower or faster, and one of amounts more or less', () => {
  const rows = rowsOf([1, 2, 3, 4, 5], [11, 12, 13, 14, 15]);
  expect(rows[0]).toEqual(['', 'time, ms', '3', '13', '0.23', '0.008', '**faster**', '']);
  expect(rows[1]).toEqual(['', 'amount', '6.0', '26.0', '0.23', '0.008', '**less**', '']);
  expect(rowsOf([11, 12, 13, 14, 15], [1, 2, 3, 4, 5]).map((row) => row.at(-2))).toEqual(['**slower**', '**more**']);
});

test('a difference that can be chance is not called more or less, however large it is', () => {
  const [row] = rowsOf([1, 2, 3, 4, 50], [2, 4, 40, 60, 90]);
  expect(row?.at(-2)).toBe('no difference shown');
});

test('says when there are too few runs to show anything', () => {
  const texts = (size: number) => {
    const values = Array.from({ length: size }, (_, place) => place);
    return comparisonOf([time], [version('now', ...values), version('abc', ...values.map((value) => value + 100))]);
  };
  expect(texts(3).join()).toContain('With so few runs, nothing can be shown: the smallest possible p is 0.10.');
  expect(texts(4).join()).not.toContain('so few runs');
});

test('one version is compared with nothing, and a figure that was not measured has no row', () => {
  expect(comparisonOf([time], [version('now', 1, 2)])).toEqual([]);
  expect(rowsOf([NaN, NaN], [1, 2])).toEqual([]);
});
