/**
 * Performs requests that a test writes to a folder as `request-<id>.json`, and writes the answer to `answer-<id>.json`.
 * Each extension host has its own folder in `$LINESIDE_PROBE`, named by its start time in milliseconds.
 */
const { watch } = require('node:fs');
const { mkdir, readdir, readFile, rename, rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const vscode = require('vscode');

async function listen() {
  const folder = join(process.env.LINESIDE_PROBE, String(Math.round(performance.timeOrigin)));
  await mkdir(folder, { recursive: true });
  const watcher = watch(folder, () => void answerAll(folder));
  await answerAll(folder);
  return watcher;
}

async function answerAll(folder) {
  for (const name of await readdir(folder)) if (/^request-.*\.json$/.test(name)) await answer(folder, name);
}

async function answer(folder, name) {
  const file = join(folder, name);
  const taken = `${file}.taken`;
  try {
    await rename(file, taken);
  } catch {
    return; // An earlier event of the folder has taken it.
  }
  const request = JSON.parse(await readFile(taken, 'utf8'));
  await rm(taken);
  // Don't wait for the request, because it may need the user's input.
  void perform(request).then((result) => writeWhole(join(folder, name.replace('request-', 'answer-')), result));
}

async function writeWhole(file, content) {
  await writeFile(`${file}.part`, JSON.stringify(content));
  await rename(`${file}.part`, file);
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

/** The number of runs of the command that no link may run. */
const canary = { count: 0 };

/** The command that `runEach` is running. */
const running = { name: null };

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  const watcher = await listen();
  context.subscriptions.push(
    { dispose: () => watcher.close() },
    // For `execute` in tests: the whole text of the active editor, because the page renders only the visible lines.
    vscode.commands.registerCommand('linesideProbe.activeText', () => {
      const editor = vscode.window.activeTextEditor;
      return editor && { text: editor.document.getText(), line: editor.selection.active.line };
    }),
    // The path of the active notebook, which the window shows before extensions know of it.
    vscode.commands.registerCommand(
      'linesideProbe.activeNotebook',
      () => vscode.window.activeNotebookEditor?.notebook.uri.path,
    ),
    vscode.commands.registerCommand('linesideProbe.openFile', async (path) => {
      const [folder] = vscode.workspace.workspaceFolders;
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, path), { preview: false });
    }),
    // Selects whole lines, by 1-based line numbers, without the last line break.
    vscode.commands.registerCommand('linesideProbe.selectLines', (from, to) => {
      const editor = vscode.window.activeTextEditor;
      const end = editor.document.lineAt(to - 1).range.end;
      editor.selection = new vscode.Selection(new vscode.Position(from - 1, 0), end);
      editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
    }),
    // Calls a language model tool of another extension, as an agent would.
    vscode.commands.registerCommand('linesideProbe.invokeTool', async (name, input) => {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      return content.map(({ value }) => value).join('');
    }),
    // What VS Code and its extensions make of the text of each open document of these schemes: links, hovers at each
    // link, and commands above lines. Links are resolved, as a click does.
    vscode.commands.registerCommand('linesideProbe.actions', async (schemes) => {
      const { executeCommand } = vscode.commands;
      const documents = vscode.workspace.textDocuments.filter(({ uri }) => schemes.includes(uri.scheme));
      return Promise.all(
        documents.map(async ({ uri, languageId }) => {
          const links = await executeCommand('vscode.executeLinkProvider', uri, 100_000);
          const lenses = await executeCommand('vscode.executeCodeLensProvider', uri, 1_000);
          const places = links.slice(0, 200).map(({ range }) => range.start);
          const hovers = await Promise.all(places.map((at) => executeCommand('vscode.executeHoverProvider', uri, at)));
          return {
            uri: uri.toString(true),
            languageId,
            links: links.map(({ target }) => target?.toString(true) ?? ''),
            hovers: hovers.flat().flatMap(({ contents }) => contents.map((content) => content.value ?? content)),
            commands: lenses.flatMap(({ command }) => (command?.command ? [command.command] : [])),
          };
        }),
      );
    }),
    // Follows each link whose text contains `target` in the active editor, as Ctrl+click does. Resolves to their
    // number.
    vscode.commands.registerCommand('linesideProbe.followLinks', async (target) => {
      const editor = vscode.window.activeTextEditor;
      const text = editor.document.getText();
      let count = 0;
      for (let at = text.indexOf(target); at >= 0; at = text.indexOf(target, at + 1), count++) {
        const place = editor.document.positionAt(at + 1);
        editor.selection = new vscode.Selection(place, place);
        await vscode.commands.executeCommand('editor.action.openLink');
      }
      return count;
    }),
    // A command that a link must not run.
    vscode.commands.registerCommand('linesideProbe.canary', () => canary.count++),
    vscode.commands.registerCommand('linesideProbe.canaryCount', () => canary.count),
    // Gives all lines of the active editor a hover with this Markdown. Its links may run commands.
    vscode.commands.registerCommand('linesideProbe.showHover', (value) => {
      const { activeTextEditor: editor, createTextEditorDecorationType } = vscode.window;
      const hoverMessage = Object.assign(new vscode.MarkdownString(value), { isTrusted: true });
      const range = new vscode.Range(0, 0, editor.document.lineCount - 1, 0);
      editor.setDecorations(createTextEditorDecorationType({ isWholeLine: true }), [{ range, hoverMessage }]);
    }),
    vscode.commands.registerCommand('linesideProbe.openText', async (content, language) => {
      const document = await vscode.workspace.openTextDocument({ content, language });
      await vscode.window.showTextDocument(document, { preview: false });
    }),
    // The address at which the browser delivers a link to an extension, as the operating system would.
    vscode.commands.registerCommand('linesideProbe.externalAddress', async (link) =>
      (await vscode.env.asExternalUri(vscode.Uri.parse(link, true))).toString(true),
    ),
    // The effective values of settings.
    vscode.commands.registerCommand('linesideProbe.settings', (names) =>
      names.map((name) => vscode.workspace.getConfiguration().get(name)),
    ),
    // Runs commands one after the other, as keyboard shortcuts do, and clears the notifications of each. Resolves to
    // the error message of each command, or '' if it didn't fail.
    vscode.commands.registerCommand('linesideProbe.runEach', async (names) => {
      const failures = [];
      for (const name of names) {
        running.name = name;
        failures.push(
          await vscode.commands.executeCommand(name).then(
            () => '',
            (error) => (error instanceof Error ? error.message : String(error)),
          ),
        );
        await vscode.commands.executeCommand('notifications.clearAll');
      }
      running.name = null;
      return failures;
    }),
    vscode.commands.registerCommand('linesideProbe.running', () => running.name),
    // The texts of all open documents of a scheme, for example those of a multi-file diff.
    vscode.commands.registerCommand('linesideProbe.documents', (scheme) =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.scheme === scheme)
        .map((document) => {
          const { uri, languageId } = document;
          return { path: uri.path, query: uri.query, languageId, text: document.getText() };
        }),
    ),
  );
}

module.exports = { activate };
