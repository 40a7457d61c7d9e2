import type { LanguageFn } from 'highlight.js';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import markdown from 'highlight.js/lib/languages/markdown';
import { createLowlight } from 'lowlight';
import { describe, expect, it } from 'vitest';
import {
  boundedGrammar,
  linksOfMarkdown,
  wordsOfC,
  wordsOfCSharp,
} from '../../../../src/webview/highlight/boundedGrammar.ts';

const samples: readonly (readonly [string, LanguageFn, Parameters<typeof boundedGrammar>[1], string])[] = [
  [
    'c',
    c,
    wordsOfC,
    'static inline const unsigned long int *foo(struct bar *a, int b) { return a->b; }\nint main(void) { puts("x"); }',
  ],
  [
    'cpp',
    cpp,
    wordsOfC,
    'template <typename T>\nstd::vector<std::pair<int, T>> const & ns::A::b(const std::map<int, int> &m) { return m; }',
  ],
  [
    'csharp',
    csharp,
    wordsOfCSharp,
    'public static async Task<Dictionary<string, List<int>>> Foo<T>(int a) { return await Bar<T>(a); }',
  ],
  ['markdown', markdown, linksOfMarkdown, '# a\n[b](http://c.d/e_f) and [g][1], ![h](./i.png)\n\n[1]: http://j\n'],
];

describe('a bounded grammar', () => {
  it.each(samples)('of %s highlights like the original', (name, language, replacements, text) => {
    const highlighted = (grammar: LanguageFn) => createLowlight({ [name]: grammar }).highlight(name, text).children;
    expect(highlighted(boundedGrammar(language, replacements))).toEqual(highlighted(language));
    expect(JSON.stringify(highlighted(language))).toContain('hljs-');
  });
});
