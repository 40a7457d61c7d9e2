import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { readGitIgnore } from './folderFiles.ts';
import type { FuzzyFiles } from './fuzzyFiles.ts';
import { GitIgnore, GitIgnoreTree } from './gitignore.ts';

/** Maximum number of files listed. Others can be chosen in the file dialog. */
const maxFiles = 50_000;
/**
 * Minimum age of an outdated list before the files are listed again. Without it, a build that creates and deletes files
 * would cause repeated listing.
 */
const staleForMs = 5_000;

/** The settings that exclude files. */
const excludeSettings = ['files.exclude', 'search.exclude'];
/** The settings that the list depends on. */
const listSettings = [...excludeSettings, 'search.useIgnoreFiles'];

/** Number of files to test before yielding to other work. */
const batchSize = 2_000;

/** A file of the workspace. */
interface FoundFile {
  /** The path, or the URI if several files have this path because their workspace folders have the same name. */
  readonly fileId: string;
  readonly uri: vscode.Uri;
  readonly name: string;
  /**
   * Relative to the workspace folder, with forward slashes; starts with the folder's name if there are several folders.
   */
  readonly path: string;
  /** Zero-based indexes of the matching characters in the name. */
  readonly matches: readonly number[];
}

type ListedFile = Omit<FoundFile, 'matches'>;

interface Listing {
  readonly files: readonly ListedFile[];
  readonly fuzzy: FuzzyFiles;
  readonly madeAt: number;
}

/**
 * Fuzzy search for files of the workspace. Lists them on first use, without those excluded by settings or `.gitignore`
 * files, and again after files have been created or deleted, or after these rules or the workspace folders have
 * changed.
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

  /** The best matches, best first. For an empty query, all files, with open ones first. Returns up to `limit` files. */
  async find(query: string, limit: number): Promise<FoundFile[]> {
    const { files, fuzzy } = await this.#list();
    if (query === '') return openFiles(files, limit).map((file) => ({ ...file, matches: [] }));
    return fuzzy.search(query, limit).flatMap(({ index, matches }) => {
      const file = files[index];
      return file ? [{ ...file, matches }] : [];
    });
  }

  /** The file with this ID; undefined if it isn't listed. */
  async fileWith(fileId: string): Promise<vscode.Uri | undefined> {
    const { files } = await this.#list();
    return files.find((file) => file.fileId === fileId)?.uri;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #list(): Promise<Listing> {
    const known = await this.#listing;
    if (known && !(this.#isStale && Date.now() - known.madeAt > staleForMs)) return known;
    // Changes before the watcher starts are not detected, so the first list counts as outdated.
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
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (listSettings.some((name) => change.affectsConfiguration(name))) changed();
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#listing = undefined;
      }),
    );
  }
}

async function makeListing(token: vscode.CancellationToken): Promise<Listing> {
  const [{ fuzzyFiles }, found] = await Promise.all([import('./fuzzyFiles.ts'), findFiles(token)]);
  const uris = await withoutIgnored(found);
  const sorted = uris.map((uri) => ({ uri, name: uri.path.slice(uri.path.lastIndexOf('/') + 1), path: pathOf(uri) }));
  sorted.sort((one, other) => (one.path < other.path ? -1 : 1));
  const files = sorted.map((file, index) => {
    const isShared = [sorted[index - 1], sorted[index + 1]].some((other) => other?.path === file.path);
    return { ...file, fileId: isShared ? file.uri.toString() : file.path };
  });
  return { files, fuzzy: fuzzyFiles(files), madeAt: Date.now() };
}

/** The files of the workspace, up to {@link maxFiles}, without those in ignored folders or excluded by settings. */
async function findFiles(token: vscode.CancellationToken): Promise<readonly vscode.Uri[]> {
  // VS Code doesn't read `.gitignore` files here, so the files of an ignored folder could take the place of others.
  const globs = [...excludedBySettings(), ...(usesIgnoreFiles() ? await ignoredFolders() : [])];
  return vscode.workspace.findFiles('**/*', `{${globs.join(',')}}`, maxFiles, token);
}

/**
 * Glob patterns for the top-level folders that are ignored in each workspace folder that has them. No `.gitignore` file
 * below can include their files again. A pattern applies to all workspace folders.
 */
async function ignoredFolders(): Promise<string[]> {
  const ignored = new Set<string>();
  const kept = new Set<string>();
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const rules = GitIgnore.empty.with(uri.path, await readGitIgnore(uri));
    for (const name of await subfolders(uri))
      (rules.ignores(vscode.Uri.joinPath(uri, name).path, true) ? ignored : kept).add(name);
  }
  return [...ignored].flatMap((name) => (kept.has(name) || globCharacters.test(name) ? [] : [`${name}/**`]));
}

const globCharacters = /[*?[\]{},!\\]/;

/** The names of a folder's subfolders; none if it can't be read. */
async function subfolders(folder: vscode.Uri): Promise<string[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.flatMap(([name, type]) => (type & vscode.FileType.Directory ? [name] : []));
  } catch {
    return [];
  }
}

/** Whether VS Code's search is configured to leave out ignored files. */
function usesIgnoreFiles(): boolean {
  return vscode.workspace.getConfiguration('search').get('useIgnoreFiles') !== false;
}

/** Removes ignored files, unless VS Code's search is configured to include them. */
async function withoutIgnored(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  if (!usesIgnoreFiles()) return uris;
  const folders = uris.flatMap((uri) => (uri.path.endsWith('/.gitignore') ? [vscode.Uri.joinPath(uri, '..')] : []));
  if (folders.length === 0) return uris;
  const readOne = async (folder: vscode.Uri) => ({ folderPath: folder.path, text: await readGitIgnore(folder) });
  const tree = new GitIgnoreTree(await Promise.all(folders.map(readOne)));
  const kept: vscode.Uri[] = [];
  for (const [index, uri] of uris.entries()) {
    if (index % batchSize === batchSize - 1) await new Promise((resolve) => setImmediate(resolve));
    if (!tree.ignores(uri.path)) kept.push(uri);
  }
  return kept;
}

/** Glob patterns for the files that settings exclude from the Explorer or from search. */
function excludedBySettings(): string[] {
  return excludeSettings.flatMap((setting) => {
    const excluded = vscode.workspace.getConfiguration().get<Readonly<Record<string, unknown>>>(setting) ?? {};
    return Object.entries(excluded).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
  });
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
