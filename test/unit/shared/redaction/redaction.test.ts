import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactingJson, redactText } from '../../../../src/shared/redaction/redaction.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';

const redactJson = (value: unknown) => withoutPause(redactingJson(value));

/** Joins the parts of a fake secret at runtime, so that secret scanners find nothing in this file. */
const of = (...parts: string[]) => parts.join('');
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5kL7n';

describe('likely secrets', () => {
  it.each([
    ['an AWS key id', of('AKIA', 'IOSFODNN7EXAMPLE')],
    ['a GitHub token', of('ghp_', letters.slice(0, 36))],
    ['a fine-grained GitHub token', of('github_pat_', letters.slice(0, 22), '_', letters)],
    ['a GitLab token', of('glpat-', letters.slice(0, 20))],
    ['a Slack token', of('xoxb-', '123456789012-', letters.slice(0, 24))],
    ['a Stripe key', of('sk_', 'live_', letters.slice(0, 24))],
    ['a model service key', of('sk-', 'ant-api03-', letters)],
    ['a Google key', of('AIza', letters.slice(0, 35))],
    ['an npm token', of('npm_', letters.slice(0, 36))],
    ['a JWT', of('eyJ', letters, '.eyJ', letters, '.', letters)],
    ['a private key', of('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEow\nabc/+=\n-----END RSA ', 'PRIVATE KEY-----')],
  ])('%s is removed completely', (_name, secret) => {
    expect(redactText(`before ${secret} after`)).toEqual({ value: 'before [redacted] after', count: 1 });
  });

  it.each([
    [of('Authorization: Bearer ', letters), 'Authorization: Bearer [redacted]'],
    [of('postgres://mira:', 'hunter2hunter2', '@db.example/x'), 'postgres://mira:[redacted]@db.example/x'],
    [of('API_KEY=', letters), 'API_KEY=[redacted]'],
    [of('"password": "', 'correct-horse', '"'), '"password": "[redacted]"'],
    [of('client_secret: ', letters), 'client_secret: [redacted]'],
  ])('only the value is removed: %s', (text, shown) => expect(redactText(text)).toEqual({ value: shown, count: 1 }));

  it.each([
    'The token count is 12345.',
    'const password = readPassword();',
    'if (token === undefined) return;',
    'https://example.com/a:b/c',
    'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'sk-learn and skeleton',
    'task-oriented-programming-with-long-names',
  ])('%j is not a secret', (text) => expect(redactText(text)).toEqual({ value: text, count: 0 }));

  it('are found in long hostile text in reasonable time', () => {
    for (const text of ['-----BEGIN PRIVATE KEY-----'.repeat(4_000), 'eyJa.'.repeat(20_000), 'a:'.repeat(50_000)]) {
      expect(redactText(text).value.length).toBeGreaterThan(0);
    }
  });

  it('are not found in redacted text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = redactText(text);
        expect(redactText(once.value)).toEqual({ value: once.value, count: 0 });
      }),
    );
  });

  it('are removed from tool input named `data`, but not from base64 images', () => {
    const given = { input: { data: of('AKIA', 'IOSFODNN7EXAMPLE'), more: { data: { password: 'abcdefgh' } } } };
    expect(redactJson(given)).toEqual({
      value: { input: { data: '[redacted]', more: { data: { password: '[redacted]' } } } },
      count: 2,
    });
    const picture = { source: { data: `${'iVBO/'.repeat(100)}/${of('AKIA', 'IOSFODNN7EXAMPLE')}/==` } };
    expect(redactJson(picture)).toEqual({ value: picture, count: 0 });
  });

  it('are removed from other fields named `data`: those with less than 400 characters or with other text', () => {
    const secret = of('AKIA', 'IOSFODNN7EXAMPLE');
    const bytes = (length: number) => `${'+'.repeat(length - secret.length - 1)}/${secret}`;
    expect(redactJson({ data: bytes(400) })).toEqual({ value: { data: bytes(400) }, count: 0 });
    for (const data of [bytes(399), `- ${bytes(400)}`, `${bytes(400)} -`, [bytes(400)], [[bytes(400)]]]) {
      expect(redactJson({ data }).count).toBe(1);
    }
    expect(redactJson({ text: bytes(400) }).count).toBe(1);
  });

  it('are recognized by the end of the name of their field, if they are text of at least 8 characters', () => {
    const kept = {
      ...{ password: 'abcdefg', secret: 12345678, passwordHint: 'abcdefgh', token: 'abcdefgh' },
      apiKey: null,
      secrets: ['abcdefgh', 'abcdefgh'],
    };
    expect(redactJson(kept)).toEqual({ value: kept, count: 0 });
    const removed = { my_api_key: 'abcdefgh', clientSecret: 'abcdefgh', ACCESS_TOKEN: 'abcdefgh' };
    const value = { my_api_key: '[redacted]', clientSecret: '[redacted]', ACCESS_TOKEN: '[redacted]' };
    expect(redactJson(removed)).toEqual({ value, count: 3 });
    expect(redactJson({ secret: { text: 'abcdefgh' } }).count).toBe(0);
  });

  it.each([
    [{ name: 'API_KEY', value: 'abcdefgh' }, 1],
    [{ Key: 'DB_PASSWORD', VALUE: 'correct horse' }, 1],
    [{ name: 5, key: 'API_KEY', value: 'abcdefgh' }, 1],
    [{ filename: 'API_KEY', value: 'abcdefgh' }, 0],
    [{ names: 'API_KEY', value: 'abcdefgh' }, 0],
    [{ name: 'API_KEY', values: 'abcdefgh' }, 0],
    [{ name: 'API_KEY', myValue: 'abcdefgh' }, 0],
    [{ name: 'API_KEY', text: 'abcdefgh' }, 0],
    [{ value: 'abcdefgh' }, 0],
  ])('are recognized by the name next to their value: %j', (value, count) => {
    expect(redactJson(value).count).toBe(count);
  });

  it.each([
    [{ auth: 'YTpiYw==' }, 1],
    [{ 'registry:_auth': 'YTpiYw==' }, 1],
    [{ authUser: 'YTpiYw==' }, 0],
    [{ data: 'YTpiYw==' }, 0],
    [{ auth: 'required' }, 0],
    [{ smtpPass: 'hunter22' }, 1],
    [{ smtpPass: 'hunters!' }, 1],
    [{ smtpUser: 'hunters!' }, 0],
    [{ smtpPass: 'orchards' }, 0],
    [{ password: 'hunt3r' }, 1],
    [{ DB_PASSWORD: 'hunter2' }, 1],
    [{ name: 'DB_PASSWORD', value: 'hunter2' }, 1],
    [{ password: 'hunt3' }, 0],
    [{ secret: 'hunter2' }, 0],
    [{ password: '[redacted]' }, 0],
  ])('are judged by the name of their field: %j', (value, count) => {
    expect(redactJson(value).count).toBe(count);
  });

  it('are removed at any depth of JSON, and everything else is kept', () => {
    const value = {
      a: [{ text: of('ghp_', letters.slice(0, 36)) }],
      password: 'abcdefgh',
      n: null,
      o: [1, true, {}],
    };
    expect(redactJson(value)).toEqual({
      value: { a: [{ text: '[redacted]' }], password: '[redacted]', n: null, o: [1, true, {}] },
      count: 2,
    });
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const { value: kept, count } = redactJson(json);
        if (count === 0) expect(JSON.stringify(kept)).toBe(JSON.stringify(json));
      }),
    );
  });
});

