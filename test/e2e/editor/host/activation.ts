import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HostTests } from '../../../editor/drive/hostTests.ts';

/** Tests in the extension host that the installed extension activates and registers its commands. */
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
};

function installedExtension(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('lineside.lineside');
  assert.ok(extension, 'the extension is not installed');
  return extension;
}
