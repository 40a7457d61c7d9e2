import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { translator } from '../../../../src/shared/translate.ts';
import { Suggestions } from '../../../../src/commands/composer/suggestions.ts';
import { FileFinder } from '../../../../src/host/files/fileFinder.ts';
import { AgentFolders } from '../../../../src/state/work/agentFolders.ts';
import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';

const finder = new FileFinder();
const suggestions = new Suggestions(
  finder,
  { confirmedFolders: () => Promise.resolve(new AgentFolders([])) },
  translator('en'),
);
const pathsFor = async (query: string) =>
  (await suggestions.suggest('file', query)).suggestions.map(({ suggestionId }) => suggestionId);

/** Tests the composer's suggestions after `@` and `/`, with VS Code's own files and settings. */
export const tests: HostTests = {
  'files are found by letters of their names, except files excluded from search': async () => {
    await make('.gitignore', '/made/\n*.log\n');
    await make('made/basket.ts');
    await make('basket.log');
    await make('node_modules/basket/basket.ts');
    assert.deepEqual((await pathsFor('basket')).sort(), ['src/basket.ts', 'tests/basket.test.ts']);
    const { suggestions: found, note } = await suggestions.suggest('file', 'früch');
    assert.deepEqual(
      [note, found],
      [
        '',
        [
          {
            suggestionId: 'src/früchte.ts',
            label: 'früchte.ts',
            matches: [0, 1, 2, 3, 4],
            detail: 'src',
            insertion: '@src/früchte.ts ',
          },
        ],
      ],
    );
    const uri = await suggestions.fileOf('src/früchte.ts');
    assert.equal(uri && vscode.workspace.asRelativePath(uri), 'src/früchte.ts');
    assert.equal(await suggestions.fileOf('../outside.txt'), undefined);
  },
  'open files come first before anything is typed': async () => {
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder(), 'src', 'price.ts'));
    await until(async () => (await pathsFor(''))[0] === 'src/price.ts', 'it does not come first');
    assert.ok((await pathsFor('')).includes('README.md'));
  },
  'a search without results returns a message': async () => {
    const found = await suggestions.suggest('file', 'no such\u202efile');
    assert.deepEqual(found, { suggestions: [], note: 'No files match "no such<U+202E>file".' });
  },
  'a new file is found within a short time': async () => {
    await make('src/brandnew.ts');
    await until(async () => (await pathsFor('brandnew')).includes('src/brandnew.ts'), 'it is not found');
  },
  'snippets are found by part of their name, with their variables resolved': async () => {
    const section = vscode.workspace.getConfiguration('lineside');
    const snippets = { review: 'Review ${file}: ${selection} ${other}', tests: 'Write\n tests' };
    await section.update('composer.snippets', snippets, vscode.ConfigurationTarget.Global);
    const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(folder(), 'src', 'price.ts'));
    editor.selection = new vscode.Selection(0, 0, 0, 5);
    const { suggestions: found } = await suggestions.suggest('snippet', 'EST');
    assert.deepEqual(found, [
      { suggestionId: '/tests', label: 'tests', matches: [1, 2, 3], detail: 'Write tests', insertion: '' },
    ]);
    const selected = editor.document.getText(editor.selection);
    assert.equal(selected.length, 5);
    assert.equal(suggestions.snippetOf('/review'), `Review src/price.ts: ${selected} \${other}`);
    assert.equal(suggestions.snippetOf('/none'), undefined);
  },
};

function folder(): vscode.Uri {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first, 'no folder is open');
  return first.uri;
}

/** Waits up to 30 seconds for a condition, because VS Code notifies extensions of changes with a delay. */
async function until(isSo: () => Promise<boolean>, complaint: string): Promise<void> {
  const givenUpAt = Date.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < givenUpAt, complaint);
    await wait(100);
  }
}

async function make(path: string, content = 'text'): Promise<void> {
  const { fsPath } = vscode.Uri.joinPath(folder(), path);
  await mkdir(dirname(fsPath), { recursive: true });
  await writeFile(fsPath, content);
}
