import * as vscode from 'vscode';
import type { PageSuggestion, SuggestionKind } from '../../shared/protocol/composerProtocol.ts';
import type { FileFinder } from '../../host/files/fileFinder.ts';
import { readSettings } from '../../host/settings.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { fillSnippet } from './snippets.ts';

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
