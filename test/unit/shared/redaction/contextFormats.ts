import { type SecretFormat, within } from './issuerFormats.ts';
import type { RandomText } from './randomText.ts';

/** Words, as in a passphrase. */
const words = (r: RandomText, count: number) =>
  Array.from({ length: count }, () => r.of('abcdefghijklmnopqrstuvwxyz', 6)).join(' ');

/** Formats of commands, source code, and settings, collected by people who didn't know the rules. */
export const contextFormats: readonly SecretFormat[] = [
  within(
    'Cookie header in JSON',
    'RFC 6265',
    (r) => r.base62(28),
    (s) => `{"Accept": "*/*", "Cookie": "sid=${s}"}`,
  ),
  within(
    'Cookies in a list in JSON',
    'RFC 6265',
    (r) => r.base62(28),
    (s) => `"set-cookie": ["session=${s}; Path=/; HttpOnly"]`,
  ),
  within(
    'Cookie header in source code',
    'RFC 6265',
    (r) => r.base62(28),
    (s) => `request.setHeader('Cookie', 'sid=${s}');`,
  ),
  within(
    'Cookie header of a variable',
    'RFC 6265',
    (r) => r.base62(28),
    (s) => `headers['Cookie'] = 'sid=${s}'`,
  ),
  within(
    'Option --password with spaces',
    'common',
    (r) => words(r, 4),
    (s) => `tool login --password "${s}"`,
  ),
  within(
    'Option --secret with quotation marks',
    'common',
    (r) => r.base62(24),
    (s) => `tool sync --secret "${s}" --verbose`,
  ),
  within(
    'Option -p of a login',
    'common',
    (r) => r.password(),
    (s) => `tool login -u mira -p "${s}"`,
  ),
  within(
    'Option -p of a login with spaces',
    'common',
    (r) => words(r, 3),
    (s) => `docker login -u mira -p '${s}' registry.example`,
  ),
  within(
    'zip -P',
    'linux.die.net/man/1/zip',
    (r) => r.password(),
    (s) => `zip -P ${s} out.zip a.txt`,
  ),
  within(
    'mosquitto_pub -P',
    'mosquitto.org/man',
    (r) => r.password(),
    (s) => `mosquitto_pub -u mira -P ${s} -t x`,
  ),
  within(
    'http -a',
    'httpie.io/docs',
    (r) => r.password(),
    (s) => `http -a mira:${s} https://example.com`,
  ),
  within(
    'lftp -u',
    'lftp.yar.ru',
    (r) => r.password(),
    (s) => `lftp -u mira,${s} ftp.example`,
  ),
  within(
    'smbclient -U',
    'samba.org/docs',
    (r) => r.password(),
    (s) => `smbclient //srv/share -U mira%${s}`,
  ),
  within(
    'Password for chpasswd',
    'linux.die.net/man/8/chpasswd',
    (r) => r.password(),
    (s) => `echo "mira:${s}" | chpasswd`,
  ),
  within(
    'Password that is piped',
    'docs.docker.com',
    (r) => r.password(),
    (s) => `echo "${s}" | docker login -u mira --password-stdin`,
  ),
  within(
    'ConvertTo-SecureString',
    'learn.microsoft.com',
    (r) => r.password(),
    (s) => `$p = ConvertTo-SecureString "${s}" -AsPlainText -Force`,
  ),
  within(
    'Password in a file of PostgreSQL',
    'postgresql.org/docs',
    (r) => r.base62(16),
    (s) => `db.example:5432:shop:mira:${s}`,
  ),
  within(
    'Password of a login in source code',
    'requests.readthedocs.io',
    (r) => r.password(),
    (s) => `requests.get(url, auth=("mira", "${s}"))`,
  ),
  within(
    'Secret of credentials in source code',
    'docs.aws.amazon.com',
    (r) => `${r.base62(20)}/${r.base62(19)}`,
    (s) => `new BasicAWSCredentials("mira", "${s}")`,
  ),
  within(
    'Key with a lifetime in Rust',
    'doc.rust-lang.org',
    (r) => r.base62(32),
    (s) => `const API_KEY: &'static str = "${s}";`,
  ),
  within(
    'Password in a string of Perl',
    'perldoc.perl.org',
    (r) => r.password(),
    (s) => `my $password = q{${s}};`,
  ),
  within(
    'Password in a string of Lua',
    'lua.org/manual',
    (r) => r.password(),
    (s) => `password = [[${s}]]`,
  ),
  within(
    'Default of a variable in Terraform',
    'developer.hashicorp.com',
    (r) => r.password(),
    (s) => `variable "db_password" { default = "${s}" }`,
  ),
  within(
    'Password in a JDBC URL of Oracle',
    'docs.oracle.com',
    (r) => r.base62(14),
    (s) => `jdbc:oracle:thin:mira/${s}@db.example:1521:ORCL`,
  ),
  within(
    'Recovery phrase',
    'github.com/bitcoin/bips',
    (r) => words(r, 12),
    (s) => `MNEMONIC="${s}"`,
  ),
  within(
    'Encrypted password of a router',
    'cisco.com',
    (r) => r.hex(22),
    (s) => `username admin password 7 ${s}`,
  ),
  within(
    'API key in a sentence',
    'common',
    (r) => r.base62(32),
    (s) => `My API key is '${s}', use it.`,
  ),
  within(
    'Token in a property list',
    'developer.apple.com',
    (r) => r.base62(32),
    (s) => `<key>APIToken</key><string>${s}</string>`,
  ),
  within(
    'Secret in the strings of an app',
    'developer.android.com',
    (r) => r.base62(32),
    (s) => `<string name="client_secret">${s}</string>`,
  ),
  within(
    'JSON Web Key of an elliptic curve',
    'RFC 7517',
    (r) => r.base64Url(43),
    (s) => `{"kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "d": "${s}"}`,
  ),
  within(
    'JSON Web Key with its type last',
    'RFC 7518',
    (r) => r.base64Url(43),
    (s) => `{"alg": "HS256", "k": "${s}", "kid": "2026-11", "kty": "oct"}`,
  ),
  within(
    'Password hash in a list of accounts',
    'man7.org/linux/man-pages/man5/shadow.5.html',
    (r) => `$6$${r.base62(16)}$${r.base62(86)}`,
    (s) => `root:${s}:19700:0:99999:7:::`,
  ),
  within(
    'Password hash of a web server',
    'httpd.apache.org/docs',
    (r) => `$2y$05$${r.base62(53)}`,
    (s) => `mira:${s}`,
  ),
];
