import { describe, expect, it } from 'vitest';
import { checkKey } from '../../../src/api/apiKey.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown) => `${encode({ alg: 'none' })}.${encode(claims)}.c2ln`;

describe('an API key', () => {
  it.each([
    ['sk-1', 'sk-1'],
    ['  sk-1\r\n', 'sk-1'],
    ['Bearer sk-1', 'sk-1'],
    ['key with ü', 'key with ü'],
    ['my-Bearer sk-1', 'my-Bearer sk-1'],
    [' ~ÿ', '~ÿ'],
  ])('%j is sent as %j', (text, key) => {
    expect(checkKey(text)).toEqual({ key });
  });

  it.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['a\nb', 'controlCharacter'],
    ['a\u007fb', 'controlCharacter'],
    ['a\u0085b', 'controlCharacter'],
    ['sk-\u200b1', 'notLatin1'],
    ['sk-\u0100', 'notLatin1'],
    ['sk-“1”', 'notLatin1'],
    ['\u{1f600}', 'notLatin1'],
  ])('%j is rejected as %s', (text, failure) => {
    expect(checkKey(text)).toEqual({ failure });
  });

  it('has an expiration time only if it is a JWT with a valid one', () => {
    expect(checkKey(jwt({ exp: 1_700_000_000 }))).toMatchObject({ expiresAtMs: 1_700_000_000_000 });
    const [header, claims, signature] = jwt({ exp: 1 }).split('.');
    for (const text of [`${header}.${claims}`, `.${claims}.${signature}`, `${header}..${signature}`]) {
      expect(checkKey(text)).toEqual({ key: text });
    }
    for (const text of [jwt({}), jwt({ exp: 'soon' }), jwt(null), 'a.b.c', 'a.b', `${jwt({ exp: 1 })}.d`, '..']) {
      expect(checkKey(text)).toEqual({ key: text });
    }
  });
});
