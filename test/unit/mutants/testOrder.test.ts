import { describe, expect, it } from 'vitest';
import { TestOrder } from '../../../tools/mutants/testOrder.ts';

const mutant = { path: 'src/a/b.ts', block: 'src/a/b.ts#1', tests: ['test/unit/', 'test/webview/'] };
const fileOf = (path: string, tests: Readonly<Record<string, number>>, shared: readonly string[] = [mutant.block]) => ({
  path,
  shared,
  tests: Object.fromEntries(Object.entries(tests).map(([name, ms]) => [name, { ms, blocks: [] }])),
});

describe('the tests for a mutant', () => {
  it('are those that enter its block, and belong to its room', () => {
    const { tests } = fileOf('', { other: 1 });
    const entering = {
      path: 'test/unit/x.test.ts',
      shared: [],
      tests: { ...tests, one: { ms: 1, blocks: [mutant.block] } },
    };
    const records = [entering, fileOf('test/unit/y.test.ts', { y: 1 }, []), fileOf('test/e2e/z.test.ts', { z: 1 })];
    const [file, ...others] = new TestOrder(records, 20_000).testsFor(mutant);
    expect(file).toEqual({ path: 'test/unit/x.test.ts', names: ['one'], ms: 1, slowestMs: 1 });
    expect(others).toEqual([]);
  });

  it('start with the file of the same name, then those in its folder, then those with quick tests', () => {
    const paths = [
      'test/webview/a.test.ts',
      'test/unit/slow.test.ts',
      'test/unit/quick.test.ts',
      'test/unit/a/c.test.ts',
    ];
    const records = [
      ...paths.map((path) => fileOf(path, path.includes('quick') ? { a: 1, b: 1, c: 1 } : { a: 100 })),
      fileOf('test/unit/a/b.test.ts', { a: 1_000, b: 10 }),
    ];
    const order = new TestOrder(records, 60_000);
    expect(order.testsFor(mutant).map(({ path }) => path)).toEqual(['test/unit/a/b.test.ts', ...paths.toReversed()]);
    expect(order.testsFor(mutant)[0]?.names).toEqual(['b', 'a']);
  });

  it('start with those that detected another mutant of the file', () => {
    const records = [fileOf('test/unit/a/b.test.ts', { a: 1 }), fileOf('test/unit/x.test.ts', { x: 1, y: 10 })];
    const order = new TestOrder(records, 20_000);
    for (let mutants = 0; mutants < 2; mutants++) order.killed('src/a/b.ts', 'test/unit/x.test.ts', ['y']);
    order.killed('src/a/other.ts', 'test/unit/a/b.test.ts', ['a']);
    const files = order.testsFor({ ...mutant, path: 'src/a/b.ts' });
    expect(files.map(({ names }) => names)).toEqual([['y', 'x'], ['a']]);
    order.killed('src/a/b.ts', 'test/unit/a/b.test.ts', ['a']);
    expect(order.testsFor(mutant)[0]?.path).toBe('test/unit/a/b.test.ts');
  });

  it('end when their time is used up, and leave time for other files', () => {
    const records = [
      fileOf('test/unit/a/b.test.ts', { a: 1_000, b: 1_000, c: 9_000 }),
      fileOf('test/unit/x.test.ts', { x: 2_000, y: 60_000 }),
    ];
    const files = new TestOrder(records, 10_000).testsFor(mutant);
    expect(files.map(({ names, ms }) => [names, ms])).toEqual([
      [['a', 'b'], 2_000],
      [['x'], 2_000],
    ]);
  });

  it('are at least one of each file, and as many as fit into its share', () => {
    const slow = Array.from({ length: 4 }, (_, index) => fileOf(`test/unit/x${index}.test.ts`, { a: 2_000, b: 3_000 }));
    const namesWithin = (budgetMs: number) =>
      new TestOrder(slow, budgetMs).testsFor(mutant).map(({ names }) => names.join(' '));
    expect(namesWithin(1_000)).toEqual(['a', 'a', 'a', 'a']);
    expect(namesWithin(12_000)).toEqual(['a b', 'a', 'a', 'a']);
    expect(namesWithin(24_000)).toEqual(['a b', 'a b', 'a b', 'a b']);
  });
});
