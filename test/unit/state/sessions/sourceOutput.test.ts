import { expect, it } from 'vitest';
import { visibleText } from '../../../../src/shared/text/hiddenCharacters.ts';
import { maxSourceItems, readSourceOutput } from '../../../../src/state/sessions/sourceOutput.ts';
import { corpora } from '../../../fakes/corpora.ts';

const url = 'https://service.test/v1/sessions/s1?computerId=c1';
const s1 = { sessionId: 's1', origin: 'https://service.test', computerId: 'c1' };

it.each([
  ['an ID or URL in each line', `a1\r\n\n  ${url}  \na1\n`, ['a1', s1]],
  [
    'IDs of letters that are no single words',
    `fix-login\naXbYc\n${'a'.repeat(20)}`,
    ['fix-login', 'aXbYc', 'a'.repeat(20)],
  ],
  ['an object with an array', JSON.stringify({ count: 1, sessions: [{ id: 'abc' }] }, undefined, 2), ['abc']],
  ['the sessions of an object with several arrays', '{"errors":["E401"],"sessions":[{"id":"abc"}]}', ['abc']],
  ['the first array of an object', '{"page":{},"data":[{"id":"abc"}],"more":["x1"]}', ['abc']],
  ['an object for one session in several lines', '{\n  "id": "a",\n  "tags": ["b1"]\n}\n', ['a']],
  ['an object without sessions', '{"sessions":[]}', []],
  [
    'JSON lines',
    '{"id":"a","title":" The  title "}\n{"sessionId":7,"id":"b","title":8}',
    [{ sessionId: 'a', title: 'The  title' }, '7'],
  ],
  ['a JSON array', `\n [{"id":"a"}, "${url}", {"id":"${url}2"}]`, ['a', s1]],
  ['nothing', ' \n', []],
])('reads %s', (_, text, expected) => {
  const output = readSourceOutput(text);
  expect(output.sessions.map((one) => (Object.keys(one).length === 1 ? one.sessionId : one))).toEqual(expected);
  expect([output.invalidCount, output.isCut]).toEqual([0, false]);
});

it.each([
  ['words', 'ID  STATUS\nabc  running\nerror: no network, try later'],
  ['escape sequences and hidden characters', '\u001b[31ma\u001b[0m\nb\u202e\nc\u0000d\ne\u200bf'],
  ['a message of one word', 'Unauthorized\nERROR:\nerror!\n未授权'],
  ['the lines of a table', '+----+\n-----\n=====\n---------------------------\n|a1|'],
  ['an object with a message', '{"error":{"code":"E401"}}'],
  ['an object with messages', '{"errors":["Unauthorized"]}'],
  ['numbers that lose digits', '[{"id":12345678901234567890},{"id":9007199254740993},{"sessionId":1e400},{"id":1.5}]'],
  ['a broken object in several lines', '{\n"id":\n"a1"\n}\n]'],
  ['objects without an ID', '{"title":"x"}\n{"id":null}\n{"id":["a"]}\n{"id":{}}\n{"id":""}'],
  ['broken JSON', '{"id":"a"\n{'],
  ['a broken array', '[{"id":"a"}'],
  ['an array of other things', '[1, null, true, [["a"]], {}]'],
  ['very long IDs', `${'a'.repeat(1_001)}\n${'b'.repeat(100_000)}\n{"id":"${'c'.repeat(5_000)}"}`],
])('finds nothing in %s', (_, text) => {
  const { sessions, invalidCount } = readSourceOutput(text);
  expect(sessions).toEqual([]);
  expect(invalidCount).toBeGreaterThan(0);
});

it('finds only IDs that are one visible word in hostile texts', () => {
  for (const text of Object.values(corpora).flat()) {
    for (const { sessionId, origin } of readSourceOutput(text).sessions) {
      expect(visibleText(sessionId), JSON.stringify(text)).toBe(sessionId);
      if (origin === undefined) expect(sessionId, JSON.stringify(text)).toMatch(/^[^\s,;]{1,1000}$/);
    }
  }
});

it('reads a bounded number of lines and items, and none of them twice', () => {
  const ids = Array.from({ length: 200_000 }, (_, index) => String(index));
  for (const text of [ids.join('\n'), JSON.stringify(ids)]) {
    expect(readSourceOutput(text)).toMatchObject({ invalidCount: 0, isCut: true });
    expect(readSourceOutput(text).sessions).toHaveLength(maxSourceItems);
  }
  expect(readSourceOutput('a1\n'.repeat(maxSourceItems))).toMatchObject({
    sessions: [{ sessionId: 'a1' }],
    isCut: false,
  });
});
