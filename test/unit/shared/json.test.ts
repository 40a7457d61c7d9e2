import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, printJson, printJsonStart } from '../../../src/shared/json.ts';

/** JSON in which `depth` arrays or objects are nested around `inner`. */
function nested(depth: number, inner = '1', isArray = true): string {
  const [open, close] = isArray ? ['[', ']'] : ['{"a":', '}'];
  return open.repeat(depth) + inner + close.repeat(depth);
}

function depthOf(value: unknown): number {
  let level = [value];
  for (let depth = 0; ; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values({ ...each }) : []));
    if (level.length === 0) return depth + (depth === 0 && typeof value === 'object' ? 1 : 0);
  }
}

describe('parsed JSON (R41)', () => {
  it('is what JSON.parse returns, up to a depth of 200', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
    for (const isArray of [true, false]) {
      const text = nested(200, '"x"', isArray);
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }
    expect(parseJson('{"a":')).toBeUndefined();
    expect(parseJson(new Uint8Array([0x22, 0xff, 0x22]))).toBeUndefined();
  });

  it.each([true, false])('has its deeper parts as text (arrays: %s)', (isArray) => {
    const value = parseJson(nested(10_000, '"x"', isArray));
    expect(depthOf(value)).toBe(200);
    const text = JSON.stringify(value);
    expect(text.length).toBeLessThan(40_000);
    const short = parseJson(nested(203, '"x"', isArray));
    expect(JSON.stringify(short)).toContain(JSON.stringify(nested(3, '"x"', isArray)));
  });

  it('keeps the shallow neighbors of a deep value, and never sets a prototype', () => {
    const value = parseJson(`{"before":1,"deep":${nested(500)},"__proto__":${nested(500)},"after":[2]}`);
    expect(value).toMatchObject({ before: 1, after: [2] });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    const atTheLimit = parseJson(nested(199, `{"__proto__":${nested(5)}}`));
    expect(JSON.stringify(atTheLimit)).toContain('"__proto__":"[[[[[1]]]]]"');
  });

  it('of 8 MB and a depth of 4,000 is parsed and printed without delay', () => {
    const text = `[${Array.from({ length: 1_000 }, () => nested(4_000)).join(',')}]`;
    const value = parseJson(text);
    expect(depthOf(value)).toBe(200);
    expect(printJson(value).length).toBeLessThan(text.length * 2);
  });
});

describe('printed JSON', () => {
  it('is indented if it is small, and on one line otherwise', () => {
    expect(printJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(printJson(undefined)).toBe('null');
    expect(printJson(parseJson(nested(30)))).toBe(nested(30));
    const long = Array.from({ length: 60_000 }, () => 1);
    expect(printJson(long)).toBe(JSON.stringify(long));
  });

  it('can be only the start of it, for which the rest is not read', () => {
    const list = Array.from({ length: 100_000 }, () => 1);
    Object.defineProperty(list, 2_000, { get: () => expect.fail('The rest is read') });
    expect(printJsonStart(list, 1_000)).toBe(`[${'1,'.repeat(499)}1…`);
    expect(printJsonStart({ a: 'b'.repeat(2_000_000) }, 1_000)).toBe(`{"a":"${'b'.repeat(994)}…`);
    expect(printJsonStart({ a: 'b' }, 9)).toBe('{\n  "a": "b"\n}');
    expect(printJsonStart({ a: 'b' }, 8)).toBe('{"a":"b"…');
  });

  it('is never cut inside an emoji', () => {
    const values = ['😀😀😀', ['😀', '😀😀'], { '😀😀': '😀' }];
    for (const value of values) {
      for (let length = 1; length < JSON.stringify(value).length; length += 1) {
        expect(printJsonStart(value, length)).toMatch(/^[^\\]*…$/u);
        expect(printJsonStart(value, length)).not.toMatch(/\p{Surrogate}/u);
      }
    }
  });
});
