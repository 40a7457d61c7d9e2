import { beforeEach, expect, it, vi } from 'vitest';
import { Suggestions } from '../../../../src/commands/composer/suggestions.ts';
import type { FileFinder } from '../../../../src/host/files/fileFinder.ts';
import { type AgentFolder, AgentFolders } from '../../../../src/state/work/agentFolders.ts';
import { Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const uriOf = (name: string) => Uri.file(`/w/${name}`).toString();
let confirmed: readonly AgentFolder[];
let suggestions: Suggestions;

function finding(...files: readonly object[]): void {
  const finder: unknown = { find: () => Promise.resolve(files) };
  const agentFiles = { confirmedFolders: () => Promise.resolve(new AgentFolders(confirmed)) };
  suggestions = new Suggestions(finder as FileFinder, agentFiles, t);
}

const file = (path: string, fileId = path, at = path) => ({
  ...{ fileId, path, uri: Uri.file(`/w/${at}`), matches: [] },
  name: path.slice(path.lastIndexOf('/') + 1),
});
const mapped = (root: string, folder: string, more: Partial<AgentFolder> = {}): AgentFolder => ({
  ...{ root, folders: [uriOf(folder)], isUncertain: false, source: 'user' },
  ...more,
});
const insertion = async (session = true) => {
  return (await suggestions.suggest('file', 'a', session ? key : undefined)).suggestions[0]?.insertion;
};

beforeEach(() => {
  workspace.workspaceFolders = ['shop', 'web'].map((name) => ({ uri: Uri.file(`/w/${name}`), name }));
  confirmed = [];
  finding(file('shop/src/a.ts'));
});

it('a mention contains the path in the workspace unless the folder of the agent is confirmed', async () => {
  expect(await insertion()).toBe('@shop/src/a.ts ');
  confirmed = [mapped('/home/agent/shop', 'shop')];
  expect(await insertion()).toBe('@/home/agent/shop/src/a.ts ');
  expect(await insertion(false)).toBe('@shop/src/a.ts ');
});

it.each([
  ['another folder', [mapped('/r', 'web')]],
  ['two folders of the agent', [mapped('/r', 'shop'), mapped('/tmp/wt', 'shop')]],
  ['a folder that may be several', [mapped('/r', 'shop', { folders: [uriOf('shop'), uriOf('web')] })]],
  ['an uncertain folder', [mapped('/r', 'shop', { isUncertain: true })]],
  ['a folder that is not mapped', [mapped('/r', 'shop', { folders: [] })]],
  ['another subfolder', [mapped('/r', 'shop', { subfolder: 'lib' })]],
  ['a folder with another one at the path', [mapped('/r', 'shop'), mapped('/r/src', 'web')]],
])('a mention contains the path in the workspace if the user confirmed %s', async (_, folders) => {
  confirmed = folders;
  expect(await insertion()).toBe('@shop/src/a.ts ');
});

it.each([
  ['/r/a.ts', [mapped('/r', 'shop', { subfolder: 'src' })]],
  ['c:/work/shop/src/a.ts', [mapped('c:/work/shop', 'shop')]],
  ['/s/a.ts', [mapped('/r', 'web'), mapped('/s', 'shop', { subfolder: 'src', source: 'setting' })]],
])('a mention contains the path %s on the computer of the agent', async (path, folders) => {
  confirmed = folders;
  expect(await insertion()).toBe(`@${path} `);
});

it('files with the same path are told apart by their folders', async () => {
  const one = file('shop/src/a.ts', uriOf('shop/src/a.ts'));
  const other = file('shop/src/a.ts', uriOf('web/src/a.ts'), 'web/src/a.ts');
  finding(one, other);
  const { suggestions: found } = await suggestions.suggest('file', 'a', key);
  expect(found.map(({ suggestionId, detail }) => [suggestionId, detail])).toEqual([
    ['file:///w/shop/src/a.ts', '/w/shop/src'],
    ['file:///w/web/src/a.ts', '/w/web/src'],
  ]);
});
