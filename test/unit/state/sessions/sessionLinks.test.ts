import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { URI } from 'vscode-uri';
import {
  offeredReferences,
  readSessionLink,
  readSessionReferences,
  referenceText,
  sessionLink,
} from '../../../../src/state/sessions/sessionLinks.ts';

/** An ID with any kinds of characters except white space, commas, and semicolons, which separate pasted references. */
const id = fc.oneof(
  fc.uuid(),
  fc.string({
    minLength: 1,
    maxLength: 40,
    unit: fc.constantFrom('a', 'B', '25', '%', '&', '+', '=', '/', '?', '#', ':', '@', "'", '"', '<', 'é', '漢', '🙂'),
  }),
);

describe('a link', () => {
  it('preserves every session ID and message ID', () => {
    fc.assert(
      fc.property(id, fc.option(id), fc.option(id), (sessionId, messageId, computerId) => {
        const origin = 'https://service.test:8443';
        const computer = computerId === null ? {} : { computerId };
        const link = { sessionId, origin, ...computer, ...(messageId === null ? {} : { messageId }) };
        const text = sessionLink('vscode', 'lineside.lineside', link);
        const uri = URI.parse(text, true);
        expect(uri.authority).toBe('lineside.lineside');
        expect(readSessionLink(uri.path, uri.query)).toEqual(link);
        // Some programs encode a link again before they pass it on.
        const passedOn = URI.parse(uri.toString(), true);
        expect(readSessionLink(passedOn.path, passedOn.query)).toEqual(link);
        expect(readSessionReferences(text)).toEqual([link]);
        const reference = { sessionId, origin, ...computer };
        if (computerId !== null) expect(readSessionReferences(referenceText(reference, origin))).toEqual([reference]);
      }),
    );
  });

  it.each(['a&service=https://evil.test', 'a%26service=https%3A%2F%2Fevil.test', 'a+b', '50%', 'a=b;c#d?e', '%2526'])(
    'keeps the ID %j apart from its other parts',
    (sessionId) => {
      const uri = URI.parse(sessionLink('vscode', 'lineside.lineside', { sessionId, origin: 'https://service.test' }));
      expect(readSessionLink(uri.path, uri.query)).toEqual({ sessionId, origin: 'https://service.test' });
    },
  );

  it('that was made before values were encoded twice can still be read', () => {
    const uri = URI.parse('vscode://lineside.lineside/open?session=a-1&service=https%3A%2F%2Fs.test&message=m%201');
    expect(readSessionLink(uri.path, uri.query)).toEqual({
      sessionId: 'a-1',
      messageId: 'm 1',
      origin: 'https://s.test',
    });
  });

  it.each([
    ['/send', 'session=a&text=hello', 'notOurs'],
    ['/', '', 'notOurs'],
    ['/open', '', 'noSession'],
    ['/open', 'session=', 'noSession'],
    ['/open', 'message=m', 'noSession'],
    ['/open', `session=${'x'.repeat(1_001)}`, 'noSession'],
    ['/open', 'session=a&service=javascript:alert(1)', 'badService'],
    ['/open', 'session=a&service=file:///etc', 'badService'],
  ])('%s?%s is not followed: %s', (path, query, failure) => expect(readSessionLink(path, query)).toBe(failure));

  it('identifies a service by origin and ignores other parameters', () => {
    const query = 'session=a&service=https%3A%2F%2Fservice.test%2Fbase&text=rm&key=k';
    expect(readSessionLink('/open', query)).toEqual({ sessionId: 'a', origin: 'https://service.test' });
  });

  it('can be pasted to add a session', () => {
    const link = sessionLink('vscode', 'lineside.lineside', { sessionId: 'a b/ü', origin: 'https://s.test' });
    expect(readSessionReferences(link)).toEqual([{ sessionId: 'a b/ü', origin: 'https://s.test' }]);
  });
});

describe('a pasted list', () => {
  it.each(['["a","b"]', '[a, b]', "'a', 'b'", '`a` (b)', '<a>\n<b>'])(
    'may have quotes and brackets around IDs: %s',
    (text) => {
      expect(readSessionReferences(text)).toEqual([{ sessionId: 'a' }, { sessionId: 'b' }]);
    },
  );
});

describe('a pasted address', () => {
  it.each([
    ['https://s.test/api/v0/sessions/a%20b?computerId=mac%2F1', { sessionId: 'a b', computerId: 'mac/1' }],
    ['https://s.test/?session=a&computerId=mac-1', { sessionId: 'a', computerId: 'mac-1' }],
    ['https://s.test/sessions/a?computerId=', { sessionId: 'a' }],
  ])('names the computer to read from: %s', (text, named) => {
    expect(readSessionReferences(text)).toEqual([{ origin: 'https://s.test', ...named }]);
  });

  it('is offered as the ID alone unless it names a computer', () => {
    expect(referenceText({ sessionId: 'a' }, 'https://s.test')).toBe('a');
    const lone = { sessionId: 'a\ud800', computerId: '\udc00' };
    expect(referenceText(lone, 'https://s.test')).toBe('https://s.test/sessions/a%EF%BF%BD?computerId=%EF%BF%BD');
  });
});

describe('the clipboard', () => {
  const uuid = '0f6b1c52-3d1e-4a8b-9c47-5f0b8a2d6e11';

  it.each([
    [uuid, [uuid]],
    [` ${uuid}\n${uuid.replace('0f', '1f')} `, [uuid, uuid.replace('0f', '1f')]],
    [`https://service.test/app/sessions/${uuid}`, [uuid]],
    [`vscode://lineside.lineside/open?session=${uuid}`, [uuid]],
  ])('is offered if it contains only session references: %s', (text, ids) => {
    expect(offeredReferences(text).map(({ sessionId }) => sessionId)).toEqual(ids);
  });

  it.each([
    '',
    'sk-live-4f9a8b7c6d5e4f3a2b1c',
    'correct horse battery staple',
    `password ${uuid}`,
    'https://service.test/reset?token=abc',
    'https://user:pass@service.test/sessions/1',
    `${uuid} `.repeat(60),
  ])('is not offered if it may contain anything else: %s', (text) => expect(offeredReferences(text)).toEqual([]));
});
