import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { findInWorkspace, unlinkedFiles } from '../../../../src/host/files/workspacePaths.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let outer: string;
let folder: string;
beforeAll(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'lineside-paths-')));
  folder = join(outer, 'project');
  await mkdir(join(folder, 'src', 'deep'), { recursive: true });
  await mkdir(join(outer, 'project-other'));
  for (const path of ['project/src/a.ts', 'project/b.ts', 'secret.txt', 'project-other/c.ts']) {
    await writeFile(join(outer, path), 'x');
  }
  workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'project' }];
});
afterAll(() => rm(outer, { recursive: true }));

async function found(text: string): Promise<string | undefined> {
  return (await findInWorkspace(text))[0]?.uri.fsPath;
}

describe('a path in a message', () => {
  it.each(['src/a.ts', './src/a.ts', 'src\\a.ts', 'src/./deep/../a.ts', 'project/src/a.ts', 'src/a.ts:3'])(
    'is the file of the workspace: %s',
    async (text) => {
      expect(await found(text)).toBe(join(folder, 'src', 'a.ts'));
    },
  );

  it.each([
    '../secret.txt',
    'src/../../secret.txt',
    './../secret.txt',
    'project/../../secret.txt',
    '..\\secret.txt',
    'src\\..\\..\\secret.txt',
    '../project-other/c.ts',
    '../secret.txt:1',
    '../secret.txt#L1',
    '../project/b.ts',
  ])('never leaves the workspace, even if the file exists: %s (R5)', async (text) => {
    expect(await found(text)).toBeUndefined();
  });

  it('can be absolute, but only inside the workspace (R5)', async () => {
    expect(await found(`${folder}/src/a.ts`)).toBe(join(folder, 'src', 'a.ts'));
    for (const path of ['secret.txt', 'project/../secret.txt', 'project-other/c.ts', 'project/src/../../secret.txt']) {
      expect(await found(`${outer}/${path}`), path).toBeUndefined();
    }
  });

  it.each(['src', '', '.', '/', 'none.ts', 'src/'])('is not a file: %j', async (text) => {
    expect(await found(text)).toBeUndefined();
  });

  it.each([
    ['b.ts', undefined],
    ['b.ts:10', [9, 0, 9, 0]],
    ['b.ts:10:5', [9, 4, 9, 4]],
    ['b.ts:0:0', [0, 0, 0, 0]],
    ['b.ts#L3', [2, 0, 2, 0]],
    ['b.ts#L3C2', [2, 1, 2, 1]],
    ['b.ts#L3-L8', [2, 0, 7, 1_000_000]],
    ['b.ts#L3-8', [2, 0, 7, 1_000_000]],
    ['b.ts#L3-L3', [2, 0, 2, 0]],
    ['b.ts#L3C5-L8C2', [2, 4, 7, 1]],
    ['b.ts:3-9', [2, 0, 8, 1_000_000]],
    ['b.ts:3:5-9', [2, 4, 2, 8]],
    ['b.ts:9:5-3', [8, 4, 8, 4]],
    ['b.ts:3:5-9:2', [2, 4, 8, 1]],
    ['b.ts:3:5-3:9', [2, 4, 2, 8]],
    ['b.ts:9-3', [8, 0, 8, 0]],
    ['b.ts:L3', [2, 0, 2, 0]],
    ['b.ts:L3-L9', [2, 0, 8, 1_000_000]],
    ['b.ts(3,5)', [2, 4, 2, 4]],
    ['b.ts(3)', [2, 0, 2, 0]],
    ['b.ts line 3', [2, 0, 2, 0]],
    ['b.ts, lines 3-9', [2, 0, 8, 1_000_000]],
    ['b.ts lines 3 to 9', [2, 0, 8, 1_000_000]],
  ])('names a place: %s', async (text, place) => {
    const { start, end } = (await findInWorkspace(text))[0]?.selection ?? {};
    expect(start && end && [start.line, start.character, end.line, end.character]).toEqual(place);
  });
});

