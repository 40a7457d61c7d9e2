import { parse } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { URI } from 'vscode-uri';
import { attachmentRisk } from '../../../../src/host/editors/attachmentRisk.ts';
import { WorkspaceFiles } from '../../../../src/host/files/workspaceFiles.ts';
import {
  baseName,
  fileInFolder,
  findInWorkspace,
  WorkspaceFile,
  workspacePath,
} from '../../../../src/host/files/workspacePaths.ts';
import { openFolder as open, played } from './playedWorkspace.ts';

vi.mock('vscode', () => import('./playedWorkspace.ts'));

type Folder = Parameters<typeof fileInFolder>[0];

const found = async (text: string): Promise<string | undefined> => (await findInWorkspace(text))[0]?.uri.toString(true);

describe('a path in a message', () => {
  it.each([
    // Windows, with a drive
    ['file:///c:/work/app', 'src\\a.ts', 'file:///c:/work/app/src/a.ts'],
    ['file:///c:/work/app', '.\\src\\a.ts:12:3', 'file:///c:/work/app/src/a.ts'],
    ['file:///c:/work/app', 'C:\\work\\app\\src\\a.ts', 'file:///c:/work/app/src/a.ts'],
    ['file:///c:/work/app', 'c:/work/app/src/a.ts:12', 'file:///c:/work/app/src/a.ts'],
    ['file:///c:/work/app', 'C:\\Work\\App\\src\\a.ts', 'file:///c:/work/app/src/a.ts'],
    ['file:///c:/', 'C:\\src\\a.ts', 'file:///c:/src/a.ts'],
    // Windows, in a network share
    ['file://server/share/app', '\\\\server\\share\\app\\src\\a.ts', 'file://server/share/app/src/a.ts'],
    ['file://server/share/app', '//SERVER/Share/app/src/a.ts#L3', 'file://server/share/app/src/a.ts'],
    // Linux and macOS, on this machine and on a remote one
    ['file:///work/app', '/work/app/src/a.ts', 'file:///work/app/src/a.ts'],
    ['vscode-remote://wsl+ubuntu/work/app', '/work/app/src/a.ts', 'vscode-remote://wsl+ubuntu/work/app/src/a.ts'],
  ])('in %s, %j is the file %s', async (folder, text, file) => {
    open(folder, file);
    expect(await found(text)).toBe(file);
  });

  it.each([
    ['file:///c:/work/app', 'D:\\work\\app\\src\\a.ts'],
    ['file:///c:/work/app', 'C:\\work\\application\\a.ts'],
    ['file:///c:/work/app', '..\\other\\a.ts'],
    ['file:///c:/work/app', 'C:\\work\\app\\..\\..\\secret.txt'],
    ['file:///c:/work/app', '\\\\evil\\share\\a.ts'],
    ['file:///c:/work/app', '\\\\?\\C:\\work\\app\\src\\a.ts'],
    ['file:///c:/work/app', '\\\\.\\pipe\\a'],
    ['file://server/share/app', '\\\\evil\\share\\app\\a.ts'],
    ['file://server/share/app', '/share/app/a.ts'],
    ['vscode-remote://wsl+ubuntu/work/app', '//wsl+ubuntu/work/app/a.ts'],
    ['file:///work/app', '/Work/App/src/a.ts'],
    // Devices, streams of a file, and names that Windows shortens
    ['file:///c:/work/app', 'src/con'],
    ['file:///c:/work/app', 'NUL.txt:3'],
    ['file:///c:/work/app', 'src\\COM1.ts'],
    ['file:///c:/work/app', 'src/a.ts:hidden.txt'],
    ['file:///c:/work/app', 'src/a.ts.'],
    ['file:///c:/work/app', 'C:\\work\\app\\aux'],
    ['file://server/share/app', 'lpt9.log'],
    // With a drive, but without a root.
    ['file:///c:/work/app', 'C:secret.txt'],
  ])('in %s, %j is never looked for', async (folder, text) => {
    open(folder);
    expect(await found(text)).toBeUndefined();
    expect(played.asked).toEqual([]);
  });
});

describe('a path relative to a folder', () => {
  it.each([
    ['file:///c:/work/app', 'src/aa\\..\\..\\..\\Users\\me\\x.txt'],
    ['file:///c:/work/app', '..\\secret.txt'],
    ['file:///c:/work/app', 'src\\a.ts/b.ts'],
    ['file://server/share/app', 'src/..\\..\\secret.txt'],
    ['vscode-remote://wsl+ubuntu/work/app', 'src/..\\..\\secret.txt'],
    ['file:///c:/work/app', 'src/../../secret.txt'],
    ['file:///c:/work/app', 'src/a.ts:hidden.txt'],
    ['file:///work/app', 'a\0.ts'],
  ])('in %s, %j is never looked for (R5)', async (root, path) => {
    open(root);
    const [folder]: readonly unknown[] = played.folders;
    if (!folder) throw new Error('No folder is open.');
    const files = new WorkspaceFiles();
    expect(await fileInFolder(folder as Folder, path)).toBeUndefined();
    expect(await files.existing(folder as Folder, [path])).toEqual(new Set());
    files.dispose();
    expect(played.asked).toEqual([]);
  });
});

