import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressText, externalAddress, isExternalAddress } from '../../../../src/shared/text/externalAddress.ts';
import { corpora } from '../../../fakes/corpora.ts';

const start = 'https://example.com/';

describe('an address', () => {
  it.each([
    ['http://example.com', 'http://example.com/'],
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['HTTPS://EXAMPLE.COM', 'https://example.com/'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['MailTo:a@example.com', 'mailto:a@example.com'],
    [start.padEnd(8_000, 'a'), start.padEnd(8_000, 'a')],
    // Encoded characters stay encoded, because decoding them would change the meaning of the address.
    ['https://example.com/a%2Fb?u=x%26y%3Dz%23%25', 'https://example.com/a%2Fb?u=x%26y%3Dz%23%25'],
    [
      'https://a.test/?redirect_uri=https%3A%2F%2Fb.test%2F%3Fc%3Dd',
      'https://a.test/?redirect_uri=https%3A%2F%2Fb.test%2F%3Fc%3Dd',
    ],
    ['mailto:a@example.com?subject=x%26bcc=b@example.com', 'mailto:a@example.com?subject=x%26bcc=b@example.com'],
    ['https://example.com/100%', 'https://example.com/100%'],
    // Host names that look like others are in Punycode.
    ['https://\u0430pple.com/', 'https://xn--pple-43d.com/'],
    ['https://xn--pple-43d.com/', 'https://xn--pple-43d.com/'],
    ['https://\u05d0\u05d1.test/', 'https://xn--4dbc.test/'],
    ['https://exam\u200bple.com/', 'https://example.com/'],
    ['https://example\u3002com/', 'https://example.com/'],
    // Invisible characters, and those that reorder others, are encoded.
    ['https://example.com/a\u202egnp.exe', 'https://example.com/a%E2%80%AEgnp.exe'],
    ['https://example.com/?\u200b=\u05d0#\u2067', 'https://example.com/?%E2%80%8B=%D7%90#%E2%81%A7'],
    ['https://u\u202eser@example.com/', 'https://u%E2%80%AEser@example.com/'],
    ['mailto:a\u200b@example.com', 'mailto:a%E2%80%8B@example.com'],
    ['https://example.com/\ud800', 'https://example.com/%EF%BF%BD'],
    // Characters that would end the address in text are encoded. Backslashes, which can be read as slashes, are
    // replaced or encoded.
    ['https://good.test\\@evil.test/', 'https://good.test/@evil.test/'],
    ['https://example.com/?a\\b', 'https://example.com/?a%5Cb'],
    ['mailto:a b<c>@example.com', 'mailto:a%20b%3Cc%3E@example.com'],
  ])('%.60s is shown and opened as %.60s', (written, shown) => {
    expect(externalAddress(written)).toBe(shown);
    expect(externalAddress(shown)).toBe(shown);
    expect(isExternalAddress(shown)).toBe(true);
  });

  it.each([
    '',
    'https:example.com',
    'http:/example.com',
    'https://',
    'https://[',
    'https://exa mple.com/',
    'mailto',
    'xmailto:a@example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'command:quit',
    'command://quit',
    'vscode://file/etc/passwd',
    'ftp://example.com',
    '//example.com',
    '/src/a.ts',
    ' https://example.com',
    '\thttps://example.com',
    'ht\ntps://example.com',
    'xhttps://example.com',
    start.padEnd(8_001, 'a'),
    start.padEnd(4_000, '\u00fc'),
  ])('%.60j is not opened', (address) => {
    expect(externalAddress(address)).toBeUndefined();
  });

  it.each([
    'HTTPS://example.com/',
    'https://ex\u0430mple.com/',
    'https://example.com/\u200b',
    'https://example.com/a b',
    'https://example.com/\n',
    'https://good.test\\@evil.test/',
    'https://',
    'command:workbench.action.quit',
    'COMMAND:x',
  ])('%j is not opened in this form', (address) => {
    expect(isExternalAddress(address)).toBe(false);
  });

  it('made of any text is visible ASCII with an allowed scheme, and stays as it is', () => {
    const hostile = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(corpora).flat()));
    const starts = fc.constantFrom('https://', 'http://a.test/', 'mailto:', 'https://a.test/?', 'https://a.test/#', '');
    fc.assert(
      fc.property(starts, hostile, (before, text) => {
        const address = externalAddress(`${before}${text}`);
        if (address === undefined) return;
        expect(address).toMatch(/^(?:https?:\/\/|mailto:)[\x21-\x7e]*$/);
        expect(address).not.toMatch(/[<>\\]/);
        expect(externalAddress(address)).toBe(address);
        expect(isExternalAddress(address) || address === 'mailto:').toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the text of a link without a label', () => {
  it.each([
    'https://example.com',
    'https://example.com/a%2Fb?u=x%26y',
    'https://example.com/\u00fcber/\u65e5\u672c\u8a9e',
    'https://xn--pple-43d.com/',
    'a@example.com',
    // An address that isn't opened has no other form.
    'tel:\u0430',
  ])('is the address as written: %s', (address) => expect(addressText(address)).toBe(address));

  it.each([
    ['https://\u0430pple.com/\u00fc', 'https://xn--pple-43d.com/%C3%BC'],
    ['https://example.com/\u200b', 'https://example.com/%E2%80%8B'],
    ['https://example.com/a\u202eb', 'https://example.com/a%E2%80%AEb'],
    ['https://example.com/\u05d0/x', 'https://example.com/%D7%90/x'],
    ['https://example.com/a\u00a0b', 'https://example.com/a%C2%A0b'],
    ['https://example.com/a\ufe0f', 'https://example.com/a%EF%B8%8F'],
  ])('is the address that it opens if it could look like another one: %s', (address, shown) => {
    expect(addressText(address)).toBe(shown);
  });
});
