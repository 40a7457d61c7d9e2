import * as vscode from 'vscode';
import { lastTextEditor } from '../../host/editors/openEditors.ts';
import type { FileFinder } from '../../host/files/fileFinder.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { readSettings } from '../../host/settings.ts';
import type { PageSuggestion } from '../../shared/protocol/pageModel.ts';
import type { SuggestionKind } from '../../shared/protocol/vocabulary.ts';
import { plainLine, type Translate } from '../../shared/text.ts';

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
    const name = 'lineside.composer.snippets';
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

const mostSuggestions = 50;

/** What a composer offers while something is typed, and why there is nothing, where that is worth a word. */
export interface Suggested {
  readonly suggestions: readonly PageSuggestion[];
  readonly note: string;
}

/** Finds files and snippets for a composer. */
export class Suggestions {
  readonly #files: FileFinder;
  readonly #t: Translate;

  constructor(files: FileFinder, t: Translate) {
    this.#files = files;
    this.#t = t;
  }

  /** Rejects where the workspace cannot be searched. */
  suggest(kind: SuggestionKind, query: string): Promise<Suggested> {
    return kind === 'file' ? this.#suggestFiles(query) : Promise.resolve(this.#suggestSnippets(query));
  }

  /** The file that a suggestion stands for; undefined where it is gone. */
  fileOf(suggestionId: string): Promise<vscode.Uri | undefined> {
    return this.#files.fileAt(suggestionId);
  }

  /** The text that a suggestion stands for; undefined where it is gone. */
  snippetOf(suggestionId: string): string | undefined {
    const snippet = readSettings().snippets[suggestionId];
    return snippet === undefined ? undefined : fillSnippet(snippet);
  }

  async #suggestFiles(query: string): Promise<Suggested> {
    const t = this.#t;
    if (!vscode.workspace.workspaceFolders) {
      return { suggestions: [], note: t('Open a folder to choose from its files here.') };
    }
    const found = await this.#files.find(query, mostSuggestions);
    const suggestions = found.map(({ name, path, matches }) => ({
      suggestionId: path,
      label: name,
      matches,
      detail: path.slice(0, -name.length - 1),
      insertion: `@${path} `,
    }));
    return { suggestions, note: found.length === 0 ? t('No file matches "{0}".', plainLine(query, 80)) : '' };
  }

  /** Whoever begins a message with a path has a slash there, too: nothing is said where no snippet begins like that. */
  #suggestSnippets(query: string): Suggested {
    const wanted = query.toLowerCase();
    const snippets = Object.entries(readSettings().snippets).filter(([name]) => name.toLowerCase().includes(wanted));
    const suggestions = snippets.slice(0, mostSuggestions).map(([name, text]) => {
      const start = name.toLowerCase().indexOf(wanted);
      const matches = Array.from({ length: wanted.length }, (_, offset) => start + offset);
      return { suggestionId: name, label: plainLine(name, 80), matches, detail: plainLine(text, 120), insertion: '' };
    });
    return { suggestions, note: '' };
  }
}