describe('the path of a file in its folder', () => {
  it.each([
    ['file:///c:/work/app', 'file:///c:/work/app/src/a.ts', 'src/a.ts'],
    ['file:///c:/', 'file:///c:/src/a.ts', 'src/a.ts'],
    ['file://server/share/app', 'file://server/share/app/src/a.ts', 'src/a.ts'],
    ['file:///work/app', 'file:///work/app/src/a.ts', 'src/a.ts'],
    ['file:///', 'file:///src/a.ts', 'src/a.ts'],
    ['file:///work/app', 'file:///work/app', undefined],
    ['file:///c:/work/app', 'file://server/c:/work/app/a.ts', undefined],
  ])('in %s, that of %s is %s', (folder, file, path) => {
    open(folder);
    expect(workspacePath(URI.parse(file, true) as never)).toBe(path);
  });

  it.each([
    ['file:///c:/work/a%20b.ts', 'a b.ts'],
    ['file://server/share/', 'share'],
    ['file:///c:/', 'c:'],
  ])('the name of %s is %s', (uri, name) => expect(baseName(URI.parse(uri, true) as never)).toBe(name));
});

describe('a file of the workspace', () => {
  const fileAt = (text: string) => {
    const uri: unknown = URI.parse(text, true);
    return WorkspaceFile.of(uri as never);
  };

  it.each([
    ['file:///c:/work/app', 'src/a.ts', ['src/a.ts', '.\\SRC\\A.ts', 'C:\\Work\\app\\src\\a.ts', 'app/src/a.ts']],
    ['file:///home/me/app', 'src/a.ts', ['src/a.ts', './src/../src/a.ts', '/home/me/app/src/a.ts', 'app/src/a.ts']],
    ['vscode-remote://ssh/home/me/app', 'a.ts', ['a.ts', '/home/me/app/a.ts']],
  ])('in %s is meant by each path that leads to it', (folder, relative, paths) => {
    open(folder);
    const file = fileAt(`${folder}/${relative}`);
    expect(paths.filter((path) => file?.matches(path) !== true)).toEqual([]);
  });

  it.each([
    ['file:///c:/work/app', true],
    ['file:///home/me/app', false],
  ])('in %s is named in a JSON text, in another case: %s', (folder, isNamed) => {
    open(folder);
    const file = fileAt(`${folder}/src/a%22b.ts`);
    expect(file?.isNamedIn(JSON.stringify(['/agent/src/a"b.ts']))).toBe(true);
    expect(file?.isNamedIn(JSON.stringify(['/agent/src/A"B.ts']))).toBe(isNamed);
    expect(file?.isNamedIn(JSON.stringify(['/agent/src/b.ts']))).toBe(false);
  });

  it('is not meant by any other path', () => {
    open('file:///home/me/app');
    const file = fileAt('file:///home/me/app/src/a.ts');
    const paths = [
      'src/A.ts',
      'a.ts',
      'src/a.ts/b',
      '../app/src/a.ts',
      '/home/me/app2/src/a.ts',
      '/src/a.ts',
      '',
      '..',
    ];
    expect(paths.filter((path) => file?.matches(path) !== false)).toEqual([]);
    expect(fileAt('file:///home/other/a.ts')).toBeUndefined();
  });
});

describe('a file of a remote workspace that is attached', () => {
  const folder = 'vscode-remote://ssh/home/me/app';
  const riskOf = (path: string) => {
    const uri: unknown = URI.parse(`${folder}/${path}`, true);
    return attachmentRisk(uri as never, []);
  };

  it.each([
    ['the file', 'docs/notes.txt', 'link'],
    ['its folder', 'docs', 'link'],
    ['another file', 'docs/other.txt', undefined],
  ])('is a risk if %s is a symbolic link', async (_, link, risk) => {
    open(folder, `${folder}/docs/notes.txt`);
    played.links = [`${folder}/${link}`];
    expect(await riskOf('docs/notes.txt')).toBe(risk);
  });
});

it('asks nothing about a file of a workspace folder that is the root', async () => {
  open(URI.file(parse(import.meta.filename).root).toString());
  const uri: unknown = URI.file(import.meta.filename);
  expect(await attachmentRisk(uri as never, [])).toBeUndefined();
});
