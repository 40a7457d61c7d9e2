/**
 * Performs the request in `$LINESIDE_PROBE/request.json`, and writes the answer to `answer-<id>.json` in the same
 * folder. A test starts this command in the Command Palette, so the window that it is testing handles the request.
 */
const { readFile, rename, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const vscode = require('vscode');

async function answerRequest() {
  const folder = process.env.LINESIDE_PROBE;
  const request = JSON.parse(await readFile(join(folder, 'request.json'), 'utf8'));
  const file = join(folder, `answer-${request.id}.json`);
  // Don't wait for the request. It may need user input that the test can only give after the palette has closed.
  void perform(request).then(async (answer) => {
    await writeFile(`${file}.part`, JSON.stringify(answer));
    await rename(`${file}.part`, file);
  });
}

async function perform(request) {
  try {
    if (request.links !== undefined) {
      const open = (link) => vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(link, true));
      await Promise.all(request.links.map(open));
      return {};
    }
    if (request.isDetached) {
      // The extension reports its errors to the user, as with a key binding.
      void vscode.commands.executeCommand(request.command).then(undefined, () => undefined);
      return {};
    }
    if (request.setting === undefined)
      return { result: await vscode.commands.executeCommand(request.command, ...request.args) };
    await vscode.workspace.getConfiguration().update(request.setting, request.value, vscode.ConfigurationTarget.Global);
    return {};
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('linesideProbe.perform', answerRequest),
    // For `execute` in tests: the whole text of the active editor, because the page renders only the visible lines.
    vscode.commands.registerCommand('linesideProbe.activeText', () => {
      const editor = vscode.window.activeTextEditor;
      return editor && { text: editor.document.getText(), line: editor.selection.active.line };
    }),
    // The texts of all open documents of a scheme, for example those of a multi-file diff.
    vscode.commands.registerCommand('linesideProbe.documents', (scheme) =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.scheme === scheme)
        .map((document) => ({ path: document.uri.path, query: document.uri.query, text: document.getText() })),
    ),
  );
}

module.exports = { activate };
