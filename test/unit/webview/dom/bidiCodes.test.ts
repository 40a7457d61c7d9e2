import { describe, expect, it } from 'vitest';
import { withBidiCodes } from '../../../../src/webview/dom/bidiCodes.ts';

describe('the text of a tooltip', () => {
  it.each([
    ['a.exe', 'a.exe'],
    ['x\u202efdp.exe', 'x[U+202E]fdp.exe'],
    ['\u2066a\u2069', '[U+2066]a[U+2069]'],
    [
      '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068',
      '[U+202A][U+202B][U+202C][U+202D][U+202E][U+2066][U+2067][U+2068]',
    ],
    ['\u202e'.repeat(9), `${'[U+202E]'.repeat(8)}…`],
    ['Open \u2068src/a.ts\u2069', 'Open \u2068src/a.ts\u2069'],
    ['a\u2068\u2069b', 'a[U+2068][U+2069]b'],
    ['\u2068x\u202efdp.exe\u2069', '[U+2068]x[U+202E]fdp.exe[U+2069]'],
    ['\u202e\u2068a\u2069', '[U+202E][U+2068]a[U+2069]'],
    ['שלום\u200f abc', 'שלום\u200f abc'],
    ['', ''],
  ])('has codes instead of bidirectional control characters in %j', (text, shown) => {
    expect(withBidiCodes(text)).toBe(shown);
    expect(withBidiCodes(shown)).toBe(shown);
  });
});
