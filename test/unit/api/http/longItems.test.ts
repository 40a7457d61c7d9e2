import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type KnownItem, LongItems } from '../../../../src/api/http/longItems.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';

vi.mock('node:zlib', { spy: true });
const checksum = vi.mocked(zlib.crc32);
beforeEach(() => void checksum.mockClear());

const long = (text: string) => text.repeat(Math.ceil(70_000 / text.length));

/**
 * The items of a list: the IDs of known items, and the values of the others. Undefined if the response isn't valid
 * JSON.
 */
function read(json: string | Uint8Array, known: readonly KnownItem[] = []): unknown[] | undefined {
  const items = new LongItems(known);
  const value = withoutPause(items.parse(typeof json === 'string' ? Buffer.from(json) : json));
  if (value === undefined) return undefined;
  return listOf(value).map((item) => {
    const found = items.get(item);
    if (!found) return item;
    return 'known' in found ? found.known.id : found.value;
  });
}

function listOf(value: unknown): readonly unknown[] {
  const list: unknown = typeof value === 'object' && value && 'items' in value ? value.items : [];
  return Array.isArray(list) ? list : [];
}

/** The items that a later response can recognize, with their positions as IDs. */
function marksOf(json: string): KnownItem[] {
  const items = new LongItems([]);
  const value = withoutPause(items.parse(Buffer.from(json)));
  return listOf(value).flatMap((item, index) => {
    const found = items.get(item);
    return found && 'wireMark' in found ? [{ id: String(index), createdAt: index, wireMark: found.wireMark }] : [];
  });
}

const bytesChecked = () => checksum.mock.calls.reduce((sum, [bytes]) => sum + Buffer.byteLength(bytes), 0);

describe('long items of a response', () => {
  const texts = fc.array(fc.constantFrom('"', '\\', '\\"', '}', ']', ',', 'ä', '\ud83d\ude00', 'a'.repeat(300), '\n'));
  const item = fc.tuple(texts, fc.boolean(), fc.json()).map(([parts, isLong, other]) => {
    const text = JSON.stringify(isLong ? long(`${parts.join('')}-`) : parts.join(''));
    return `{"text": ${text},"list":[[{}],${other}]}`;
  });
  const other = fc.oneof(item, item, fc.json(), fc.constant(`["${long('x')}"]`));
  const response = fc
    .tuple(fc.array(other), fc.constantFrom('', ' ', '\n  '), fc.array(item))
    .map(([items, space, before]) => {
      const list = (values: readonly string[]) => `[${space}${values.join(`${space},${space}`)}${space}]`;
      return `{"before":${list(before)},"items":${list(items)}${space},"end":{"inner":${items.at(-1) ?? '1'}}}`;
    });

  it('are read like short ones', () => {
    fc.assert(
      fc.property(response, (json) => {
        expect(read(json)).toEqual(listOf(JSON.parse(json)));
      }),
      { numRuns: 40 },
    );
  });

  it('are recognized in a later response, and nothing else is', () => {
    fc.assert(
      fc.property(response, fc.nat(3), (json, step) => {
        const marks = marksOf(json);
        const known = marks.filter((_, index) => index % (step + 1) === 0);
        const expected = listOf(JSON.parse(json)).map((value, index) => {
          const mark = marks.find(({ id }) => id === String(index));
          const same = known.findLast(({ wireMark }) => mark && sameMark(wireMark, mark.wireMark));
          return same ? same.id : value;
        });
        expect(read(json, known)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('are read again if a byte of them has changed', () => {
    const item = { id: 'a', text: long('word ') };
    const json = JSON.stringify({ items: [{ id: 'b' }, item] });
    const known = marksOf(json);
    expect(known).toHaveLength(1);
    expect(read(json, known)).toEqual([{ id: 'b' }, '1']);
    for (const text of [item.text.replace(/d $/, 'd!'), `${item.text}!`, item.text.slice(1)]) {
      expect(read(JSON.stringify({ items: [{ id: 'b' }, { ...item, text }] }), known)).toEqual([
        { id: 'b' },
        { ...item, text },
      ]);
    }
  });

  it('are only those of a list', () => {
    const text = long('x');
    for (const value of [
      { items: [], page: { next: { text } } },
      { items: { a: [{ text }] } },
      { items: [[{ text }]] },
    ]) {
      expect(withoutPause(new LongItems([]).parse(Buffer.from(JSON.stringify(value))))).toEqual(value);
    }
  });

  it('leave no valid response if they or what is around them is damaged', () => {
    const item = `{"text":"${long('x')}"}`;
    for (const json of [
      `{"items":[${item.slice(0, -1)},}]}`,
      `{"items":[${item.slice(0, -1)}]]}`,
      `{"items":[${item.slice(0, -2)}}]}`,
      `{"items":[${item}`,
      `{"items":[${item}}`,
      `{"items":[${item}${item}]}`,
      `{"items":[${item}]}]`,
    ]) {
      expect([json.slice(-20), read(json)]).toEqual([json.slice(-20), undefined]);
    }
    const invalid = Buffer.from(`{"items":[${item}]}`);
    invalid[100] = 0xff;
    expect(read(invalid)).toBeUndefined();
    expect(read(`{"items":[${item}}`, marksOf(`{"items":[${item}]}`))).toBeUndefined();
  });

  it('that are known are neither parsed nor searched', () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, text: long(`${index % 3} `) }));
    const json = JSON.stringify({ items });
    const known = marksOf(json);
    checksum.mockClear();
    const parse = vi.spyOn(JSON, 'parse');
    const search = vi.spyOn(Buffer.prototype, 'indexOf');
    expect(read(json, known)).toHaveLength(100);
    expect(parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0)).toBeLessThan(10_000);
    expect(search.mock.calls.length).toBe(0);
    expect(bytesChecked()).toBeLessThanOrEqual(json.length);
    vi.restoreAllMocks();
  });

  it('are looked for in proportion to the length of the response', () => {
    const items = Array.from({ length: 30_000 }, () => '{}');
    const json = `{"items":[${items.join(',')}]}`;
    const known = Array.from({ length: 5 }, (_, index): KnownItem => {
      return { id: String(index), createdAt: 0, wireMark: { sizeBytes: 64_001 + 3 * index, checksum: 1 } };
    });
    expect(read(json, known)).toHaveLength(30_000);
    expect(bytesChecked()).toBeLessThanOrEqual(2 * json.length);
  });
});

function sameMark(a: KnownItem['wireMark'], b: KnownItem['wireMark']): boolean {
  return a.sizeBytes === b.sizeBytes && a.checksum === b.checksum;
}
