import { describe, expect, it } from 'vitest';
import { ChangeReader, rangeOf } from '../../../../src/state/work/changeReader.ts';
import { headerOf, recordOf } from '../samples.ts';
import { file, withMarks, written } from './marks.ts';

const headers = [
  ...written('0', file('before.ts')),
  headerOf('prompt 1'),
  ...written('1', file('one.ts')),
  headerOf('prompt 2'),
  ...written('2', file('two.ts')),
];
const record = recordOf({ headers });
const paths = (messageId?: string, of = record) => {
  const range = rangeOf(of, messageId);
  return range && new ChangeReader().changes(of, range).files.map(({ path }) => path);
};

describe('the changes in a range of messages', () => {
  it('are those of all messages, or of the turn that contains a message', () => {
    expect(paths()).toEqual(['before.ts', 'one.ts', 'two.ts']);
    expect(paths('prompt 1')).toEqual(['one.ts']);
    expect(paths('1-result')).toEqual(['one.ts']);
    expect(paths('2-call')).toEqual(['two.ts']);
    expect(paths('0-call')).toEqual(['before.ts']);
    expect(paths('unknown')).toBeUndefined();
    expect(paths(undefined, recordOf())).toBeUndefined();
  });

  it('can be read with pauses, and are known from then on', () => {
    const long = recordOf({
      headers: Array.from({ length: 50 }, (_, at) => written(`${at}`, file(`${at}.ts`))).flat(),
    });
    const range = rangeOf(long);
    if (!range) throw new Error('There is no range.');
    const reader = new ChangeReader();
    const work = reader.reading(long, range);
    let pauses = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(2);
    expect(step.value.files).toHaveLength(50);
    expect(reader.changes(long, range)).toBe(step.value);
  });

  it('stay the same when the agent continues', () => {
    const range = rangeOf(record)!;
    const later = recordOf({ headers: [...headers, ...written('3', file('three.ts'))] });
    expect(new ChangeReader().changes(later, range).files).toHaveLength(3);
    expect(paths(undefined, later)).toHaveLength(4);
  });

  it('are confirmed by a result after the next prompt', () => {
    const [call, answer] = written('1', file('one.ts'));
    const late = recordOf({ headers: [headerOf('prompt 1'), call!, headerOf('prompt 2'), answer!] });
    const { files } = new ChangeReader().changes(late, rangeOf(late, 'prompt 1')!);
    expect(files).toMatchObject([{ path: 'one.ts', isConfirmed: true }]);
  });

  it('are none if the messages are no longer loaded', () => {
    expect(new ChangeReader().changes(record, { first: 'gone', last: '2-result' }).files).toEqual([]);
    expect(new ChangeReader().changes(record, { first: 'prompt 1', last: 'gone' }).files).toEqual([]);
  });

  it('are read again only after the messages have changed', () => {
    const reader = new ChangeReader();
    const range = rangeOf(record)!;
    const changes = reader.changes(record, range);
    expect(reader.changes({ ...record }, range)).toBe(changes);
    const changed = [...headers.slice(0, -1), withMarks('2-result', ['r', 0, '2', true, 'No'])];
    expect(reader.changes({ ...record, headers: changed }, range).files).toHaveLength(2);
  });
});
