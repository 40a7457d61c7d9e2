import { beforeEach, describe, expect, it, vi } from 'vitest';
import { URI } from 'vscode-uri';
import { baseName, findInWorkspace, WorkspaceFile, workspacePath } from '../../../../src/host/files/workspacePaths.ts';

/**
 * Simulates a workspace on any platform. Paths come from VS Code's own `Uri`; files and folders come from the test.
 */
const played = vi.hoisted(() => ({ folders: [] as unknown[], files: [] as string[], asked: [] as string[] }));

vi.mock('vscode', async () => {
  const { URI: Uri, Utils } = await import('vscode-uri');
  class Position {
    readonly line: number;
    readonly character: number;
    constructor(line: number, character: number) {
      this.line = line;
      this.character = character;
    }
  }
  class Range {
    readonly start: Position;
    readonly end: Position;
    constructor(start: Position, end: Position) {
      this.start = start;
      this.end = end;
    }
  }
  return {
    Position,
    Range,
    FileType: { File: 1 },
    Uri: { joinPath: (uri: URI, path: string) => Utils.joinPath(uri, path), file: Uri.file },
    workspace: {
      get workspaceFolders() {
        return played.folders;
      },
      getWorkspaceFolder: (uri: URI) =>
        (played.folders as { uri: URI }[]).find(
          (folder) => folder.uri.authority === uri.authority && uri.path.startsWith(folder.uri.path),
        ),
      fs: {
        stat: (uri: URI) => {
          played.asked.push(uri.toString(true));
          return played.files.includes(uri.toString(true)) ? Promise.resolve({ type: 1 }) : Promise.reject(new Error());
        },
      },
    },
  };
});

/** Opens a folder with these files, given as URIs. */
function open(folder: string, ...files: readonly string[]): void {
  const uri = URI.parse(folder, true);
  played.folders = [{ uri, name: uri.path.split('/').at(-1), index: 0 }];
  played.files = [...files];
}

beforeEach(() => {
  played.asked = [];
});

const found = async (text: string): Promise<string | undefined> => (await findInWorkspace(text))?.uri.toString(true);

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
  ])('in %s, %j is never looked for', async (folder, text) => {
    open(folder);
    expect(await found(text)).toBeUndefined();
    expect(played.asked).toEqual([]);
  });

  it('with a drive, but without a root, stays inside the folder', async () => {
    open('file:///c:/work/app');
    await found('C:secret.txt');
    expect(played.asked.every((uri) => uri.startsWith('file:///c:/work/app/'))).toBe(true);
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