describe('a path that several workspace folders contain', () => {
  const namesIn = async (text: string) =>
    (await findInWorkspace(text)).map(({ uri }) => uri.fsPath.slice(outer.length));

  beforeAll(async () => {
    for (const path of ['api/src/a.ts', 'api/own.ts', 'api/web/b.ts', 'web/src/a.ts', 'web/b.ts']) {
      await mkdir(dirname(join(outer, path)), { recursive: true });
      await writeFile(join(outer, path), 'x');
    }
    open('api', 'web');
  });
  afterAll(() => open('project'));

  function open(...names: readonly string[]): void {
    workspace.workspaceFolders = names.map((name) => ({ uri: Uri.file(join(outer, name)), name }));
  }

  it.each([
    ['src/a.ts:3', ['/api/src/a.ts', '/web/src/a.ts']],
    ['@src/a.ts', ['/api/src/a.ts', '/web/src/a.ts']],
    ['./src/a.ts#L3', ['/api/src/a.ts', '/web/src/a.ts']],
    ['web/src/a.ts', ['/web/src/a.ts']],
    ['own.ts', ['/api/own.ts']],
    // The path of one file relative to its folder, and of another one that begins with the name of its folder.
    ['web/b.ts', ['/api/web/b.ts', '/web/b.ts']],
    ['OUTER/web/b.ts', ['/web/b.ts']],
    ['none.ts', []],
  ])('means each of the files: %s', async (text, expected) => {
    expect(await namesIn(text.replace('OUTER', outer))).toEqual(expected);
  });

  it('means one file if one of the folders is inside the other', async () => {
    open('api', 'api/web');
    expect(await namesIn(`${outer}/api/web/b.ts`)).toEqual(['/api/web/b.ts']);
    open('api', 'web');
  });

  it('leads to no changed file if one of them is a symbolic link', async () => {
    expect((await unlinkedFiles('src/a.ts')).map(({ fsPath }) => fsPath)).toHaveLength(2);
    await symlink(join(outer, 'web/b.ts'), join(outer, 'web/own.ts'));
    expect(await unlinkedFiles('own.ts')).toEqual([]);
    expect(await namesIn('own.ts')).toEqual(['/api/own.ts', '/web/own.ts']);
  });
});

describe('a symbolic link in a message', () => {
  it('is followed inside the workspace, and never out of it', async () => {
    await mkdir(join(folder, 'links'));
    const links: readonly (readonly [string, string])[] = [
      ['in.ts', join(folder, 'b.ts')],
      ['in', join(folder, 'src')],
      ['out.txt', join(outer, 'secret.txt')],
      ['out', outer],
      ['other', join(outer, 'project-other')],
      ['none.ts', join(folder, 'nothing.ts')],
    ];
    for (const [name, target] of links) await symlink(target, join(folder, 'links', name));
    expect(await found('links/in.ts:3')).toBe(join(folder, 'links', 'in.ts'));
    expect(await found('links/in/a.ts')).toBe(join(folder, 'links', 'in', 'a.ts'));
    for (const path of ['out.txt', 'out/secret.txt', 'other/c.ts', 'out/project/b.ts/../../secret.txt', 'none.ts']) {
      expect(await found(`links/${path}`), path).toBeUndefined();
    }
  });
});

describe('the target of a Markdown link', () => {
  it.each([
    './src/a.ts#L3',
    'src/%61.ts',
    'file:///FOLDER/src/a.ts',
    '@src/a.ts',
    'file://localhost/FOLDER/src/a.ts:2',
  ])('is the file of the workspace: %s', async (text) => {
    expect(await found(text.replace('/FOLDER', folder))).toBe(join(folder, 'src', 'a.ts'));
  });

  it.each(['file:///OUTER/secret.txt', '%2e%2e/secret.txt', 'file://server/share/a.ts', 'src/%zz.ts', 'src/a.ts%00'])(
    'is none: %s',
    async (text) => {
      expect(await found(text.replace('/OUTER', outer))).toBeUndefined();
    },
  );
});

describe('a file that the agent changed', () => {
  it.each(['src/a.ts', './src/deep/../a.ts', 'project/src/a.ts'])('is the file of the workspace: %s', async (path) => {
    expect((await unlinkedFiles(path))[0]?.fsPath).toBe(join(folder, 'src', 'a.ts'));
  });

  it.each(['../secret.txt', '..\\secret.txt', 'src/../../secret.txt', 'none.ts', 'b.ts:10', 'b.ts#L3', '', '.', 'src'])(
    'is not: %j',
    async (path) => {
      expect(await unlinkedFiles(path)).toEqual([]);
    },
  );

  it('is never reached through a symbolic link', async () => {
    await symlink(join(outer, 'secret.txt'), join(folder, 'linked.txt'));
    await symlink(outer, join(folder, 'src', 'linked'));
    for (const path of ['linked.txt', 'src/linked/secret.txt', 'src/linked/project/b.ts']) {
      expect(await unlinkedFiles(path), path).toEqual([]);
    }
  });
});
