import { describe, expect, it } from 'vitest';
import { faultsOf, measureStructure, mostFilesPerFolder, type SourceFile } from '../../tools/structure/measure.ts';

/** A file in a synthetic source tree: its path, its imports, and the rest of its text. */
const file = (path: string, imports: readonly string[] = [], text = ''): SourceFile => ({
  path,
  text: `${imports.map((each) => `import ${each};`).join('\n')}\n${text}\n`,
});

const sound = [
  file('src/extension.ts', ["{ a } from './app/a.ts'"], 'export const run = a;'),
  file('src/app/a.ts', ["{ b } from '../state/b.ts'"], 'export const a = b;'),
  file('src/state/b.ts', [], 'export const b = 1;'),
];

describe('the structure of the source', () => {
  it('has no faults if it has only downward imports and no cycles, crowded folders, or unused exports', () => {
    const structure = measureStructure(sound);
    expect(faultsOf(structure)).toEqual([]);
    expect(structure.arrows).toEqual(['app -> state', 'extension -> app']);
    expect(structure).toMatchObject({ files: 3, rooms: 3, modulesWithOneImporter: 2 });
  });

  it('fails for an upward import, even of a type', () => {
    const up = file('src/state/c.ts', ["type { A } from '../views/d.ts'"], 'export const c: A = 1;');
    const structure = measureStructure([
      ...sound,
      up,
      file('src/views/d.ts', ["'../state/c.ts'"], 'export type A = 1;'),
    ]);
    expect(faultsOf(structure)).toContain('An import runs back up: src/state/c.ts -> src/views/d.ts');
  });

  it('fails for files that import each other in a cycle', () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => `src/api/${name}.ts`);
    const structure = measureStructure([
      file(one!, ["{ x } from './two.ts'"], 'export const z = x;'),
      file(two!, ["type { y } from './three.ts'"], 'export const x: y = 1;'),
      file(three!, ["{ z } from './one.ts'"], 'export type y = typeof z;'),
    ]);
    expect(structure.circles).toEqual([[one, three, two]]);
    expect(faultsOf(structure)).toHaveLength(1);
  });

  it('fails for an import from a later folder of the same room, and from one without a place', () => {
    const [up, unknown] = ['src/state/store/a.ts', 'src/state/pumpkins/b.ts'];
    const structure = measureStructure([
      ...sound,
      file(up, ["{ c } from '../sessions/c.ts'"], 'export const a = c;'),
      file('src/state/sessions/c.ts', [], 'export const c = 1;'),
      file(unknown, ["{ a } from '../store/a.ts'"], 'const b = a;'),
    ]);
    expect(faultsOf(structure)).toEqual([
      `An import runs back up in its room: ${up} -> src/state/sessions/c.ts`,
      `An import runs back up in its room: ${unknown} -> ${up}`,
    ]);
  });

  it('fails for a circle of folders and files of a room, except of the one that declares types', () => {
    const circle = (through: string) => [
      file('src/commands/work/a.ts', [`type { B } from '../${through}.ts'`], 'export type A = B;'),
      file(`src/commands/${through}.ts`, ["type { C } from './work/c.ts'"], 'export type B = C;'),
      file('src/commands/work/c.ts', [], 'export type C = 1;'),
      file('src/app/d.ts', ["type { A } from '../commands/work/a.ts'"], 'const d: A = 1;'),
    ];
    expect(faultsOf(measureStructure([...sound, ...circle('b')]))).toEqual([
      'Folders of a room import each other in a circle: src/commands/b.ts, src/commands/work',
    ]);
    expect(faultsOf(measureStructure([...sound, ...circle('context')]))).toEqual([]);
  });

  it('fails for a folder with too many files, even in tests', () => {
    const crowd = Array.from({ length: mostFilesPerFolder + 1 }, (_, index) => file(`test/unit/api/t${index}.test.ts`));
    expect(faultsOf(measureStructure([...sound, ...crowd]))).toEqual([
      `More than ${mostFilesPerFolder} files in one folder: test/unit/api`,
    ]);
    expect(faultsOf(measureStructure([...sound, ...crowd.slice(1)]))).toEqual([]);
  });

  it('fails for an export that no other file imports', () => {
    const structure = measureStructure([...sound, file('src/state/e.ts', [], 'export interface Alone {}')]);
    expect(faultsOf(structure)).toEqual(['An export is used nowhere: src/state/e.ts: Alone']);
  });

  it('finds base names of several files, and files with another name than their only class', () => {
    const text = 'class Own {} export class Links {} export const links = new Own();';
    const two = [file('src/api/links.ts', [], text), file('src/state/links.ts', [], 'export class LinkFollower {}')];
    const several = file('src/state/several.ts', [], 'export class A {} export class B {}');
    const structure = measureStructure([...sound, ...two, several, file('test/unit/state/links.ts')]);
    expect(structure.repeatedNames).toEqual(['links.ts']);
    expect(structure.misnamedFiles).toEqual(['src/state/links.ts: LinkFollower']);
  });

  it('counts bags, properties that are functions, and spreads of bags', () => {
    const text = `
      interface FooParts { readonly run: () => void; readonly name: string; readonly stop?: (() => void) | undefined }
      declare function f(options: object): void;
      export const g = (parts: FooParts) => { f({ ...parts, x: 1 }); f({ y: { ...parts } }); return { ...parts }; };
      export const h = (draft: object) => { f({ ...draft, text: '' }); return new Map({ ...draft }); };`;
    const structure = measureStructure([...sound, file('src/state/bags.ts', [], text)]);
    expect(structure.bags).toEqual(['src/state/bags.ts: FooParts']);
    expect(structure.functionProperties).toBe(2);
    const bags = ['5 ...parts', '5 ...parts', '5 ...parts', '6 ...draft'];
    expect(structure.bagSpreads).toEqual(bags.map((place) => `src/state/bags.ts:${place}`));
  });
});
