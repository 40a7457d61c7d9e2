import { describe, expect, it } from 'vitest';
import { findingsIn, marked, unmarked } from './marked.ts';
import { RandomText } from './randomText.ts';

describe('a secret in an address', () => {
  it.each([
    ['x://mira:‹hunter22›@h', 'Password in an address?'],
    ['x://mira:‹hunter2›@h', 'Password in an address?'],
    ['x://mira:password@h', ''],
    ['x://mira:‹Password1›@h', 'Password in an address?'],
    ['x://mira:your-password@h', ''],
    ['x://mira:{password}@h', ''],
    ['x://mira:$PASSWORD@h', ''],
    ['x://mira:ab${X}cd@h', ''],
    ['x://mira:[redacted]@h', ''],
    ['x://mira:x-oauth-basic@h', ''],
    ['x://Mira22:mira22@h', ''],
    ['x://u:‹a1b›@h', 'Password in an address?'],
    ['x://u:a1@h', ''],
    ['x://u:abcde@h', ''],
    ['x://u:‹abcdef›@h', 'Password in an address?'],
    ['x://u:12345@h', ''],
    ['x://u:‹123456›@h', 'Password in an address?'],
    ['://mira:hunter22@h', ''],
    ['x://mira:hunter22@', ''],
    ['x://mira:‹hunter22›@[::1]', 'Password in an address?'],
    ['x://mira:‹hunter22›@$HOST', 'Password in an address?'],
    ['x://mira:‹hunter22›@{host}', 'Password in an address?'],
    ['x://mira:‹hunter22›@%h', 'Password in an address?'],
    ['x://mira:hunter22@-h', ''],
    ['x://:‹hunter22›@h', 'Password in an address?'],
    ['x://a/b:hunter22@h', ''],
    ['x://a?b:hunter22@h', ''],
    ['x://a#b:hunter22@h', ''],
    ['x://f(mira:hunter22@h', ''],
    ['x://${USER}:‹hunter22›@h', 'Password in an address?'],
    ['x://{user}:‹hunter22›@h', 'Password in an address?'],
    ['x://$(user):hunter22@h', ''],
    ['x://‹aB3dE5gH7jK9mN1p›@h', 'Token in an address'],
    ['x://aB3dE5gH7jK9mN1@h', ''],
    ['x://‹aB3dE5gH7jK9mN1p›@h:8080/a:b', 'Token in an address'],
    ['x://qzxkvjwqpzvbxkqj@h', ''],
    ['x://@h', ''],
    ['x://mira@h:8080', ''],
    ['x://mira:‹x-access-token2›@h', 'Password in an address?'],
    ['x://u:‹ab12›@h', 'Password in an address?'],
    ['x://u:‹12ab›@h', 'Password in an address?'],
    ['x://u:‹x8Kq2mZp›@h', 'Password in an address'],
    ['x://u:‹x8Kq2mZ›@h', 'Password in an address?'],
    ['x://57jberioo1bv37cn@h', ''],
    ['x://‹sfs5gwwra45rroag›@h', 'Token in an address'],
    ['x://u:‹adfytodu›@h', 'Password in an address?'],
    ['x://u:‹ablejo41z›@h', 'Password in an address'],
    ['x://mira:‹ablejo41z›@localhost', 'Password in an address?'],
    ['x://mira:‹ablejo41z›@127.0.0.1/shop', 'Password in an address?'],
    ['x://mira:‹ablejo41z›@db.example', 'Password in an address?'],
  ])('before the host: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it('is found in the first 600 characters of an address', () => {
    const address = (length: number) => `x://mira:a1${'b'.repeat(length - 9)}@h`;
    expect(findingsIn(address(600))).toMatchObject([{ start: 9, end: 602 }]);
    expect(findingsIn(address(601))).toEqual([]);
  });
});

describe('an address that allows whoever knows it to post', () => {
  const path = new RandomText(1).base62(32);
  const webhooks = [
    'hooks.slack.com/services/',
    'hooks.slack-gov.com/workflows/',
    'hooks.slack.com/triggers/',
    'discord.com/api/webhooks/1/',
    'canary.discordapp.com/api/webhooks/1/',
    'ptb.discord.com/api/webhooks/1/',
    'contoso.webhook.office.com/webhookb2/',
    'outlook.office.com/webhook/',
    'hooks.zapier.com/hooks/catch/',
    'hooks.airtable.com/workflows/',
    'maker.ifttt.com/trigger/',
    'prod-1.westeurope.logic.azure.com:443/workflows/',
    'chat.googleapis.com/v1/spaces/',
    'open.feishu.cn/open-apis/bot/v2/hook/',
    'open.larksuite.com/open-apis/bot/v2/hook/',
    'qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
  ];

  it.each(webhooks)('is one completely, without the punctuation around it: %s', (start) => {
    expect(marked(`(https://${start}${path})`)).toEqual([`(‹https://${start}${path}›)`, 'Webhook address']);
  });

  it.each([
    ...['/services/', '/api/webhooks/1/'].map((part) => `https://example.com${part}${path}`),
    `https://example.com/${webhooks[0]}${path}`,
    `https://discord.com/api/webhooks/id/${path}`,
    `https://${webhooks[0]}T00000000/B00000000/${'X'.repeat(24)}`,
    `https://${webhooks[0]}T00000000/B00000000/\${TOKEN}`,
    `https://${webhooks[0]}T00000000/B00000000/...`,
    `https://${webhooks[0]}T0000000/B00000000/<token>`,
    `https://${webhooks[0]}T0000000/B00000000/{token}`,
  ])('is not one: %s', (text) => expect(marked(text)).toEqual([text, '']));

  it('has at least 45 characters', () => {
    const address = `https://${webhooks[0]}${path.slice(0, 20)}`;
    expect(marked(address)[1]).toBe('Webhook address');
    expect(marked(address.slice(0, -1))[1]).toBe('');
  });
});
