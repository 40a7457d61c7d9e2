import { describe, expect, it } from 'vitest';
import { findingsIn, marked, unmarked } from './marked.ts';
import { RandomText } from './randomText.ts';

describe('a value with a name', () => {
  it.each([
    ['password=‹hunter22›', 'Value named like a password?'],
    ['password = ‹hunter22›', 'Value named like a password?'],
    ['password: ‹hunter22›', 'Value named like a password?'],
    ['password => ‹hunter22›', 'Value named like a password?'],
    ["password => '‹hunter22›'", 'Value named like a password?'],
    ['password := "‹hunter22›"', 'Value named like a password?'],
    ['password ?= ‹hunter22›', 'Value named like a password?'],
    ["password ||= '‹hunter22›'", 'Value named like a password?'],
    ["password <> 'hunter22'", ''],
    ["password == '‹hunter22›'", 'Value named like a password?'],
    ["password === '‹hunter22›'", 'Value named like a password?'],
    ["password !== '‹hunter22›'", 'Value named like a password?'],
    ["password ==== '‹hunter22›'", 'Value named like a password?'],
    ["if (password >= '‹hunter22›')", 'Value named like a password?'],
    ['password%3D‹hunter22›', 'Value named like a password?'],
    ['password%3d‹hunter22›', 'Value named like a password?'],
    ['password\\u003d‹hunter22›', 'Value named like a password?'],
    ['password%3Ahunter22', ''],
    ['password\\u003ahunter22', ''],
  ])('after a separator: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ["const password: string = '‹hunter22›'", 'Value named like a password?'],
    ["const password:string='‹hunter22›'", 'Value named like a password?'],
    ['string password = "‹hunter22›";', 'Value named like a password?'],
    ['char *password = "‹hunter22›";', 'Value named like a password?'],
    ['char* password = "‹hunter22›";', 'Value named like a password?'],
    ['const password: &\'static str = "‹hunter22›"', 'Value named like a password?'],
    ['static PASSWORD: &\'a_1 str = "‹hunter22›"', 'Value named like a password?'],
    [`let password: &'${'a'.repeat(30)} str = "‹hunter22›"`, 'Value named like a password?'],
    [`let password: &'${'a'.repeat(31)} str = "hunter22"`, ''],
    ['let password: \'a str = "hunter22"', ''],
    ['let password: &str = "‹hunter22›"', 'Value named like a password?'],
    ['password: Option<String> = "hunter22"', ''],
    ['var password string = hunter22', ''],
    ['password::hunter22', ''],
    ['password:=‹hunter22›', 'Value named like a password?'],
    ['password:/hunter22', ''],
    ['::password: hunter22', ''],
    ['x:password: hunter22', ''],
    ['var password string = x8Kq2mZp', ''],
  ])('after a type: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ['<password>‹hunter22›</password>', 'Value named like a password?'],
    ['<password>hunter22', ''],
    ['<x password>hunter22</password>', ''],
    ['password>hunter22</password>', ''],
    ['<b:password>hunter22</b:password>', ''],
    ['<password> hunter22 </password>', ''],
  ])('in an element: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ["setPassword('‹x8Kq2mZp›')", 'Value named like a password?'],
    ['setPassword(x8Kq2mZp)', ''],
    ["getPassword('x8Kq2mZp')", ''],
    ["user.getPassword('x8Kq2mZp')", ''],
    ["a.b.c.d.getPassword('x8Kq2mZp')", ''],
    ["a.b.c.d.e.getPassword('‹x8Kq2mZp›')", 'Value named like a password?'],
    ["define('PASSWORD', '‹x8Kq2mZp›')", 'Value named like a password?'],
    ['define("PASSWORD", "‹x8Kq2mZp›")', 'Value named like a password?'],
    ["f(password, 'x8Kq2mZp')", ''],
    ["define('PASSWORD', x8Kq2mZp)", ''],
    ['("password" "x8Kq2mZp")', ''],
    ['\'getPassword("x8Kq2mZp")\'', ''],
    ["t('password', 'Kennwort2')", ''],
  ])('in arguments: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ["config['password'] = '‹hunter22›'", 'Value named like a password?'],
    ["config[password] = '‹hunter22›'", 'Value named like a password?'],
    ["password[] = '‹hunter22›'", 'Value named like a password?'],
    ["password[0] = 'hunter22'", ''],
    ["password? = '‹hunter22›'", 'Value named like a password?'],
    ["password! = '‹hunter22›'", 'Value named like a password?'],
    ['**password**: ‹hunter22›', 'Value named like a password?'],
    ['**password:** ‹hunter22›', 'Value named like a password?'],
    ['"password": "‹hunter22›"', 'Value named like a password?'],
    ['\\"password\\": \\"‹hunter22›\\"', 'Value named like a password?'],
    ['\\\\\\"password\\\\\\": \\\\\\"‹hunter22›\\\\\\"', 'Value named like a password?'],
    [
      '\\\\\\\\\\\\\\"password\\\\\\\\\\\\\\": \\\\\\\\\\\\\\"‹hunter22›\\\\\\\\\\\\\\"',
      'Value named like a password?',
    ],
    [
      '\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"password\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\": \\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"hunter22\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"',
      '',
    ],
  ])('whose name is written with brackets, marks, or escaped quotation marks: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['password = b"‹hunter22›"', 'Value named like a password?'],
    ['password = @"‹hunter22›"', 'Value named like a password?'],
    ["password = L'‹hunter22›'", 'Value named like a password?'],
    ['password = x"hunter22"', ''],
    ['password = b`hunter22`', ''],
    ['<password><![CDATA[‹hunter22›</password>', 'Value named like a password?'],
    ['password: |\n  ‹hunter22›\n  more', 'Value named like a password?'],
    ['password: >-\r\n  ‹hunter22›', 'Value named like a password?'],
    ['password: |\nhunter22', ''],
    ['f(password: |\n  hunter22', ''],
    ['APP_KEY=base64:‹aB3dE5gH7jK9mN1pQ3sT5vW7aB3dE5gH›', 'Value named like a secret'],
    ['password="‹hunter\\"22›", x', 'Value named like a password?'],
    ['password="‹hunter22\\›', 'Value named like a password?'],
    ['password="‹hunter22›', 'Value named like a password?'],
    ['password="‹hunter22›\nnext"', 'Value named like a password?'],
    ['password="‹hunter22›\rnext"', 'Value named like a password?'],
    ["password='‹hunter\"22›'", 'Value named like a password?'],
    ['password=‹hunter22›,', 'Value named like a password?'],
    ['password=‹hunter22›;', 'Value named like a password?'],
    ['password=‹hunter22›.', 'Value named like a password?'],
    ['password=(hunter22)', ''],
    ['password: hunter22)', ''],
    ['f(password: |\n  x8Kq2mZp', ''],
    ['**password:**‹hunter22›', 'Value named like a password?'],
    ['password = `‹hunter22›`', 'Value named like a password?'],
    ['password="";user=a1b2c3"', ''],
    ['password=‹x8Kq2mZp&&ls›', 'Value named like a password'],
    ['dbPASSWORD=hunters', ''],
    ['Password=hunters', ''],
    ['foo PASSWORD=‹hunter22›&a', 'Value named like a password?'],
    ['x secret = config.keys[0].a1b2c3d4e5f6', ''],
  ])('between quotation marks or without: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ['1234: password: ‹hunter22›', 'Value named like a password?'],
    ['1234567: password: hunter22', ''],
    ['    12\tpassword: ‹hunter22›', 'Value named like a password?'],
    ['export PASSWORD=‹hunters›', 'Value named like a password?'],
    ['set PASSWORD=‹hunters›', 'Value named like a password?'],
    ['setx PASSWORD=‹hunters›', 'Value named like a password?'],
    ['ENV PASSWORD=‹hunters›', 'Value named like a password?'],
    ['ARG PASSWORD=‹hunters›', 'Value named like a password?'],
    ['declare PASSWORD=‹hunters›', 'Value named like a password?'],
    ['docker run -e PASSWORD=hunters app', ''],
    ['docker run --env PASSWORD=hunters app', ''],
    ['docker build --build-arg PASSWORD=hunters .', ''],
    ['$env:PASSWORD=‹hunters›', 'Value named like a password?'],
    ['foo PASSWORD=hunters bar', ''],
    ['foo PASSWORD=‹hunters›', 'Value named like a password?'],
    ['foo PASSWORD=‹hunters› # x', 'Value named like a password?'],
    ['foo PASSWORD=hunters&a', ''],
    ['PASSWORD=‹hunters&a›', 'Value named like a password'],
    ['"PASSWORD=‹hunters›"', 'Value named like a password?'],
    ['f(PASSWORD=hunters)', ''],
    ['f(password=hunter22)', ''],
    ['f(a, password=hunter22)', ''],
    ['f(a password=‹hunter22›)', 'Value named like a password?'],
    ['password=‹hunter22(›', 'Value named like a password?'],
    ['password=‹h2nter.two(›', 'Value named like a password?'],
  ])('in a line of a settings file, a command, or code: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['value: aB3dE5gH7jK9mN1pQ3sT', ''],
    ['name: API_KEY\nvalue: ‹aB3dE5gH7jK9mN1p›', 'Value named like a secret'],
    ['- name: API_KEY\n  value: ‹aB3dE5gH7jK9mN1p›', 'Value named like a secret'],
    ['"name": "API_KEY",\n"val": "‹aB3dE5gH7jK9mN1p›"', 'Value named like a secret'],
    ['filename: API_KEY\nvalue: aB3dE5gH7jK9mN1p', ''],
    ['key="API_KEY" value="‹aB3dE5gH7jK9mN1p›"', 'Value named like a secret'],
    ['id="API_KEY" value="‹aB3dE5gH7jK9mN1p›"', 'Value named like a secret'],
    ['name: API_KEY\nmyvalue: aB3dE5gH7jK9mN1p', ''],
    ['name: x\nvalue_token: ‹aB3dE5gH7jK9mN1p›', 'Value named like a token'],
    ['names: API_KEY\nvalue: aB3dE5gH7jK9mN1p', ''],
    ['API key: ‹aB3dE5gH7jK9mN1p›', 'Value named like a secret'],
    ['API  key: ‹aB3dE5gH7jK9mN1p›', 'Value named like a secret'],
    ['sort key: aB3dE5gH7jK9mN1p', ''],
    ['API.key: ‹aB3dE5gH7jK9mN1p›', 'Value named like a secret'],
    ['X-Amz-Signature=‹aB3dE5gH7jK9mN1pQ3sT›', 'Value named like a signature'],
    ['signature: aB3dE5gH7jK9mN1pQ3sT', ''],
    ['signature = aB3dE5gH7jK9mN1pQ3sT', ''],
    ['sig=‹aB3dE5gH7jK9mN1pQ3sT›', 'Value named like a signature'],
    ['sig =aB3dE5gH7jK9mN1pQ3sT', ''],
    ['sig= aB3dE5gH7jK9mN1pQ3sT', ''],
    ['sig:=aB3dE5gH7jK9mN1pQ3sT', ''],
    ['sig==aB3dE5gH7jK9mN1pQ3sT', ''],
  ])('whose name is another value or a phrase: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ["key: process.env.KEY || '‹aB3dE5gH7jK9mN1pQ3sT5vW7›'", 'Value named key'],
    ['apiKey: process.env.KEY ?? "‹aB3dE5gH7jK9mN1p›"', 'Value named like a secret'],
    ['apiKey: process.env.KEY    ||    "aB3dE5gH7jK9mN1p"', ''],
    ['apiKey: process.env.KEY   ||   "‹aB3dE5gH7jK9mN1p›"', 'Value named like a secret'],
    ['apiKey: process.env.KEY || aB3dE5gH7jK9mN1p', ''],
    ['apiKey: "" || "aB3dE5gH7jK9mN1p"', ''],
    ['key: ‹aB3dE5gH7jK9mN1pQ3sT5vW7›', 'Value named key'],
    ['_auth=‹YTpiYw==›', 'Value named like a token'],
    ['x.auth: ‹YTpiYw==›', 'Value named like a token'],
    ['auth: "‹YTpiYw==›"', 'Value named like a token'],
    ['oauth: "YTpiYw=="', ''],
    ['password: hunter', ''],
    ['  password: ‹hunter22› # old', 'Value named like a password?'],
    ['  password: hunter22 old', ''],
    ['password: ‹hunter22›\\n', 'Value named like a password?'],
    ['password: hunters, other', ''],
    ['password: h2nters, other', ''],
    ['password: foo.b4r', ''],
    ['x password: foo.b4r', ''],
    ['auth_token: "YTpiYw=="', ''],
  ])('of a kind, or with an alternative: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it('is a Telegram token after the number of a bot, with 35 characters', () => {
    const token = `AA${new RandomText(1).base62(33)}`;
    const rules = (text: string) => marked(text)[1];
    expect(marked(`12345678:${token}`)).toEqual([`‹12345678:${token}›`, 'Telegram bot token']);
    expect(marked(`x 1234567890:${token}.`)).toEqual([`x ‹1234567890:${token}›.`, 'Telegram bot token']);
    for (const text of [
      `bot 1234567:${token}`,
      `bot 12345678901:${token}`,
      `12345678:${token}a`,
      `12345678:${token.slice(1)}`,
    ]) {
      expect(rules(text), text).toBe('');
    }
    expect(rules(`12345678:B${token.slice(1)}`)).toBe('');
  });

  it.each([
    ["requests.get(url, auth=('mira', '‹hunter2!›'))", 'Value named like a password?'],
    ['smtp.login("mira@example.com", "‹hunter2!›")', 'Value named like a password?'],
    ['AwsBasicCredentials.create("mira", "‹aB3dE5gH7jK9mN1p›")', 'Value named like a password'],
    ['HTTPBasicAuth("mira", "‹hunter2!›")', 'Value named like a password?'],
    ['"auth": ("mira", "‹hunter2!›")', 'Value named like a password?'],
    ['auth("mira", "the words")', ''],
    ['other("mira", "hunter2!")', ''],
    ['auth("mira", "b", "hunter2!")', ''],
    [`auth("${'a'.repeat(64)}", "‹hunter2!›")`, 'Value named like a password?'],
    [`auth("${'a'.repeat(65)}", "hunter2!")`, ''],
  ])('is the second argument of a login: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ['db.example:5432:shop:mira:‹x8Kq2mZp›', 'Value named like a password?'],
    ['*:*:*:*:‹x8Kq2mZp›', 'Value named like a password?'],
    ['*:*:shop:mira:‹x8Kq2mZp›', 'Value named like a password?'],
    ['db.example:5432:shop:mira: x8Kq2mZp', ''],
    ['a.ts:123:shop:mira:x8Kq2mZp', ''],
    ['b db.example:5432:shop:mira:x8Kq2mZp', ''],
    ['db.example:5432:shop:mira:words', ''],
  ])('is the last one of a line of .pgpass: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['jdbc:oracle:thin:mira/‹hunter22›@db:1521:x', 'Password in an address'],
    ['jdbc:oracle:thin:mira/‹hunter›@db:1521:x', 'Password in an address?'],
    ['jdbc:oracle:thin:mira/password@db:1521:x', ''],
    ['jdbc:oracle:thin:@db:1521:x', ''],
    ['jdbc:other:thin:mira/hunter22@db:1521:x', ''],
  ])('is the password of an address of Oracle: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['<string name="client_secret">‹aB3dE5gH7jK9mN1p›</string>', 'Value named like a secret'],
    ["<x a='b' id='api_key'>‹aB3dE5gH7jK9mN1p›</x>", 'Value named like a secret'],
    ['<string name="client_secret">xk7q2mw9</string>', ''],
    ['<string xname="client_secret">aB3dE5gH7jK9mN1p</string>', ''],
    ['<string name="client_secret">aB3dE5gH7jK9mN1p', ''],
    ['<string name="forgot_password">Forgot it!</string>', ''],
    ['<key>APIToken</key>\n  <string>‹aB3dE5gH7jK9mN1p›</string>', 'Value named like a secret'],
    ['<key>APIToken</key>\n  <other>aB3dE5gH7jK9mN1p</other>', ''],
    ['<key>Name</key>\n  <string>aB3dE5gH7jK9mN1p</string>', ''],
  ])('is the text of a tag whose name is in an attribute or another tag: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['variable "db_password" {\n  type = string\n  default = "‹x8Kq2mZp›"\n}', 'Value named like a password?'],
    ['variable "db_name" {\n  default = "x8Kq2mZp"\n}', ''],
    ['variable "db_password" {}\nvariable "b" {\n  default = "x8Kq2mZp"\n}', ''],
    ['default = "x8Kq2mZp"', ''],
    ['my $password = q{‹x8Kq2mZp›};', 'Value named like a password?'],
    ['my $password = qq(‹x8Kq2mZp›);', 'Value named like a password?'],
    ['my $password = q|‹x8Kq2mZp›|;', 'Value named like a password?'],
    ['my $password = q[‹x8Kq2mZp›];', 'Value named like a password?'],
    ['password = [[‹x8Kq2mZp›]]', 'Value named like a password?'],
  ])('is a default or a string in other languages: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it('of a wallet has 12 to 24 words of 3 to 8 letters', () => {
    const words = (count: number, word = 'abandon') => `mnemonic: "${Array(count).fill(word).join(' ')}"`;
    for (const count of [12, 24]) expect(findingsIn(words(count))).toHaveLength(1);
    for (const text of [words(11), words(25), words(12, 'ab'), words(12, 'abandoned'), words(12, 'Word')]) {
      expect(findingsIn(text)).toEqual([]);
    }
    expect(findingsIn(words(12).replace('mnemonic', 'recovery_phrase'))).toHaveLength(1);
    expect(findingsIn(words(12).replace('mnemonic', 'phrase'))).toEqual([]);
  });

  it('is a key of Ably after the IDs of an app and of a key, with 43 characters', () => {
    const random = new RandomText(8);
    const key = (length: number) => `a-3dEf.gH_jkL:${random.base64Url(length)}`;
    expect(findingsIn(key(43)).map(({ rule }) => rule)).toEqual(['Ably key']);
    for (const text of [key(42), key(44), key(43).replace('.', '-'), key(43).replace('a-3', 'a 3')]) {
      expect(findingsIn(text).map(({ rule }) => rule)).not.toContain('Ably key');
    }
  });

  it('has a name of at most 80 characters', () => {
    const setting = (length: number) => `${'x'.repeat(length - 9)}_password = hunter22`;
    expect(findingsIn(setting(80))).toHaveLength(1);
    expect(findingsIn(setting(89))).toHaveLength(0);
  });

  it('has at most 4,096 characters between quotation marks', () => {
    const value = new RandomText(1).base62(4_096);
    expect(findingsIn(`secret = "${value}"`)).toMatchObject([{ start: 10, end: 4_106 }]);
    expect(findingsIn(`secret = "${value}abc"`)).toMatchObject([{ start: 10, end: 4_106 }]);
    expect(findingsIn(`secret = ${value}a`)).toEqual([]);
  });
});
