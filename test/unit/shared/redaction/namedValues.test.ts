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
    ['const password: &\'static str = "hunter22"', ''],
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
