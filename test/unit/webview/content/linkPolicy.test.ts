import { describe, expect, it } from 'vitest';
import { isAllowedLink } from '../../../../src/webview/content/linkPolicy.ts';

const start = 'https://example.com/';

describe('a link is allowed', () => {
  it.each([
    'http://example.com',
    'https://example.com/a?b=c#d',
    'HTTPS://EXAMPLE.COM',
    'mailto:a@example.com',
    'MailTo:a@example.com',
    start.padEnd(8_000, 'a'),
  ])('to %.40s', (href) => expect(isAllowedLink(href)).toBe(true));
});

describe('no link is allowed', () => {
  it.each([
    '',
    'https:example.com',
    'http:/example.com',
    'https://',
    'https://[',
    'mailto',
    'xmailto:a@example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'command:quit',
    'ftp://example.com',
    '//example.com',
    '/src/a.ts',
    ' https://example.com',
    'xhttps://example.com',
    start.padEnd(8_001, 'a'),
  ])('to %j', (href) => expect(isAllowedLink(href)).toBe(false));
});
