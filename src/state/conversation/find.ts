import type { Translate } from '../../shared/text.ts';

/** What is looked for, as the person typed and switched it. */
export interface FindQuery {
  readonly text: string;
  readonly isCase: boolean;
  readonly isWord: boolean;
  readonly isRegex: boolean;
}

/** A regular expression in parts, so that it can travel. */
export interface FindPattern {
  readonly source: string;
  readonly flags: string;
}

/** Makes the expression that finds what is looked for, or the sentence that says why there is none. */
export function findPattern(query: FindQuery, t: Translate): FindPattern | { readonly problem: string } {
  const { text, isCase, isWord, isRegex } = query;
  const source = isRegex ? text : text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
  const whole = isWord ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
  const flags = `gm${isCase ? '' : 'i'}`;
  // A pattern for the old rules, such as one with a needless backslash, is taken as well.
  for (const attempt of [`${flags}u`, flags]) {
    if (isValid(whole, attempt)) return { source: whole, flags: attempt };
  }
  return { problem: t('This is not a valid regular expression.') };
}

function isValid(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).flags.length > 0;
  } catch {
    return false;
  }
}
