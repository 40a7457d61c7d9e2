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

describe('fuzzy file search', () => {
  it('ranks a match in the name above a match in the path', () => {
    expect(found('basket')).toHaveLength(4);
    expect(found('basket').at(-1)).toBe('src/basket/price.ts');
    expect(found('price')).toEqual(['src/basket/price.ts']);
  });

  it('matches letters that are not adjacent', () => {
    expect(found('bts')).toContain('test/basket.test.ts');
    expect(found('srcprice')).toEqual(['src/basket/price.ts']);
  });

  it('ignores case and accents', () => {
    expect(found('readme')).toEqual(['README.md']);
    expect(found('fruchte')).toEqual(['src/früchte.ts']);
  });

  it('returns the positions of the matching letters in the name, or none if only the path matches', () => {
    const [readme] = search('read', 1);
    expect(readme).toEqual({ index: 0, matches: [0, 1, 2, 3] });
    expect(search('srcprice', 1)[0]?.matches).toEqual([]);
  });

  it('returns no more than the limit, and nothing without a match', () => {
    expect(found('t', 2)).toHaveLength(2);
    expect(found('zzz')).toEqual([]);
  });
});
