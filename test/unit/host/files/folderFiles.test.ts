import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listFolder } from '../../../../src/host/files/folderFiles.ts';
import { Uri, workspace } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-'));
  for (const name of ['first', 'locked', 'second']) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'a.ts'), name);
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** Makes the folder with this path unreadable. */
function lock(path: string): void {
  const read = workspace.fs.readDirectory;
  vi.spyOn(workspace.fs, 'readDirectory').mockImplementation((uri) =>
    uri.fsPath === path ? Promise.reject(new Error('NoPermissions')) : read(uri),
  );
}

const list = (signal = new AbortController().signal) =>
  listFolder(Uri.file(folder) as unknown as vscode.Uri, 10, signal);

describe('the files of a folder', () => {
  it('leave out subfolders that cannot be read, and count them', async () => {
    lock(join(folder, 'locked'));
    const { uris, unreadableCount, isTruncated } = await list();
    expect(uris.map(({ fsPath }) => fsPath)).toEqual(['first', 'second'].map((name) => join(folder, name, 'a.ts')));
    expect([unreadableCount, isTruncated]).toEqual([1, false]);
  });

  it('cannot be listed if the folder itself cannot be read, or after the signal', async () => {
    await expect(list(AbortSignal.abort(new Error('too slow')))).rejects.toThrow('too slow');
    lock(folder);
    await expect(list()).rejects.toThrow('NoPermissions');
  });
});
