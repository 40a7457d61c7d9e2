import { describe, expect, it } from 'vitest';
import { endpointsBelow } from '../../../src/api/endpointUrls.ts';

const base = 'https://service.test/prefix';
const urls = endpointsBelow(base);
const invalid = (message: string): Error =>
  expect.objectContaining({ kind: 'invalidRequest', sent: 'no', message }) as Error;

describe('the URLs of the service', () => {
  it('contain IDs and values in percent-encoded form', () => {
    const session = `${base}/api/v0/sessions/a%2Fb%3F`;
    expect(urls.session('a/b?').href).toBe(session);
    expect(urls.session('a/b?', 'c d').href).toBe(`${session}?computerId=c%20d`);
    expect(urls.messages('a/b?').href).toBe(`${session}/messages`);
    expect(urls.message('a/b?', '#1').href).toBe(`${session}/messages/%231`);
    expect(urls.message('a/b?', '#1', 'c&d').href).toBe(`${session}/messages/%231?computerId=c%26d`);
  });

  it('leave out undefined and empty values of a query', () => {
    const query = { limit: 5, cursor: '', role: 'user', computerId: undefined } as const;
    expect(urls.messages('s', query).search).toBe('?limit=5&role=user');
    expect(urls.messages('s', { cursor: 'a', computerId: 'b' }).search).toBe('?cursor=a&computerId=b');
  });

  it('have a limit from 1 to 100', () => {
    for (const limit of [1, 100]) expect(urls.messages('s', { limit }).search).toBe(`?limit=${limit}`);
    for (const limit of [0, 101, 1.5, -1, Number.NaN]) {
      expect(() => urls.messages('s', { limit })).toThrow(invalid('The limit must be an integer from 1 to 100.'));
    }
  });

  it.each(['', '.', '..'])('have no ID %j', (id) => {
    expect(() => urls.session(id)).toThrow(invalid('Not a valid session ID.'));
    expect(() => urls.message('s', id)).toThrow(invalid('Not a valid message ID.'));
    expect(urls.session('...').pathname).toBe('/prefix/api/v0/sessions/...');
  });

  it('have no lone surrogate', () => {
    const error = invalid("The text contains a lone surrogate, which a URL can't contain.");
    expect(() => urls.session('\ud800')).toThrow(error);
    expect(() => urls.messages('s', { cursor: '\ud800' })).toThrow(error);
  });
});
