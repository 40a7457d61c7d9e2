import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FileFinder } from '../../../../src/host/files/fileFinder.ts';
import { configure, configured, Uri, workspace } from '../../../fakes/recordedEditor.ts';

/** The arguments of each search of VS Code, and what it finds. */
const searches: { readonly calls: unknown[][]; found: Uri[] } = vi.hoisted(() => ({ calls: [], found: [] }));

vi.mock('vscode', async () => {
  const editor = await import('../../../fakes/recordedEditor.ts');
  const findFiles = (...call: unknown[]) => {
    searches.calls.push(call);
    return Promise.resolve(searches.found);
  };
  const CancellationTokenSource = class {
    readonly token = {};
    readonly cancel = () => undefined;
    readonly dispose = () => undefined;
  };
  const asRelativePath = (uri: Uri) => relative(editor.workspace.workspaceFolders[0]?.uri.fsPath ?? '', uri.fsPath);
  return {
    ...editor,
    CancellationTokenSource,
    workspace: Object.assign(editor.workspace, { findFiles, asRelativePath }),
  };
});

let folder: string;
let finder: FileFinder;
const paths = async () => (await finder.find('ts', 10)).map(({ path }) => path).sort();

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  folder = await mkdtemp(join(tmpdir(), 'lineside-'));
  workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'shop' }];
  searches.calls.length = 0;
  searches.found = ['a.ts', 'b.ts'].map((name) => Uri.file(join(folder, name)));
  finder = new FileFinder();
});
afterEach(async () => {
  vi.useRealTimers();
  finder.dispose();
  configured.clear();
  workspace.workspaceFolders = [];
  await rm(folder, { recursive: true });
});

it('lists the files again after a setting changed that excludes files, and after no other', async () => {
  await paths();
  const searchesAfter = async (setting: string) => {
    vi.setSystemTime(Date.now() + 6_000);
    configure(setting, {});
    await paths();
    return searches.calls.length;
  };
  // The first list counts as outdated, because changes before the watcher starts are not detected.
  expect(await searchesAfter('editor.fontSize')).toBe(2);
  expect(await searchesAfter('editor.fontSize')).toBe(2);
  for (const [index, setting] of ['files.exclude', 'search.exclude', 'search.useIgnoreFiles'].entries())
    expect(await searchesAfter(setting)).toBe(3 + index);
});

it('leaves out ignored top folders before the files are limited, but none that a workspace folder keeps', async () => {
  const make = async (name: string, ignored: string, ...folders: readonly string[]) => {
    for (const each of folders) await mkdir(join(folder, name, each), { recursive: true });
    await writeFile(join(folder, name, '.gitignore'), ignored);
    return { uri: Uri.file(join(folder, name)), name };
  };
  workspace.workspaceFolders = [
    await make('shop', '/data/\nout*\n!outline/\nkept\n{a}\n', 'data', 'src', 'output', 'outline', 'kept', '{a}'),
    await make('web', 'data\n', 'data', 'kept'),
  ];
  await paths();
  expect(searches.calls.at(-1)?.slice(0, 3)).toEqual(['**/*', '{data/**,output/**}', 50_000]);
  configure('search.useIgnoreFiles', false);
  vi.setSystemTime(Date.now() + 6_000);
  await paths();
  expect(searches.calls.at(-1)?.[1]).toBe('{}');
});
