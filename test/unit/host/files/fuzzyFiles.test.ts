import { describe, expect, it } from 'vitest';
import { fuzzyFiles } from '../../../../src/host/files/fuzzyFiles.ts';

const paths = [
  'README.md',
  'docs/basket.md',
  'src/basket.ts',
  'src/basket/price.ts',
  'src/früchte.ts',
  'test/basket.test.ts',
];
const files = paths.map((path) => ({ path, name: path.slice(path.lastIndexOf('/') + 1) }));
const { search } = fuzzyFiles(files);
const found = (query: string, limit = 10) => search(query, limit).map(({ index }) => paths[index]);

describe('files found by a few letters', () => {
  it('are those with the letters in their name first, then those with them in their path', () => {
    expect(found('basket')).toHaveLength(4);
    expect(found('basket').at(-1)).toBe('src/basket/price.ts');
    expect(found('price')).toEqual(['src/basket/price.ts']);
  });

  it('need not have the letters side by side', () => {
    expect(found('bts')).toContain('test/basket.test.ts');
    expect(found('srcprice')).toEqual(['src/basket/price.ts']);
  });

  it('are found whatever the case, and without accents', () => {
    expect(found('readme')).toEqual(['README.md']);
    expect(found('fruchte')).toEqual(['src/früchte.ts']);
  });

  it('say which letters of the name match, and none where only the path does', () => {
    const [readme] = search('read', 1);
    expect(readme).toEqual({ index: 0, matches: [0, 1, 2, 3] });
    expect(search('srcprice', 1)[0]?.matches).toEqual([]);
  });

  it('are no more than asked for, and none where nothing matches', () => {
    expect(found('t', 2)).toHaveLength(2);
    expect(found('zzz')).toEqual([]);
  });
});
