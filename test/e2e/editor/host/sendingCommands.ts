import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sessionIdByName } from '../../../../src/demoService/seed/seed.ts';
import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';

const sessionId = sessionIdByName.login;

/** Tests, in the extension host, the results of send commands that are called programmatically. */
export const tests: HostTests = {
  'a selection is sent without a prompt, and the command returns the message ID': async () => {
    await vscode.commands.executeCommand('lineside.tryDemo');
    const editor = await showSample('src/basket.ts');
    editor.selection = new vscode.Selection(2, 0, 7, 1);
    const sent = await send('sendSelection', { sessionId, text: 'From a script' });
    assert.deepEqual(Object.keys(sent).sort(), ['messageId', 'status']);
    assert.match(String(sent['messageId']), /^msg_/);
    assert.ok(['pending', 'running'].includes(String(sent['status'])), `status ${String(sent['status'])}`);
  },
  'a file is sent by its URI, given as an object or a string': async () => {
    const uri = vscode.Uri.joinPath(workspaceFolder(), 'README.md');
    for (const given of [uri, uri.toString()]) {
      const sent = await send('sendFile', { sessionId, text: 'Read this', uri: given });
      assert.match(String(sent['messageId']), /^msg_/);
    }
  },
  'a message needs no file': async () => {
    const sent = await send('sendMessage', { sessionId, text: 'Only words' });
    assert.match(String(sent['messageId']), /^msg_/);
  },
  'a message that was certainly not sent rejects the command': async () => {
    const folder = vscode.Uri.joinPath(workspaceFolder(), 'src');
    await assert.rejects(() => send('sendFile', { sessionId, text: 'A folder', uri: folder }));
    await assert.rejects(
      () => send('sendMessage', { sessionId: 'not-in-the-list', text: 'To nobody' }),
      /isn't in your list/,
    );
    const editor = await showSample('src/basket.ts');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await assert.rejects(() => send('sendSelection', { sessionId, text: 'Nothing selected' }));
  },
};

async function send(name: string, argument: object): Promise<Record<string, unknown>> {
  return vscode.commands.executeCommand(`lineside.${name}`, argument);
}

async function showSample(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.joinPath(workspaceFolder(), path));
}

function workspaceFolder(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'no folder is open');
  return folder.uri;
}
