import { describe, expect, it } from 'vitest';
import { findingsIn, marked, unmarked } from './marked.ts';

describe('a password in a command', () => {
  it.each([
    ['curl -u mira:‹hunter22› https://example.com', 'User and password of a command'],
    ['curl -u mira:‹hunter2›', 'User and password of a command?'],
    ['curl -u mira:‹ab1›', 'User and password of a command?'],
    ['curl -u mira:a1', ''],
    ['curl -u mira', ''],
    ['curl -u mira:$PASSWORD', ''],
    ['curl -u mira:password', ''],
    ['curl -u mira:‹passwords›', 'User and password of a command'],
    ['curl -u mira:xxxx', ''],
    ['curl -u :‹hunter22›', 'User and password of a command'],
    ['curl -umira:‹hunter22›', 'User and password of a command'],
    ['curl -umira', ''],
    ['curl -U mira:‹hunter22›', 'User and password of a command'],
    ['curl --user mira:‹hunter22›', 'User and password of a command'],
    ['curl --user=mira:‹hunter22›', 'User and password of a command'],
    ['curl --proxy-user=mira:‹hunter22›', 'User and password of a command'],
    ['curl --proxy-user mira:‹hunter22›', 'User and password of a command'],
    ['http --basic-auth mira:‹hunter22› example.com', 'User and password of a command'],
    ['curl --username=mira:hunter22', ''],
    ['svn --user mira:‹hunter22›', 'User and password of a command'],
    ['tool -u mira:hunter22', ''],
    ['tool -umira:hunter22', ''],
    ['tool --user=mira:hunter22', ''],
    ['curl https://example.com\ntool -u mira:hunter22', ''],
    ['curl -u mira:‹ab$cd1›', 'User and password of a command?'],
    ['curl --superuser mira:hunter22', ''],
    ['http -a mira:‹hunter22› https://example.com', 'User and password of a command'],
    ['xh --auth mira:‹hunter22› x.test', 'User and password of a command'],
    ['sudo https -a mira:‹hunter22› x.test', 'User and password of a command'],
    ['see http://x.test -a mira:hunter22', ''],
    ['lftp -u mira,‹hunter22› x.test', 'User and password of a command'],
    ['lftp --user mira,‹hunter22›', 'User and password of a command'],
    ['curl -u mira,hunter22', ''],
    ['smbclient -U mira%‹hunter22›', 'User and password of a command'],
    ['smbclient -U mira', ''],
    ['tool -U mira%hunter22', ''],
  ])('after a name and a colon, for programs that accept that: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['mysql -p‹hunter22› shop', 'Value named like a password?'],
    ['mysql -p ‹hunter22› shop', 'Value named like a password?'],
    ['mariadb -p‹hunter22›', 'Value named like a password?'],
    ['mysqldump -u root -p‹hunter22›', 'Value named like a password?'],
    ['mkdir -phunter22', ''],
    ['psql -p hunter22', ''],
    ['sshpass -p ‹hunter22› ssh', 'Value named like a password?'],
    ['redis-cli -a ‹hunter22›', 'Value named like a password?'],
    ['sqlcmd -P ‹hunter22›', 'Value named like a password?'],
    ['ldapsearch -w ‹hunter22›', 'Value named like a password?'],
    ['openssl rsa -passin pass:‹hunter22›', 'Value named like a password?'],
    ['openssl rsa -passout pass:‹hunter22›', 'Value named like a password?'],
    ['openssl enc -pass pass:‹hunter22›', 'Value named like a password?'],
    ['docker login -u mira -p ‹hunter22›', 'Value named like a password?'],
    ['docker run -p hunter22', ''],
    ['tool login -p ‹hunter22›', 'Value named like a password?'],
    ['x; tool a b login -u mira -p "‹hunter22›"', 'Value named like a password?'],
    ['tool a b c login -p ‹hunter22›', 'Value named like a password?'],
    ['tool logins -p hunter22', ''],
    ["docker login -p '‹correct horse battery›'", 'Value named like a password?'],
    ['docker login -p correct horse battery', ''],
    ['zip -P ‹hunter22› out.zip', 'Value named like a password?'],
    ['zip -p hunter22 out.zip', ''],
    ['unzip -P ‹hunter22› out.zip', 'Value named like a password?'],
    ['bcp x out y -P ‹hunter22›', 'Value named like a password?'],
    ['mosquitto_sub -P ‹hunter22›', 'Value named like a password?'],
    ['tool -P hunter22', ''],
    ['podman login registry.example.com -p ‹hunter22›', 'Value named like a password?'],
    ['tool -p hunter22', ''],
    ['sshpass --bypass x8Kq2mZp', ''],
    ['sshpass -p ‹x8Kq2mZp›&&ls', 'Value named like a password?'],
    ['mysql -p‹x8Kq2mZp›|head', 'Value named like a password?'],
  ])('after an option of a program that takes a password: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['tool --password ‹x8Kq2mZp›', 'Value named like a password?'],
    ['tool --password=‹hunter22›', 'Value named like a password?'],
    ['tool --token ‹aB3dE5gH7jK9mN1p›', 'Value named like a token'],
    ['tool --tokens aB3dE5gH7jK9mN1p', ''],
    ['tool -token ‹aB3dE5gH7jK9mN1p›', 'Value named like a token'],
    ['tool --name aB3dE5gH7jK9mN1p', ''],
    ['tool --password hunters', ''],
    ['tool --password "‹correct horse battery staple›"', 'Value named like a password?'],
    ["tool --password '‹hunter22›'", 'Value named like a password?'],
    ["tool --password 'hunters'", ''],
    ['tool --password "<your password>"', ''],
    ['tool --password "your password here"', ''],
    ['tool --secret "‹aB3dE5gH7jK9mN1p›"', 'Value named like a secret'],
    ['tool --secret "some other words"', ''],
    ["option('--password', 'The password of the user')", ''],
  ])('after an option that is named like a secret: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ['password ‹x8Kq2mZp7w›', 'Value named like a password'],
    ['password x8Kq2mZp7', ''],
    ['the password is ‹x8Kq2mZp7w›, I think', 'Value named like a password'],
    ['the name is x8Kq2mZp7w', ''],
    ['the password was x8Kq2mZp7w', ''],
    ['the api_key ‹aB3dE5gH7jK9mN1p› here', 'Value named like a secret'],
    ['the access token ‹aB3dE5gH7jK9mN1pQ3sT›', 'Value named like a token'],
    ['the key aB3dE5gH7jK9mN1pQ3sT5vW7', ''],
    ['password qzxkvjwqpzvbx', ''],
    ['password 12345678901234', ''],
    ["password '‹x8Kq2mZp›'", 'Value named like a password?'],
    ['password "‹x8Kq2mZp›"', 'Value named like a password?'],
    ['password `x8Kq2mZp`', ''],
    ["pass 'x8Kq2mZp'", ''],
    ["password is '‹x8Kq2mZp›'", 'Value named like a password?'],
    ["ALTER ROLE mira PASSWORD '‹x8Kq2mZp›'", 'Value named like a password?'],
    ['requirepass ‹x8Kq2mZp›', 'Value named like a password?'],
    ['  masterauth ‹x8Kq2mZp›', 'Value named like a password?'],
    ['bindpw ‹x8Kq2mZp›', 'Value named like a password?'],
    ['rootpw ‹x8Kq2mZp›', 'Value named like a password?'],
    ['passwd x8Kq2mZp', ''],
    ['use requirepass x8Kq2mZp', ''],
    ['machine example.com login mira password ‹x8Kq2mZp›', 'Value named like a password?'],
    ['user mira password ‹x8Kq2mZp›', 'Value named like a password?'],
    ['set password ‹x8Kq2mZp›', 'Value named like a password?'],
    ['CREATE ROLE mira WITH PASSWORD ‹x8Kq2mZp›', 'Value named like a password?'],
    ['ENV DB_PASSWORD ‹x8Kq2mZp›', 'Value named like a password?'],
    ['ARG DB_PASSWORD ‹x8Kq2mZp›', 'Value named like a password?'],
    ['choose password x8Kq2mZp', ''],
    ['env DB_PASSWORD ‹x8Kq2mZp›', 'Value named like a password?'],
    ["password '‹qzxkvjwqp›'", 'Value named like a password?'],
    ["smtp_pass '‹x8Kq2mZp›'", 'Value named like a password?'],
    ['my_requirepass x8Kq2mZp', ''],
    ['requirepass_password x8Kq2mZp', ''],
  ])('after a name, in a login, in quotation marks, or if it looks very random: %s', (text, rules) =>
    expect(marked(unmarked(text))).toEqual([text, rules]),
  );

  it.each([
    ["CREATE USER mira IDENTIFIED BY '‹hunter22›'", 'Value named like a password?'],
    ['create user mira identified by ‹hunter22›', 'Value named like a password?'],
    ["CREATE USER mira IDENTIFIED WITH x BY '‹hunter22›'", 'Value named like a password?'],
    ["signed BY 'hunter22'", ''],
    ['IDENTIFIED BY words', ''],
    ["IDENTIFIED nearby 'hunter22'", ''],
  ])('of a user of a database: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ['echo mira:‹hunter22› | chpasswd', 'User and password of a command'],
    ['echo "mira:‹hunter22›" | sudo chpasswd', 'User and password of a command'],
    ['echo mira | chpasswd', ''],
    ['echo ‹hunter22› | docker login --password-stdin', 'Value named like a password?'],
    ['echo -n "‹hunter22›" | tool x --registry-password-stdin', 'Value named like a password?'],
    ["printf '‹hunter22›' | sudo -S ls", 'Value named like a password?'],
    ['echo ‹hunter22›| gh auth login --with-token', 'Value named like a password?'],
    ['echo ‹hunter22› | openssl enc -pass stdin', 'Value named like a password?'],
    ['echo hunter22 | wc -c', ''],
    ['echo hunter22 | tool | tool --password-stdin', ''],
    ['echo $PASSWORD | docker login --password-stdin', ''],
    ['echo "your-password" | docker login --password-stdin', ''],
    ['xecho hunter22 | chpasswd', ''],
  ])('that another command reads: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ['username mira password 7 ‹0822455D0A16›', 'Value named like a password?'],
    ['enable secret 9 ‹$9$aB3dE5gH7jK9mN›', 'Value named like a password'],
    ['enable secret 5 ‹$1$aB3dE5gH7jK9mN›', 'Value named like a password'],
    ['password 7 characters long', ''],
    ['password 7 0822455', ''],
    ['password 6 0822455D0A16', ''],
    ['secret 9 words', ''],
  ])('of a router, which is encrypted: %s', (text, rules) => {
    expect(marked(unmarked(`${text}\n`))).toEqual([`${text}\n`, rules]);
  });

  it.each([
    ['ConvertTo-SecureString "‹x8Kq2mZp›" -AsPlainText', 'Value named like a password?'],
    ['ConvertTo-SecureString $password -AsPlainText', ''],
    ['My API key is `‹aB3dE5gH7jK9mN1pQ3sT›`.', 'Value named like a secret'],
    ['My key is `aB3dE5gH7jK9mN1pQ3sT`.', ''],
  ])('after its name in other words: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    ['args:\n  - --password\n  - "‹hunter22›"\n  - --port\n  - "80"', 'Value named like a password?'],
    ['- "--api-token"\r\n- ‹aB3dE5gH7jK9mN1pQ3sT›\r\n', 'Value named like a secret'],
    [`- \t'--client-secret'\n\t- '‹aB3dE5gH7j›'`, 'Value named like a secret?'],
    ['- --password\n- --port', ''],
    ['- "--allow-empty-password"\n- "--log-level=debug"', ''],
    ['- --no-password\n- --client-id=8f14e45f-ceea-467f-a0e6-1c4b2d9e7a31', ''],
    ['- --password\n- "Password of the user"', ''],
    ['- --password\n- $(PASSWORD)', ''],
    ['- --password\n\n\n- "hunter22"', ''],
    ['- --password and\n- "hunter22"', ''],
    ['- password\n- "hunter22"', ''],
    ['* --password\n- "hunter22"', ''],
    ['--password\n- "hunter22"', ''],
    ['- --password - "hunter22"', ''],
    ['- --port\n- "hunter22"', ''],
  ])('below its option in a YAML list: %j', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it('is found up to 300 characters after the name of the program', () => {
    const command = (length: number) => `curl ${'x'.repeat(length)} -u mira:hunter22`;
    expect(findingsIn(command(294))).toHaveLength(1);
    expect(findingsIn(command(295))).toHaveLength(0);
  });

  it('is found up to 60 characters after the user of a database', () => {
    const command = (length: number) => `IDENTIFIED ${'x'.repeat(length)} BY 'hunter22'`;
    expect(findingsIn(command(48))).toHaveLength(1);
    expect(findingsIn(command(49))).toHaveLength(0);
  });

  it('is found up to 120 characters after the beginning of a login', () => {
    const command = (length: number) => `login ${'x'.repeat(length)} password x8Kq2mZp`;
    expect(findingsIn(command(113))).toHaveLength(1);
    expect(findingsIn(command(114))).toHaveLength(0);
  });
});
