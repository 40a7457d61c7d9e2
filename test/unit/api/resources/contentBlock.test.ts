import { describe, expect, it } from 'vitest';
import { readContent } from '../../../../src/api/resources/contentBlock.ts';

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
});
