import { describe, expect, it } from 'vitest';
import { addressText, documentAddress, documentUri } from '../../../../src/state/documents/documentUri.ts';
import { key } from '../samples.ts';

const authority = 'https+api.test';
const parsed = (path: string) => documentAddress({ authority, path });
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
          expect(uri.path.split('/')).toHaveLength(5);
          expect(uri.path.split('/')).not.toContain('..');
          const other = documentUri(address, 'Another title');
          expect(addressText(documentAddress(other)!)).toBe(addressText(address));
        }
      }
    }
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

  it('is parsed from a path with any name', () => {
    const sessionKey = { origin: 'https://api.test', sessionId: 's' };
    expect(parsed('/s/part/999999/')).toEqual({ key: sessionKey, shows: { part: 999_999 } });
    expect(parsed('/s/message/1/x.md')).toEqual({ key: sessionKey, shows: { messageId: '1' } });
  });

  it('is not parsed from any other path', () => {
    for (const path of [
      ...['', '/', '/s', '/s/part/1', '/s/message/1', '/s/part/1/x/y', '/s/message/1/x/y', 'x/s/part/1/x.md'],
      ...['/s/part/0/x.md', '/s/part/1000000/x.md', '/s/part/1a/x.md', '/s/part/a1/x.md', '/s/else/1/x.md'],
      ...['/s/output/1/x.txt', '/s/output/1-/x.txt', '/s/output/-2-m/x.txt', '/s/output/01-m/x.txt', '/s/text//x.md'],
      ...['/s/output/1000000-m/x.txt', '/s/form/m/x.md', '/s/undefined/m/x.md'],
      ...['/%/part/1/x.md', '//part/1/x.md', '/s/message/%/x.md', '/s/message//x.md', '/s/message/1/%'],
    ]) {
      expect(parsed(path), path).toBeUndefined();
    }
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
