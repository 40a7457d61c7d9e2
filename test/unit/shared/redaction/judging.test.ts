import { describe, expect, it } from 'vitest';
import { alphanumeric } from '../../../../src/shared/redaction/characters.ts';
import { issuerRules } from '../../../../src/shared/redaction/issuerRules.ts';
import { isAlphabet, randomness } from '../../../../src/shared/redaction/randomness.ts';
import { redactText } from '../../../../src/shared/redaction/redaction.ts';
import { kindOfName, NameKinds } from '../../../../src/shared/redaction/secretNames.ts';
import { SecretScanner } from '../../../../src/shared/redaction/secretScanner.ts';
import { judgeValue } from '../../../../src/shared/redaction/secretValues.ts';
import { RandomText } from './randomText.ts';

const kinds = ['password', 'secret', 'token', 'key', 'bareKey', 'signature'] as const;
const forms = ['quoted', 'argument', 'line', 'code', 'query', 'environment'] as const;
const letters = { certain: 'C', likely: 'L', none: '-' };

function findingsIn(text: string) {
  const scanner = new SecretScanner(text);
  scanner.advance(text.length);
  return scanner.findings;
}

describe('a value', () => {
  // One group for each of `kinds`, with one of `letters` for each of `forms`.
  it.each([
    ['orchard', '-----L ------ ------ ------ ------ ------'],
    ['orchards', '-----C ------ ------ ------ ------ ------'],
    ['hunter2', 'L-L-LL ------ ------ ------ ------ ------'],
    ['hunter22', 'L-L-LC ------ ------ ------ ------ ------'],
    ['correct-horse', 'L---LC ------ ------ ------ ------ ------'],
    ['cor.rect', 'L---LC ------ ------ ------ ------ ------'],
    ['p@ssw0rd', 'LLLLLC LLLLLL ------ ------ ------ ------'],
    ['12345678', 'LL--LL ------ ------ ------ ------ ------'],
    ['1234567', '------ ------ ------ ------ ------ ------'],
    ['a1b2c', '------ ------ ------ ------ ------ ------'],
    ['a1b2c3', 'LLLLLC ------ ------ ------ ------ ------'],
    ['CancellationToken', '-----C ------ ------ ------ ------ ------'],
    ['user.password2', '------ ------ ------ ------ ------ ------'],
    ['readPassword2()', 'L---LC ------ ------ ------ ------ ------'],
    ['password1', '------ ------ ------ ------ ------ ------'],
    ['my-secret-1', '------ ------ ------ ------ ------ ------'],
    ['xk7q2m', 'LLLLLC ------ ------ ------ ------ ------'],
    ['xk7q2mw', 'LLLLLC ------ ------ ------ ------ ------'],
    ['xk7q2mw9', 'LLLLLC LLLLLL ------ ------ ------ ------'],
    ['qzxkvjwqp', 'LLL-LC LLLLLL ------ ------ ------ ------'],
    ['qzxkvjwqpz', 'CCCCCC LLLLLL ------ ------ ------ ------'],
    ['8f7d6a5b4c3e2f1', 'CCCCCC LLLLLL ------ ------ ------ ------'],
    ['8f7d6a5b4c3e2f1a', 'CCCCCC CCCCCC CCCCCC ------ ------ ------'],
    ['aB3dE5gH7jK9mN1p', 'CCCCCC CCCCCC CCCCCC ------ ------ ------'],
    ['aB3dE5gH7jK9mN1pQ3s', 'CCCCCC CCCCCC CCCCCC ------ ------ ------'],
    ['aB3dE5gH7jK9mN1pQ3sT', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['aB3dE5gH7jK9mN1pQ3sT5vW', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['aB3dE5gH7jK9mN1pQ3sT5vW7', 'CCCCCC CCCCCC CCCCCC CCCCCC CCCCCC -CCCCC'],
    ['123e4567-e89b-12d3-a456-426614174000', 'CCCCCC CCCCCC CCCCCC ------ ------ -CCCCC'],
    ['/etc/passwd', '------ ------ ------ ------ ------ ------'],
    ['https://a.b/c', '------ ------ ------ ------ ------ ------'],
    ['some words here', '------ ------ ------ ------ ------ ------'],
    ['x8Kq2mZp7 w', 'L----- LLLLLL ------ ------ ------ ------'],
    ['a b8Kq2mZp7w x', '------ LLLLLL ------ ------ ------ ------'],
    ['^10.2.2', '------ ------ ------ ------ ------ ------'],
    ['0x0B96', '------ ------ ------ ------ ------ ------'],
    ['$TOKEN', '------ ------ ------ ------ ------ ------'],
    ['%s', '------ ------ ------ ------ ------ ------'],
    ['xxxxxxxx', '------ ------ ------ ------ ------ ------'],
    ['changeme1', '------ ------ ------ ------ ------ ------'],
    ['your-token', '------ ------ ------ ------ ------ ------'],
    ['密码1234ab', '------ ------ ------ ------ ------ ------'],
    ['sha256Password,', 'L---LC ------ ------ ------ ------ ------'],
    ['x8Kq2mZp7w(1)', 'CCCCCC LLLLLL ------ ------ ------ ------'],
    ['intmj54w', 'LLL-LC LLLLLL ------ ------ ------ ------'],
    ['xipiealpd96ur85k', 'LLLLLC LLLLLL LLLLLL ------ ------ ------'],
    ['mos81mhz43i87kotract', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['XMfjVeSN68kdoyLevMmEHuXc', 'CCCCCC CCCCCC CCCCCC CCCCCC CCCCCC -CCCCC'],
    ['nvgahelr', 'LLL-LC ------ ------ ------ ------ ------'],
    ['swbhedcd', 'LLL-LC LLLLLL ------ ------ ------ ------'],
    ['12345678901234567890123456789012', 'LL--LL CCC-CC CCC-CC CCC-CC ------ -CC-CC'],
    ['1234567890123456789012345678901', 'LL--LL ------ ------ ------ ------ ------'],
    ['/x/dytl', 'L-L-L- ------ ------ ------ ------ ------'],
    ['/x/w70y', '------ ------ ------ ------ ------ ------'],
    ['https://host1.example/a2', '------ ------ ------ ------ ------ ------'],
    ['ab/cd/7f654fl9', 'CCCCC- LLLLLL ------ ------ ------ ------'],
    ['ab/cd/92yt6wwo', 'CCCCC- ------ ------ ------ ------ ------'],
    ['0 fl231b9jli', '------ ------ ------ ------ ------ ------'],
    ['1yses84 wswyuv', 'L----- LLLLLL ------ ------ ------ ------'],
    ['ea ini58lrzgva', 'L----- ------ ------ ------ ------ ------'],
    ['some 2 words', '------ ------ ------ ------ ------ ------'],
    ['ie7sb958me', 'CCCCCC LLLLLL ------ ------ ------ ------'],
    ['uscagnhvl', 'LLL-LC ------ ------ ------ ------ ------'],
    ['mmalyhfgg', 'L-L-LC ------ ------ ------ ------ ------'],
    ['zgntomn', '-----C ------ ------ ------ ------ ------'],
    ['5for63z61', 'LLL-LC LLLLLL ------ ------ ------ ------'],
    ['xintmj54w', 'LLLLLC LLLLLL ------ ------ ------ ------'],
    ['jhejked', 'L-L-LC ------ ------ ------ ------ ------'],
    ['vpisylo', '-----C ------ ------ ------ ------ ------'],
    ['$yecehqep06t', 'CCCCCC LLLLLL ------ ------ ------ ------'],
    ['$cawi480nq6o', '------ ------ ------ ------ ------ ------'],
    ['k2q.71ee54bl', 'CCCCCC LLLLLL ------ ------ ------ ------'],
    ['k2q.a939hbes', 'LL--LC LLL-LL ------ ------ ------ ------'],
    ['vninekiao', '-----C ------ ------ ------ ------ ------'],
    ['config.x8Kq2mZp7', 'LL--LC LLL-LL LLL-LL ------ ------ ------'],
    ['f4o.x8Kq2mZp7', 'CCCCCC LLLLLL ------ ------ ------ ------'],
    ['12ab.cd3ef', 'LLLLLC LLLLLL ------ ------ ------ ------'],
    ['foo$bar', 'L---LL ------ ------ ------ ------ ------'],
    ['hunter@2.x', 'L-L-LC ------ ------ ------ ------ ------'],
    ['k9null', 'L-L-LC ------ ------ ------ ------ ------'],
    ['qx7kq-secret', 'L-L-LC ------ ------ ------ ------ ------'],
    ['secret-qx7kq', 'L-L-LC ------ ------ ------ ------ ------'],
    ['rev1.2b', 'L---LL ------ ------ ------ ------ ------'],
    ['0x0B96zz', 'LLLLLC LLLLLL ------ ------ ------ ------'],
    ['k9x~/q2', 'LLLLLC ------ ------ ------ ------ ------'],
    ['x123e4567-e89b-12d3-a456-426614174000', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['123e4567-e89b-12d3-a456-426614174000x', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['AAAAB3NzaC1yc2EAAAADAQABAAABgQC7x', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['xMIIEvQ8BADANBgkqhkiG9w0BAQEFAAS', 'CCCCCC CCCCCC CCCCCC CCCCCC CCCCCC -CCCCC'],
    ['ab3de5gh7jk9mn1pq3st5vw7', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['AB3DE5GH7JK9MN1PQ3ST5VW7', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['aBxdExgHjjKxmNxpQxsTxvWz', 'CCCCCC CCCCCC CCCCCC CCCCCC ------ -CCCCC'],
    ['correct horse', '------ ------ ------ ------ ------ ------'],
    ['Tr0ub4dor&3', 'L-L-LC ------ ------ ------ ------ ------'],
    ['user.name2', 'L---LC ------ ------ ------ ------ ------'],
    ['user.password', '------ ------ ------ ------ ------ ------'],
    ['aaaaaaaa1', 'L-L-LC ------ ------ ------ ------ ------'],
    ['-12.5.3-4', '-----C ------ ------ ------ ------ ------'],
    ['-----------', '------ ------ ------ ------ ------ ------'],
  ])('is judged by its name and its form: %s', (value, verdicts) => {
    const found = kinds.map((kind) => forms.map((form) => letters[judgeValue(value, kind, form) ?? 'none']).join(''));
    expect(found.join(' ')).toBe(verdicts);
  });

  it('of the name key is not longer than 64 characters', () => {
    const value = new RandomText(1).base62(64);
    expect(judgeValue(value, 'bareKey', 'quoted')).toBe('certain');
    expect(judgeValue(`${value}a`, 'bareKey', 'quoted')).toBeUndefined();
    expect(judgeValue(value.toLowerCase(), 'bareKey', 'quoted')).toBeUndefined();
  });

  it('has at most 4,096 characters', () => {
    const random = new RandomText(1);
    const value = random.base62(4_096);
    expect(judgeValue(value, 'secret', 'quoted')).toBe('certain');
    expect(judgeValue(`${value}a`, 'secret', 'quoted')).toBeUndefined();
  });

  it('is not an alphabet', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    expect(judgeValue(alphabet, 'key', 'quoted')).toBeUndefined();
    expect(['', '=', 'A', 'AB'].map((more) => isAlphabet(alphabet + more))).toEqual([true, true, true, false]);
    expect([isAlphabet(alphabet.slice(0, 30)), isAlphabet(alphabet.slice(0, 31))]).toEqual([false, true]);
  });
});

describe('a name', () => {
  it.each([
    ...[
      'password',
      'PASSWORD',
      'dbPassword',
      'DB_PASSWORD',
      'password1',
      'user.password',
      'DB_PASSWORD_PROD',
      'passwd',
      'Pwd',
      'pass',
    ],
    ...[
      'MYSQL_PWD',
      'SMTP_PASS',
      'smtpPass',
      'dbpass',
      'root_pw',
      'bindpw',
      'passphrase',
      'requirepass',
      'spring.datasource.password',
    ],
    ...['x_pw', 'DBPass', 'HTTPPassword', 'userHTTPPass', 'password.'],
  ])('of a password: %s', (name) => expect(kindOfName(name)).toBe('password'));

  it.each([
    ...[
      'secret',
      'client_secret',
      'clientSecret',
      'CLIENTSECRET',
      'SecretAccessKey',
      'secretaccesskey',
      'aws_secret_access_key',
      'apiKey',
    ],
    ...[
      'API-KEY',
      'x-api-key',
      'AccountKey',
      'private_key',
      'SECRET_KEY_BASE',
      'accessToken',
      'GITHUB_AUTH_TOKEN',
      'credentials',
      'psk',
    ],
    ...['signingKey', 'DATADOG_APP_KEY', 'secret2', 'API_KEY_V2', 'tokenSecret'],
    ...['service_role_key', 'page_apikey', 'page_tokensecret'],
  ])('of a secret: %s', (name) => expect(kindOfName(name)).toBe('secret'));

  it.each([
    ...(['token', 'GITHUB_TOKEN', 'my.token', '_auth', 'jwt', 'Bearer', 'travis_token'] as const).map(
      (name) => [name, 'token'] as const,
    ),
    ...(['SIGNATURE_KEY', 'ssl_key', 'aKey'] as const).map((name) => [name, 'key'] as const),
    ...(['sig', 'X-Amz-Signature', 'code'] as const).map((name) => [name, 'signature'] as const),
    ['key', 'bareKey'] as const,
    ['token_value', 'token'] as const,
    ['urg849l8rqgtoken', 'token'] as const,
    ['TOKEN_URL', 'key'] as const,
    ['MY_TOKEN_URL', 'key'] as const,
    ['TF_TOKEN_app_terraform_io', 'key'] as const,
  ])('of another kind: %s', (name, kind) => expect(kindOfName(name)).toBe(kind));

  it.each([
    ...[
      'name',
      'user',
      'pathname',
      'compass',
      'bypass',
      'tokens',
      'max_tokens',
      'publicKey',
      'public_key',
      'PRIMARY_KEY',
      'foreignkey',
    ],
    ...[
      'cacheKey',
      'nextPageToken',
      'cancellation_token',
      'tokenType',
      'keyboard',
      'monkey',
      'donkey',
      'statusCode',
      'zip_code',
      'author',
    ],
    ...[
      'secretary',
      'password_hash_rounds',
      'isPassword',
      'noauth',
      'keyword',
      'toUnicode',
      '',
      '_',
      'pw',
      'yqjg3uJp4uJrvJp5Pw',
    ],
    ...[
      'r5cm54m858mtoken',
      'MY_MYTOKEN_URL',
      'MY_TOKENS_URL',
      'aTOKEN_URL',
      'MY_TOKEN_URL.x',
      'pass2word',
      'dbpassive',
    ],
    ...['hash_key', 'index_token', 'sync_token', 'startKey', 'maxToken', 'hockey', 'monkey2'],
  ])('of something else: %s', (name) => {
    const kind = kindOfName(name);
    expect(kind === undefined || (name === 'isPassword' && kind === 'password')).toBe(true);
  });

  it('is looked up once, however often it occurs', () => {
    const names = new NameKinds();
    expect([names.of('token'), names.of('token'), names.of('name'), names.of('name')]).toEqual([
      'token',
      'token',
      undefined,
      undefined,
    ]);
    for (let count = 0; count < 600; count++) expect(names.of(`token${count}x`)).toBeUndefined();
    expect(names.of('token')).toBe('token');
  });
});

describe('randomness', () => {
  it('is high for generated text and low for words', () => {
    const random = new RandomText(1);
    const generated = [random.base62(24), random.hex(32), random.base32(24), random.base36(24), random.uuid()];
    for (const text of generated) expect(randomness(text)).toBeGreaterThan(8);
    const words = [
      'workbench.action.files.save',
      'CancellationTokenSource',
      'SOME_LONG_CONSTANT_NAME',
      'packages/app/src/index',
    ];
    for (const text of words) expect(randomness(text)).toBeLessThan(4);
  });

  it.each([
    ['', 0],
    ['a', 0],
    ['aaaa', -1.5],
    ['1234', 0.9],
    ['a1', 1.2],
    ['1a', 1.5],
    ['a-b', 0],
    ['a+1', 1],
    ['aB', 2],
    ['abB', -1],
    ['qz', 4],
    ['QZ', 4],
    ['th', -2],
    ['thTh', -4],
    ['ABc', -1],
    ['zq', 4],
  ])('of %j is %d', (text, expected) => expect(randomness(text)).toBeCloseTo(expected, 5));

  it('counts letters, digits, and marks after a digit differently', () => {
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const counted = (score: number) => ascii.filter((character) => randomness(`1${character}`) === score).join('');
    expect(counted(1.5)).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
    expect(counted(0.3)).toBe('023456789');
    expect(counted(1)).toBe('!"#$%&\'()*+,:;<=>?@[\\]^`{|}~');
    expect(randomness('1é')).toBe(0);
  });

  it('depends on the first 64 characters only', () => {
    expect(randomness('ab'.repeat(32) + 'q7x9'.repeat(9))).toBe(randomness('ab'.repeat(32)));
    expect(randomness('1'.repeat(63) + 'a')).toBeCloseTo(randomness('1'.repeat(63)) + 1.5, 5);
  });
});

describe('the formats of issuers', () => {
  const plain = issuerRules.filter(({ shape, alphabet }) => !shape && (alphabet & alphanumeric) !== 0);

  it.each(plain.flatMap((rule) => rule.prefixes.map((prefix) => ({ ...rule, prefix }))))(
    'have a minimum length: $prefix',
    ({ name, prefix, min }) => {
      // Other rules can match too, for example one whose prefix begins in the text. Only this rule is of interest.
      const body = new RandomText(prefix.length).base62(min - 1);
      const rules = (text: string) => findingsIn(`(${text})`).map(({ rule }) => rule);
      expect(rules(`${prefix}${body}7`)).toContain(name);
      expect(rules(`${prefix}${body}`)).not.toContain(name);
    },
  );

  it('have a maximum length, which is lower where encoded data could contain the prefix', () => {
    const random = new RandomText(1);
    expect(findingsIn(`ghp_${random.base62(8_188)}`)).toHaveLength(1);
    expect(findingsIn(`ghp_${random.base62(8_189)}`)).toHaveLength(0);
    expect(findingsIn(`EAAM${random.base62(396)}`)).toHaveLength(1);
    expect(findingsIn(`EAAM${random.base62(397)}`)).toHaveLength(0);
    expect(findingsIn(`+EAAM${random.base62(200)}`)).toHaveLength(0);
  });

  it.each([
    ['is a word of its own', (token: string) => `1${token}`, 0],
    ['can follow an underscore', (token: string) => `x_${token}`, 1],
    [
      'can follow an escape sequence',
      (token: string) => `a\\n${token}\\t${token}\\u003d${token}\\x20${token}%20${token}`,
      5,
    ],
    ['can follow a color', (token: string) => `\u001b[1;32m${token}\u001b[0m`, 1],
    ['can begin the text', (token: string) => token, 1],
    ['can end a sentence', (token: string) => `It is ${token}.`, 1],
  ])('a token %s', (_, write, count) => {
    expect(findingsIn(write(`ghp_${new RandomText(2).base62(36)}`))).toHaveLength(count);
  });

  it('of an unknown issuer have a prefix that says so, or a long random text', () => {
    const random = new RandomText(4);
    const [short, long] = [random.base62(16), random.base62(32)];
    expect(findingsIn(`acme_key_${short}`)).toMatchObject([{ start: 0, end: 25, isCertain: false }]);
    for (const text of [
      `acmetoken_${short}`,
      `acme_token_v2_${short}`,
      `acme_${long}`,
      `Acme-${long}`,
      `acme_${random.hex(40)}`,
    ]) {
      expect(findingsIn(text), text).toHaveLength(1);
    }
    const kept = [
      `acme_name_${short}`,
      `acme_key_${short.slice(1)}`,
      `acme_${long.slice(1)}`,
      `acme-${random.hex(40)}`,
      `msg_${long}`,
    ];
    for (const text of [
      ...kept,
      `call_key_${short}`,
      `acmeacmeacmea_${long}`,
      `acme_key_${'a'.repeat(200)}`,
      `+acme_${long}`,
    ]) {
      expect(findingsIn(text), text).toHaveLength(0);
    }
  });

  it('know where a JSON Web Token ends', () => {
    const [header, payload, signature] = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'aB3dE5gH7jK9'];
    expect(redactText(`a ${header}.${payload}.${signature}. b`).value).toBe('a [redacted] b'.replace('] b', ']. b'));
    expect(redactText(`${header}.${payload}`).count).toBe(1);
    expect(redactText(`${header}.a.b.c.d`).count).toBe(0);
    expect(redactText(`${header}.${payload}.a.b.c.d`).value).toBe('[redacted].d');
    expect(redactText('eyJhIjo.short').count).toBe(0);
  });
});

describe('what is left around a secret', () => {
  const key = new RandomText(5).base62(24);
  it.each([
    [`password="${key}"; other`, 'password="[redacted]"; other'],
    [`password='${key}', other`, "password='[redacted]', other"],
    [`f(password=${key}, other)`, 'f(password=[redacted], other)'],
    [`password: ${key} # old`, 'password: [redacted] # old'],
    [`password=${key}\\nuser=x`, 'password=[redacted]\\nuser=x'],
    [`"secret": "${key}`, '"secret": "[redacted]'],
    [`secret = """${key}"""`, `secret = """${key}"""`],
    [`secret: |\n  ${key}\nother`, 'secret: |\n  [redacted]\nother'],
    [`secret: >-\n  ${key}\nother`, 'secret: >-\n  [redacted]\nother'],
    [`secret := b"${key}"`, 'secret := b"[redacted]"'],
    [`secret?: '${key}'`, "secret?: '[redacted]'"],
    [`secret += '${key}'`, "secret += '[redacted]'"],
    [`if (secret === '${key}')`, "if (secret === '[redacted]')"],
    [`secret != '${key}'`, "secret != '[redacted]'"],
    [
      `<secret><![CDATA[${key}]]></secret>`,
      '<secret><![CDATA[[redacted]]]></secret>'.replace('[[redacted]]]', `[${key}]]`),
    ],
    [`<secret>${key}</secret>`, '<secret>[redacted]</secret>'],
    [`<b>${key}</b>`, `<b>${key}</b>`],
    [`a secret>${key}<`, `a secret>${key}<`],
    [`secret::${key}`, `secret::${key}`],
    [`"key": "token", "value": "${key}"`, '"key": "token", "value": "[redacted]"'],
    [`name = "API_KEY"\nvalue = "${key}"`, 'name = "API_KEY"\nvalue = "[redacted]"'],
    [`"kind": "token", "value": "${key}"`, `"kind": "token", "value": "${key}"`],
    [`Authorization: Digest username="x", response="${key}"`, `Authorization: Digest username="x", response="${key}"`],
    [`Set-Cookie: sid=${key}; Path=/`, 'Set-Cookie: [redacted]'],
    [`postgres://a:${key}@h/x@y`, 'postgres://a:[redacted]@h/x@y'],
    [`x://${key}@h`, 'x://[redacted]@h'],
    [`x://a:b@c:${key}@h`, 'x://a:[redacted]@h'],
    [`//a:${key}@h`, `//a:${key}@h`],
    [`sshpass -p ${key} ssh`, 'sshpass -p [redacted] ssh'],
    [`openssl enc -pass pass:${key} -in a`, 'openssl enc -pass pass:[redacted] -in a'],
    [`ssh -p ${key} host`, `ssh -p ${key} host`],
    [`svc -u a:${key}`, `svc -u a:${key}`],
  ])('%j', (text, expected) => expect(redactText(text).value).toBe(expected));
});

describe('a private key', () => {
  const line = new RandomText(6).base64(48);
  const [begin, end] = ['-----BEGIN PRIVATE ' + 'KEY-----', '-----END PRIVATE ' + 'KEY-----'];
  it.each([
    [`${begin}\n${line}\n${end}\nafter`, '[redacted]\nafter'],
    [`${begin}\n${line}\n${line}\nafter words`, '[redacted]\nafter words'],
    [`${begin}\n${line}`, '[redacted]'],
    [`${begin}\n${line.slice(0, 31)}\n`, `${begin}\n${line.slice(0, 31)}\n`],
    [`${begin}\n${line.slice(0, 32)}\n`, '[redacted]\n'],
    [`${begin} and ${end}`, `${begin} and ${end}`],
    [`${begin}${end}`, `${begin}${end}`],
    [`${line}\n${end} after`, '[redacted] after'],
    [`before\n${line}\n${line}\n${end}`, 'before\n[redacted]'],
    [`${line}\\n${line}\\n${end}`, `[redacted]`],
    [`some words\n${end}`, `some words\n${end}`],
    [`${begin}\n${line}\n${begin}\n${line}\n${end}`, '[redacted]\n[redacted]'],
    [`${begin}\nProc-Type: 4,ENCRYPTED\n\n${line}\n${end}`, '[redacted]'],
    [`Private-Lines: 1\n${line}\n${line}`, `Private-Lines: 1[redacted]\n${line}`],
    [`Lines: 1\n${line}`, `Lines: 1\n${line}`],
  ])('%j', (text, expected) => expect(redactText(text).value).toBe(expected));
});
