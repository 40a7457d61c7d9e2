import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { findInWorkspace, unlinkedFile } from '../../../../src/host/files/workspacePaths.ts';

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
  return (await findInWorkspace(text))?.uri.fsPath;
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
  ])('names a place: %s', async (text, place) => {
    const { start, end } = (await findInWorkspace(text))?.selection ?? {};
    expect(start && end && [start.line, start.character, end.line, end.character]).toEqual(place);
  });
});

describe('a file that the agent changed', () => {
  it.each(['src/a.ts', './src/deep/../a.ts', 'project/src/a.ts'])('is the file of the workspace: %s', async (path) => {
    expect((await unlinkedFile(path))?.fsPath).toBe(join(folder, 'src', 'a.ts'));
  });

  it.each(['../secret.txt', '..\\secret.txt', 'src/../../secret.txt', 'none.ts', 'b.ts:10', 'b.ts#L3', '', '.', 'src'])(
    'is not: %j',
    async (path) => {
      expect(await unlinkedFile(path)).toBeUndefined();
    },
  );

  it('is never reached through a symbolic link', async () => {
    await symlink(join(outer, 'secret.txt'), join(folder, 'linked.txt'));
    await symlink(outer, join(folder, 'src', 'linked'));
    expect(await found('linked.txt')).toBe(join(folder, 'linked.txt'));
    for (const path of ['linked.txt', 'src/linked/secret.txt', 'src/linked/project/b.ts']) {
      expect(await unlinkedFile(path), path).toBeUndefined();
    }
  });
});
