import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countHidden,
  removeAllHidden,
  removeHidden,
  visibleText,
} from '../../../../src/shared/text/hiddenCharacters.ts';
import { isolatedLine, plainLine } from '../../../../src/shared/text.ts';

/** The Unicode properties of code points that show nothing, or that change how the text around them is shown. */
const properties =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Variation_Selector}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
const everyCodePoint = Array.from({ length: 0x11_0000 }, (_, codePoint) => codePoint);
const invisible = everyCodePoint
  .map((codePoint) => String.fromCodePoint(codePoint))
  .filter((character) => properties.test(character) && character !== '\n' && character !== '\t');

const name = (character: string) =>
  `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}>`;

const everyInvisible = invisible.map((character) => `a${character}b`).join('');

/** The parts of `text`, each for one character, that differ from those of `expected`; at most 20. */
function differences(text: string, expected: string): string[] {
  if (text === expected) return [];
  const [parts, expectedParts] = [text.split('ba'), expected.split('ba')];
  return parts.filter((part, index) => part !== expectedParts[index]).slice(0, 20);
}

/** Texts in which joiners, selectors, and tags belong. */
const genuine = {
  accents: 'schön é \u1e69 y\u0306\u0301',
  japanese: '日本語\u3000「テスト」',
  persian: 'نرم\u200cافزار می\u200cخواهم ه\u200d',
  hindi: 'क्\u200dष क्\u200cष',
  bengali: 'র\u200d্য',
  malayalam: 'ന്\u200d',
  sinhala: 'ශ්\u200dරී',
  mongolian: 'ᠮᠣᠩᠭᠣᠯ\u180b ᠬᠠ\u180e',
  quran: '\u06dd\u0661\u0662',
  hebrew: 'בְּרֵאשִׁ֖ית',
  thai: 'ภาษาไทย',
  hangul: '한국어 \u1112\u1161\u11ab',
  french: 'oui\u00a0\u202f!',
  heart: '❤️ ❤︎ ❤️‍🔥',
  family: '👨‍👩‍👧‍👦 👩🏽‍💻 🕵🏻‍♂️ 🏳️‍🌈 🏴‍☠️',
  countries: '🇩🇪🇯🇵🇨🇳',
  regions:
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} \u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
  keycaps: '1️⃣ #️⃣ *️⃣',
  skin: '👍🏿👍🏻',
  code: 'if (a < b) {\n\treturn `${x}`;\n}\n',
};

