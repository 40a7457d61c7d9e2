import { fixedPart } from './bundles.ts';

/** The language tag of the pseudo-language, which VS Code's own tests use as well. */
export const pseudoLanguage = 'qps-ploc';

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const accented = 'ÀƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽáƀçðéƒĝĥîĵķļṁñöþǫŕšţûṽŵẋýž';
/** Repeated as often as needed, this text makes a string 40% longer, in words that can wrap. */
const padding = 'éẋţŕá îñ ĝéŕṁáñ, ';

/** What stays as it is: fixed parts, the opening brackets of links, and placeholders. */
const kept = new RegExp(`(${fixedPart.source}|\\[(?=[^\\]]*\\]\\()|\\{\\d\\})`);

/**
 * Translates a string into the pseudo-language: accented letters in brackets, 40% longer. Placeholders, link targets,
 * and other fixed parts are outside the brackets, so any other text outside brackets is untranslated.
 */
export function pseudoText(text: string): string {
  const parts = text.split(kept);
  const last = parts.findLastIndex((part, index) => index % 2 === 0 && /\p{L}/u.test(part));
  const added = padding.repeat(text.length).slice(0, Math.ceil(text.length * 0.4));
  return parts
    .map((part, index) => {
      if (index % 2 === 1 || !/\p{L}/u.test(part)) return part;
      const letters = Array.from(part, (letter) => accented[plain.indexOf(letter)] ?? letter).join('');
      return `⟦${index === last ? letters.replace(/(?=\s*$)/, ` ${added}`) : letters}⟧`;
    })
    .join('');
}

/** A bundle in the pseudo-language. */
export function pseudoBundle(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudoText(text)]));
}

/** The text outside brackets, which is data or untranslated. */
export function outsideBrackets(text: string): string {
  return text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
}
