import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { readGitIgnore } from './folderFiles.ts';
import type { FuzzyFiles } from './fuzzyFiles.ts';
import { GitIgnoreTree } from './gitignore.ts';

/** More files than this are not listed; the rest can be chosen in the dialog. */
const mostFiles = 50_000;
/** A list that something was added to or taken from is used this long, so that a build does not list again and again. */
const staleForMs = 5_000;

/** So many files are judged before something else may run. */
const judgedAtOnce = 2_000;

/** A file of the workspace. */
export interface FoundFile {
  readonly uri: vscode.Uri;
  readonly name: string;
  /** Relative to its folder, forward slashes; with the folder's name where there are several. */
  readonly path: string;
  /** Which characters of the name match. */
  readonly matches: readonly number[];
}

type ListedFile = Omit<FoundFile, 'matches'>;

interface Listing {
  readonly files: readonly ListedFile[];
  readonly fuzzy: FuzzyFiles;
  readonly madeAt: number;
}

/**
 * Finds files of the workspace by a few letters. They are listed on first use, without what the settings exclude from
 * files and search and what `.gitignore` files leave out, and again after files came or went.
 */
export class FileFinder implements Disposable {
  readonly #disposables = new Disposables();
  readonly #ended = new vscode.CancellationTokenSource();
  #listing: Promise<Listing> | undefined;
  #isWatching = false;
  #isStale = false;

  constructor() {
    this.#disposables.add({
      dispose: () => {
        this.#ended.cancel();
        this.#ended.dispose();
      },
    });
  }

  /** The best matches, best first; for an empty query the files that are open. */
  async find(query: string, limit: number): Promise<FoundFile[]> {
    const { files, fuzzy } = await this.#list();
    if (query === '') return openFiles(files, limit).map((file) => ({ ...file, matches: [] }));
    return fuzzy.search(query, limit).flatMap(({ index, matches }) => {
      const file = files[index];
      return file ? [{ ...file, matches }] : [];
    });
  }

  /** The file of the list with this path. */
  async fileAt(path: string): Promise<vscode.Uri | undefined> {
    const { files } = await this.#list();
    return files.find((file) => file.path === path)?.uri;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #list(): Promise<Listing> {
    const known = await this.#listing;
    if (known && !(this.#isStale && Date.now() - known.madeAt > staleForMs)) return known;
    // What comes before the watcher has begun is heard of by nobody: the first list is made once more.
    this.#isStale = !this.#isWatching;
    this.#watch();
    this.#listing = makeListing(this.#ended.token);
    this.#listing.catch(() => (this.#listing = undefined));
    return this.#listing;
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const changed = () => (this.#isStale = true);
    const watcher = this.#disposables.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    this.#disposables.add(watcher.onDidCreate(changed));
    this.#disposables.add(watcher.onDidDelete(changed));
    const ignoring = this.#disposables.add(
      vscode.workspace.createFileSystemWatcher('**/.gitignore', true, false, true),
    );
    this.#disposables.add(ignoring.onDidChange(changed));
    this.#disposables.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#listing = undefined;
      }),
    );
  }
}

async function makeListing(token: vscode.CancellationToken): Promise<Listing> {
  const [{ fuzzyFiles }, found] = await Promise.all([
    import('./fuzzyFiles.ts'),
    vscode.workspace.findFiles('**/*', excludedFiles(), mostFiles, token),
  ]);
  const uris = await withoutIgnored(found);
  const files = uris.map((uri) => ({ uri, name: uri.path.slice(uri.path.lastIndexOf('/') + 1), path: pathOf(uri) }));
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files, fuzzy: fuzzyFiles(files), madeAt: Date.now() };
}

/** Without what `.gitignore` files leave out, unless the editor's own search is told to show that. */
async function withoutIgnored(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  if (vscode.workspace.getConfiguration('search').get('useIgnoreFiles') === false) return uris;
  const folders = uris.flatMap((uri) => (uri.path.endsWith('/.gitignore') ? [vscode.Uri.joinPath(uri, '..')] : []));
  if (folders.length === 0) return uris;
  const readOne = async (folder: vscode.Uri) => ({ folderPath: folder.path, text: await readGitIgnore(folder) });
  const tree = new GitIgnoreTree(await Promise.all(folders.map(readOne)));
  const kept: vscode.Uri[] = [];
  for (const [index, uri] of uris.entries()) {
    if (index % judgedAtOnce === judgedAtOnce - 1) await new Promise((resolve) => setImmediate(resolve));
    if (!tree.ignores(uri.path)) kept.push(uri);
  }
  return kept;
}

/** What people do not look for: what the settings leave out of the Explorer and of searches. */
function excludedFiles(): string {
  const globs = ['files.exclude', 'search.exclude'].flatMap((setting) => {
    const excluded = vscode.workspace.getConfiguration().get<Readonly<Record<string, unknown>>>(setting) ?? {};
    return Object.entries(excluded).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
  });
  return `{${globs.join(',')}}`;
}

function openFiles(files: readonly ListedFile[], limit: number): ListedFile[] {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const open = new Set(tabs.flatMap((input) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : [])));
  const [first, rest] = [true, false].map((isOpen) => files.filter(({ uri }) => open.has(uri.toString()) === isOpen));
  return [...(first ?? []), ...(rest ?? [])].slice(0, limit);
}

function pathOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}
