import type { LanguageFn } from 'highlight.js';

/**
 * Limits the repetitions in a grammar's regular expressions that take quadratic time: those that can match the same
 * text in several ways, such as the words before the name of a function, and those that search to the end of a line.
 * What they match in real code is shorter than the limits here.
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

/** Limits for the types and modifiers before the name of a function in C and C++. */
export const wordsOfC = [
  ['[\\*&\\s]+)+', '[\\*&\\s]{1,40}){1,8}'],
  ['<[^<>]+>', '<[^<>]{1,200}>'],
] as const;
/** The same for C#. */
export const wordsOfCSharp = [
  ['\\s+)+', '\\s{1,40}){1,8}'],
  ['<[^=]+>', '<[^=]{1,200}>'],
] as const;
/** Limits for the labels and targets of links in Markdown. */
export const linksOfMarkdown = [
  ['\\[.+?\\]', '\\[[^\\]\\n]{1,200}\\]'],
  ['.*?\\)', '[^)\\n]{0,500}\\)'],
  ['.*?\\]', '[^\\]\\n]{0,200}\\]'],
] as const;
