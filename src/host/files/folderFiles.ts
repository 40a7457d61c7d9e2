import picomatch from 'picomatch';
import * as vscode from 'vscode';
import { GitIgnore } from './gitignore.ts';

/** The files of a folder and its subfolders. */
export interface FolderFiles {
  readonly uris: readonly vscode.Uri[];
  /** Number of files and folders that settings or ignore rules exclude, including `.git` folders. */
  readonly ignoredCount: number;
  /** Number of symbolic links, which are not followed. */
  readonly linkCount: number;
  /** Number of subfolders that can't be read. */
  readonly unreadableCount: number;
  /** Whether there are more files than requested. */
  readonly isTruncated: boolean;
}

/**
 * Lists the files of a folder and its subfolders through VS Code's file system, without those excluded by
 * `files.exclude`, `search.exclude`, or `.gitignore` files. Stops after `maxFiles` files.
 * @throws the signal's reason, or VS Code's error if the folder itself can't be read.
 */
export async function listFolder(folder: vscode.Uri, maxFiles: number, signal: AbortSignal): Promise<FolderFiles> {
  const walk = new FolderWalk(folder, maxFiles, signal);
  return walk.run();
}

/** Whether there is a folder at a URI. Never rejects. */
export async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    // Untitled and virtual documents have no file. An unreadable file is reported when it is read.
    return false;
  }
}

/** The text of a folder's `.gitignore`; empty if there is no such file or it can't be read. */
export async function readGitIgnore(folder: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, '.gitignore')));
  } catch {
    return '';
  }
}

/** The files and folders in a folder, as VS Code's file system returns them. */
type Entries = [name: string, type: vscode.FileType][];

/** Walks a folder and its subfolders once. */
class FolderWalk {
  readonly #folder: vscode.Uri;
  readonly #maxFiles: number;
  readonly #signal: AbortSignal;
  readonly #isExcluded: (uri: vscode.Uri) => boolean;
  readonly #uris: vscode.Uri[] = [];
  #ignoredCount = 0;
  #linkCount = 0;
  #unreadableCount = 0;

  constructor(folder: vscode.Uri, maxFiles: number, signal: AbortSignal) {
    this.#folder = folder;
    this.#maxFiles = maxFiles;
    this.#signal = signal;
    this.#isExcluded = excludedBySettings(folder);
  }

  async run(): Promise<FolderFiles> {
    let rules = GitIgnore.empty;
    for (const above of foldersAbove(this.#folder)) rules = rules.with(above.path, await readGitIgnore(above));
    // The user chose this folder, so rules that ignore it don't apply.
    const entries = await vscode.workspace.fs.readDirectory(this.#folder);
    const isComplete = await this.#visit(this.#folder, entries, rules.including(this.#folder.path));
    return {
      uris: this.#uris,
      ignoredCount: this.#ignoredCount,
      linkCount: this.#linkCount,
      unreadableCount: this.#unreadableCount,
      isTruncated: !isComplete,
    };
  }

  /** Returns false if it stopped at the maximum number of files. */
  async #visit(folder: vscode.Uri, entries: Entries, rulesAbove: GitIgnore): Promise<boolean> {
    this.#signal.throwIfAborted();
    const hasRules = entries.some(([name]) => name === '.gitignore');
    const rules = hasRules ? rulesAbove.with(folder.path, await readGitIgnore(folder)) : rulesAbove;
    for (const [name, type] of entries.sort(([one], [other]) => (one < other ? -1 : 1))) {
      const uri = vscode.Uri.joinPath(folder, name);
      const isDirectory = (type & vscode.FileType.Directory) !== 0;
      if (name === '.git' || this.#isExcluded(uri) || rules.ignores(uri.path, isDirectory)) this.#ignoredCount++;
      else if (type & vscode.FileType.SymbolicLink) this.#linkCount++;
      else if (isDirectory) {
        const nested = await this.#read(uri);
        if (!(await this.#visit(uri, nested, rules))) return false;
      } else if (this.#uris.length === this.#maxFiles) return false;
      else this.#uris.push(uri);
    }
    return true;
  }

  /** The entries of a subfolder. If it can't be read, counts it and returns none. */
  async #read(folder: vscode.Uri): Promise<Entries> {
    try {
      return await vscode.workspace.fs.readDirectory(folder);
    } catch {
      this.#unreadableCount++;
      return [];
    }
  }
}

/**
 * The folders above this one, up to and including the workspace folder, outermost first. None for the workspace folder
 * itself, and outside the workspace.
 */
function foldersAbove(folder: vscode.Uri): vscode.Uri[] {
  const top = vscode.workspace.getWorkspaceFolder(folder)?.uri;
  if (!top || top.path === folder.path) return [];
  const names = folder.path.slice(top.path.length).split('/').filter(Boolean);
  return names.map((_, index) => vscode.Uri.joinPath(top, ...names.slice(0, index)));
}

/**
 * Matches files that settings exclude from the Explorer or from search. Patterns with a `when` clause are not
 * supported.
 */
function excludedBySettings(folder: vscode.Uri): (uri: vscode.Uri) => boolean {
  const base = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const globs = ['files', 'search'].flatMap((section) => {
    const exclude = vscode.workspace
      .getConfiguration(section, folder)
      .get<Readonly<Record<string, unknown>>>('exclude');
    return Object.entries(exclude ?? {}).flatMap(([glob, value]) => (value === true ? [glob] : []));
  });
  const isMatch = picomatch(globs, { dot: true });
  return (uri) => isMatch(uri.path.slice(base.path.length).replace(/^\/+/, ''));
}
