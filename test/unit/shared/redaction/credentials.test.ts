import { describe, expect, it } from 'vitest';
import { isEncodedLogin } from '../../../../src/shared/redaction/credentials.ts';
import { findingsIn, marked, unmarked } from './marked.ts';
import { RandomText } from './randomText.ts';

describe('credentials of a header', () => {
  it.each([
    ['Bearer ‹aB3dE5gH7jK9mN1p›', 'Bearer credentials'],
    ['Bearer aB3dE5gH7jK9mN1', ''],
    ['Bearer ‹qs1utupomabexsrf›', 'Bearer credentials'],
    ['Bearer 1zootemglaytncup', ''],
    ['Bearer ‹fdhzpumdhpdotese›', 'Bearer credentials'],
    ['Bearer rlskecbtnoufraxl', ''],
    ['Bearer 1234567890123456', ''],
    ['Bearer ‹aB3dE5gH~jK9.N1p/w==›, next', 'Bearer credentials'],
    ['Basic ‹YTpiYw==›', 'Basic credentials'],
    ['Basic YTpi', ''],
    ['Basic ‹aB3dE5gH7jK9mN1p›', 'Basic credentials'],
    ['xBasic YTpiYw==', ''],
  ])('after the name of a scheme: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ['Authorization: Basic ‹YTpiYw==›', 'Basic credentials'],
    ['Authorization: Bearer ‹aB3dE5gH7jK9mN1p›', 'Bearer credentials'],
    ['authorization: "bearer ‹aB3dE5gH7jK9mN1p›"', 'Bearer credentials'],
    ['Proxy-Authorization: Basic ‹YTpiYw==›', 'Basic credentials'],
    ['X-Authorization: Basic ‹YTpiYw==›', 'Basic credentials'],
    ['Authorization: ‹aB3dE5gH7jK9mN1p›', 'Authorization header'],
    ['Authorization: ‹xk7q2mw9›', 'Authorization header?'],
    ['Authorization: ApiKey ‹aB3dE5gH7jK9mN1p›', 'Authorization header'],
    ['Authorization: ApiKey, aB3dE5gH7jK9mN1p', ''],
    ['Authorization: AWS4-HMAC-SHA256-abc ‹aB3dE5gH7jK9mN1p›', 'Authorization header'],
    ['Authorization: ‹AWS4-HMAC-SHA256-abcd› aB3dE5gH7jK9mN1p', 'Authorization header?'],
    ['Authorization: ‹aB3dE5gH7jK9mN1pQ3sT5vW7› and more', 'Authorization header'],
    ['Authorization: """‹aB3dE5gH7jK9mN1p›"""', 'Authorization header'],
    ['Authorization: """"aB3dE5gH7jK9mN1p""""', ''],
    ['Authorization: "\'‹aB3dE5gH7jK9mN1p›\'"', 'Authorization header'],
    ['Authorization: none', ''],
    ['X-Authorization: ‹aB3dE5gH7jK9mN1p›', 'Value named like a token'],
    ['Authorizations: ApiKey ‹aB3dE5gH7jK9mN1p›', 'Value named like a secret'],
  ])('in an Authorization header, whatever its scheme: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['root:‹$6$aB3dE5gH$jK9mN1pQ3sT5vW7xY›:19700:0:99999:7:::', 'Password hash'],
    ['+root:‹!$6$aB3dE5gH$jK9mN1pQ3sT5vW7xY›:19700::::::', 'Password hash'],
    ['mira@example:‹$argon2id$v=19$m=65536,t=3,p=4$aB3dE5gH$jK9mN1pQ3sT5vW7xY›', 'Password hash'],
    ['root:$6$aB3dE5gH$jK9mN1pQ', ''],
    ['root:$8$aB3dE5gH$jK9mN1pQ3sT5vW7xY', ''],
    ['The text root:$6$aB3dE5gH$jK9mN1pQ3sT5vW7xY', ''],
    ['root:a$6$aB3dE5gH$jK9mN1pQ3sT5vW7xY', ''],
    ['root=$6$aB3dE5gH$jK9mN1pQ3sT5vW7xY', ''],
    ['price:$1$ is less than 2', ''],
  ])('as the hash of a password in a list of accounts: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['{"kty":"EC","x":"jK9mN1pQ3sT5vW7aB3dE5gH","d":"‹aB3dE5gH7jK9mN1pQ3sT5vW7›"}', 'JSON Web Key'],
    ['{"p":"‹aB3dE5gH7jK9mN1pQ3sT5vW7›","dq":"‹jK9mN1pQ3sT5vW7aB3dE5gH›","kty":"RSA"}', 'JSON Web Key, JSON Web Key'],
    ["{ kty: 'OKP', d: '‹aB3dE5gH7jK9mN1pQ3sT5vW7›' }", 'JSON Web Key'],
    ['{\\"kty\\":\\"oct\\",\\"k\\":\\"‹aB3dE5gH7jK9mN1pQ3sT5vW7›\\"}', 'JSON Web Key'],
    ['{"kty":"EC","x":"aB3dE5gH7jK9mN1pQ3sT5vW7","n":"jK9mN1pQ3sT5vW7aB3dE5gH"}', ''],
    ['{"kty":"EC","d":"aB3dE5gH7jK9mN1pQ3sT5"}', ''],
    ['{"kty":"EC","d":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}', ''],
    ['{"kty":"EC","d":"aB3dE5gH7jK9 mN1pQ3sT5vW7"}', ''],
    ['{"kty":"EC","d":aB3dE5gH7jK9mN1pQ3sT5vW7}', ''],
    ['{"type":"EC","d":"aB3dE5gH7jK9mN1pQ3sT5vW7"}', ''],
    ['{"ktype":"EC","d":"aB3dE5gH7jK9mN1pQ3sT5vW7"}', ''],
  ])('as a private member of a JSON Web Key: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it('belong to a JSON Web Key only near its type, before or after it', () => {
    const member = '"d":"aB3dE5gH7jK9mN1pQ3sT5vW7"';
    const type = '"kty":"EC"';
    const rulesAt = (count: number, ...parts: readonly string[]) =>
      findingsIn(parts.join(' '.repeat(count))).map(({ rule }) => rule);
    expect(rulesAt(2_900, type, member)).toEqual(['JSON Web Key']);
    expect(rulesAt(2_900, member, type)).toEqual(['JSON Web Key']);
    expect(rulesAt(3_100, type, member)).toEqual([]);
    expect(rulesAt(3_100, member, type)).toEqual([]);
    // The first member starts a search for the type, which ends within the type's text.
    for (let count = 2_980; count < 3_010; count++) {
      expect(rulesAt(0, member, ' '.repeat(count), type, ' ', member).at(-1)).toBe('JSON Web Key');
    }
  });

  it.each([
    ['Cookie: ‹theme=dark; sid=aB3dE5gH7jK9mN1p; lang=en›', 'Cookie?'],
    ['Cookie: sid=aB3dE5gH7jK9mN1', ''],
    ['Cookie: sid=57jberioo1bv37cn', ''],
    ['Cookie: ‹sid=sfs5gwwra45rroag›', 'Cookie?'],
    ['Cookie: sid=qzxkvjwqpzvbxkqj', ''],
    ['Cookie: ‹aB3dE5gH7jK9mN1p›', 'Cookie?'],
    ["-H 'cookie: ‹sid=aB3dE5gH7jK9mN1p›' https://example.com", 'Cookie?'],
    ['Set-Cookie: ‹sid=aB3dE5gH7jK9mN1p; Path=/›', 'Cookie?'],
    ['Cookies: sid=aB3dE5gH7jK9mN1p', ''],
    ['X-Cookie: sid=aB3dE5gH7jK9mN1p', ''],
    ['Cookie: ‹sid=aB3dE5gH7jK9mN1p›\nnext: line', 'Cookie?'],
    ['Cookie:‹sid=aB3dE5gH7jK9mN1p›', 'Cookie?'],
    ['{"Cookie": "‹sid=aB3dE5gH7jK9mN1p›"}', 'Cookie?'],
    ["{'cookie' : '‹sid=aB3dE5gH7jK9mN1p›'}", 'Cookie?'],
    ['{\\"Cookie\\": \\"‹sid=aB3dE5gH7jK9mN1p›\\"}', 'Cookie?'],
    ['"set-cookie": ["‹sid=aB3dE5gH7jK9mN1p; Path=/›", "b"]', 'Cookie?'],
    ["headers['Cookie'] = '‹sid=aB3dE5gH7jK9mN1p›'", 'Cookie?'],
    ['cookie=‹sid=aB3dE5gH7jK9mN1p›', 'Cookie?'],
    ["setHeader('Cookie', '‹sid=aB3dE5gH7jK9mN1p›')", 'Cookie?'],
    ["setHeader('Authorization', 'ApiKey ‹aB3dE5gH7jK9mN1p›')", 'Authorization header'],
    ["headers['Authorization'] = '‹aB3dE5gH7jK9mN1p›'", 'Authorization header'],
    ["cookie('sid=aB3dE5gH7jK9mN1p')", ''],
    ['"Cookie": "theme=dark; lang=en"', ''],
    ['Cookie: [[[[[[[‹sid=aB3dE5gH7jK9mN1p›', 'Cookie?'],
    ['Cookie: [[[[[[[‹[sid=aB3dE5gH7jK9mN1p›', 'Cookie?'],
  ])('in a cookie that looks random, up to the end of its line: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it('have at most 8,192 characters, after a scheme', () => {
    const token = new RandomText(1).base62(8_192);
    expect(findingsIn(`Bearer ${token}`)).toMatchObject([{ start: 7, end: 8_199 }]);
    expect(findingsIn(`Bearer ${token}a`)).toEqual([]);
  });

  it('are removed completely from an Authorization header, however long they are', () => {
    const ticket = new RandomText(1).base64(6_000);
    expect(findingsIn(`Authorization: Negotiate ${ticket}`)).toMatchObject([{ start: 25, end: 25 + ticket.length }]);
  });
});

describe('a name and a password in base64', () => {
  const encoded = (login: string) => Buffer.from(login, 'latin1').toString('base64');
  it.each([
    ['a:bc', true],
    [':hunter22', true],
    ['mira:hunter 22', true],
    [`mira:${'x'.repeat(763)}`, true],
    [`mira:${'x'.repeat(766)}`, false],
    ['a:b', false],
    ['mira:', false],
    ['hunter22', false],
    ['mira w:hunter22', false],
    ['mira:h\u00fcnter22', false],
    ['\u0001mira:hunter22', false],
    ['mira:hunter22\u007f', false],
  ])('has a colon, ends with printable characters, and has no blank in the name: %j', (login, expected) => {
    expect(isEncodedLogin(encoded(login))).toBe(expected);
  });

  it.each(['\nYTpiYw==', 'YTpiYw==\n', 'YTpiYw===', 'bWlyYTpod'])('is base64 and nothing else: %j', (text) => {
    expect(isEncodedLogin(text)).toBe(false);
  });
});
