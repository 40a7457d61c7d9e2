import { expect, it } from 'vitest';
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
