import type { LanguageFn } from 'highlight.js';

/**
 * Replaces parts of a grammar's expressions that take quadratic time: what can be repeated in several ways, such as the
 * words before the name of a function, or what is searched to the end of a line. A match of such a part is never as long
 * as the limits here.
 */
export function boundedGrammar(
  language: LanguageFn,
  replacements: readonly (readonly [unbounded: string, bounded: string])[],
): LanguageFn {
  const bound = (source: string) => replacements.reduce((text, [from, to]) => text.replaceAll(from, to), source);
  return (hljs) => {
    const grammar = language(hljs);
    const seen = new Set<object>();
    const visit = (mode: object): void => {
      if (seen.has(mode)) return;
      seen.add(mode);
      for (const name of Object.keys(mode)) {
        const value: unknown = Reflect.get(mode, name);
        if (value instanceof RegExp) Reflect.set(mode, name, new RegExp(bound(value.source), value.flags));
        else if (typeof value === 'string' && (name === 'begin' || name === 'match'))
          Reflect.set(mode, name, bound(value));
        else if (typeof value === 'object' && value !== null) visit(value);
      }
    };
    visit(grammar);
    return grammar;
  };
}

/** The types and modifiers before the name of a function in C and C++. */
export const wordsOfC = [
  ['[\\*&\\s]+)+', '[\\*&\\s]{1,40}){1,8}'],
  ['<[^<>]+>', '<[^<>]{1,200}>'],
] as const;
/** The same in C#. */
export const wordsOfCSharp = [
  ['\\s+)+', '\\s{1,40}){1,8}'],
  ['<[^=]+>', '<[^=]{1,200}>'],
] as const;
/** The labels and targets of links in Markdown. */
export const linksOfMarkdown = [
  ['\\[.+?\\]', '\\[[^\\]\\n]{1,200}\\]'],
  ['.*?\\)', '[^)\\n]{0,500}\\)'],
  ['.*?\\]', '[^\\]\\n]{0,200}\\]'],
] as const;
