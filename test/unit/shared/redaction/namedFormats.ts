import { contextFormats } from './contextFormats.ts';
import { type SecretFormat, within } from './issuerFormats.ts';
import type { RandomText } from './randomText.ts';

const password = (r: RandomText) => r.password();
const plain = (r: RandomText) => r.base62(14);
const awsKey = (r: RandomText) => r.of('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 40);
const lines = (r: RandomText, count: number) => Array.from({ length: count }, () => r.base64(48)).join('\n');
const login = (r: RandomText) => Buffer.from(`mira:${r.base62(14)}`).toString('base64');

const settings: readonly SecretFormat[] = [
  within('AWS secret key in .env', 'docs.aws.amazon.com', awsKey, (s) => `AWS_SECRET_ACCESS_KEY=${s}`),
  within('AWS secret key in a profile', 'docs.aws.amazon.com', awsKey, (s) => `aws_secret_access_key = ${s}`),
  within('AWS secret key in JSON', 'docs.aws.amazon.com', awsKey, (s) => `  "SecretAccessKey": "${s}",`),
  within('AWS secret key in YAML', 'docs.aws.amazon.com', awsKey, (s) => `  SecretAccessKey: ${s}`),
  within(
    'AWS session token',
    'docs.aws.amazon.com',
    (r) => r.base64(200),
    (s) => `export AWS_SESSION_TOKEN="${s}"`,
  ),
  within(
    'Azure storage connection string',
    'learn.microsoft.com',
    (r) => r.base64(64),
    (s) => {
      return `DefaultEndpointsProtocol=https;AccountName=store;AccountKey=${s};EndpointSuffix=core.windows.net`;
    },
  ),
  within(
    'Azure Service Bus connection string',
    'learn.microsoft.com',
    (r) => r.base64(32),
    (s) => {
      return `Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}`;
    },
  ),
  within(
    'Azure shared access signature',
    'learn.microsoft.com',
    (r) => encodeURIComponent(r.base64(32)),
    (s) => {
      return `https://store.blob.core.windows.net/c/b?sv=2024-08-04&se=2026-01-01T00%3A00%3A00Z&sr=b&sp=r&sig=${s}`;
    },
  ),
  within(
    'SQL Server connection string',
    'learn.microsoft.com',
    (r) => r.password(16, '!#*^?~'),
    (s) => {
      return `Server=tcp:db.example.net,1433;Database=shop;User ID=mira;Pwd=${s};Encrypt=True`;
    },
  ),
  within(
    'Django SECRET_KEY',
    'docs.djangoproject.com',
    (r) => `django-insecure-${r.of('abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)', 50)}`,
    (s) => {
      return `SECRET_KEY = '${s}'`;
    },
  ),
  within(
    'SECRET_KEY in .env',
    'flask.palletsprojects.com',
    (r) => r.hex(64),
    (s) => `SECRET_KEY=${s}`,
  ),
  within(
    'Rails secret_key_base',
    'guides.rubyonrails.org',
    (r) => r.hex(128),
    (s) => `  secret_key_base: ${s}`,
  ),
  within(
    'Laravel APP_KEY',
    'laravel.com/docs',
    (r) => r.base64(32),
    (s) => `APP_KEY=base64:${s}`,
  ),
  within(
    'WordPress keys',
    'developer.wordpress.org',
    (r) => r.of('abcdefghijkLMNOPQRSTUVWXYZ0123456789!@#%^&*()-_[]{}<>~+=,.;:/?|', 64),
    (s) => {
      return `define('AUTH_KEY',         '${s}');`;
    },
  ),
  within('Password that ends with _PASS', 'common', plain, (s) => `SMTP_PASS=${s}`),
  within('Password in .env', 'common', password, (s) => `DB_PASSWORD=${s}`),
  within(
    'Password with special characters in .env',
    'common',
    (r) => r.password(18, '@(&;'),
    (s) => `DB_PASSWORD=${s}`,
  ),
  within('Password in YAML', 'common', plain, (s) => `  password: ${s}`),
  within('Password in YAML, in capital letters', 'common', plain, (s) => `PASSWORD: "${s}"`),
  within('Password in JSON', 'common', password, (s) => `{ "dbPassword": "${s}" }`),
  within('Password in JSON in a string', 'common', plain, (s) => `"{\\"password\\":\\"${s}\\",\\"port\\":1}"`),
  within('Password in properties', 'docs.spring.io', plain, (s) => `spring.datasource.password=${s}`),
  within('Password in TOML', 'toml.io', password, (s) => `password = "${s}"`),
  within('Password in XML', 'maven.apache.org', plain, (s) => `    <password>${s}</password>`),
  within(
    'Password in NuGet.config',
    'gitleaks: nuget-config-password',
    plain,
    (s) => `<add key="ClearTextPassword" value="${s}" />`,
  ),
  within('Password in a Kubernetes list', 'kubernetes.io', plain, (s) => `- name: DB_PASSWORD\n  value: ${s}`),
  within('Password in a Dockerfile', 'docs.docker.com', plain, (s) => `ENV DB_PASSWORD ${s}`),
  within('Password in PowerShell', 'learn.microsoft.com', plain, (s) => `$env:DB_PASSWORD = "${s}"`),
  within(
    'Password in .netrc',
    'gnu.org/software/inetutils',
    plain,
    (s) => `machine api.example.com login mira password ${s}`,
  ),
  within(
    'Password in SQL',
    'dev.mysql.com',
    plain,
    (s) => `CREATE USER mira IDENTIFIED BY '${s}';\nALTER ROLE mira PASSWORD '${s}';`,
  ),
  within('Password in redis.conf', 'redis.io/docs', plain, (s) => `requirepass ${s}`),
  within('Password in source code', 'common', plain, (s) => `const password = '${s}';`),
  within(
    'Secret in source code',
    'common',
    (r) => r.base62(24),
    (s) => `    clientSecret: "${s}",`,
  ),
  within(
    'Secret in Go',
    'common',
    (r) => r.base62(24),
    (s) => `var apiKey string = "${s}"`,
  ),
  within(
    'Secret in Python',
    'common',
    (r) => r.base62(24),
    (s) => `config["api_key"] = "${s}"`,
  ),
  within(
    'Secret in Ruby',
    'common',
    (r) => r.base62(24),
    (s) => `:secret_token => '${s}'`,
  ),
  within(
    'Secret in C#',
    'common',
    (r) => r.base62(24),
    (s) => `private const string ApiKey = @"${s}";`,
  ),
  within('Secret in PHP', 'common', plain, (s) => `define('DB_PASSWORD', '${s}');`),
  within(
    'Secret as a default',
    'common',
    (r) => r.base62(24),
    (s) => `apiKey: process.env.KEY || '${s}',`,
  ),
  within(
    'Secret in a phrase',
    'common',
    (r) => r.hex(32),
    (s) => `**API key:** ${s}`,
  ),
  within(
    'Password in a sentence',
    'common',
    (r) => `${r.base62(12)}8q2`,
    (s) => `the password is ${s}, I think`,
  ),
  within('Password in an encoded query', 'RFC 3986', plain, (s) => `next=%2Fa%3Fpassword%3D${s}%26b`),
  within(
    'Name that says token in the middle',
    'developer.hashicorp.com',
    (r) => r.base62(43),
    (s) => `TF_TOKEN_app_terraform_io=${s}`,
  ),
  within('Secret in a call', 'common', plain, (s) => `settings.setPassword("${s}")`),
  within(
    'Key in capital letters without separators',
    'common',
    (r) => r.base62(32),
    (s) => `"APIKEY": "${s}"`,
  ),
  within(
    'Key in mixed case',
    'common',
    (r) => r.base62(32),
    (s) => `Api-Key: ${s}`,
  ),
  within(
    'Key of a service',
    'common',
    (r) => r.hex(40),
    (s) => `DATADOG_APP_KEY=${s}`,
  ),
  within(
    'UUID as a key',
    'gitleaks: heroku-api-key',
    (r) => r.uuid(),
    (s) => `HEROKU_API_KEY=${s}`,
  ),
  within('npm _auth', 'docs.npmjs.com', login, (s) => `//registry.example.com/:_auth=${s}`),
  within(
    'npm _authToken',
    'docs.npmjs.com',
    (r) => r.uuid(),
    (s) => `//registry.example.com/:_authToken=${s}`,
  ),
  within(
    'npm _password',
    'docs.npmjs.com',
    (r) => Buffer.from(r.base62(14)).toString('base64'),
    (s) => `_password=${s}`,
  ),
  within('Docker auth', 'docs.docker.com', login, (s) => `{"auths":{"registry.example.com":{"auth":"${s}"}}}`),
  within(
    'Kubernetes client key',
    'kubernetes.io',
    (r) => `LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpN${r.base62(300)}`,
    (s) => {
      return `    client-key-data: ${s}`;
    },
  ),
  within(
    'WireGuard key',
    'wireguard.com',
    (r) => r.base64(32),
    (s) => `[Interface]\nPrivateKey = ${s}`,
  ),
  within('Wi-Fi key', 'w1.fi', plain, (s) => `    psk="${s}7Kq"`),
  within(
    'OpenID client secret',
    'openid.net',
    (r) => r.base64Url(40),
    (s) => `client_secret: ${s}`,
  ),
  within('Ansible password', 'docs.ansible.com', plain, (s) => `ansible_become_pass: ${s}`),
  within('Terraform variable', 'developer.hashicorp.com', plain, (s) => `  administrator_login_password = "${s}"`),
];

const commands: readonly SecretFormat[] = [
  within(
    'Bearer credentials',
    'RFC 6750',
    (r) => r.base64Url(40),
    (s) => `Authorization: Bearer ${s}`,
  ),
  within(
    'Bearer credentials in lowercase',
    'RFC 6750',
    (r) => r.hex(40),
    (s) => `authorization: bearer ${s}`,
  ),
  within(
    'Bearer credentials in capital letters',
    'RFC 6750',
    (r) => r.base62(32),
    (s) => `-H "AUTHORIZATION: BEARER ${s}"`,
  ),
  within(
    'Bearer credentials in source code',
    'RFC 6750',
    (r) => r.base62(32),
    (s) => `headers: { auth: 'Bearer ${s}' }`,
  ),
  within(
    'Bearer credentials in mixed case',
    'RFC 6750',
    (r) => r.base62(32),
    (s) => `bEaReR ${s}`,
  ),
  within('Basic credentials', 'RFC 7617', login, (s) => `Authorization: Basic ${s}`),
  within(
    'Authorization with the scheme token',
    'docs.github.com',
    (r) => r.hex(40),
    (s) => `Authorization: token ${s}`,
  ),
  within(
    'Authorization with another scheme',
    'RFC 9110',
    (r) => r.base62(32),
    (s) => `Authorization: ApiKey ${s}`,
  ),
  within(
    'Authorization without a scheme',
    'RFC 9110',
    (r) => r.base62(32),
    (s) => `"Authorization": "${s}"`,
  ),
  within(
    'X-Api-Key header',
    'common',
    (r) => r.base62(32),
    (s) => `X-Api-Key: ${s}`,
  ),
  within(
    'PRIVATE-TOKEN header',
    'docs.gitlab.com',
    (r) => r.base62(20),
    (s) => `curl --header "PRIVATE-TOKEN: ${s}" https://example.com`,
  ),
  within(
    'Ocp-Apim-Subscription-Key header',
    'learn.microsoft.com',
    (r) => r.hex(32),
    (s) => `Ocp-Apim-Subscription-Key: ${s}`,
  ),
  within(
    'Cookie header',
    'RFC 6265',
    (r) => r.base62(32),
    (s) => `Cookie: theme=dark; sid=${s}`,
  ),
  within('curl -u', 'curl.se/docs', password, (s) => `curl -u mira:${s} https://example.com`),
  within('curl -u without a space', 'curl.se/docs', plain, (s) => `curl -umira:${s} https://example.com`),
  within('curl --user=', 'curl.se/docs', plain, (s) => `curl --user=mira:${s} https://example.com`),
  within('mysql -p', 'dev.mysql.com', plain, (s) => `mysql -u root -p${s} shop`),
  within('curl --user', 'curl.se/docs', plain, (s) => `curl -s --user 'mira:${s}' https://example.com`),
  within('Option --password', 'common', plain, (s) => `tool login --password ${s}`),
  within(
    'Option --token',
    'common',
    (r) => r.base62(24),
    (s) => `tool deploy --token=${s}`,
  ),
  within('docker login -p', 'docs.docker.com', plain, (s) => `docker login -u mira -p ${s}`),
  within('sshpass -p', 'linux.die.net/man/1/sshpass', plain, (s) => `sshpass -p '${s}' ssh mira@example.com`),
  within(
    'Query parameter',
    'common',
    (r) => r.base62(32),
    (s) => `GET /v1/items?access_token=${s}&page=2`,
  ),
  within(
    'Signed AWS URL',
    'docs.aws.amazon.com',
    (r) => r.hex(64),
    (s) => `https://b.s3.amazonaws.com/k?X-Amz-Signature=${s}`,
  ),
];

const addresses: readonly SecretFormat[] = [
  within(
    'Password in a PostgreSQL URL',
    'postgresql.org/docs',
    (r) => encodeURIComponent(r.password()),
    (s) => `postgres://mira:${s}@db.example/x`,
  ),
  within(
    'Password in a MongoDB URL',
    'mongodb.com/docs',
    plain,
    (s) => `mongodb+srv://mira:${s}@cluster0.abcde.mongodb.net/shop`,
  ),
  within('Password in a Redis URL', 'redis.io/docs', plain, (s) => `redis://:${s}@cache.example:6379/0`),
  within('Password in an AMQP URL', 'rabbitmq.com/docs', plain, (s) => `amqps://mira:${s}@mq.example/vhost`),
  within('Password in an HTTPS URL', 'RFC 3986', plain, (s) => `git clone https://mira:${s}@git.example/app.git`),
  within(
    'Password with @ in a URL',
    'common',
    (r) => `${r.base62(6)}@${r.base62(6)}`,
    (s) => `mysql://mira:${s}@db.example:3306/shop`,
  ),
  within(
    'Password with ( in a URL',
    'common',
    (r) => `${r.base62(6)}(${r.base62(6)}`,
    (s) => `ftp://mira:${s}@files.example/`,
  ),
  within('Password in an SMTP URL', 'common', plain, (s) => `smtps://mira:${s}@mail.example:465`),
  within(
    'Token in a URL',
    'docs.github.com',
    (r) => r.hex(40),
    (s) => `git clone https://${s}@git.example/app.git`,
  ),
];

const pem = (label: string, body: string) => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
const inDiff = (text: string, mark: string) =>
  text
    .split('\n')
    .map((line) => mark + line)
    .join('\n');
const rsa = 'RSA PRIVATE ' + 'KEY';

/** A block of base64 with a header, such as a private key. Its first line represents the secret. */
function block(name: string, source: string, write: (body: string) => string): SecretFormat {
  return {
    name,
    source,
    example: (random) => {
      const body = lines(random, 6);
      return { text: `before\n${write(body)}\nafter\n`, secret: body.slice(0, 64) };
    },
  };
}

const blocks: readonly SecretFormat[] = [
  block('RSA private key', 'RFC 7468', (body) => pem(rsa, body)),
  block('PKCS #8 private key', 'RFC 7468', (body) => pem('PRIVATE ' + 'KEY', body)),
  block('Encrypted private key', 'RFC 7468', (body) => pem('ENCRYPTED PRIVATE ' + 'KEY', body)),
  block('EC private key', 'RFC 5915', (body) => pem('EC PRIVATE ' + 'KEY', body)),
  block('OpenSSH private key', 'openssh.com', (body) => pem('OPENSSH PRIVATE ' + 'KEY', body)),
  block('Private key with headers', 'RFC 1421', (body) =>
    pem(rsa, `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,A1B2C3\n\n${body}`),
  ),
  block('Private key that is cut off', 'RFC 7468', (body) => `-----BEGIN ${rsa}-----\n${body}`),
  block('Private key whose start is cut off', 'RFC 7468', (body) => `${body}\n-----END ${rsa}-----`),
  block('Private key added in a diff', 'git-scm.com', (body) => inDiff(pem(rsa, body), '+')),
  block('Private key removed in a diff', 'git-scm.com', (body) => inDiff(pem(rsa, body), '-')),
  block('Private key in YAML', 'kubernetes.io', (body) => `key: |\n${inDiff(pem(rsa, body), '    ')}`),
  block('Private key in JSON', 'cloud.google.com', (body) => JSON.stringify({ private_key: pem(rsa, body) })),
  block('Private key in source code', 'common', (body) => {
    return pem(rsa, body)
      .split('\n')
      .map((line) => `  "${line}\\n" +`)
      .join('\n');
  }),
  block('Private key that is cut off in a string', 'common', (body) => {
    return `const key = "-----BEGIN ${rsa}-----\\n${body.replaceAll('\n', '\\n').slice(0, 300)}`;
  }),
  block('Private key that is cut off in joined strings', 'common', (body) => {
    return `"-----BEGIN ${rsa}-----\\n" +\n${body.replace(/^.*$/gm, '  "$&\\n" +').slice(0, 300)}`;
  }),
  block('Private key in JSON in a string, cut off', 'common', (body) => {
    return `"{\\"private_key\\":\\"-----BEGIN ${rsa}-----\\\\n${body.replaceAll('\n', '\\\\n').slice(0, 300)}`;
  }),
  block('Private key with line numbers', 'common', (body) => {
    return pem(rsa, body)
      .split('\n')
      .map((line, index) => `${index + 9}\t${line}`)
      .join('\n');
  }),
  block('PGP private key', 'RFC 9580', (body) =>
    pem('PGP PRIVATE ' + 'KEY BLOCK', `Version: GnuPG v2\n\n${body}\n=aB3d`),
  ),
  block('SSH2 private key', 'RFC 4716', (body) => {
    const label = 'SSH2 ENCRYPTED PRIVATE ' + 'KEY';
    return `---- BEGIN ${label} ----\nComment: "rsa-key"\n${body}\n---- END ${label} ----`;
  }),
  block('PuTTY private key', 'the.earth.li/~sgtatham/putty', (body) => {
    return `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: mira\nPrivate-Lines: 6\n${body}\nPrivate-MAC: ${'0'.repeat(64)}`;
  }),
];

/** Formats that are recognized by a name, a command, an address, or the lines around the secret. */
export const namedFormats: readonly SecretFormat[] = [
  ...settings,
  ...commands,
  ...addresses,
  ...contextFormats,
  ...blocks,
];