describe('a command that is a list of words', () => {
  it.each([
    `mysql -uroot -p"$MYSQL_ROOT_PASSWORD" -e 'select 1'`,
    'PGPASSWORD="$DB_PASSWORD" psql',
    'sshpass -p "$SSHPASS1" ssh host',
    'docker run -e MYSQL_ROOT_PASSWORD="$PASS" mysql',
    'wget --password="$P" https://example.test',
    'Set the token:\n\nabcdefgh1234ijkl\n',
  ])('keeps the variables in the script %j', (script) => {
    const command = ['bash', '-lc', script];
    expect(withoutPause(redactingJson(command))).toEqual({ value: command, count: 0 });
  });

  it.each([
    '[["--password", "Password for the user"], ["--port", "Port"]]',
    '["-p", "--password", "Use this password"]',
    'options: ["--passphrase", "Passphrase of the key file"]',
    '["--db-password", "Database password (default: none)"]',
    '| `--password`, `Password of the user` |',
    'flags like "--password", "as well as others"',
  ])('keeps the help %j', (text) => {
    expect(redactText(text)).toEqual({ value: text, count: 0 });
  });

  it.each([[[]], [['-x']]])('is searched with pauses, also beside %j', (options) => {
    const lines = [...options, ...Array.from({ length: 5_000 }, (_, line) => `line ${line} `.padEnd(60, 'of text '))];
    const work = redactingJson(lines);
    let pauses = 0;
    while (work.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan((5_000 * 60) / 8_192);
  });

  const word = of('correct-', 'horse7');

  it.each([
    { command: ['sshpass', '-p', word, 'ssh', 'h'] },
    { command: ['tool', 'login', '--password', word] },
    { command: ['curl', '-u', `mira:${word}`] },
    { command: ['http', '-a', `mira:${word}`, 'GET'] },
    { command: ['mysql', '-uroot', `-p${word}`, 'shop'] },
    { command: 'sshpass', args: ['-p', word, 'ssh'] },
    { command: 'npx', args: ['-y', 'server', '--api-key', letters.slice(0, 18)] },
    { command: ['tool', '--password', `two "words" with ${word}`] },
  ])('loses its password: %j', (value) => {
    expect(redactJson(value)).toMatchObject({ count: 1 });
    expect(JSON.stringify(redactJson(value))).not.toMatch(/horse7|aB3dE5/);
    if (JSON.stringify(value).includes('\\"')) return;
    const indented = JSON.stringify(value, undefined, 2);
    const texts = [JSON.stringify(value), indented, JSON.stringify(indented), JSON.stringify(JSON.stringify(indented))];
    for (const text of texts) {
      const { value: shown, count } = redactText(text);
      expect(count, text).toBe(1);
      expect(shown).not.toMatch(/horse7|aB3dE5/);
    }
  });

  it.each([
    { command: ['tool', '--password', '--verbose'] },
    { command: ['tool', '--token', '-t', '--password', '<password>'] },
    { command: ['tsc', '-p', 'tsconfig.build.json'] },
    { command: ['mysql', '-e', 'select 1', '-P', '3306'] },
    { command: ['tool', '-u', 'mira:hunter22'] },
    { names: ['password', 'username'] },
    { description: 'mysql', command: ['tsc', '-p', 'tsconfig.build.json'] },
  ])('keeps everything else: %j', (value) => {
    expect(redactJson(value)).toEqual({ value, count: 0 });
    for (const text of [JSON.stringify(value, undefined, 2), JSON.stringify(JSON.stringify(value, undefined, 2))]) {
      expect(redactText(text)).toEqual({ value: text, count: 0 });
    }
  });

  it('loses the secrets of each word, once, and keeps its shape', () => {
    const script = `mysql -p${word} -e 'select 1'`;
    const token = of('ghp_', letters.slice(0, 36));
    const given = ['bash', '-c', script, '--password', `${word}\n${token}`, token, '-x'];
    const shown = ['bash', '-c', "mysql -p[redacted] -e 'select 1'", '--password', '[redacted]', '[redacted]', '-x'];
    expect(redactJson(given)).toEqual({ value: shown, count: 3 });
    expect(redactJson(['-p', 5, word])).toEqual({ value: ['-p', 5, word], count: 0 });
  });

  it('loses a secret that continues in later words', () => {
    const lines = [
      of('-----BEGIN RSA ', 'PRIVATE KEY-----'),
      'MIIEowIBAAKCAQEA',
      of('-----END RSA ', 'PRIVATE KEY-----'),
    ];
    const value = ['[redacted]', '[redacted]', '[redacted]', 'after'];
    expect(redactJson([...lines, 'after'])).toEqual({ value, count: 3 });
  });

  it('is judged by its own words, not by those of another list', () => {
    const other = `[["sshpass", "-e"], ["tool", "-p", "${word}"]]`;
    expect(redactText(other)).toEqual({ value: other, count: 0 });
    const call = `spawn('sshpass', ['-p', '${word}']);`;
    expect(redactText(call)).toEqual({ value: "spawn('sshpass', ['-p', '[redacted]']);", count: 1 });
  });
});
