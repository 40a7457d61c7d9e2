import { once } from '../lazy.ts';

/**
 * Characters that are drawn as nothing or as white space, or that change how others are drawn: controls, format
 * characters, everything that Unicode calls ignorable by default (fillers, tags, variation selectors, joiners), line
 * and paragraph separators, private use and unassigned code points, and halves of surrogate pairs. Four symbols that
 * fonts draw empty have no such property and are listed one by one. Tabs and line feeds aren't hidden.
 */
const hidden = String.raw`(?![\t\n])[\u{16fe4}\u{1d159}\u2800\ufffc\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]`;

/** An emoji without what follows it. Digits don't match; they have a variation selector only in keycaps. */
const emoji = String.raw`(?=\p{Emoji})\p{Extended_Pictographic}`;
/** The flags of England, Scotland, and Wales, without the black flag: the only tag sequences in general use. */
const regionTags = String.raw`\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;
/** Scripts whose letters are connected or separated by joiners. */
const joinedScripts = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mand', 'Mani', 'Mong', 'Phag', 'Rohg', 'Adlm', 'Sogd'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
  ...['Mymr', 'Khmr', 'Tibt', 'Bali', 'Java', 'Sund', 'Lepc', 'Cakm', 'Newa', 'Tirh', 'Gran'],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');
/** Hidden characters where they belong: one in each place, so that a sequence of them can't encode anything. */
const kept = [
  String.raw`(?<=${emoji})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=${emoji}[\ufe0e\ufe0f\p{Emoji_Modifier}]?)\u200d(?=${emoji})`,
  String.raw`(?<=\u{1f3f4})${regionTags}`,
  String.raw`(?<=[\p{L}\p{M}])(?<=[${joinedScripts}])[\u200c\u200d]`,
  String.raw`(?<=\p{L})(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
  // Signs that enclose or mark the number or the letter after them. They are format characters, but visible.
  String.raw`[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}](?=\p{Nd})|\u070f(?=\p{Script=Syriac})`,
].join('|');

const anyHidden = once(() => new RegExp(hidden, 'gu'));
const keptOrHidden = once(() => new RegExp(`(${kept})|${hidden}`, 'gu'));
/** Matches texts of printable ASCII characters, which have no hidden ones. Most texts match, and the check is fast. */
const plainAscii = /^[\t\n -~]*$/;

const maxMarks = 8;
const maxBlanks = 100;
/** Runs of combining marks, which can cover other lines, and of white space, which can move text out of view. */
const floods = /([\p{Mn}\p{Me}]+)|[ \t\n\p{Zs}]+/gu;

/** Replaces hidden characters. Linear. Emoji, and joiners where they belong, stay. */
export function replaceHidden(text: string, replacement: (character: string) => string): string {
  if (plainAscii.test(text)) return text;
  return text.replace(keptOrHidden(), (found: string, isKept: string | undefined) =>
    isKept === undefined ? replacement(found) : found,
  );
}

/** The code of a character, in the form `<U+202E>`. */
function codePointName(character: string): string {
  return `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}>`;
}

/** The number of hidden characters in `text`, except those in emoji, and joiners between letters that need them. */
export function countHidden(text: string): number {
  let count = 0;
  replaceHidden(text, (character) => {
    count += 1;
    return character;
  });
  return count;
}

/** Writes hidden characters as codes such as `<U+202E>`. Linear. Emoji, and joiners where they belong, stay. */
export function showHidden(text: string): string {
  return replaceHidden(text, codePointName);
}

/** Removes hidden characters. Linear. Emoji, and joiners where they belong, stay. */
export function removeHidden(text: string): string {
  return replaceHidden(text, () => '');
}

/** Removes all hidden characters, also from emoji, for readers that don't draw text. Linear. */
export function removeAllHidden(text: string): string {
  return plainAscii.test(text) ? text : text.replace(anyHidden(), '');
}

/**
 * The text as a person must see it to know what it says (R49): hidden characters are written as codes such as
 * `<U+202E>`, and so are combining marks after the eighth on a letter and white space after the 100th in a row. Takes
 * linear time. The result doesn't change if it is made visible again. Line feeds and tabs stay, and other line ends
 * become line feeds.
 */
export function visibleText(text: string): string {
  return showHidden(text.replace(/\r\n?/g, '\n')).replace(floods, (run: string, marks: string | undefined) => {
    const most = marks === undefined ? maxBlanks : maxMarks;
    if (run.length <= most) return run;
    const characters = Array.from(run);
    return characters.slice(0, most).join('') + characters.slice(most).map(codePointName).join('');
  });
}
