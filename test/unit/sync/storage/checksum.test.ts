import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkedLines, withChecksum, withoutChecksum } from '../../../../src/sync/storage/checksum.ts';

/** A number whose checksum starts with a zero. */
const padded = Array.from({ length: 1_000 }, (_, value) => value).find((value) => crc32(String(value)) < 2 ** 28)!;

describe('a line with a checksum', () => {
  it('starts with eight hexadecimal digits and ends with a line break', () => {
    expect(withChecksum({ a: [1, 'ü'] })).toBe('ad78aff3 {"a":[1,"ü"]}\n');
    expect(withChecksum(padded)).toMatch(new RegExp(`^0[0-9a-f]{7} ${padded}\n$`));
  });

  it('is read with all intact lines before it', () => {
    const lines = [{ a: 1 }, padded, 'text'].map(withChecksum).join('');
    expect([...checkedLines(lines)]).toEqual(['{"a":1}', String(padded), '"text"']);
    expect([...checkedLines('')]).toEqual([]);
  });

  it.each([
    ['a changed character', (line: string) => line.replace('two', 'twO')],
    ['a changed digit of the checksum', (line: string) => (line.startsWith('0') ? '1' : '0') + line.slice(1)],
    ['no line break', (line: string) => line.trimEnd()],
    ['nothing but a line break', () => '\n'],
  ])('ends the lines that are read if it has %s', (_, damaged) => {
    const second = damaged(withChecksum('two'));
    const third = second.endsWith('\n') ? withChecksum('three') : '';
    expect([...checkedLines(withChecksum('one') + second + third)]).toEqual(['"one"']);
  });

  it('loses its checksum, but no other text', () => {
    expect(withoutChecksum(withChecksum({ a: 1 }))).toBe('{"a":1}\n');
    expect(withoutChecksum('0123abcd {"cut')).toBe('{"cut');
    for (const text of ['{"a":"0123abcd b"}', '0123abc {}', '0123ABCD {}', ''])
      expect(withoutChecksum(text)).toBe(text);
  });
});
