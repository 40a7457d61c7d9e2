import { describe, expect, it } from 'vitest';
import * as blocks from '../../../../src/api/resources/contentBlock.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';

const readContent = (value: unknown) => withoutPause(blocks.readContent(value));

const data = 'aGVsbG8=';

it.each([
  [{ name: 'a.txt', source: { data } }, 'a.txt'],
  [{ title: 'A title', source: { data } }, 'A title'],
  [{ source: { data, name: 'a.txt', path: 'src/a.txt' } }, 'a.txt'],
  [{ source: { data, path: 'src/a.txt' } }, 'a.txt'],
  [{ name: 'shown.txt', source: { data, name: 'other.txt' } }, 'shown.txt'],
  [{ source: { data } }, undefined],
])('a file has the name that the service returns: %j', (fields, name) => {
  expect(readContent([{ type: 'document', ...fields }])).toMatchObject([{ type: 'document', name, source: { data } }]);
});

it.each([
  ['in the block', { path: 'src/a.txt', parsedData: 'hello', source: { data } }],
  ['in the source', { source: { data, path: 'src/a.txt', parsedData: 'hello' } }],
  ['in the block without a source', { path: 'src/a.txt', parsedData: 'hello', data }],
])('a file has the path and the parsed text that the service returns %s', (_where, fields) => {
  for (const type of ['document', 'file']) {
    expect(readContent([{ type, ...fields }])).toMatchObject([
      { type: 'document', name: 'a.txt', path: 'src/a.txt', source: { data, parsedData: 'hello' } },
    ]);
  }
});

it('a file can have its text as data, or no data', () => {
  const source = { type: 'text', media_type: 'text/plain', data: 'hello' };
  expect(readContent([{ type: 'document', title: 'a.txt', source }])).toMatchObject([
    { name: 'a.txt', source: { mediaType: 'text/plain', data, parsedData: 'hello' } },
  ]);
  const [block] = readContent([{ type: 'document', source: { type: 'base64', data: '' } }]);
  expect(block).toMatchObject({ type: 'document', source: {} });
  expect(block).not.toHaveProperty('source.data');
});

it.each([{ parsedData: 7, source: { data, parsedData: null } }, { source: { data } }])(
  'a file without text has none: %j',
  (fields) => {
    const [block] = readContent([{ type: 'document', ...fields }]);
    expect(block).toMatchObject({ source: { data } });
    expect(block).not.toHaveProperty('source.parsedData');
  },
);

it('a file whose bytes the service leaves out keeps its text', () => {
  const [block] = readContent([{ type: 'document', source: { name: 'a.txt', parsedData: 'hello' } }]);
  expect(block).toMatchObject({ name: 'a.txt', source: { parsedData: 'hello' } });
});

it('a file block that names no file is shown raw', () => {
  expect(readContent([{ type: 'file', size: 3 }])).toMatchObject([{ type: 'unknown', kind: 'file' }]);
});

