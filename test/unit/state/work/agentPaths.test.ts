import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../../../src/shared/slices.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { AgentPathReader } from '../../../../src/state/work/agentPaths.ts';
import { headerOf } from '../samples.ts';
import { execute, file, withMarks, write } from './marks.ts';
import { toolHeader } from './toolHeaders.ts';

const read = (...headers: readonly MessageHeader[]) => withoutPause(new AgentPathReader().read(headers));

it('reads the absolute paths of calls, the last ones first', () => {
  const changed = write('c', file('/r/a.ts', 'created'), file('b.ts'), file('/r/new.ts', 'renamed', 1, 1, '/r/old.ts'));
  expect(read(toolHeader('1', ['Read', { file_path: 'C:\\r\\c.ts' }]), withMarks('2', changed))).toEqual([
    { path: '/r/a.ts', isNew: true },
    { path: '/r/new.ts', isNew: true },
    { path: '/r/old.ts', isNew: true },
    { path: 'c:/r/c.ts', isNew: false },
  ]);
});

it.each([
  ['cd /r && cat src/a.ts src/b.ts', ['/r/src/a.ts', '/r/src/b.ts']],
  ['cd "/r/my shop"; cat /s/b.ts', ['/s/b.ts']],
  ['cat src/a.ts', []],
  ['cd /r && rm -rf x.ts ../y.ts $A.ts', ['/r/x.ts', '/y.ts']],
  ['cd /r && sed -n 1,3p src/long…', []],
])('reads the paths of the command %j', (command, paths) => {
  expect(read(withMarks('1', execute('c', command))).map(({ path }) => path)).toEqual(paths);
});

describe('a relative path of a call', () => {
  const paths = (...headers: readonly MessageHeader[]) => read(...headers).map(({ path }) => path);
  const environment = (messageId: string, folder: string) => headerOf(messageId, { workingFolder: folder });
  const command = (workdir: string, cmd: string) => toolHeader('c', ['exec_command', { cmd, workdir }]);
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: src/b.ts\n+c\n*** End Patch\n';

  it.each([
    ['/r', "sed -n '1,9p' src/a.ts lib/b.go", ['/r/src/a.ts', '/r/lib/b.go']],
    ['/r', 'cd web && cat src/a.ts', ['/r/web/src/a.ts']],
    ['/r', 'cd ../s && cat a.ts', ['/s/a.ts']],
    ['/r', 'cd - && cat a.ts', []],
    ['/r', 'cd $HOME && cat a.ts', []],
    ['/r', 'cat ~/a.ts /s/b.ts', ['/s/b.ts']],
    ['C:\\r', 'type src/a.ts', ['c:/r/src/a.ts']],
    ['~/r', 'cat src/a.ts', []],
  ])('is in the folder %j of the command %j', (workdir, cmd, expected) => {
    expect(paths(command(workdir, cmd))).toEqual(expected);
  });

  it('is in the folder in which a patch is applied', () => {
    const applied = (cmd: string) => read(toolHeader('c', ['exec_command', { cmd, workdir: '/r' }]));
    expect(applied(`apply_patch <<'EOF'\n${patch}EOF`)).toEqual([
      { path: '/r/src/a.ts', isNew: false },
      { path: '/r/src/b.ts', isNew: true },
    ]);
    const entered = applied(`cd web && apply_patch <<'EOF'\n${patch}EOF`);
    expect(entered.map(({ path }) => path)).toEqual(['/r/web/src/a.ts', '/r/web/src/b.ts']);
  });

  it('is in the last folder that the tooling named before', () => {
    const calls = ['1', '2', '3'].map((id) => toolHeader(id, ['apply_patch', patch.replaceAll('src', `src${id}`)]));
    const [first, second, third] = calls;
    if (!first || !second || !third) throw new Error('There are three calls.');
    expect(paths(first, environment('e1', '/r'), second, environment('e2', '/s'), third)).toEqual([
      '/s/src3/a.ts',
      '/s/src3/b.ts',
      '/r/src2/a.ts',
      '/r/src2/b.ts',
    ]);
  });

  it('is read again when its folder becomes known', () => {
    const reader = new AgentPathReader();
    const call = toolHeader('c', ['Read', { file_path: 'src/a.ts' }]);
    expect(withoutPause(reader.read([call]))).toEqual([]);
    expect(withoutPause(reader.read([environment('e', '/r'), call]))).toEqual([{ path: '/r/src/a.ts', isNew: false }]);
  });

  it('in a command without a folder is unknown, because a shell can have changed its own', () => {
    const call = (cmd: string) => toolHeader('c', ['Bash', { command: cmd }]);
    expect(paths(environment('e', '/r'), call('cat src/a.ts'))).toEqual([]);
    expect(paths(environment('e', '/r'), call('cd web && cat src/a.ts'))).toEqual(['/r/web/src/a.ts']);
  });

  it('is searched with a pause for 1,000 messages', () => {
    const headers = Array.from({ length: 5_000 }, (_, index) => headerOf(`${index}`));
    const work = new AgentPathReader().read(headers);
    let pauses = 0;
    while (work.next().done !== true) pauses += 1;
    expect(pauses).toBe(5);
  });
});

it('reads the last 400 different paths only', () => {
  const headers = Array.from({ length: 1_000 }, (_, index) =>
    withMarks(`${index}`, write('c', file(`/r/a${index}.ts`))),
  );
  const paths = read(...headers);
  expect(paths).toHaveLength(400);
  expect(paths[0]?.path).toBe('/r/a999.ts');
});
