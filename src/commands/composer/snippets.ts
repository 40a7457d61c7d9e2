import * as vscode from 'vscode';
import { showInfo } from '../../host/prompts/notify.ts';
import { readSettings } from '../../host/settings.ts';
import { lastTextEditor } from '../../host/editors/openEditors.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/**
 * The text of a snippet with its variables filled in: `${selection}` is what is selected in the editor last used,
 * `${file}` the path of its file. Without such an editor they are empty; any other `${...}` stays as it is.
 */
export function fillSnippet(text: string): string {
  const editor = lastTextEditor();
  const values: Readonly<Record<string, string>> = {
    selection: editor?.document.getText(editor.selection) ?? '',
    file: editor ? vscode.workspace.asRelativePath(editor.document.uri) : '',
  };
  return text.replace(/\$\{(selection|file)\}/g, (_, name: string) => values[name] ?? '');
}

/** Lets the person pick a snippet of the setting; its text, filled in. Undefined where none was picked. */
export async function pickSnippet(t: Translate): Promise<string | undefined> {
  const snippets = Object.entries(readSettings().snippets);
  if (snippets.length === 0) {
    const name = 'sessionDeck.composer.snippets';
    const open = () => vscode.commands.executeCommand('workbench.action.openSettings', name);
    void showInfo(t('There are no snippets yet. Add some in the setting "{0}".', name), {
      label: t('Open Settings'),
      run: open,
    });
    return undefined;
  }
  const items = snippets.map(([name, text]) => ({ label: plainLine(name, 80), detail: plainLine(text, 200), text }));
  const options = { title: t('Insert Snippet'), placeHolder: t('Choose a snippet'), matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(items, options);
  return picked && fillSnippet(picked.text);
}
