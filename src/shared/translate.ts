import { Formats, type PluralForms } from './formats.ts';
import type { Counted, Translate } from './text.ts';

/** The plural categories that have sentences of their own in some languages. */
const categories = ['zero', 'one', 'two', 'few', 'many'] as const;

/**
 * Creates the translator for a display language. `bundle` contains its translations, with the English strings as keys.
 * The key of a plural form that the English sentence doesn't have is the form `other`, a slash, and the category, for
 * example `{0} messages/few`. Sentences without a translation are English.
 */
export function translator(locale: string, bundle?: Readonly<Record<string, string>>): Translate {
  const formats = new Formats(locale, bundle ? locale : 'en');
  const translated = (message: string) => bundle?.[message] ?? message;
  const forms = (message: Counted): PluralForms => {
    if (!bundle) return message;
    const { one, other } = message;
    if (bundle[other] === undefined) return { ...message, isUntranslated: true };
    const known = categories.flatMap((category) => {
      const sentence = bundle[category === 'one' && one !== undefined ? one : `${other}/${category}`];
      return sentence === undefined ? [] : [[category, sentence] as const];
    });
    return { ...Object.fromEntries(known), other: bundle[other] };
  };
  const translate = (message: string | Counted, ...values: readonly (string | number)[]) =>
    formats.fill(typeof message === 'string' ? translated(message) : forms(message), values);
  return Object.assign(translate, { forms, formats });
}
