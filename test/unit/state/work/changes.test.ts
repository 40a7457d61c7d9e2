import { describe, expect, it } from 'vitest';
import { fileKey, hasChanges, turnChanges } from '../../../../src/state/work/changes.ts';
import { headerOf } from '../samples.ts';
import { execute, file, result, withMarks, write, written } from './marks.ts';

/** The files as `change oldPath path +added -removed ?`: `oldPath` only if renamed, and `?` only if unconfirmed. */
const listed = (...headers: Parameters<typeof turnChanges>[0]) =>
  turnChanges(headers).files.map(({ change, path, oldPath, added, removed, isConfirmed }) =>
    [change, oldPath, path, `+${added}`, `-${removed}`, isConfirmed ? undefined : '?'].filter(Boolean).join(' '),
  );

describe('the files that the agent changed', () => {
  it('are counted once, with the lines of all their changes, in the order of their first change', () => {
    const headers = [
      ...written('1', file('src/b.ts', 'edited', 3, 1)),
      ...written('2', file('src/a.ts', 'created', 20, 0)),
      ...written('3', file('./src/b.ts', 'edited', 2, 2)),
    ];
    expect(listed(...headers)).toEqual(['edited ./src/b.ts +5 -3', 'created src/a.ts +20 -0']);
    expect(turnChanges(headers)).toMatchObject({ confirmedCount: 2, added: 25, removed: 3 });
    expect(turnChanges(headers).files[0]?.edits).toEqual([
      { messageId: '1-call', index: 0, path: 'src/b.ts' },
      { messageId: '3-call', index: 0, path: './src/b.ts' },
    ]);
  });

  it('never include those of failed calls', () => {
    const failed = [withMarks('m1', write('1', file('a.ts'))), withMarks('m2', result('1', 'old text not found'))];
    expect(listed(...failed)).toEqual([]);
    expect(listed(...failed, ...written('2', file('a.ts', 'edited', 2, 2)))).toEqual(['edited a.ts +2 -2']);
  });

  it('are not confirmed while there is no result, and then not part of the totals', () => {
    const waiting = withMarks('m1', write('1', file('a.ts', 'edited', 5, 5)));
    expect(listed(waiting)).toEqual(['edited a.ts +5 -5 ?']);
    expect(turnChanges([waiting])).toMatchObject({ confirmedCount: 0, added: 0, removed: 0 });
    expect(listed(...written('2', file('a.ts', 'edited', 2, 2)), waiting)).toEqual(['edited a.ts +2 -2']);
    expect(listed(waiting, withMarks('m2', result('1')))).toEqual(['edited a.ts +5 -5']);
  });

  it('include a change whose result follows after the next prompt', () => {
    const turn = [headerOf('prompt'), withMarks('m1', write('1', file('a.ts')))];
    const next = [headerOf('next prompt'), withMarks('m2', result('1')), ...written('2', file('b.ts'))];
    expect(turnChanges(turn, next).files).toMatchObject([{ path: 'a.ts', isConfirmed: true }]);
    expect(turnChanges(turn).files).toMatchObject([{ path: 'a.ts', isConfirmed: false }]);
  });

  it.each([
    [['created', 'edited'], 'created'],
    [['created', 'deleted'], 'deleted'],
    [['edited', 'created'], 'edited'],
    [['deleted', 'created'], 'edited'],
    [['edited', 'deleted'], 'deleted'],
  ] as const)('combine %j to %s', (changes, combined) => {
    const headers = changes.flatMap((change, index) => written(String(index), file('a.ts', change)));
    expect(turnChanges(headers).files).toMatchObject([{ path: 'a.ts', change: combined }]);
  });

  it('keep the old path of a renamed file, and the changes before and after', () => {
    const edited = written('1', file('a.ts', 'edited', 1, 1));
    const renamed = written('2', file('b.ts', 'renamed', 2, 0, 'a.ts'));
    const again = written('3', file('c.ts', 'renamed', 0, 0, 'b.ts'));
    const back = written('4', file('a.ts', 'renamed', 0, 0, 'c.ts'));
    const other = written('5', file('z.ts'));
    expect(listed(...renamed)).toEqual(['renamed a.ts b.ts +2 -0']);
    expect(listed(...edited, ...other, ...renamed, ...again)).toEqual(['renamed a.ts c.ts +3 -1', 'edited z.ts +1 -1']);
    expect(listed(...edited, ...renamed, ...again, ...back)).toEqual(['edited a.ts +3 -1']);
    expect(listed(...written('0', file('a.ts', 'created', 9, 0)), ...renamed)).toEqual(['created b.ts +11 -0']);
  });

  it('are none in messages without calls that change files', () => {
    const headers = [headerOf('prompt'), withMarks('m1', execute('1', 'echo "write",')), withMarks('m2', result('1'))];
    expect(turnChanges(headers).files).toEqual([]);
    expect(hasChanges([headerOf('prompt')])).toBe(false);
    expect(hasChanges(written('1', file('a.ts')))).toBe(true);
  });
});

describe('the key of a path', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['src/x/../a.ts', 'src/a.ts'],
    ['/home/me/a.ts', '/home/me/a.ts'],
    ['C:\\repo\\a.ts', 'c:/repo/a.ts'],
    ['c:/repo/a.ts', 'c:/repo/a.ts'],
    ['../../etc/passwd', '../../etc/passwd'],
    ['a/../../etc', '../etc'],
    ['', ''],
  ])('of %j is %j', (path, key) => {
    expect(fileKey(path)).toBe(key);
  });
});
