import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../../src/shared/secrets.ts';

const secret = 'sk-canary/5f+2c "9e" <&é>';
const half = Math.ceil(secret.length / 2);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const named: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};
const codes = (text: string, write: (code: number) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join('');
const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');

const encodings: readonly (readonly [string, (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['in capitals', (text) => text.toUpperCase().replace('É', 'é')],
  ['in JSON', (text) => JSON.stringify({ key: text })],
  ['in JSON with escaped slashes', (text) => JSON.stringify(text).replaceAll('/', '\\/')],
  ['in JSON in escaped code units', (text) => codes(text, (code) => `\\u${hex(code, 4)}`)],
  ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify(text))],
  ['in a URL', (text) => `https://h/?key=${encodeURIComponent(text)}`],
  ['in a URL, with every byte encoded', (text) => [...Buffer.from(text)].map((byte) => `%${hex(byte, 2)}`).join('')],
  ['in a URL in Latin-1', (text) => codes(text, (code) => `%${hex(code, 2).toUpperCase()}`)],
  ['in HTML', (text) => text.replace(/[<>&"']/g, (character) => named[character] ?? '')],
  ['in HTML in decimal references', (text) => codes(text, (code) => `&#${code};`)],
  ['in HTML in hexadecimal references', (text) => codes(text, (code) => `&#x${hex(code, 2)};`)],
  ['in HTML in capital hexadecimal references', (text) => codes(text, (code) => `&#X${hex(code, 4).toUpperCase()};`)],
  ['in HTML in JSON', (text) => JSON.stringify(`<b>${text.replace(/[<>&"']/g, (one) => named[one] ?? '')}</b>`)],
  ['in HTML twice', (text) => codes(text, (code) => `&#${code};`).replaceAll('&', '&amp;')],
  ['as base64', base64],
  ['as base64url', (text) => Buffer.from(text).toString('base64url')],
  ['in the base64 of a header', (text) => base64(`Bearer ${text}`)],
  ['in the base64 of a longer header', (text) => base64(`Authorization: Bearer ${text}\r\nAccept: */*`)],
  ['in the base64 of a pair', (text) => base64(`u:${text}`)],
  ['in base64 in a URL', (text) => encodeURIComponent(base64(text))],
];

describe('redaction', () => {
  it.each(encodings)('removes a secret %s', (_name, encode) => {
    const line = redactSecrets(`before ${encode(secret)} after`, ['other', secret]);
    expect(line).toContain('[redacted]');
    expect(line).toMatch(/^before .* after$/);
    const words = line.split(/[^A-Za-z0-9+/=_-]/).map((word) => Buffer.from(word, 'base64').toString('latin1'));
    for (const shown of [line, ...words]) {
      for (const part of [secret.slice(4, 14), secret.slice(-10)]) {
        expect(shown.toLowerCase()).not.toContain(part);
        expect(shown).not.toContain(encode(part));
      }
    }
  });

  it.each([
    ['first', secret.slice(0, half)],
    ['last', secret.slice(-half)],
    ['middle', secret.slice(3, 3 + half)],
  ])('removes the %s half of a secret in every encoding', (_name, part) => {
    for (const [name, encode] of encodings.slice(0, 15)) {
      const line = redactSecrets(`before ${encode(part)} after`, [secret]);
      expect([name, line]).toEqual([name, expect.stringContaining('[redacted]')]);
    }
    for (const encode of [base64, (text: string) => base64(`Bearer ${text}`)]) {
      expect(redactSecrets(encode(part), [secret])).toContain('[redacted]');
    }
  });

  it('leaves less than half of a secret, and less than 8 characters, as they are', () => {
    expect(redactSecrets(secret.slice(0, half - 1), [secret])).toBe(secret.slice(0, half - 1));
    expect(redactSecrets('the pass', ['password'])).toBe('the pass');
    expect(redactSecrets('the password', ['password'])).toBe('the [redacted]');
    expect(redactSecrets('a one', ['one'])).toBe('a [redacted]');
  });

  it('replaces only the secret between other encoded text', () => {
    expect(redactSecrets(`%41 &lt;b&gt; ${encodeURIComponent(secret)}%21`, [secret])).toBe(
      '%41 &lt;b&gt; [redacted]%21',
    );
    expect(redactSecrets(`${secret}${secret}`, [secret])).toBe('[redacted][redacted]');
  });

  it('leaves other text unchanged, and ignores an empty secret', () => {
    for (const text of ['nothing to hide', '100% &amp; more %zz &#x110000; \\u00zz', '%ff%c3%28 \ud800']) {
      expect(redactSecrets(text, ['', secret])).toBe(text);
    }
  });

  it('takes linear time for long text', () => {
    const long = 'a%41&#65;'.repeat(20_000);
    expect(redactSecrets(long, ['key-'.repeat(500)])).toBe(long);
  });
});
