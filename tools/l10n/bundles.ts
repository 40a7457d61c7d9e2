import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sourceFiles.ts';
import { countPlace, placeholdersOf, type Sentence } from './sentences.ts';

/** Strings by key. Keys of a code bundle are English strings, those of a manifest bundle are names. */
type Texts = Readonly<Record<string, string>>;

/** A string that a bundle needs or may have. */
interface Wanted {
  readonly english: string;
  /**
   * Whether the bundle must have the string. A string that isn't required is a plural form that the bundle may have.
   */
  readonly isRequired: boolean;
  /** Placeholders that the translation has to have. */
  readonly placeholders: readonly number[];
  /** The placeholder of a number that the form for 1 may spell out. */
  readonly optionalPlaceholder?: number | undefined;
}

/** What is wrong with a bundle. Each list is empty for a complete bundle. */
export interface BundleProblems {
  /** The English of strings without a translation. */
  readonly missing: Texts;
  /** Translations whose English string no longer exists, or that the language never shows. */
  readonly stale: Texts;
  /** For each translation that changes parts it must not change: the English parts and its own. */
  readonly changed: Texts;
}

export const manifestFile = 'package.nls.json';

/** The files with the translations of a language. */
export function filesOf(language: string): { readonly code: string; readonly manifest: string } {
  return { code: `l10n/bundle.l10n.${language}.json`, manifest: `package.nls.${language}.json` };
}

/** The languages for which at least one file exists. */
export function languages(): string[] {
  const names = [...readdirSync(root), ...readdirSync(join(root, 'l10n'))];
  const found = names.map((name) => /^(?:package\.nls|bundle\.l10n)\.(.+)\.json$/.exec(name)?.[1]);
  return [...new Set(found.filter((language) => language !== undefined))].sort();
}

/** The strings of a file of the repository; none if it doesn't exist. */
export function readTexts(file: string): Texts {
  const path = join(root, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Texts) : {};
}

/** Compares the translations of the manifest with the English strings. */
export function manifestProblems(bundle: Texts, english: Texts): BundleProblems {
  const wanted = Object.entries(english).map(
    ([key, text]) => [key, { english: text, isRequired: true, placeholders: placeholdersOf(text) }] as const,
  );
  return problemsOf(bundle, new Map(wanted));
}

/** Compares the translations of the code with the English strings. */
export function codeProblems(bundle: Texts, language: string, sentences: readonly Sentence[]): BundleProblems {
  return problemsOf(bundle, wantedSentences(language, sentences));
}

/** What translations lack before a release: a sentence for each file in which strings are missing. */
export function translationGaps(
  sentences: readonly Sentence[],
  names: readonly string[] = languages(),
  read: (file: string) => Texts = readTexts,
): readonly string[] {
  return names.flatMap((language) => {
    const { code, manifest } = filesOf(language);
    const missing = {
      [code]: codeProblems(read(code), language, sentences).missing,
      [manifest]: manifestProblems(read(manifest), read(manifestFile)).missing,
    };
    return Object.entries(missing).flatMap(([file, texts]) => {
      const count = Object.keys(texts).length;
      return count === 0 ? [] : [`${file} lacks ${count} ${count === 1 ? 'translation' : 'translations'}.`];
    });
  });
}

function wantedSentences(language: string, sentences: readonly Sentence[]): ReadonlyMap<string, Wanted> {
  const categories = categoriesOf(language);
  const wanted = new Map<string, Wanted>();
  const plain = (english: string) => ({ english, isRequired: true, placeholders: placeholdersOf(english) });
  for (const { text, counted } of sentences) {
    if (!counted) wanted.set(text, plain(text));
    else if (text === counted.other) {
      const place = countPlace(counted);
      const all = placeholdersOf(text);
      const others = all.filter((placeholder) => placeholder !== place);
      const { one } = counted;
      wanted.set(text, plain(text));
      for (const [category, numberCount] of categories) {
        const key = category === 'one' && one !== undefined ? one : `${text}/${category}`;
        const isOnlyOne = numberCount === 1;
        const isRequired = numberCount > 0 && (category !== 'one' || one !== undefined || !isOnlyOne);
        const placeholders = isOnlyOne ? others : all;
        if (category === 'other' || wanted.get(key)?.isRequired) continue;
        const english = key === one ? one : text;
        wanted.set(key, { english, isRequired, placeholders, optionalPlaceholder: isOnlyOne ? place : undefined });
      }
    }
  }
  return wanted;
}

/** The plural categories of a language, with the number of integers up to 1,000 in each. */
function categoriesOf(language: string): ReadonlyMap<string, number> {
  const rules = new Intl.PluralRules(language);
  const used = Array.from({ length: 1_001 }, (_, number) => rules.select(number));
  const { pluralCategories } = rules.resolvedOptions();
  return new Map(pluralCategories.map((category) => [category, used.filter((other) => other === category).length]));
}

function problemsOf(bundle: Texts, wanted: ReadonlyMap<string, Wanted>): BundleProblems {
  const missing = [...wanted].filter(([key, { isRequired }]) => isRequired && !bundle[key]?.trim());
  const own = Object.entries(bundle);
  const stale = own.filter(([key]) => !wanted.has(key));
  const changed = own.flatMap(([key, text]) => {
    const change = changeOf(text, wanted.get(key));
    return change === undefined ? [] : [[key, change]];
  });
  return {
    missing: Object.fromEntries(missing.map(([key, { english }]) => [key, english])),
    stale: Object.fromEntries(stale),
    changed: Object.fromEntries(changed) as Texts,
  };
}

function changeOf(text: string, wanted: Wanted | undefined): string | undefined {
  if (!wanted || text.trim() === '') return undefined;
  const { english, placeholders, optionalPlaceholder } = wanted;
  const ownPlaceholders = placeholdersOf(text).filter((place) => place !== optionalPlaceholder);
  const expected = [...placeholders.map((place) => `{${place}}`), ...fixedParts(english)].join(' ');
  const found = [...ownPlaceholders.map((place) => `{${place}}`), ...fixedParts(text)].join(' ');
  return expected === found ? undefined : `expected ${expected || 'nothing'}, found ${found || 'nothing'}`;
}

/**
 * The parts of a string that are the same in every language: inline code, link targets, icons, IDs of settings, URLs,
 * key combinations, the product's name, line breaks, and the marks of bold text. Translations may change their order.
 */
export const fixedPart =
  /`[^`]*`|\]\([^)]*\)|\$\([\w~-]+\)|#?\blineside\.[\w.]*\w#?|https?:\/\/(?:[\w./-]*\w)?|\b(?:(?:Ctrl|Strg|Shift|Umschalt|Alt|Cmd)\+)+\w+|\bLineside\b|\n|\*\*/g;

/** The names of keys on keyboards of other languages. */
const ownKeyNames: Readonly<Record<string, string>> = { Strg: 'Ctrl', Umschalt: 'Shift', Eingabe: 'Enter' };

function fixedParts(text: string): string[] {
  const parts = text.match(fixedPart) ?? [];
  return parts
    .map((part) =>
      part.replace(/(?<=^|\+)\w+(?=\+|$)/g, (key) => (part.includes('+') ? (ownKeyNames[key] ?? key) : key)),
    )
    .map((part) => (part === '\n' ? '\\n' : part))
    .sort();
}
