import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseJson, printJson } from '../../../src/shared/json.ts';
import { jsonLine, parsedJson, printedJson } from '../../../src/shared/longJson.ts';
import { withoutPause } from '../../../src/shared/slices.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parsed = (text: string) => withoutPause(parsedJson(bytesOf(text)));
const filler = (length: number) => JSON.stringify('a'.repeat(length));
/** A long string with characters of one to four bytes, halves of surrogate pairs, and all kinds of escapes. */
const longString = (count: number) =>
  `"${'abcd\u00e9\u20ac\ud83d\ude00\\n\\"\\\\\\u00e9\\ud83d\\ude00\\ud83d'.repeat(count)}"`;
/** White space that is longer than the pieces in which JSON is parsed. */
const longSpace = ' \t\r\n'.repeat(5_000);
const list = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(', ')}]`;

describe('long JSON', () => {
  it('is parsed like short JSON, whatever its parts are', () => {
    const part = fc.oneof(
      fc.json(),
      fc.constantFrom(filler(20_000), list(9_000, '{}'), list(4_000, '"\\"]"'), '{"__proto__":[1],"1":2}', '-1.5e3'),
      fc.constantFrom(longString(1_000), `{${longString(900)}:1}`, `["", ${longString(2_000)} ]`),
    );
    const space = fc.constantFrom('', '', '\n', longSpace);
    const text = fc
      .array(fc.tuple(fc.string(), part, fc.boolean(), space, space), { minLength: 1, maxLength: 8 })
      .map((parts) =>
        parts.reduce(
          (inner, [name, value, isArray, s, z]) =>
            isArray
              ? `[${s}${value}${z},${s}${inner}${z},${z}${value}${s}]`
              : `{${z}"z"${s}:${value},${s}${JSON.stringify(name)}${z}:${s}${inner}${z},"a":${z}${value}${s}}${z}`,
          `[${filler(64_000)}]`,
        ),
      );
    fc.assert(
      fc.property(text, (json) => {
        expect(JSON.stringify(parsed(json)) === JSON.stringify(JSON.parse(json))).toBe(true);
      }),
      { numRuns: 200 },
    );
    expect(Object.getPrototypeOf(parsed(`{"__proto__":${list(40_000, '1')}}`))).toBe(Object.prototype);
    expect(parsed(filler(100_000))).toBe('a'.repeat(100_000));
    expect(parsed(` ${longString(5_000)} `)).toBe(JSON.parse(longString(5_000)));
    expect(parsed(`\ufeff["\ufeff${'a'.repeat(100_000)}"]`)).toEqual([`\ufeff${'a'.repeat(100_000)}`]);
    for (const json of ['*[]', '[*]', '[]*', '[1*]', '[*1]', '{*}', '*1*', '*"a"*', '{*"a"*:*"b"*}', '[1,*2,3]']) {
      expect([json, parsed(json.replaceAll('*', longSpace.repeat(4)))]).toEqual([
        json,
        JSON.parse(json.replaceAll('*', '')),
      ]);
    }
  });

  it('is invalid where short JSON is', () => {
    const long = list(40_000, '{}');
    const string = filler(70_000);
    for (const json of ['*,', ',*', '* *', '*,,1', '1 *', '*:1', ': *', '*"', '*\\', '"\\q', '"\n', '*}']) {
      expect([json, parsed(`[${json.replaceAll('*', string)}${' '.repeat(70_000)}]`)]).toEqual([json, undefined]);
    }
    for (const end of ['\\q"', '\n"', '\\u12"', '\\"', '\\', '', '" 1', '"]', '"}']) {
      expect([end, parsed(string.slice(0, -1) + end)]).toEqual([end, undefined]);
    }
    for (const json of ['*,', ',*', '* *', '*,,1', '1,*,', ': *', '*:1', '1 *', '"a":*', '*]', '[*', '"', '*}']) {
      expect([json, parsed(`[${json.replaceAll('*', long)}]`)]).toEqual([json, undefined]);
    }
    for (const json of ['*', '"a" *', ':*', '"a":*,', '"a":1 "b":*', '"a":*]', '"a":* 1', ',"a":*', '"a":*,"b"']) {
      expect([json, parsed(`{${json.replaceAll('*', long)}}`)]).toEqual([json, undefined]);
    }
    for (const json of ['"a":1 *', '"a":1*', '"a":-*', '"a" *', '\u00a0"a":*', '"a":\ufeff*', '"a":*\u00a0']) {
      const text = json.replaceAll('*', string);
      expect([json, parsed(`{${text}}`)]).toEqual([json, undefined]);
    }
    for (const json of [
      '[1*2]',
      '[-*1]',
      '[1,*]',
      '[*,1]',
      '[*',
      '[1*',
      '{"a"*1}',
      '{"a":*}',
      '{"a":-*"b"}',
      '["a"*1]',
    ]) {
      expect([json, parsed(json.replaceAll('*', longSpace.repeat(4)))]).toEqual([json, undefined]);
    }
    for (const json of [
      `${long}]`,
      `${long} 1`,
      `{${long.slice(1)}`,
      `${long.slice(0, -1)}}`,
      long.slice(0, -1),
      ']',
    ]) {
      expect(parsed(json + ' '.repeat(70_000))).toBeUndefined();
    }
    expect(withoutPause(parsedJson(new Uint8Array(100_000).fill(0xff)))).toBeUndefined();
  });

  it('has its parts below a depth of 200 as text', () => {
    const deep = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth);
    const many = `[${Array.from({ length: 300 }, () => deep(300, '1')).join(',')}]`;
    expect(parsed(many)).toEqual(parseJson(many));
    const long = JSON.stringify(parsed(deep(200, `{"a":${list(40_000, '1')}}`)));
    expect(long).toContain('"{\\"a\\":[1, 1');
    expect(long.length).toBeLessThan(21_000);
  });

  it('keeps 10,000 fields of an object, the last of which says how many others there were', () => {
    const fields = Array.from({ length: 60_000 }, (_, at) => `"a${at}":${at === 59_999 ? list(20_000, '1') : at}`);
    const [first, second] = [parsed(`{${fields.join()}}`), parsed(`[{"b":{${fields.slice(0, 10_000).join()}}}]`)];
    const kept = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`a${at}`, at]));
    const { a9999: last, ...others } = kept;
    expect(first).toEqual({ ...others, '…': '50001 more fields' });
    expect(parsed(JSON.stringify(first))).toEqual(first);
    expect(last).toBe(9_999);
    expect(second).toEqual([{ b: kept }]);
  });

  it('keeps 500,000 items of an array, the last of which says how many others there were', () => {
    const long = parsed(`{"a":${list(500_001, '1')}}`);
    expect(long).toEqual({ a: [...Array.from({ length: 499_999 }, () => 1), '… 2 more items'] });
    expect(parsed(JSON.stringify(long))).toEqual(long);
    expect(parsed(list(500_000, '1'))).toEqual(Array.from({ length: 500_000 }, () => 1));
  });

  it.each([
    ['blocks', list(100_000, '{}')],
    ['fields', `{${Array.from({ length: 60_000 }, (_, at) => `"a${at}":1`).join(',')}}`],
    ['nested parts', `${'{"a":['.repeat(60_000)}1${']}'.repeat(60_000)}`],
    ['texts', list(20_000, filler(100))],
  ])('is parsed in pieces, with pauses between them: %s', (_, json) => {
    const work = parsedJson(bytesOf(json));
    const parse = vi.spyOn(JSON, 'parse');
    for (let isDone = false as boolean; !isDone; parse.mockClear()) {
      isDone = work.next().done === true;
      const lengths = parse.mock.calls.map(([text]) => text.length);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(130_000);
    }
    parse.mockRestore();
  });
});

describe('printed long JSON', () => {
  it('is the same as short JSON', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('\ud83d\ude00'.repeat(50_000), `a${'\ud83d\ude00'.repeat(50_000)}`, '\ud83d'.repeat(40_000)),
      fc.constantFrom(
        Array.from({ length: 60_000 }, (_, at) => at),
        { a: [{}, [], '"'.repeat(40_000)], b: {} },
      ),
    );
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(withoutPause(printedJson(one)) === printJson(one)).toBe(true);
        expect(withoutPause(printedJson([one, { other }])) === printJson([one, { other }])).toBe(true);
      }),
    );
    expect(withoutPause(printedJson(undefined))).toBe('null');
  });

  it('can be on one line, without undefined fields', () => {
    const value = { a: undefined, b: [undefined, null, -0, true, { c: undefined }], 'd"': 'e\n', __proto__: null };
    expect(withoutPause(jsonLine(value))).toBe(JSON.stringify(value));
  });

  it.each([
    ['numbers', Array.from({ length: 100_000 }, () => 1)],
    ['a text', 'a'.repeat(1_000_000)],
    ['fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`name ${at}`, 1]))],
  ])('is printed in pieces: %s', (_, value) => {
    const work = printedJson(value);
    let pauses = 0;
    while (work.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan(10);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is printed in pieces wherever these end: numbers of %i digits', (length) => {
    const work = jsonLine(Array.from({ length: 100_000 }, () => Number('1'.repeat(length))));
    let pauses = 0;
    while (work.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan((100_000 * (length + 1)) / 16_000 - 2);
  });
});
