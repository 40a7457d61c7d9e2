import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';

/** Matches one line in VS Code's list of default key bindings, which includes those of extensions. */
const bindingPattern = /^\{ "key": "([^"]+)",\s+"command": "([^"]+)"(?:,\s+"when": "([^"]*)")?/gm;

/** Tests the key bindings that VS Code lists for this platform. */
export const tests: HostTests = {
  'no default keybinding conflicts with one of VS Code': async () => {
    const list = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
    const text = (await vscode.workspace.openTextDocument(list)).getText();
    const bindings = [...text.matchAll(bindingPattern)].map(([, key = '', command = '', when = '']) => ({
      key,
      command,
      when,
    }));
    const isOurs = ({ command }: { command: string }) => command.startsWith('lineside.');
    const ours = bindings.filter(isOurs);
    const others = bindings.filter((binding) => !isOurs(binding));
    assert.ok(others.length > 500, `only ${others.length} key bindings were read`);
    assert.ok(ours.length > 0, 'none of ours is listed');
    const taken = new Set(others.map(({ key }) => key));
    // In our own views, a key may do something similar to what it does elsewhere in VS Code: F8 goes to the next error.
    // In a browser, the condition of a key binding that exists only on the desktop is "false", and vice versa.
    const isOwnViewOrNowhere = /lineside\.isConversationFocused|focusedView == lineside|^false$/;
    const clashing = ours.filter(({ key, when }) => taken.has(key) && !isOwnViewOrNowhere.test(when));
    assert.deepEqual(clashing, []);
  },
};
