import { go, prepare } from 'fuzzysort';

/** A file that can be found by a few letters of its name or path. */
export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** Where a file stands among those found, and which characters of its name match. */
export interface FuzzyMatch {
  readonly index: number;
  readonly matches: readonly number[];
}

/** A list of files prepared for searching. */
export interface FuzzyFiles {
  search(query: string, limit: number): FuzzyMatch[];
}

/** Prepares files once; a search is then some milliseconds for tens of thousands. A match in the name counts most. */
export function fuzzyFiles(files: readonly NamedFile[]): FuzzyFiles {
  const targets = files.map(({ name, path }, index) => ({ index, name: prepare(name), path: prepare(path) }));
  return {
    search: (query, limit) =>
      go(query, targets, {
        keys: [({ name }) => name, ({ path }) => path],
        limit,
        threshold: 0.2,
        scoreFn: (found) => Math.max((found[0]?.score ?? 0) * 1.1, found[1]?.score ?? 0),
      }).map((found) => ({ index: found.obj.index, matches: found[0]?.score ? [...found[0].indexes] : [] })),
  };
}
