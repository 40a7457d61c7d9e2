import { describe, expect, it } from 'vitest';
import { addressText, documentAddress, documentUri } from '../../../../src/state/documents/documentUri.ts';
import { key } from '../samples.ts';

const authority = 'https+api.test';
const parsed = (path: string, query = '') => documentAddress({ authority, path, query });
const nameOf = (title: string, part = 1) => documentUri({ key, shows: { part } }, title).path.split('/').at(-1);

describe('the address of a document', () => {
  it('survives a round trip through a URI for any IDs and titles', () => {
    const shown = [
      { part: 1 },
      { part: 12 },
      { messageId: 'a b/ü.%2F' },
      { messageId: '..' },
      { messageId: '..', form: 'text' },
      { messageId: '7.a', form: 'branch' },
      { messageId: '7.a\nb', outputOf: 0 },
      { messageId: '-1.', outputOf: -1 },
      { messageId: '..', outputOf: 999_999 },
    ] as const;
    for (const sessionId of ['s-1', 'a b/ü', '..', '%41', 'x?y#z']) {
      for (const origin of ['https://api.test', 'http://127.0.0.1:8080', 'http://[::1]:80']) {
        for (const shows of shown) {
          const address = { key: { origin, sessionId }, shows };
          const uri = documentUri(address, 'A/b: "c" \u202e 100%');
          expect(documentAddress(uri)).toEqual(address);
          // Breadcrumbs show each segment of the path.
          expect(uri.path).toBe(
            `/A-b- -c- -U+202E- 100${'part' in shows && shows.part > 1 ? ` (${shows.part})` : ''}${'outputOf' in shows ? '.txt' : '.md'}`,
          );
          const other = documentUri(address, 'Another title');
          expect(addressText(documentAddress(other)!)).toBe(addressText(address));
        }
      }
    }
  });

  it('exists for IDs with lone surrogates, which have no encoded form', () => {
    const address = { key: { ...key, sessionId: 'a\ud800' }, shows: { messageId: '\udc00b' } };
    expect(documentAddress(documentUri(address, 'T'))).toEqual({
      key: { ...key, sessionId: 'a\ufffd' },
      shows: { messageId: '\ufffdb' },
    });
  });

  it('has a text that differs from that of any other address', () => {
    const keys = [key, { ...key, sessionId: 'other' }, { ...key, origin: 'https://other.test' }];
    const shown = [
      ...[{ part: 1 }, { part: 2 }, { messageId: '1' }, { messageId: 'part' }],
      ...[{ messageId: '1', form: 'text' } as const, { messageId: '1', form: 'branch' } as const],
      ...[
        { messageId: '1', outputOf: 1 },
        { messageId: '1', outputOf: 2 },
        { messageId: '1-1', form: 'text' } as const,
      ],
    ];
    const texts = keys.flatMap((each) => shown.map((shows) => addressText({ key: each, shows })));
    expect(new Set(texts).size).toBe(keys.length * shown.length);
  });

  const sessionKey = { origin: 'https://api.test', sessionId: 's' };
  const invalid = [
    ...['s', 's/part', 's/part/', 's/message/', '/part/1', '%/part/1', 's/message/%', 's/part/1/x', 's/message/1/x'],
    ...['s/part/0', 's/part/1000000', 's/part/1a', 's/part/a1', 's/else/1', 's/text/', 's/form/m', 's/undefined/m'],
    ...['s/output/1', 's/output/1-', 's/output/-2-m', 's/output/01-m', 's/output/1000000-m'],
  ];

  it('is parsed from a query, with any path', () => {
    for (const path of ['', '/', '/x.md', '/other/part/7/x.md']) {
      expect(parsed(path, 's/part/999999')).toEqual({ key: sessionKey, shows: { part: 999_999 } });
      expect(parsed(path, 's/message/a%2Fb')).toEqual({ key: sessionKey, shows: { messageId: 'a/b' } });
      for (const query of ['/', '//', '/s/part/1', ...invalid]) expect(parsed(path, query), query).toBeUndefined();
    }
  });

  it('is parsed from the path of a tab of an earlier version, with any name', () => {
    expect(parsed('/s/part/999999/')).toEqual({ key: sessionKey, shows: { part: 999_999 } });
    expect(parsed('/s/message/1/x.md')).toEqual({ key: sessionKey, shows: { messageId: '1' } });
    const address = { key: { ...sessionKey, sessionId: 'a b/ü..' }, shows: { messageId: '7.a', outputOf: -1 } };
    const former = parsed('/a%20b%2F%C3%BC%2E%2E/output/-1-7%2Ea/npm test.txt');
    expect(former).toEqual(address);
    // A tab that was opened with such a URI is found.
    expect(addressText(former!)).toBe(addressText(documentAddress(documentUri(address, 'Title'))!));
  });

  it('is not parsed from any other path', () => {
    const paths = ['', '/', '/s', '/s/part/1', '/s/message/1', 'x/s/part/1/x.md', '/s/message/1/%'];
    for (const path of [...paths, ...invalid.map((segments) => `/${segments}/x.md`)])
      expect(parsed(path), path).toBeUndefined();
  });
});

describe('the name of a document', () => {
  it('is its title, with the number of every part but the first', () => {
    expect(nameOf('Fix it')).toBe('Fix it.md');
    expect(nameOf('Fix it', 2)).toBe('Fix it (2).md');
    expect(documentUri({ key, shows: { messageId: 'm' } }, 'Fix it').path).toMatch(/\/Fix it\.md$/);
    expect(documentUri({ key, shows: { messageId: 'm', form: 'text' } }, 'Fix it').path).toMatch(/\/Fix it\.md$/);
    expect(documentUri({ key, shows: { messageId: 'm', outputOf: 0 } }, 'npm test').path).toMatch(/\/npm test\.txt$/);
  });

  it('is valid on every operating system', () => {
    expect(nameOf('a\\b/c: "d" <e>|f* 100%?')).toBe('a-b-c- -d- -e-f- 100.md');
    expect(nameOf('The index makes it cheap:')).toBe('The index makes it cheap.md');
    expect(nameOf('. a.b .. c. ')).toBe('a.b .. c.md');
    expect(nameOf('...')).toBe('Conversation.md');
  });

  it('has at most 80 characters of the title', () => {
    expect(nameOf('x'.repeat(80))).toBe(`${'x'.repeat(80)}.md`);
    expect(nameOf('x'.repeat(81))).toBe(`${'x'.repeat(79)}….md`);
  });
});
