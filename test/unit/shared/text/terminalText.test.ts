import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasTerminalCodes, plainTerminalText, terminalLines } from '../../../../src/shared/text/terminalText.ts';

const escape = '\u001b';

describe('the plain text of terminal output', () => {
  it.each([
    ['colors', `${escape}[1;31mError:${escape}[0m no`, 'Error: no'],
    ['a window title with spaces', `${escape}]0;me@host: ~/my project\u0007ready`, 'ready'],
    ['a title that ends with ST', `${escape}]633;C${escape}\\ready`, 'ready'],
    ['a hyperlink', `${escape}]8;;https://a.test\u0007here${escape}]8;;\u0007`, 'here'],
    ['a device string', `${escape}P1$r0m${escape}\\x`, 'x'],
    ['a charset and keypad mode', `${escape}(B${escape}=x`, 'x'],
    ['a sequence that is cut off', `ok${escape}[3`, 'ok'],
    ['a title that is cut off', `ok\n${escape}]0;tit`, 'ok\n'],
    ['line ends of a terminal', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['a progress bar', '10%\r55%\r100%\r\ndone', '100%\ndone'],
    ['a shorter text over a longer one', 'loading...\rok', 'okading...'],
    ['backspaces', 'abc\b\bX', 'aXc'],
    ['a spinner', 'a |\b/\b-\b done', 'a  done'],
    ['what a backspace erases', 'abc\b \b', 'ab'],
    ['what is erased to the end of the line', `Downloading 99%\r${escape}[KDone`, 'Done'],
    ['an erased line', `99%${escape}[2K\rDone`, 'Done'],
    ['its first character, erased', `abc\r${escape}[1K`, ' bc'],
    ['the start of a line, erased', `abc${escape}[1KX`, '   X'],
    ['the start of a line up to the cursor, erased', `abcde\b\b\b${escape}[1K`, '   de'],
    ['a line that is erased with the cursor in it', `abcde\b\b\b${escape}[2KX`, '  X'],
    ['what draws nothing over a character', 'ab\r\u0085\u0001', 'ab'],
    ['sequences that move the cursor', `a${escape}[2Ab${escape}[10;4Hc${escape}[?25l`, 'abc'],
    ['a spinner that moves to a column', `⠋ one${escape}[2K${escape}[1G⠙ two${escape}[2K${escape}[Gdone`, 'done'],
    ['moves to the left', `abc${escape}[2DX${escape}[9DY`, 'YXc'],
    ['moves to the right', `a${escape}[3Cb${escape}[Cc${escape}[999C`, 'a   b c'],
    ['a column over the written text', `a${escape}[5Gb\u009b2Gc`, 'ac  b'],
    ['moves in the other forms', `a${escape}[?2Db${escape}[2;5Dc`, 'abc'],
    ['a sequence that is cut off before other text', `a${escape}[3… 20 lines truncated`, 'a… 20 lines truncated'],
    ['the same with an introducer of one character', 'a\u009b31é b', 'aé b'],
    ['a sequence in another one', `a${escape}[31${escape}[32mb`, 'ab'],
    ['a sequence over the end of a line', `a${escape}[\nb`, 'a\nb'],
    ['a private sequence that is cut off before other text', `a${escape}[?25… b`, 'a… b'],
    ['control characters in a sequence', `a${escape}[3\b1mred`, 'ared'],
    ['a line end in a sequence, which has no effect', `ab\r${escape}[3\nK`, 'ab\nK'],
    ['a BEL in a sequence, which has no effect', `ab\r${escape}[\u0007K`, 'Kb'],
    ['a NUL in a sequence that erases', `abc\rX${escape}[\0K`, 'X'],
    ['moves between wide characters', `日本語日本語${escape}[4DX${escape}[2GY${escape}[3CZ`, '日本語日本語XYZ'],
    ['moves over emoji', `✅ a${escape}[2DX${escape}[10Gb`, '✅ aXb'],
    ['moves over signs that combine', `e\u0301a${escape}[1DX`, 'e\u0301aX'],
    ['moves over tabs', `a\tb${escape}[1DX${escape}[20GY`, 'a\tbXY'],
    ['a spinner with wide characters', `⏳ one${escape}[1G${escape}[2K⏳ two${escape}[G${escape}[Kdone`, 'done'],
    ['a move after a line with wide characters', `日本\na${escape}[5Gb`, '日本\na   b'],
    ['starts that are erased one after the other', `abcdef\b\b${escape}[1K\b\b${escape}[1K\rX${escape}[3GY`, 'X Y  f'],
    ['a start that is erased before a longer one', `abcdef\b\b\b\b${escape}[1K\rXYZ\b\b${escape}[1K`, '  Zdef'],
    ['a start that is erased before the line is', `abc${escape}[1K\r${escape}[Kdef`, 'def'],
    ['a title that is never closed', `a${escape}]0;title\nb\nc`, 'a\nb\nc'],
    ['concealed text', `${escape}[8msecret${escape}[0m`, 'secret'],
    ['half a character', 'a\ud83d b', 'a\ufffd b'],
    ['backspaces at the start', '\b\bX', 'X'],
    ['other control characters', 'a\u0000b\u0008c\u0085d\te', 'a\u2400cd\te'],
    ['sequences with an introducer of one character', 'a\u009b31mb\u009d0;title\u009cc\u0090q\u0007d', 'abcd'],
    ['a sequence of one character that is cut off', 'ok\u009b31', 'ok'],
    ['a longer text between two shorter ones', 'ab\rcdef\rg', 'gdef'],
    ['a line that is overwritten with nothing', 'abc\r\r\r', 'abc'],
    ['spaces at the end of a line', 'a   \nb', 'a\nb'],
    ['characters outside the basic plane', '🚀\b🎉', '🎉'],
  ])('without %s', (_what, output, expected) => expect(plainTerminalText(output)).toBe(expected));

  it('is that of a line overwritten many times, in a time proportional to its length', () => {
    const line = `${'x'.repeat(250_000)}${'\rab'.repeat(250_000)}`;
    expect(plainTerminalText(line)).toBe(`ab${'x'.repeat(249_998)}`);
  });

  it('is not filled up with more spaces than a line of a terminal has', () => {
    expect(plainTerminalText(`a${escape}[999999999Cb${escape}[999999999Gc`)).toBe(`a${' '.repeat(119)}bc`);
    expect(plainTerminalText(`${'x'.repeat(200)}${escape}[9Cy${escape}[150Gz`)).toBe(
      `${'x'.repeat(149)}z${'x'.repeat(50)}y`,
    );
  });

  it('is written beyond the column of a terminal where a line is longer', () => {
    expect(plainTerminalText(`${'x'.repeat(150)}\r${escape}[140Cnew`)).toBe(`${'x'.repeat(140)}new${'x'.repeat(7)}`);
  });

  it.each([1_000, 100_000])('is not filled up with more spaces than the output of %d lines is long', (count) => {
    const output = `${escape}[120Gx\n`.repeat(count);
    const text = plainTerminalText(output);
    expect(text.replaceAll(' ', '')).toBe('x\n'.repeat(count));
    expect(text.length).toBeGreaterThan(10_000);
    expect(text.length).toBeLessThanOrEqual(2 * count + Math.max(10_000, output.length));
  });

  it('has its starts of lines erased as if each was erased immediately', () => {
    const simply = (steps: readonly (readonly [number, boolean])[]) => {
      const line: (string | undefined)[] = [];
      for (const [column, isErased] of steps) {
        if (isErased) line.fill(' ', 0, column + 1);
        else line[column] = 'x';
      }
      return Array.from(line, (character) => character ?? ' ')
        .join('')
        .trimEnd();
    };
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.boolean()), { maxLength: 20 });
    const written = ([column, isErased]: readonly [number, boolean]) =>
      `${escape}[${column + 1}G${isErased ? `${escape}[1K` : 'x'}`;
    fc.assert(fc.property(steps, (some) => plainTerminalText(some.map(written).join('')) === simply(some)));
  });

  it('is the same however it is overwritten', () => {
    const simply = (line: string) => line.split('\r').reduce((shown, part) => part + shown.slice(part.length), '');
    const line = fc.array(fc.stringMatching(/^[a-z]{0,9}$/), { maxLength: 12 }).map((parts) => parts.join('\r'));
    fc.assert(fc.property(line, (text) => plainTerminalText(text) === simply(text)));
  });

  it('never contains a control character, whatever the output is', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(escape, `${escape}[`, `${escape}]`, '\r', '\n', '\b', '\u0007'),
    );
    const output = fc.array(piece).map((pieces) => pieces.join(''));
    fc.assert(fc.property(output, (text) => !/[^\P{Cc}\t\n]/u.test(plainTerminalText(text))));
  });
});

