/**
 * How much more often two letters follow each other in words of prose and source code than in random text, as the
 * logarithm to base 2, from `a` for -4 to `i` for 4. Rows are in the order of the first letter, and the letters of a
 * row in the order of the second one. Counted in documentation and source files.
 */
const pairs = [
  'cfgfbdfbfadhfhafahgheedcec',
  'fbcbfbaaecafbaeaaedbeaaaca',
  'gaecgaageaffbahbbfdgeaaada',
  'fbcdhccagbadbbfcadebebaaca',
  'gdghefecdcbgghdfeiigcfdgda',
  'eabbeeaagaadabfaaecddaaada',
  'daaagadefaadcedaaedcdaaaba',
  'faaagaaafaaccbfaaebedaaaba',
  'fegffffaaacgfiheafghafadae',
  'caaadaaabaaaaacaaaeacabaaa',
  'cabbfbaaeaabbcbaaaebbaaaaa',
  'gcbehcbahbbgbbgcaaeeecaafa',
  'geacgaaafaadebffaaebdaaaba',
  'gbgggehbfbddcefdacghedbada',
  'deffceeadcefgiefahfffefccb',
  'gabcgcadeabfcageagefeaaaca',
  'aaaaaaaaaaabaaaaaaaafaaaaa',
  'hceeidebhaedeegcafggedcafa',
  'fbfchcafgaddccffbbghfbcbda',
  'gbecicbghaaecbgdaggfeacbfa',
  'eeedfcdaeabffgbeagfgbaaaaa',
  'faaagabafaaaaadaaacaaaaaaa',
  'eaaaeaadeaabadeaaddaaabaaa',
  'cacadaaadaaabaaeaaaeaaaaba',
  'cbbacaaacaaccdceaadcaabaaa',
  'caaaeaaacaaaaacaaaaabaaabb',
];

const weights = Int8Array.from(pairs.join(''), (letter) => letter.charCodeAt(0) - 101);

/** The number of characters that are examined. A text that looks random up to there won't turn into words later. */
export const mostExamined = 64;

/**
 * How random a text looks: roughly the logarithm to base 2 of how much more likely it is as a generated value than as
 * words, names, numbers, or a path. Negative for words, about 0 for a short text that could be either, and above 8 for
 * most generated values with 20 characters.
 */
export function randomness(text: string): number {
  const end = Math.min(text.length, mostExamined);
  let score = 0;
  let wordLength = 1;
  let before = classOf(text.charCodeAt(0));
  for (let at = 1; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = classOf(code);
    if (code === text.charCodeAt(at - 1)) score -= 0.5;
    else if (isLetter(kind) && isLetter(before)) score += letterScore(text, at, before, kind, wordLength);
    else if (kind === digit) score += before === digit ? 0.3 : isLetter(before) ? 1.2 : 0;
    else if (isLetter(kind)) score += before === digit ? 1.5 : 0;
    else if (kind === symbol) score += 1;
    wordLength = isLetter(kind) && !(kind === upper && before !== upper) ? wordLength + 1 : 1;
    before = kind;
  }
  return score;
}

/** A capital letter begins a word of a name such as `fooBar`. Words of one letter are rare in names. */
function letterScore(text: string, at: number, before: number, kind: number, wordLength: number): number {
  if (before === lower && kind === upper) return wordLength < 2 ? 2 : 0;
  if (before === upper && kind === lower && wordLength > 1) return 0;
  return -(weights[((text.charCodeAt(at - 1) | 32) - 97) * 26 + (text.charCodeAt(at) | 32) - 97] ?? 0);
}

const [lower, upper, digit, separator, symbol] = [0, 1, 2, 3, 4];

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 48 && code <= 57) return digit;
  // White space, hyphen, period, slash, and underscore separate words.
  return code <= 32 || (code >= 45 && code <= 47) || code === 95 || code > 126 ? separator : symbol;
}

function isLetter(kind: number): boolean {
  return kind <= upper;
}

/**
 * Whether a text is an alphabet, from which IDs are generated or with which data is encoded: it has more than 30
 * characters, and at most one of them is repeated.
 */
export function isAlphabet(text: string): boolean {
  return text.length > 30 && new Set(text).size >= text.length - 1;
}
