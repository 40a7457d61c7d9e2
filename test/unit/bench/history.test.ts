import { expect, test } from 'vitest';
import { withLines } from '../../../tools/bench/tables/history.ts';

const table =
  '| date | commit | open |\n| :--- | ---: | ---: |\n| 2026-11-20 | aaa | 1.5 |\n| 2026-11-21 | bbb | 1.4 |';

test('adds the line of a commit at the end', () => {
  const next = withLines(`\n${table}\n`, [['2026-11-22', 'ccc', '1.3']]);
  expect(next).toBe(`${table}\n| 2026-11-22 | ccc | 1.3 |`);
});

test('replaces the line of a commit that is measured again', () => {
  const lines = withLines(table, [['2026-11-22', 'aaa', '1.3']]).split('\n');
  expect(lines.slice(2)).toEqual(['| 2026-11-21 | bbb | 1.4 |', '| 2026-11-22 | aaa | 1.3 |']);
});