describe('the style of terminal output', () => {
  const stylesOf = (output: string) =>
    [...terminalLines(output)]
      .flat()
      .map(({ text, style }) => [
        text,
        Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined && value !== false)),
      ]);

  it.each([
    ['31', { foreground: 1 }],
    ['1;31', { isBold: true, foreground: 1 }],
    ['91', { foreground: 9 }],
    ['44;107', { background: 15 }],
    ['30', { foreground: 0 }],
    ['37', { foreground: 7 }],
    ['40', { background: 0 }],
    ['47', { background: 7 }],
    ['90', { foreground: 8 }],
    ['97', { foreground: 15 }],
    ['100', { background: 8 }],
    ['107', { background: 15 }],
    ['29;39;49;89;98;99;108', {}],
    ['38;5;208', { foreground: 208 }],
    ['48;5;232', { background: 232 }],
    ['38;2;255;128;0', { foreground: '#ff8000' }],
    ['38:2::255:128:0', { foreground: '#ff8000' }],
    ['38:2:255:128:0', { foreground: '#ff8000' }],
    ['38:5;1', { isBold: true }],
    ['38:5:208', { foreground: 208 }],
    ['38;5;1;4', { foreground: 1, isUnderlined: true }],
    ['38;2;1;2;3;1', { foreground: '#010203', isBold: true }],
    ['30', { foreground: 0 }],
    ['37', { foreground: 7 }],
    ['90', { foreground: 8 }],
    ['97', { foreground: 15 }],
    ['40', { background: 0 }],
    ['47', { background: 7 }],
    ['100', { background: 8 }],
    ['1;44', { isBold: true, background: 4 }],
    ['1;91', { isBold: true, foreground: 9 }],
    ['1;107', { isBold: true, background: 15 }],
    ['38', {}],
    ['58;5;1', {}],
    ['58;2;1;3;4', {}],
    ['58:2::1:3:4;31', { foreground: 1 }],
    ['1;48', { isBold: true }],
    ['38:2:1:2:3', { foreground: '#010203' }],
    ['38:2::1:2:3:0', { foreground: '#010203' }],
    ['21', { isUnderlined: true }],
    ['38;5;0', { foreground: 0 }],
    ['38;5;255', { foreground: 255 }],
    ['38;5;256', {}],
    ['38;2;0;0;255', { foreground: '#0000ff' }],
    ['38;2;0;0;256', {}],
    ['38;5;999', {}],
    ['38;2;1;2', {}],
    ['2;3;4;7;9', { isDim: true, isItalic: true, isUnderlined: true, isInverse: true, isStruck: true }],
    ['1;22', {}],
    ['3;23;4;24;7;27;9;29', {}],
    ['4:3', { isUnderlined: true }],
    ['4;4:0', {}],
    ['31;4;4:0', { foreground: 1 }],
    ['31;39;41;49', {}],
    ['31;0', {}],
    ['31;', {}],
    ['8', {}],
    ['999', {}],
  ])('is that of %s', (codes, style) => {
    expect(stylesOf(`${escape}[${codes}mx`)).toEqual([['x', style]]);
  });

  it('can be selected with an introducer of one character', () => {
    expect(stylesOf('\u009b31mx\u009bmy')).toEqual([
      ['x', { foreground: 1 }],
      ['y', {}],
    ]);
  });

  it('of an erased line is not kept, and neither are its spaces', () => {
    expect(stylesOf(`${escape}[41mabc\r${escape}[2K${escape}[mX`)).toEqual([['X', {}]]);
    expect(stylesOf(`${escape}[41mabc${escape}[2K${escape}[mX`)).toEqual([['   X', {}]]);
  });

  it('lasts until it is changed, over lines too, and stays with what is not overwritten', () => {
    const output = `a${escape}[31mbc\nd${escape}[md${escape}[32m\rD`;
    expect(stylesOf(output)).toEqual([
      ['a', {}],
      ['bc', { foreground: 1 }],
      ['D', { foreground: 2 }],
      ['d', {}],
    ]);
  });

  it('is needed only for text with codes', () => {
    for (const text of ['a\tb\r\nc', 'plain', '🚀', '']) expect(hasTerminalCodes(text)).toBe(false);
    for (const text of [`${escape}[m`, 'a\rb', 'a\bb', 'a\0', '\u009b', '\ud800']) {
      expect(hasTerminalCodes(text)).toBe(true);
    }
  });
});
