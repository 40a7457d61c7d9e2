import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  inertLanguage,
  inertLanguages,
  languageOfName,
  messageLanguage,
  textName,
} from '../../../../src/host/readOnlyFiles/inertLanguages.ts';
import { root } from '../../../../tools/l10n/sourceFiles.ts';

interface Manifest {
  readonly contributes: {
    readonly languages: readonly { readonly id: string; readonly aliases: readonly string[] }[];
    readonly grammars: readonly { readonly language: string; readonly scopeName: string; readonly path: string }[];
    readonly configurationDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}
const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const acting =
  'markdown html handlebars css scss less json jsonc jsonl snippets xml xsl yaml dockercompose prompt instructions';

describe('the language of a text of an agent', () => {
  it('is one of ours where VS Code makes more than colors of it', () => {
    const ids = new Set(contributes.languages.map(({ id }) => id));
    expect(new Set([...inertLanguages, messageLanguage])).toEqual(ids);
    for (const language of acting.split(' ')) expect(ids, language).toContain(inertLanguage(language));
  });

  it('stays if nothing more is known of it, and is plain text if the language is unknown', () => {
    for (const language of ['typescript', 'python', 'go', 'plaintext']) expect(inertLanguage(language)).toBe(language);
    for (const language of ['vue', 'svelte', 'search-result', 'x']) expect(inertLanguage(language)).toBe('plaintext');
    for (const { id } of contributes.languages) expect(inertLanguage(id)).toBe(id);
  });

  it('has a grammar that includes another one, and no name, so that VS Code does not list it', () => {
    for (const { id, aliases } of contributes.languages) {
      expect(aliases).toEqual([]);
      const grammar = contributes.grammars.find(({ language }) => language === id);
      expect(grammar === undefined).toBe(id === messageLanguage);
      if (!grammar) continue;
      const text = readFileSync(join(root, grammar.path), 'utf8');
      const { scopeName, patterns } = JSON.parse(text) as { scopeName: string; patterns: readonly unknown[] };
      expect(scopeName).toBe(grammar.scopeName);
      expect(patterns).toHaveLength(1);
    }
  });
});

it('wraps all lines of a message that the user has to confirm, and changes no other language', () => {
  expect(contributes.configurationDefaults).toEqual({
    [`[${messageLanguage}]`]: { 'editor.wordWrap': 'on', 'editor.wrappingStrategy': 'advanced' },
  });
});

describe('the name of a text of an agent', () => {
  it('opens no preview, notebook, or table', () => {
    for (const [name, shown, language] of [
      ['a.md', 'a.md.txt', 'lineside-markdown'],
      ['/docs/A.MARKDOWN', '/docs/A.MARKDOWN.txt', 'lineside-markdown'],
      ['b.ipynb', 'b.ipynb.txt', 'lineside-jsonc'],
      ['c.cpuprofile', 'c.cpuprofile.txt', 'lineside-jsonc'],
    ] as const) {
      expect(textName(name)).toBe(shown);
      expect(languageOfName(shown)).toBe(language);
    }
  });

  it('stays for other files', () => {
    for (const name of ['a.ts', 'b.txt', 'md', 'c.md.ts']) {
      expect(textName(name)).toBe(name);
      expect(languageOfName(name)).toBeUndefined();
    }
  });
});
