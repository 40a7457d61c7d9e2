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
