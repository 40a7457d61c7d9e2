import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainTerminalText } from '../../../../src/shared/text/terminalText.ts';

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
    ['backspaces', 'abc\b\bX', 'aX'],
    ['backspaces at the start', '\b\bX', 'X'],
    ['other control characters', 'a\u0000b\u0008c\u0085d\te', 'acd\te'],
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