describe('hidden characters (R49)', () => {
  it('are all written as codes, for each code point of the properties', () => {
    expect(invisible.length).toBeGreaterThan(900_000);
    const shown = visibleText(everyInvisible);
    // A carriage return is a line end, and everything else gets its code.
    const expected = invisible.map((character) => `a${character === '\r' ? '\n' : name(character)}b`).join('');
    expect(differences(shown, expected)).toEqual([]);
  });

  it('are all found and removed, for each code point of the properties', () => {
    expect(countHidden(everyInvisible)).toBe(invisible.length);
    expect(removeHidden(everyInvisible) === 'ab'.repeat(invisible.length)).toBe(true);
    expect(removeAllHidden(everyInvisible) === 'ab'.repeat(invisible.length)).toBe(true);
  });

  it('are no raw part of a line, for each code point of the properties', () => {
    const line = plainLine(everyInvisible, 20 * everyInvisible.length);
    const expected = invisible.map((character) => `a${/\s/.test(character) ? ' ' : name(character)}b`).join('');
    expect(differences(line, expected)).toEqual([]);
    expect(isolatedLine('a\u2069b')).toBe('\u2068a<U+2069>b\u2069');
  });

  it.each(['\u2800', '\ufffc', '\u{16fe4}', '\u{1d159}'])('include %j, which fonts draw empty', (blank) => {
    expect(visibleText(`a${blank}b`)).toBe(`a${name(blank)}b`);
  });

  it.each(Object.entries(genuine))('do not include what belongs into the text: %s', (_what, text) => {
    expect(visibleText(text)).toBe(text);
    expect(plainLine(text)).toBe(text.replaceAll(/\s+/g, ' ').trim());
    expect(countHidden(text)).toBe(0);
    expect(removeHidden(text)).toBe(text);
  });

  it('do not include joiners after letters of scripts that need them', () => {
    const letters =
      '\u0628\u0712\u07cb\u0840\u{10ac0}\u1820\ua840\u{10d00}\u{1e900}\u{10f30}' +
      '\u0915\u0995\u0a15\u0a95\u0b15\u0b95\u0c15\u0c95\u0d15\u0d9a' +
      '\u1000\u1780\u0f40\u1b13\ua98f\u1b8a\u1c00\u{11107}\u{1140e}\u{1148f}\u{11315}';
    for (const letter of letters) {
      const text = `${letter}\u200c${letter}\u200d${letter}`;
      expect(visibleText(text)).toBe(text);
    }
  });

  it.each([
    ['a second selector on an emoji', '😀\ufe0f\ufe0f', '😀\ufe0f<U+FE0F>'],
    ['selectors that encode bytes after an emoji', '😀\u{e0101}\u{e0102}', '😀<U+E0101><U+E0102>'],
    ['a selector on a letter or digit', 'a\ufe0f1\ufe0f', 'a<U+FE0F>1<U+FE0F>'],
    ['a joiner at the end of an emoji', '👩\u200d', '👩<U+200D>'],
    ['a joiner between Latin letters', 'pass\u200dword\u200cs', 'pass<U+200D>word<U+200C>s'],
    ['a second joiner in Persian', 'م\u200c\u200c\u200dی', 'م\u200c<U+200C><U+200D>ی'],
    ['a Mongolian selector elsewhere', 'a\u180bᠮ\u180b\u180c', 'a<U+180B>ᠮ\u180b<U+180C>'],
    ['a number sign without a number', '\u0600a', '<U+0600>a'],
    ['tags that spell another flag', '🏴\u{e0075}\u{e0073}\u{e007f}', '🏴<U+E0075><U+E0073><U+E007F>'],
    [
      'tags after a complete flag',
      `${genuine.regions.slice(0, 14)}\u{e0041}`,
      `${genuine.regions.slice(0, 14)}<U+E0041>`,
    ],
    ['halves of surrogate pairs', '\ud83da\ude00', '<U+D83D>a<U+DE00>'],
  ])('include %s', (_what, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });

  it('are all removed for readers that draw nothing, also from emoji', () => {
    expect(removeAllHidden('a\u200bb 👍\ufe0f 👩\u200d💻')).toBe('ab 👍 👩💻');
  });

  it('include a joiner after any Latin letter', () => {
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      expect(visibleText(`${letter}\u200db`)).toBe(`${letter}<U+200D>b`);
    }
  });

  it('are visible where they could hide text: floods of marks and of white space', () => {
    expect(visibleText(`e${'\u0301'.repeat(10)}`)).toBe(`e${'\u0301'.repeat(8)}<U+0301><U+0301>`);
    expect(visibleText(`a${'\u00a0'.repeat(99)}  b`)).toBe(`a${'\u00a0'.repeat(99)} <U+0020>b`);
    expect(visibleText(`a${'\n'.repeat(102)}b`)).toBe(`a${'\n'.repeat(100)}<U+000A><U+000A>b`);
    expect(plainLine(`e${'\u0301'.repeat(9)}`)).toBe(`e${'\u0301'.repeat(8)}<U+0301>`);
    expect(countHidden(' '.repeat(1_000))).toBe(0);
  });

  it('are the same after a second pass, whatever the text is', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(...Object.values(genuine)),
      fc.nat(invisible.length - 1).map((index) => invisible[index] ?? ''),
      fc.constantFrom('\u0301'.repeat(9), ' '.repeat(101)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const shown = visibleText(pieces.join(''));
        expect(visibleText(shown)).toBe(shown);
        expect(countHidden(shown)).toBe(0);
        expect(countHidden(removeHidden(pieces.join('')))).toBe(0);
        expect(removeAllHidden(shown)).toBe(removeAllHidden(removeAllHidden(shown)));
      }),
      { numRuns: 500 },
    );
  });
});
