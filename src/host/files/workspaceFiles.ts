import * as vscode from 'vscode';
import { DelayedTask } from '../../shared/delayedTask.ts';
import { Disposables, Emitter, type Disposable } from '../../shared/lifecycle.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { Limit } from '../../shared/pooled.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import { findInWorkspace, isPlainPath, staysInside } from './workspacePaths.ts';

type Kind = 'file' | 'folder' | 'none';

/** The result of a look-up, with the URI of what was found. */
interface Found<T> {
  readonly value: T;
  readonly uri: vscode.Uri | undefined;
}

/** A look-up that is remembered. */
class Answer<T> {
  readonly value: Promise<T>;
  #foundAt: string | undefined;

  constructor(lookingUp: Promise<Found<T>>) {
    this.value = lookingUp.then(({ value, uri }) => {
      this.#foundAt = uri && comparable(uri);
      return value;
    });
  }

  /**
   * Whether a change of these paths can make the answer wrong. Always true if the look-up found no URI, and while it is
   * running.
   */
  isOutdatedBy(changed: ReadonlySet<string>): boolean {
    if (this.#foundAt === undefined) return true;
    for (let end = this.#foundAt.length; end > 0; end = this.#foundAt.lastIndexOf('/', end - 1)) {
      if (changed.has(this.#foundAt.slice(0, end))) return true;
    }
    return false;
  }
}

/** Maximum number of paths whose kind is remembered. */
const maxKnown = 20_000;
const maxFound = 5_000;
/** The maximum number of paths that are looked up at the same time. */
const atOnce = 16;
/**
 * Builds create and delete many files. Answers are forgotten after `refreshDelayMs`, and then at most once in
 * `refreshAgainMs`.
 */
const refreshDelayMs = 500;
const refreshAgainMs = 5_000;
/** Maximum number of changed paths to compare. If there are more, everything is forgotten. */
const maxChanged = 2_000;

/**
 * Which files exist in the workspace folders. Answers are remembered until something at or above their path is created,
 * renamed, or deleted, and those about missing files until any such change. Nothing is read and nothing is watched
 * before the first question. To open a file, use `findInWorkspace`, which remembers nothing.
 */
export class WorkspaceFiles implements Disposable {
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<void>());
  readonly #refresh = this.#disposables.add(new DelayedTask(refreshDelayMs, () => void this.#forgetChanged()));
  readonly #limit = new Limit(atOnce);
  readonly #kinds = new LruMap<string, Answer<Kind>>(maxKnown);
  readonly #found = new LruMap<string, Answer<number>>(maxFound);
  #changed = new Set<string>();
  #isWatching = false;
  /** Fires after files were created, renamed, or deleted, or the workspace folders changed. */
  readonly onDidChange = this.#changes.event;

  /** Returns the paths that are files in the folder. All are relative to the folder, with forward slashes. */
  async existing(folder: vscode.WorkspaceFolder, paths: readonly string[]): Promise<ReadonlySet<string>> {
    this.#watch();
    const kinds = await Promise.all(paths.map((path) => this.#kindOf(folder, path)));
    return new Set(paths.filter((_, index) => kinds[index] === 'file'));
  }

  /** The number of workspace files that a text can mean, by the rules of `findInWorkspace`. Never rejects. */
  count(text: string): Promise<number> {
    this.#watch();
    const known = this.#found.get(text) ?? new Answer(this.#find(text));
    this.#found.set(text, known);
    return known.value;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #find(text: string): Promise<Found<number>> {
    // The look-up rejects if a file is deleted meanwhile.
    const places = await this.#limit.run(() => findInWorkspace(text)).catch(() => []);
    // With several workspace folders, a further file that the text can mean may later be created in another folder.
    const isFinal = (vscode.workspace.workspaceFolders ?? []).length === 1;
    return { value: places.length, uri: isFinal ? places[0]?.uri : undefined };
  }

  #kindOf(folder: vscode.WorkspaceFolder, path: string): Promise<Kind> {
    const name = `${folder.uri.toString()}\0${path}`;
    const known = this.#kinds.get(name) ?? new Answer(this.#lookUp(folder, path));
    this.#kinds.set(name, known);
    return known.value;
  }

  /** The kind of a path. A path below something that isn't a folder isn't looked up. */
  async #lookUp(folder: vscode.WorkspaceFolder, path: string): Promise<Found<Kind>> {
    const none = { value: 'none', uri: undefined } as const;
    if (!isPlainPath(path, folder)) return none;
    const slash = path.lastIndexOf('/');
    if (slash > 0 && (await this.#kindOf(folder, path.slice(0, slash))) !== 'folder') return none;
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const kind = await this.#limit.run(() => kindAt(uri));
    return kind === 'none' ? none : { value: kind, uri };
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const changed = (uri: vscode.Uri) => this.#onChange(uri);
    const watcher = this.#disposables.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    this.#disposables.add(watcher.onDidCreate(changed));
    this.#disposables.add(watcher.onDidDelete(changed));
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#forgetAll()));
  }

  #onChange(uri: vscode.Uri): void {
    const path = comparable(uri);
    // Git creates and deletes files all the time.
    if (path.includes('/.git/')) return;
    if (this.#changed.size <= maxChanged) this.#changed.add(path);
    this.#refresh.request(refreshAgainMs);
  }

  async #forgetChanged(): Promise<void> {
    this.#refresh.pause();
    const changed = this.#changed;
    this.#changed = new Set();
    if (changed.size > maxChanged) {
      this.#forgetAll();
      return;
    }
    await inSlices(forget(this.#kinds, changed));
    await inSlices(forget(this.#found, changed));
    this.#changes.fire();
  }

  #forgetAll(): void {
    this.#kinds.clear();
    this.#found.clear();
    this.#changes.fire();
  }
}

/** Removes the answers that a change of these paths can make wrong. Has pauses for `inSlices`. */
function* forget<T>(answers: LruMap<string, Answer<T>>, changed: ReadonlySet<string>): PausableWork<void> {
  for (const [name, answer] of [...answers.entries()]) {
    if (answer.isOutdatedBy(changed)) answers.delete(name);
    yield;
  }
}

/** The path of a URI to compare with others. On some systems, names are case-insensitive. */
function comparable({ path }: vscode.Uri): string {
  return path.toLowerCase();
}

/** Whether there is a file or a folder at a URI; `none` also for a link that leads out of its workspace folder. */
async function kindAt(uri: vscode.Uri): Promise<Kind> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.SymbolicLink) !== 0 && !(await staysInside(uri))) return 'none';
    return (type & vscode.FileType.File) !== 0 ? 'file' : 'folder';
  } catch {
    return 'none';
  }
}
