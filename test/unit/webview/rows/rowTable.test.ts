import { describe, expect, it } from 'vitest';
import type { PageRow } from '../../../../src/shared/protocol/rowTypes.ts';
import { RowTable } from '../../../../src/webview/rows/rowTable.ts';

const bodyOf = (key: string): PageRow => ({
  ...{ key, role: 'assistant', roleLabel: 'Agent', createdAt: 0, isError: false, badges: [] },
  blocks: [{ type: 'markdown', text: key }],
});

/** Returns a table of 100 rows with ten lines each, all with their bodies. */
function fullTable(): RowTable {
  const table = new RowTable();
  const keys = Array.from({ length: 100 }, (_, index) => `m${index}`);
  table.reset(JSON.stringify({ keys, weights: keys.map(() => 10), promptIndexes: [] }), keys.map(bodyOf));
  return table;
}

const held = (table: RowTable) =>
  Array.from({ length: table.count }, (_, index) => index).filter((index) => table.body(table.keyAt(index) ?? ''));

describe('earlier rows', () => {
  it("are inserted after the page's own row, including their prompts", () => {
    const table = new RowTable();
    const rowStubs = (keys: readonly string[], promptIndexes: readonly number[]) =>
      JSON.stringify({ keys, weights: keys.map(() => 7), promptIndexes });
    table.reset(rowStubs(['d', 'e'], [1]), [bodyOf('e')], [{ key: 'own', estimatedLines: 0 }]);
    expect(table.prepend(rowStubs(['b', 'c'], [0]))).toEqual({ index: 1, count: 2 });
    expect(table.prepend(rowStubs(['a'], []))).toEqual({ index: 1, count: 1 });
    const keys = Array.from({ length: table.count }, (_, index) => table.keyAt(index));
    expect(keys).toEqual(['own', 'a', 'b', 'c', 'd', 'e']);
    expect(keys.map((key) => table.indexOf(key ?? ''))).toEqual([0, 1, 2, 3, 4, 5]);
    expect([table.linesAt(0), table.linesAt(1), table.linesAt(5)]).toEqual([0, 7, 7]);
    expect([table.promptFrom(4, -1), table.promptFrom(4, 1)]).toEqual([2, 5]);
    expect(table.body('e')).toBeDefined();
  });
});

describe('bodies that exceed the budget', () => {
  it.each([
    [0, 0, 84],
    [50, 8, 92],
    [99, 15, 99],
    [100, 15, 99],
    [-1, 0, 84],
  ])('are dropped if they are farthest from row %d', (index, first, last) => {
    const table = fullTable();
    table.dropBodiesFarFrom(index, 999);
    const kept = held(table);
    expect(kept.length).toBe(85 - (kept.length === 84 ? 1 : 0));
    expect(kept[0]).toBeGreaterThanOrEqual(first);
    expect(kept.at(-1)).toBeLessThanOrEqual(last);
    expect(kept.at(-1)).toBe((kept[0] ?? NaN) + kept.length - 1);
  });

  it('are counted correctly after inserts, changes, and removals', () => {
    const table = fullTable();
    table.putBodies([bodyOf('m1'), bodyOf('m1')]);
    table.replace({ op: 'replace', row: bodyOf('m2'), estimatedLines: 500 });
    table.replace({ op: 'replace', row: bodyOf('m2'), estimatedLines: 10 });
    table.remove(table.indexesOf(['m3']));
    table.insert([{ op: 'insert', index: 3, rowStubs: [{ key: 'n', estimatedLines: 10 }], rows: [bodyOf('n')] }]);
    table.dropBodiesFarFrom(0, 1_000);
    expect(held(table).length).toBe(100);
    table.dropBodiesFarFrom(0, 999);
    expect(held(table).length).toBeLessThan(86);
    table.putBodies([bodyOf('m99')]);
    expect(table.body('m99')).toBeDefined();
  });
});