describe('the content of a message', () => {
  it.each([undefined, null])('is empty if the service sends %s', (value) => {
    expect(readContent(value)).toEqual([]);
  });

  it('can be a string, and anything other than a list is shown as unknown', () => {
    expect(readContent('Hello')).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(readContent({ a: 1 })).toEqual([{ type: 'unknown', kind: 'content', raw: { a: 1 } }]);
  });

  it('includes tool results in both spellings', () => {
    const text = { type: 'text', text: 'done' };
    const result = { type: 'tool_result', toolUseId: 't1', isError: true, content: [text] };
    for (const fields of [
      { toolUseId: 't1', isError: true },
      { tool_use_id: 't1', is_error: true },
    ]) {
      expect(readContent([{ type: 'tool_result', ...fields, content: [text] }])).toEqual([result]);
    }
    expect(readContent([{ type: 'tool_result', content: null }])).toEqual([
      { type: 'tool_result', toolUseId: undefined, isError: false, content: [] },
    ]);
  });

  it('includes tool calls without input and tool results without content', () => {
    expect(readContent([{ type: 'tool_use', name: 'list' }, { type: 'tool_result' }])).toEqual([
      { type: 'tool_use', toolUseId: undefined, name: 'list', input: undefined },
      { type: 'tool_result', toolUseId: undefined, isError: false, content: [] },
    ]);
  });

  it('shows a block with an invalid field as unknown, and keeps the others', () => {
    const broken = [{ type: 'tool_use' }, { type: 'thinking' }, { type: 'text' }, { type: 'redacted_thinking' }];
    expect(readContent([...broken, { type: 'text', text: 'a' }])).toEqual([
      ...broken.map((raw) => ({ type: 'unknown', kind: raw.type, raw })),
      { type: 'text', text: 'a' },
    ]);
  });

  it('includes documents and images whose source is in a field or in the block itself', () => {
    const own = { mediaType: 'text/plain', data: 'QQ==' };
    for (const type of ['document', 'image']) {
      expect(readContent([{ type, source: own }])).toMatchObject([{ type, source: own }]);
      expect(readContent([{ type, source: null, ...own }])).toMatchObject([{ type, source: own }]);
    }
  });

  it('includes text, thoughts, and the size of hidden ones', () => {
    expect(
      readContent([
        { type: 'text', text: 'a', id: 't1', other: 1 },
        { type: 'thinking', thinking: 'b', signature: 'c', signatureProvider: 'd' },
        { type: 'redacted_thinking', data: 'four' },
        { type: 'tool_use', id: 't1', name: 'list', input: { path: '.' } },
      ]),
    ).toEqual([
      { type: 'text', text: 'a', id: 't1' },
      { type: 'thinking', thinking: 'b', signature: 'c', signatureProvider: 'd' },
      { type: 'redacted_thinking', sizeChars: 4 },
      { type: 'tool_use', toolUseId: 't1', name: 'list', input: { path: '.' } },
    ]);
  });

  it.each(['text', null, {}, { type: 5 }, { type: 'toString' }])('shows a block of an unknown kind raw: %j', (raw) => {
    expect(readContent([raw])).toMatchObject([{ type: 'unknown', raw }]);
  });

  it('names the kind of an unknown block if it has one', () => {
    expect(readContent([{ type: 'chart' }, { type: 5 }, 'text'])).toMatchObject([
      { kind: 'chart' },
      { kind: 'unknown' },
      { kind: 'unknown' },
    ]);
  });

  it('is read down to four nested tool results', () => {
    const nested = (depth: number): unknown => [
      depth === 0 ? { type: 'text', text: 'deep' } : { type: 'tool_result', content: nested(depth - 1) },
    ];
    expect(JSON.stringify(readContent(nested(4)))).toContain('{"type":"text","text":"deep"}');
    expect(JSON.stringify(readContent(nested(5)))).toContain(
      '{"type":"unknown","kind":"content","raw":[{"type":"text"',
    );
  });

  it('includes images without any field of a source only as unknown', () => {
    expect(readContent([{ type: 'image', data: 'QQ==' }])).toMatchObject([{ type: 'image', source: { data: 'QQ==' } }]);
    expect(readContent([{ type: 'image', source: { media_type: 'image/png', url: 'https://a.test' } }])).toEqual([
      { type: 'image', source: { mediaType: 'image/png', data: undefined, url: 'https://a.test' } },
    ]);
    for (const raw of [{ type: 'image' }, { type: 'image', source: { mediaType: 'image/png' } }]) {
      expect(readContent([raw])).toEqual([{ type: 'unknown', kind: 'image', raw }]);
    }
  });

  it('includes the media type of a document', () => {
    const source = { media_type: 'text/plain', data: 'QQ==' };
    expect(readContent([{ type: 'document', source }])).toMatchObject([{ mediaType: 'text/plain' }]);
    expect(readContent([{ type: 'document', mediaType: 'a/b', source }])).toMatchObject([{ mediaType: 'a/b' }]);
  });
});

describe('a message with too many blocks', () => {
  const countOf = (content: readonly blocks.ContentBlock[]): number =>
    content.reduce((sum, block) => sum + 1 + (block.type === 'tool_result' ? countOf(block.content) : 0), 0);

  it('has the first 2,000 of them, and the others in one', () => {
    const content = Array.from({ length: 5_000 }, (_, at) => ({ type: 'text', text: String(at) }));
    const read = readContent(content);
    expect(read).toHaveLength(2_001);
    expect(read[1_999]).toMatchObject({ type: 'text', text: '1999' });
    expect(read[2_000]).toEqual({ type: 'unknown', kind: 'content', raw: content.slice(2_000), furtherCount: 3_000 });
    expect(readContent(content.slice(0, 2_000))).toHaveLength(2_000);
  });

  it('has no more in its tool results', () => {
    const result = (content: unknown) => ({ type: 'tool_result', content });
    const many = Array.from({ length: 1_000 }, () =>
      result(Array.from({ length: 1_000 }, () => ({ type: 'text', text: '' }))),
    );
    expect(countOf(readContent(many))).toBeLessThan(2_010);
    expect(countOf(readContent([result([result(many)]), ...many]))).toBeLessThan(2_010);
  });
});
