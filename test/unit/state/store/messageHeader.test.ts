import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import { fieldNames, headerVersion, sameHeader, summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { headerOf } from '../samples.ts';

const differentOf = { number: 99, string: 'other', boolean: true, undefined: 'final' } as const;

it.each(fieldNames)('a header with a different %s is not equal and has a different version', (name) => {
  const header = headerOf('m1');
  const value = header[name];
  const other = typeof value === 'boolean' ? !value : differentOf[typeof value as keyof typeof differentOf];
  const changed = { ...header, [name]: other };
  expect(sameHeader(header, { ...header })).toBe(true);
  expect(sameHeader(header, changed)).toBe(false);
  expect(headerVersion(changed)).not.toBe(headerVersion(header));
});

it('a header does not hold the text of its message in memory (R38)', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedMB = () => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const before = usedMB();
  const headers = Array.from({ length: 200 }, (_, place) => {
    // As when parsed from JSON, each text is a separate string.
    const text = JSON.parse(`"message ${place} ${'with a long text '.repeat(12_000)}"`) as string;
    return summarizeMessage({ id: `m${place}`, createdAt: 1, updatedAt: 1, content: [{ type: 'text', text }] });
  });
  expect(usedMB() - before).toBeLessThan(10);
  expect(headers[1]?.firstLine).toMatch(/^message 1 with a long text .*…$/);
});

it.each<[string, string | undefined]>([
  ['Done.', undefined],
  ['I found two places. Should I change both?', 'Should I change both?'],
  ['Which one?\n\nThanks.', undefined],
  ['One\n\n**Shall I continue?**\n', 'Shall I continue?'],
  ['はじめますか？', 'はじめますか？'],
  ['See `a ? b`', undefined],
  ['Should I run `npm test`?', 'Should I run npm test?'],
  ['It now prints `continue?`', undefined],
  ['The search is at https://search.test/find?', undefined],
  ['(See www.search.test/?)', undefined],
  ['The page asks "Continue?"', undefined],
  ['It asks “Continue?”', undefined],
  ['As you wrote:\n\n> Should I continue?', undefined],
  ['```\nif (a) b = c ?', undefined],
  ['```\na ?\n```\nShould I commit it?', 'Should I commit it?'],
])('a header contains the question at the end of the text: %j', (text, question) => {
  const content = [{ type: 'text', text } as const];
  expect(summarizeMessage({ id: 'm1', role: 'assistant', createdAt: 1, updatedAt: 1, content }).question).toBe(
    question,
  );
  expect(summarizeMessage({ id: 'm1', role: 'user', createdAt: 1, updatedAt: 1, content }).question).toBeUndefined();
});

it.each<[string, ContentBlock[]]>([
  ['a call', [{ type: 'tool_use', toolUseId: 'a', name: 'read', input: {} }]],
  ['a result', [{ type: 'tool_result', toolUseId: 'a', isError: false, content: [] }]],
])('a header contains no question if %s follows it', (_, following) => {
  const content: ContentBlock[] = [{ type: 'text', text: 'Shall I look?' }, ...following];
  expect(
    summarizeMessage({ id: 'm1', role: 'assistant', createdAt: 1, updatedAt: 1, content }).question,
  ).toBeUndefined();
});
