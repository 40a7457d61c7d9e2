import { describe, expect, it } from 'vitest';
import { completeServiceUrl, parseServiceUrl } from '../../../src/api/serviceUrl.ts';

describe('a base URL (R9)', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['  https://api.example.com/ ', 'https://api.example.com'],
    ['https://API.example.com:443//', 'https://api.example.com'],
    ['https://api.example.com:8443/a/b/', 'https://api.example.com:8443/a/b'],
    ['https://api.example.com/api/v0', 'https://api.example.com'],
    ['https://api.example.com/team/api/v0/', 'https://api.example.com/team'],
    ['https://api.example.com/api/v0x', 'https://api.example.com/api/v0x'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://2130706433', 'http://127.0.0.1'],
    ['http://[::1]:9', 'http://[::1]:9'],
  ])('%s is accepted as %s', (text, baseUrl) => {
    expect(parseServiceUrl(text)).toEqual({ baseUrl, origin: new URL(baseUrl).origin });
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['api.example.com', 'wrongScheme'],
    ['ftp://api.example.com', 'wrongScheme'],
    ['javascript:alert(1)', 'wrongScheme'],
    ['https://', 'notAUrl'],
    ['https://a b', 'notAUrl'],
    ['http://api.example.com', 'insecure'],
    ['http://localhost.example.com', 'insecure'],
    ['http://127.0.0.1.example.com', 'insecure'],
    ['http://[::2]', 'insecure'],
    ['http://0.0.0.0', 'insecure'],
    ['https://user@api.example.com', 'credentials'],
    ['https://user:word@api.example.com', 'credentials'],
    ['https://api.example.com/?a=1', 'queryOrFragment'],
    ['https://api.example.com/#', 'queryOrFragment'],
  ])('%s is rejected as %s', (text, failure) => {
    expect(parseServiceUrl(text)).toEqual({ failure });
  });
});

describe('a typed address without a scheme', () => {
  it.each([
    ['api.example.com', 'https://api.example.com'],
    [' api.example.com:8443/team ', 'https://api.example.com:8443/team'],
    ['api.example.com?a=1', 'https://api.example.com?a=1'],
    ['10.0.0.1', 'https://10.0.0.1'],
    ['agents:8080', 'https://agents:8080'],
    ['localhost', 'http://localhost'],
    ['localhost:8080/x', 'http://localhost:8080/x'],
    ['127.0.0.1:1', 'http://127.0.0.1:1'],
    ['[::1]:9', 'http://[::1]:9'],
    ['localhost.example.com', 'https://localhost.example.com'],
  ])('%s is completed to %s', (text, url) => {
    expect(completeServiceUrl(text)).toBe(url);
  });

  it.each([
    '',
    'agents',
    'sk_live_0123456789',
    'https://api.example.com',
    'ftp://api.example.com',
    'javascript:alert(1)',
    'me@api.example.com',
    'a b.com',
  ])('is not what %j is', (text) => {
    expect(completeServiceUrl(text)).toBe(text);
  });
});
