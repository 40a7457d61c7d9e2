import { describe, expect, it } from 'vitest';
import { fileEdits } from '../../../../src/state/work/fileEdits.ts';
import { headerOf } from '../samples.ts';
import { execute, file, result, withMarks, write, written } from './marks.ts';

/** The file with these paths. */
const named = (...paths: readonly string[]) => ({ matches: (path: string) => paths.includes(path) });

describe('the changes of a session to a file', () => {
  it('are counted by call, with the last one', () => {
    const headers = [
      ...written('1', file('a.ts'), file('a.ts')),
      ...written('2', file('b.ts')),
      ...written('3', file('./a.ts', 'edited')),
      withMarks('run', execute('4', 'cat a.ts')),
      headerOf('end'),
    ];
    expect(fileEdits(headers, named('a.ts'))).toEqual({ count: 2, isConfirmed: true, last: headers[4], lastIndex: 0 });
    expect(fileEdits(headers, named('./a.ts'))?.count).toBe(2);
    expect(fileEdits(headers, named('c.ts'))).toBeUndefined();
    expect(fileEdits([], named('a.ts'))).toBeUndefined();
  });

  it('name the last of several calls of a message', () => {
    const calls = withMarks(
      'm',
      write('1', file('a.ts')),
      write('2', file('b.ts')).with(1, 1),
      write('3', file('a.ts')).with(1, 2),
    );
    const headers = [calls, withMarks('r', result('1'), result('2'), result('3')), ...written('4', file('b.ts'))];
    expect(fileEdits(headers, named('a.ts'))).toMatchObject({ last: { messageId: 'm' }, lastIndex: 2 });
  });

  it('include those under other names of the file', () => {
    const headers = [
      ...written('1', file('old.ts')),
      ...written('2', file('new.ts', 'renamed', 0, 0, 'old.ts')),
      ...written('3', file('new.ts')),
      ...written('4', file('/work/new.ts')),
    ];
    expect(fileEdits(headers, named('old.ts'))).toMatchObject({ count: 3, last: { messageId: '3-call' } });
    expect(fileEdits(headers, named('new.ts', '/work/new.ts'))).toMatchObject({ count: 4 });
  });

  it('never include failed calls, and say whether a result confirms them', () => {
    const failed = [withMarks('m1', write('1', file('a.ts'))), withMarks('m2', result('1', 'not found'))];
    expect(fileEdits(failed, named('a.ts'))).toBeUndefined();
    const waiting = [...failed, withMarks('m3', write('2', file('a.ts')))];
    expect(fileEdits(waiting, named('a.ts'))).toMatchObject({
      count: 1,
      isConfirmed: false,
      last: { messageId: 'm3' },
    });
  });
});
