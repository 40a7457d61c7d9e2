import { describe, expect, it } from 'vitest';
import { findingsIn, marked, unmarked } from './marked.ts';
import { RandomText } from './randomText.ts';

const line = new RandomText(6).base62(64);
const [one, two] = [line.slice(0, 16), line.slice(16, 32)];
const label = (edge: string, name: string, dashes = '-----') => `${dashes}${edge} ${name}${dashes}`;
const [begin, end] = [label('BEGIN', 'PRIVATE ' + 'KEY'), label('END', 'PRIVATE ' + 'KEY')];
const ssh2 = 'SSH2 ENCRYPTED PRIVATE ' + 'KEY';
const openVpn = 'OpenVPN Static ' + 'key V1';
const pgp = 'PGP PRIVATE ' + 'KEY BLOCK';
const headers = (count: number) => Array.from({ length: count }, () => 'Name: value\n').join('');

describe('a private key', () => {
  it.each([
    `‹${begin}\n${line}\n${end}›`,
    `a ‹${begin}\r\n${line}\r\n${end}› b`,
    `‹---- BEGIN ${ssh2} ----\n${line}\n---- END ${ssh2} ----›`,
    `‹${label('BEGIN', ssh2, '----')}\n${line}\n${label('END', ssh2, '----')}›`,
    `${label('BEGIN', ssh2, '---')}\n${line}\n${label('END', ssh2, '---')}`,
    `‹${label('BEGIN', openVpn)}\n${line}\n${label('END', openVpn)}›`,
    `‹${label('BEGIN', pgp)}\nVersion: x\n\n${line}\n=aB3d\n${label('END', pgp)}›`,
    `${label('BEGIN', 'PUBLIC KEY')}\n${line}\n${label('END', 'PUBLIC KEY')}`,
    `${label('BEGIN', 'PRIVATE ' + 'KEYS')}\n${line}`,
    `‹${label('BEGIN', `${'x'.repeat(39)} PRIVATE ` + 'KEY')}\n${line}›`,
    `${label('BEGIN', `${'x'.repeat(40)} PRIVATE ` + 'KEY')}\n${line}`,
    `-----  BEGIN ${ssh2}-----\n${line}`,
  ])('has a line that says so before it: %j', (text) => expect(marked(unmarked(text))[0]).toBe(text));

  it.each([
    `‹${begin}\na\n${end}›`,
    `${begin}\n\n${end}`,
    `${begin}\n...\n${end}`,
    `‹${begin}${one}${end}›`,
    `${begin}${one.slice(1)}${end}`,
    `‹${begin}\\n${one.slice(1)}\\n${end}›`,
    `‹${begin}\\r\\n${one.slice(1)}\\r\\n${end}›`,
    `‹${begin}\r${one.slice(1)}\n${end}›`,
    `${begin}\n<your own key>\n${end}`,
  ])('with a closing line contains at least one letter, and 16 in the same line: %j', (text) => {
    expect(marked(unmarked(text))[0]).toBe(text);
  });

  it.each([
    `‹${begin}\n${one}\n${two}›`,
    `‹${begin}\n${one}\n${two}›\n`,
    `‹${begin}\n${one}\n${two}›\n\nafter it`,
    `‹${begin}\n${one}\n${two}==›\n${'-'.repeat(5)}`,
    `${begin}\n${one}\n${two.slice(1)}`,
    `‹${begin}\\n${one}\\n${two}›`,
    `${begin}\n1:${one}\n2:${two.slice(1)}`,
    `‹${begin}\n${one}\n${two}...›\nsome words`,
    `${begin}\n${one}\n..${two}\nsome words`,
    `‹${begin}\n${line}›\nx: ${one}`,
    `‹${begin}\n${line}›\n${one}_${two}\n${line}\n`,
  ])('that is cut off has at least 32 characters of base64: %j', (text) => {
    expect(marked(unmarked(text))[0]).toBe(text);
  });

  const write = (text: string, before: string, after = '') =>
    text
      .split('\n')
      .map((part) => before + part + after)
      .join('\n');
  const prefixes = [
    ['a list', '- '],
    ['removed lines', '-'],
    ['added lines', '+'],
    ['a quotation', '> '],
    ['comments', '# '],
    ['other comments', '// '],
    ['a comment of several lines', ' * '],
    ['a table', '| '],
    ['lines with numbers', ' 123456→'],
    ['lines with numbers and a colon', '12:'],
    ['lines with numbers and a bar', '12|'],
  ] as const;

  it.each([
    ...prefixes.map((row) => [...row, ''] as const),
    ['strings', '"', '\\n" +'],
    ['strings with an apostrophe', "'", "\\n',"],
    ['strings with a grave accent', '`', '\\n`;'],
    ['a call', '"', '\\n")'],
    ['lines with carriage returns', '', '\r'],
  ] as const)('can be written in %s', (_, before, after) => {
    const block = write(`${begin}\n${line}\n${one}\n${end}`, before, after);
    const whole = block.slice(block.indexOf(begin), block.indexOf(end) + end.length);
    expect(marked(block)[0]).toBe(block.replace(whole, () => `‹${whole}›`));
    const start = write(`${begin}\n${line}\n${one}`, before, after);
    const cutOff = start.slice(start.indexOf(begin), start.lastIndexOf(one) + one.length);
    expect(marked(start)[0].startsWith(`${before}‹${cutOff}`)).toBe(true);
  });

  it.each([...prefixes.map((row) => [...row, ''] as const), ['lines with carriage returns', '', '\r']] as const)(
    'whose start is cut off can be written in %s',
    (_, before, after) => {
      const rest = write(`words before it\n${line}\n${one}\n${end}`, before, after);
      const secret = rest.slice(rest.indexOf(line), rest.indexOf(end) + end.length);
      expect(findingsIn(rest)).toHaveLength(1);
      const [{ start, end: to } = { start: 0, end: 0 }] = findingsIn(rest);
      expect(rest.slice(start, to).replace(/^[^A-Za-z]*?(?=[A-Za-z0-9]{64})/, '')).toBe(secret);
    },
  );

  it.each([
    `‹${begin}\n${headers(7)}\n${line}›`,
    `${begin}\n${headers(8)}\n${line}`,
    `‹${begin}\nDEK-Info: AES\n\n${line}›`,
    `${begin}\nDEK-Info:\n\nand ${line}`,
    `${begin}\n${headers(1)}\n${one}${two.slice(1)}`,
    `${begin}\ninfo: value\n${line}`,
    `${begin}\nx Name: value\n${line}`,
  ])('has at most seven headers, which are not a part of its length: %j', (text) => {
    expect(marked(unmarked(text))[0]).toBe(text);
  });

  it('has lines of at most 8,192 characters', () => {
    const text = `${begin}\n${'aB'.repeat(5_000)}`;
    expect(findingsIn(text)).toMatchObject([{ start: 0, end: begin.length + 1 + 8_192 }]);
  });

  it('has at most 800 lines', () => {
    const lines = (count: number) => `${one}\n`.repeat(count);
    const closed = (count: number) => findingsIn(`${begin}\n${lines(count)}${end}`)[0]?.end;
    expect(closed(799)).toBe(begin.length + 1 + 799 * 17 + end.length);
    expect(closed(801)).toBeLessThan(begin.length + 1 + 801 * 17);
    const found = findingsIn(`${lines(801)}${end}`);
    expect(found).toEqual([{ start: 17, end: 801 * 17 + end.length, rule: 'Private key', isCertain: true }]);
  });

  it.each([
    `‹${one}\n${two}\n${end}›`,
    `${one}\n${two.slice(1)}\n${end}`,
    `‹${line}\n${end}›`,
    `‹${line.slice(0, 32)}\n${end}›`,
    `${line.slice(0, 31)}\n${end}`,
    `${line} and\n${end}`,
    `\\n‹${line}\\n${end}›`,
    `words before\n‹${line}\n${one}==\n${end}›`,
    `"key": "…\\n‹${one}\\n${two}\\n${end}›`,
    `‹${one}\\n${two}\\n${end}›`,
    `x ${line}\n${end}`,
    `${line.slice(0, 15)}\n‹${one}\n${two}\n${end}›`,
    `‹${'a'.repeat(99)}\n${end}›`,
    end,
    `\n${end}`,
  ])('whose start is cut off has lines of base64 before its last line: %j', (text) => {
    expect(marked(unmarked(text))[0]).toBe(text);
  });

  it.each([
    `Private-Lines: 1‹\n${one}›\nPrivate-MAC`,
    `Private-Lines: 1\n${one.slice(1)}\nPrivate-MAC`,
    `Private-Lines:2‹\n${one}\n${two}›\n${line}`,
    `Private-Lines: 999‹\n${one}›\nsome words`,
    `Private-Lines: x\n${line}`,
    `Private-Lines: x: 1\n${line}`,
    `Private-Lines = 1\n${line}`,
    `Public-Lines: 1\n${line}`,
  ])('of PuTTY has as many lines as it says: %j', (text) => {
    expect(marked(unmarked(text))).toEqual([text, text.includes('‹') ? 'PuTTY private key' : '']);
  });
});
