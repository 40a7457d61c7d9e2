import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactText } from '../../../../src/shared/redaction/redaction.ts';
import { SecretScanner } from '../../../../src/shared/redaction/secretScanner.ts';
import { RandomText } from './randomText.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The files of a folder and its subfolders with one of the extensions. */
function filesIn(folder: string, extensions: RegExp): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => extensions.test(name)).map((name) => join(folder, name));
}

function secretsIn(text: string): string[] {
  const scanner = new SecretScanner(text);
  scanner.advance(text.length);
  return scanner.findings.map(({ start, end, rule }) => `${rule}: ${text.slice(Math.max(0, start - 30), end)}`);
}

describe('harmless text of this repository (R51)', () => {
  const top = readdirSync(root).filter((name) => /\.(?:json|md)$/.test(name));
  it.each([...top, ...filesIn('docs', /\.(?:json|md)$/), ...filesIn('l10n', /\.json$/)])(
    'has no likely secrets: %s',
    (path) => {
      expect(secretsIn(read(path))).toEqual([]);
    },
  );

  it('has none in the source, the style sheets, and the tests of other topics', () => {
    const folders = ['src', 'tools/bench', 'tools/editor', 'tools/release', 'tools/structure', 'test/webview'];
    const paths = folders.flatMap((folder) => filesIn(folder, /\.(?:ts|css)$/));
    expect(paths.length).toBeGreaterThan(500);
    expect(paths.flatMap((path) => secretsIn(read(path)).map((found) => `${path}: ${found}`))).toEqual([]);
  });
});

describe('values that only look like secrets', () => {
  const random = new RandomText(3);
  const values = {
    'a hash': () => createHash('sha256').update(random.hex(8)).digest('hex'),
    'a short hash': () => random.hex(7),
    'a commit': () => `commit ${random.hex(40)}`,
    'a hash of a package': () => `"integrity": "sha512-${random.base64(64)}"`,
    'a hash of an image': () => `node@sha256:${random.hex(64)}`,
    'a UUID': () => random.uuid(),
    'a named UUID': () => `"id": "${random.uuid()}", sessionId: '${random.uuid()}'`,
    base64: () => random.base64(300),
    'a line of base64': () => `${random.base64(48)}\n${random.base64(48)}`,
    'a data URL': () => `url(data:image/png;base64,${random.base64(200)})`,
    'a source map': () => `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz${random.base64(90)}`,
    'an ETag': () => `etag: "${random.hex(32)}"`,
    'a nonce': () => `<script nonce="${random.base64(16)}">`,
    'the file of a bundle': () => `assets/index-${random.base62(8)}.js`,
    'a class of a style sheet': () => `.button_${random.base62(5)}__token { color: red }`,
    'the ID of a tool call': () => `"toolUseId": "toolu_01${random.base62(22)}", call_${random.base62(24)}`,
    'a fingerprint': () => `SHA256:${random.base64(32)}`,
    'a public key': () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.base62(43)} mira@host`,
    'a certificate': () =>
      `-----BEGIN CERTIFICATE-----\n${random.base64(48)}\n${random.base64(48)}\n-----END CERTIFICATE-----`,
    'a number': () => `token: ${random.digits(12)}, key = ${random.digits(9)}`,
    'a time': () => '2026-03-01T12:34:56.789Z',
  };

  it.each(Object.entries(values))('are kept: %s', (_, make) => {
    for (let count = 0; count < 50; count++) expect(secretsIn(make())).toEqual([]);
  });

  it.each([
    ...[
      'token: CancellationToken',
      'token: vscode.CancellationToken,',
      'private readonly token: string;',
      'password: string | null',
    ],
    ...[
      'const password = readPassword();',
      'const token = await getToken(session)',
      'this.#token = token;',
      'apiKey: config.apiKey,',
    ],
    ...[
      'api_key=os.environ["API_KEY"]',
      'password = process.env.DB_PASSWORD',
      'secret: ${{ secrets.TOKEN }}',
      'TOKEN=$(cat token.txt)',
    ],
    ...[
      'password=$DB_PASSWORD',
      'PASSWORD="${PASSWORD}"',
      "password: '<password>'",
      'password: "your-password"',
      'PWD=/home/mira/project',
    ],
    ...[
      '.hljs-token.keyword { color: red }',
      '.token: hover { }',
      '--token-color-primary: #ff0000;',
      'tokenType: "Bearer"',
      'token_type=bearer',
    ],
    ...[
      '"tokens": 1234567890',
      'max_tokens=4096',
      'key: "ArrowDown"',
      '"key": "workbench.action.files.save"',
      "storageKey = 'session-list-v2'",
    ],
    ...[
      'publicKey: "abcdef1234567890abcdef1234567890"',
      'primary_key=customer_id',
      'sort-key: created_at_2026',
      'next_page_token: a1b2',
    ],
    ...[
      'if (password === undefined) return;',
      'assert(secret !== other)',
      'password?: string',
      'Password: ********',
      'passwords match',
    ],
    ...[
      'type="password" name="password"',
      'autocomplete="current-password"',
      "['password', 'new-password', 'token']",
      'label: "Password"',
    ],
    ...[
      '"forgotPassword": "Forgot your password?"',
      '"password": "Passwort"',
      '"secret": "シークレットを入力してください2"',
      'Enter password: ',
    ],
    ...[
      'https://user:pass@example.com',
      'https://user:password@host',
      'postgres://${USER}:${PASS}@db',
      'git@github.com:owner/name.git',
    ],
    ...[
      'https://example.com/a:b@c',
      'ssh://git@host:22/path',
      'https://registry.npmjs.org/@scope/name/-/name-1.2.3.tgz',
      'mailto:mira@example.com',
      'x://mira:hunter22@',
      'KEY-----a1b2c3d4e5f6a7b8-----END',
    ],
    ...[
      'Authorization: Bearer <token>',
      'Authorization: Bearer ${token}',
      'Bearer authentication is required',
      'Basic authentication realm',
    ],
    ...[
      'sk-learn-and-other-long-names-of-packages',
      'task-oriented-programming-with-long-names',
      'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ],
    ...[
      '-----BEGIN PRIVATE KEY----- ... -----END PRIVATE KEY-----',
      "const begin = '-----BEGIN PRIVATE KEY-----';",
      'eyJhIjoxfQ',
    ],
    ...[
      'The password is required.',
      'the token is expired after 3600',
      'set password expiry to 90days',
      'Pass `force=true` to skip',
      'pass: 12 of 14',
    ],
    ...[
      'curl -u "$USER:$PASS" https://example.com',
      'docker run -p 8080:80 -u 1000:1000 app',
      'mkdir -p packages/app2',
      'tar -u a:b',
    ],
    ...[
      'FIELD_PASS_DEPTH_PASS: 0x0B96',
      'signature: "aGVsbG8gd29ybGQgdGhpcyBpcyAx"',
      'Cookie: theme=dark; lang=en',
      'status_code=200',
    ],
    ...[
      'monkey: "b2f1c0d9e8a7b6c5d4e3f2a1"',
      'import { tokenAt } from "./tokens2.ts";',
      'onPassword2Change: handlePassword2Change',
      '[redacted]',
    ],
  ])('are kept: %s', (text) => expect(redactText(text)).toEqual({ value: text, count: 0 }));
});
