import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';

/** Tests how the installed extension is activated, which commands it registers, and when it loads its main bundle. */
export const tests: HostTests = {
  'the packaged extension activates without errors': async () => {
    const extension = installedExtension();
    await extension.activate();
    assert.equal(extension.isActive, true);
  },
  'every command of the manifest is registered': async () => {
    const manifest = installedExtension().packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
  },
  'the first command shows its tab before the rest is loaded, and closes it if there is no such session': async () => {
    const { tabGroups } = vscode.window;
    const shown: string[] = [];
    const changes = tabGroups.onDidChangeTabs(({ opened, closed }) => {
      shown.push(...opened.map(({ label }) => `opened ${label}`), ...closed.map(({ label }) => `closed ${label}`));
    });
    const sessionId = 'not-in-the-list';
    const opening = async () => vscode.commands.executeCommand('lineside.openConversationInEditor', { sessionId });
    await assert.rejects(opening, /isn't in your list/);
    for (let waits = 0; shown.length < 2 && waits < 100; waits++) await wait(100);
    changes.dispose();
    assert.deepEqual(shown, ['opened Conversation', 'closed Conversation']);
  },
  'the bundle that runs the command was loaded once': () => {
    const { extensionPath } = installedExtension();
    const loaded = Object.keys(createRequire(join(extensionPath, 'package.json')).cache);
    const bundles = loaded.filter((path) => basename(path) === 'app.js' && basename(dirname(path)) === 'dist');
    assert.equal(bundles.length, 1);
  },
};

function installedExtension(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('lineside.lineside');
  assert.ok(extension, 'the extension is not installed');
  return extension;
}
