import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { WorkspaceFiles } from '../../../../src/host/files/workspaceFiles.ts';
import { fileEvents, FileType, folderEvents, Uri, workspace } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let root: string;
let files: WorkspaceFiles;
let folder: vscode.WorkspaceFolder;
let changes: number;

async function write(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), 'x');
  }
}

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'lineside-files-')));
  await write('src/a.ts', 'src/deep/b.ts', 'c.ts');
  const opened: unknown = { uri: Uri.file(root), name: 'project' };
  folder = opened as vscode.WorkspaceFolder;
  workspace.workspaceFolders = [opened as (typeof workspace.workspaceFolders)[number]];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  files = new WorkspaceFiles();
  changes = 0;
  files.onDidChange(() => (changes += 1));
});
afterEach(async () => {
  files.dispose();
  vi.useRealTimers();
  vi.restoreAllMocks();
  await rm(root, { recursive: true });
});

const change = (path: string) => fileEvents.fire(Uri.file(join(root, path)));

/** Advances the fake timers, and then waits for the work that follows them. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise((resolve) => void setImmediate(resolve));
}

/** The paths that the action looks up on disk, relative to the folder. */
async function lookedUp(action: () => Promise<unknown>): Promise<readonly string[]> {
  const stat = vi.spyOn(workspace.fs, 'stat');
  await action();
  const paths = stat.mock.calls.map(([uri]) => uri.fsPath.slice(root.length + 1));
  stat.mockRestore();
  return [...new Set(paths)].toSorted();
}

describe('the files of the workspace', () => {
  const paths = ['src/a.ts', 'src/deep/b.ts', 'c.ts', 'none.ts'];
  const askKinds = () => files.existing(folder, paths);
  const askTexts = () => Promise.all(paths.map((path) => files.count(path)));

  it.each([
    ['src/deep/b.ts', ['none.ts', 'src/deep/b.ts']],
    ['src/deep', ['none.ts', 'src/deep', 'src/deep/b.ts']],
    ['SRC/A.ts', ['none.ts', 'src/a.ts']],
    ['dist/new.js', ['none.ts']],
    ['src/a.ts.map', ['none.ts']],
  ])('are forgotten if they are at or below a changed path, or missing: %s', async (changed, again) => {
    expect(await askKinds()).toEqual(new Set(paths.slice(0, 3)));
    expect(await lookedUp(askKinds)).toEqual([]);
    change(changed);
    await pass(500);
    expect(await lookedUp(askKinds)).toEqual(again);
  });

  it('are found again by what a text names, after a change', async () => {
    expect(await askTexts()).toEqual([1, 1, 1, 0]);
    expect(await lookedUp(askTexts)).toEqual([]);
    await write('none.ts');
    await rm(join(root, 'src/deep'), { recursive: true });
    change('none.ts');
    change('src/deep');
    await pass(500);
    const looked = await lookedUp(async () => expect(await askTexts()).toEqual([1, 0, 1, 1]));
    expect(looked).not.toContain('c.ts');
    expect(looked).not.toContain('src/a.ts');
  });

  it('that a text names are counted again after any change, if there are several workspace folders', async () => {
    const other = join(root, 'src');
    workspace.workspaceFolders = [folder, { uri: Uri.file(other), name: 'src' }] as never;
    expect(await files.count('c.ts')).toBe(1);
    await write('src/c.ts');
    change('src/c.ts');
    await pass(500);
    expect(await files.count('c.ts')).toBe(2);
  });

  it('are forgotten soon after the first change, and then every 5 s', async () => {
    await askKinds();
    change('dist/1.js');
    await pass(500);
    expect(changes).toBe(1);
    for (let count = 0; count < 20; count += 1) {
      change(`dist/${count}.js`);
      await pass(500);
    }
    expect(changes).toBe(3);
  });

  it('are all forgotten after very many changes, and with other workspace folders', async () => {
    const known = ['c.ts', 'none.ts', 'src', 'src/a.ts', 'src/deep', 'src/deep/b.ts'];
    expect(await lookedUp(askKinds)).toEqual(known);
    for (let count = 0; count <= 2_001; count += 1) change(`dist/${count}.js`);
    await pass(500);
    expect(await lookedUp(askKinds)).toEqual(known);
    folderEvents.fire({});
    expect(changes).toBe(2);
    expect(await lookedUp(askKinds)).toEqual(known);
  });

  it('stay known when Git writes its own files', async () => {
    await askKinds();
    change('.git/index.lock');
    await pass(10_000);
    expect(changes).toBe(0);
    expect(await lookedUp(askKinds)).toEqual([]);
  });

  it('are looked up 16 at a time, by all questions together', async () => {
    let [running, most] = [0, 0];
    vi.spyOn(workspace.fs, 'stat').mockImplementation(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => void setImmediate(resolve));
      running -= 1;
      return { type: FileType.File, size: 1 };
    });
    const names = Array.from({ length: 100 }, (_, index) => `file${index}.ts`);
    const answers = await Promise.all([...names.map((name) => files.count(name)), files.existing(folder, names)]);
    expect(answers.slice(0, 100)).not.toContain(0);
    expect(answers.at(-1)).toEqual(new Set(names));
    expect(most).toBe(16);
  });

  it('are missing if they are deleted during the look-up, and are looked up again after the change', async () => {
    const stat = vi.spyOn(workspace.fs, 'stat');
    stat.mockResolvedValueOnce({ type: FileType.File, size: 1 }).mockRejectedValueOnce(new Error('gone'));
    expect(await files.count('src/a.ts')).toBe(0);
    change('src/a.ts');
    await pass(500);
    expect(await files.count('src/a.ts')).toBe(1);
  });
});
