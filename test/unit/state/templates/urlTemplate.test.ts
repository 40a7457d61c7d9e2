import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillUrl } from '../../../../src/state/templates/urlTemplate.ts';

const template = 'https://agents.example/sessions/${sessionId}?at=${messageId}#${computerId}';
const ids = { sessionId: 's-1', messageId: 'm:2', computerId: 'c 3' };

describe('a URL template', () => {
  it('is filled in with percent-encoded IDs in its path, query, and fragment', () => {
    expect(fillUrl(template, ids)).toEqual({ url: 'https://agents.example/sessions/s-1?at=m%3A2#c%203' });
  });

  it.each([
    ['a b/ü', 'a%20b%2F%C3%BC'],
    ['a&b=c#d?e', 'a%26b%3Dc%23d%3Fe'],
    ['%2e%2e', '%252e%252e'],
    ['..%2fadmin', '..%252fadmin'],
    ["!'()*", '%21%27%28%29%2A'],
    ['${messageId}', '%24%7BmessageId%7D'],
    ['-rf', '-rf'],
    ['...', '...'],
    ['\u202e', '%E2%80%AE'],
  ])('encodes the ID %j as %j', (sessionId, encoded) => {
    expect(fillUrl('https://x.example/${sessionId}/y', { sessionId })).toEqual({
      url: `https://x.example/${encoded}/y`,
    });
    expect(fillUrl('https://x.example/?${sessionId}', { sessionId })).toEqual({ url: `https://x.example/?${encoded}` });
  });

  it('sends every ID that it accepts to the host of the template, unchanged, and in its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (sessionId) => {
        const filled = fillUrl('https://x.example:8443/s/${sessionId}/end?q=${sessionId}', { sessionId });
        if ('failure' in filled) return filled.failure.kind === 'unsafeId';
        const { origin, pathname, searchParams } = new URL(filled.url);
        const [empty, s, id = '', end, ...rest] = pathname.split('/');
        return (
          origin === 'https://x.example:8443' &&
          [empty, s, end].join() === ',s,end' &&
          rest.length === 0 &&
          decodeURIComponent(id) === sessionId &&
          searchParams.get('q') === sessionId
        );
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '.',
    '..',
    '../..',
    '../../admin',
    'a/..',
    '..\\..',
    './x',
    'x/./y',
    '\u2028/..',
    'a\nb',
    'a\0',
    '\ud800',
    'x'.repeat(1_001),
  ])('rejects the ID %j', (sessionId) => {
    expect(fillUrl('https://x.example/${sessionId}', { sessionId })).toEqual({
      failure: { kind: 'unsafeId', name: 'sessionId' },
    });
  });

  it('checks only the IDs that it contains', () => {
    const url = 'https://x.example/s';
    expect(
      fillUrl('https://x.example/${sessionId}', { sessionId: 's', computerId: '..', messageId: '\ud800' }),
    ).toEqual({ url });
  });

  it.each(['computerId', 'messageId'] as const)('reports that %s is unknown', (name) => {
    const filled = fillUrl(template, { ...ids, [name]: undefined });
    expect(filled).toEqual({ failure: { kind: 'missingId', name } });
    expect(fillUrl(template, { ...ids, [name]: '' })).toEqual(filled);
  });

  it.each([
    'http://localhost/${sessionId}',
    'http://localhost:8080/${sessionId}',
    'http://127.0.0.1:1/${sessionId}',
    'http://127.8.9.10/${sessionId}',
    'http://[::1]/${sessionId}',
    'http://[::1]:8080/${sessionId}',
    'HTTPS://x.example/${sessionId}',
  ])('may be %s', (allowed) => {
    expect(fillUrl(allowed, ids)).toEqual({ url: new URL(allowed.replace('${sessionId}', 's-1')).href });
  });

  it.each([
    ['http://x.example/${sessionId}', 'scheme'],
    ['http://localhost.x.example/', 'scheme'],
    ['http://127.0.0.1.x.example/', 'scheme'],
    ['http://[::2]/', 'scheme'],
    ['http://[::ffff:8.8.8.8]/', 'scheme'],
    ['http://0.0.0.0/', 'scheme'],
    ['javascript:alert(${sessionId})', 'scheme'],
    ['file:///etc/${sessionId}', 'scheme'],
    ['command:workbench.action.quit', 'scheme'],
    ['vscode://x.y/${sessionId}', 'scheme'],
    ['https:x.example/${sessionId}', 'scheme'],
    ['https:///${sessionId}/', 'scheme'],
    ['//x.example/${sessionId}', 'scheme'],
    ['${sessionId}', 'scheme'],
    [' https://x.example/', 'notAUrl'],
    ['https://x.example\\${sessionId}', 'notAUrl'],
    ['https:\\\\x.example/', 'notAUrl'],
    ['https://x.example/\n${sessionId}', 'notAUrl'],
    ['https://x.example/`', 'notAUrl'],
    ['https://x.example/[a](b)', 'notAUrl'],
    ['https://x.example/%2${sessionId}', 'notAUrl'],
    ['https://x.example:99999/', 'notAUrl'],
    ['https://%/', 'notAUrl'],
    ['https://${sessionId}/', 'placeholderInHost'],
    ['https://${sessionId}.x.example/', 'placeholderInHost'],
    ['https://x.example:${sessionId}/', 'placeholderInHost'],
    ['https://${sessionId}@x.example/', 'placeholderInHost'],
    ['https://x.example${sessionId}', 'placeholderInHost'],
    ['https://x${/y}', 'placeholderInHost'],
    ['https://me@x.example/', 'credentials'],
    ['https://me:secret@x.example/${sessionId}', 'credentials'],
  ])('must not be %j', (template, kind) => {
    expect(fillUrl(template, ids)).toEqual({ failure: { kind } });
  });

  it.each(['${env:HOME}', '${}', '${sessionid}', '${constructor}', '${__proto__}'])(
    'knows no placeholder %s',
    (text) => {
      expect(fillUrl(`https://x.example/${text}`, ids)).toEqual({ failure: { kind: 'unknownPlaceholder', text } });
    },
  );
});
