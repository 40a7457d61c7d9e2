import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { markBlocks } from '../../../tools/mutants/blocks.ts';
import { mutationsOf } from '../../../tools/mutants/mutations.ts';

/** The lines of code that result from each mutation. */
function mutated(text: string): string[] {
  return mutationsOf('a.ts', text).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  );
}

describe('mutations', () => {
  it.each([
    ['if (a) b();', ['if (!(a)) b();', 'if (a) ;']],
    ['x = a === b;', [';', 'x = a !== b;']],
    ['x = a <= b;', [';', 'x = a < b;']],
    ['x = a && b;', [';', 'x = (a || b);']],
    ['x = a ?? b;', [';', 'x = (a);']],
    ['x = a + 1;', [';', 'x = a - 1;', 'x = a + (1 + 1);']],
    ['x = !a;', [';', 'x = a;']],
    ['await a();', [';', '(a());']],
    ['const x = a?.b;', ['const x = a.b;']],
    ['const x = { ...a };', ['const x = { ...{} };']],
    ['const x = /^a$/u;', ['const x = /a$/u;', 'const x = /^a/u;']],
    ["const x = ['a', true];", ['const x = [];', "const x = ['', true];", "const x = ['a', false];"]],
    ['const x = a.some(b);', ['const x = a.every(b);']],
    [
      'function f() { if (a) return; b(); }',
      [
        'function f() { if (!(a)) return; b(); }',
        'function f() { if (a) ; b(); }',
        'function f() { if (a) return; ; }',
      ],
    ],
  ])('%s', (text, expected) => {
    expect(mutated(text)).toEqual(expected);
  });

  it.each([
    "import { a } from 'b';",
    "interface A { readonly kind: 'a' | 'b' }",
    "type A = 'a' & 1;",
    "log.warn('a', 1);",
    "const error = new Error('a');",
  ])('leave alone: %s', (text) => {
    expect(mutated(text)).toEqual([]);
  });
});

describe('marked blocks', () => {
  it('report each block that is entered, and name the innermost block of a place', () => {
    const text = 'function f(a) { if (a) { return g(() => a + 1); } return 2; }\nf(0);\nf(1)?.();';
    const { text: marked, blockAt } = markBlocks('a.ts', text);
    const entered: string[] = [];
    runInNewContext(marked, { onEnterBlock: (id: string) => entered.push(id), g: (value: unknown) => value });
    expect(entered).toEqual(['a.ts#0', 'a.ts#1', 'a.ts#1', 'a.ts#2', 'a.ts#3']);
    expect(['f(0)', 'return 2', 'return g', 'a + 1'].map((code) => blockAt(text.indexOf(code)))).toEqual([0, 1, 2, 3]);
    expect(marked.split('\n')).toHaveLength(text.split('\n').length);
  });
});
