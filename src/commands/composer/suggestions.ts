import * as vscode from 'vscode';
import { pickRow } from '../../host/prompts/picker.ts';
import { lastTextEditor } from '../../host/editors/openEditors.ts';
import type { FileFinder } from '../../host/files/fileFinder.ts';
import { workspacePath } from '../../host/files/workspacePaths.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { settings } from '../../host/settings.ts';
import type { PageSuggestion } from '../../shared/protocol/pageModel.ts';
import type { SuggestionKind } from '../../shared/protocol/vocabulary.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { AgentFolders } from '../../state/work/agentFolders.ts';

/**
 * Replaces the variables of a snippet: `${selection}` with the selection in the last active editor, and `${file}` with
 * the path of its file. Without an editor, both are replaced with an empty string. Any other `${...}` is left
 * unchanged.
 */
function fillSnippet(text: string): string {
  const editor = lastTextEditor();
  const values: Readonly<Record<string, string>> = {
    selection: editor?.document.getText(editor.selection) ?? '',
    file: editor ? vscode.workspace.asRelativePath(editor.document.uri) : '',
  };
  return text.replace(/\$\{(selection|file)\}/g, (_, name: string) => values[name] ?? '');
}

const snippetSetting = 'lineside.composer.snippets';

/** Opens the setting that contains the snippets. */
export function configureSnippets(): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', snippetSetting);
}

/** The commands that `/` offers after the snippets. Their names aren't translated. */
const slashCommands = ['attach', 'model', 'computer', 'editor', 'snippets'] as const;
type SlashCommand = (typeof slashCommands)[number];

function describeSlashCommand(name: SlashCommand, t: Translate): string {
  switch (name) {
    case 'attach':
      return t('Attach Files and More...');
    case 'model':
      return t('Change Model...');
    case 'computer':
      return t('Choose Target Computer...');
    case 'editor':
      return t('Compose Message in Editor');
    case 'snippets':
      return t('Configure Snippets...');
  }
}

/**
 * Asks for a snippet and replaces its variables. Resolves to undefined if the user cancels. If there are no snippets,
 * shows a notification instead.
 */
export async function pickSnippet(t: Translate): Promise<string | undefined> {
  const snippets = Object.entries(settings.snippets.read());
  if (snippets.length === 0) {
    void showInfo(t('No snippets. Add some in the "{0}" setting.', snippetSetting), {
      label: t('Open Settings'),
      run: configureSnippets,
    });
    return undefined;
  }
  const items = snippets.map(([name, text]) => ({ label: plainLine(name, 80), detail: plainLine(text, 200), text }));
  const options = { title: t('Insert Snippet'), placeHolder: t('Select a snippet'), matchOnDetail: true };
  const picked = await pickRow(items, options);
  return picked && fillSnippet(picked.text);
}

const maxSuggestions = 50;

/** The suggestions for a query in a composer. */
interface Suggested {
  readonly suggestions: readonly PageSuggestion[];
  /** Explains why there are no suggestions; empty if no explanation is needed. */
  readonly note: string;
}

/** Port to the folders of agents that the user confirmed. */
export interface ConfirmedFolders {
  confirmedFolders(key: SessionKey): Promise<AgentFolders>;
}

/** Suggests files, snippets, and commands in composers. */
export class Suggestions {
  readonly #files: FileFinder;
  readonly #agentFiles: ConfirmedFolders;
  readonly #t: Translate;

  constructor(files: FileFinder, agentFiles: ConfirmedFolders, t: Translate) {
    this.#files = files;
    this.#agentFiles = agentFiles;
    this.#t = t;
  }

  /** Finds the suggestions for a query, for a message to the session. Rejects if the workspace can't be searched. */
  suggest(kind: SuggestionKind, query: string, key?: SessionKey): Promise<Suggested> {
    return kind === 'file' ? this.#suggestFiles(query, key) : Promise.resolve(this.#suggestSnippets(query));
  }

  /** The file of a suggestion; undefined if it no longer exists. */
  fileOf(suggestionId: string): Promise<vscode.Uri | undefined> {
    return this.#files.fileWith(suggestionId);
  }

  /** The text of a suggested snippet; undefined if it no longer exists. */
  snippetOf(suggestionId: string): string | undefined {
    const snippet = suggestionId.startsWith('/') ? settings.snippets.read()[suggestionId.slice(1)] : undefined;
    return snippet === undefined ? undefined : fillSnippet(snippet);
  }

  /** The suggested command; undefined if the suggestion isn't a command. */
  commandOf(suggestionId: string): SlashCommand | undefined {
    return slashCommands.find((name) => name === suggestionId);
  }

  /** A mention names the path that the agent knows, or else the one in the workspace. */
  async #suggestFiles(query: string, key: SessionKey | undefined): Promise<Suggested> {
    const t = this.#t;
    if (!vscode.workspace.workspaceFolders) {
      return { suggestions: [], note: t('Open a folder to attach its files.') };
    }
    const found = await this.#files.find(query, maxSuggestions);
    const folders = key && (await this.#agentFiles.confirmedFolders(key));
    const suggestions = found.map(({ fileId, uri, name, path, matches }) => ({
      suggestionId: fileId,
      label: name,
      matches,
      detail: (fileId === path ? path : uri.path).slice(0, -name.length - 1),
      insertion: `@${(folders && agentPathOf(uri, folders)) ?? path} `,
    }));
    return { suggestions, note: found.length === 0 ? t('No files match "{0}".', plainLine(query, 80)) : '' };
  }

  /**
   * Never returns a note, because a slash at the start of a message can begin a path instead of a name. A command
   * matches only if its name starts with the query, so that it is seldom offered for such a path. The ID of a snippet
   * has a slash so that it differs from that of a command.
   */
  #suggestSnippets(query: string): Suggested {
    const wanted = query.toLowerCase();
    const snippets = Object.entries(settings.snippets.read()).filter(([name]) => name.toLowerCase().includes(wanted));
    const suggestions = snippets.slice(0, maxSuggestions).map(([name, text]) => {
      const start = name.toLowerCase().indexOf(wanted);
      const matches = Array.from({ length: wanted.length }, (_, offset) => start + offset);
      const detail = plainLine(text, 120);
      return { suggestionId: `/${name}`, label: plainLine(name, 80), matches, detail, insertion: '' };
    });
    const commands = slashCommands.flatMap((name) => {
      if (!name.startsWith(wanted)) return [];
      const matches = Array.from(wanted, (_, at) => at);
      return [{ suggestionId: name, label: name, matches, detail: describeSlashCommand(name, this.#t), insertion: '' }];
    });
    return { suggestions: [...suggestions, ...commands], note: '' };
  }
}

/** The path of a workspace file on the agent's computer; undefined if none of the folders contains it. */
function agentPathOf(uri: vscode.Uri, folders: AgentFolders): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const relative = workspacePath(uri);
  return folder && relative !== undefined ? folders.pathOf({ folder: folder.uri.toString(), relative }) : undefined;
}
