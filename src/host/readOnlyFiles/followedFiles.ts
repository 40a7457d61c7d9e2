import * as vscode from 'vscode';
import { type Disposable, Disposables, Emitter, type Event } from '../../shared/lifecycle.ts';
import { LruMap } from '../../shared/lruMap.ts';
import type { FileSource } from './readOnlyFileSystem.ts';

/** Port to the object that watches the workspace. */
interface Changes {
  /** Fires after files may have changed. */
  readonly onDidChange: Event<void>;
  /** Watches the workspace from the first call on. */
  watch(): void;
}

/** The maximum number of followed files. Several multi-file diff editors together show fewer. */
const maxFollowed = 2_000;

/**
 * A source of files, some of which depend on files of the workspace. VS Code reads the dependent files again after
 * files of the workspace may have changed. VS Code doesn't watch the files of a multi-file diff editor, so every
 * dependent file that VS Code has asked about is followed until its document closes.
 */
export class FollowedFiles implements FileSource, Disposable {
  readonly #files: FileSource;
  readonly #workspaceChanges: Changes;
  readonly #isDependent: (uri: vscode.Uri) => boolean;
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<vscode.FileChangeEvent[]>());
  readonly #followed = new LruMap<string, vscode.Uri>(maxFollowed);
  /**
   * The number of changes so far, used as the modification time: VS Code keeps the text of a file whose time and size
   * are the same.
   */
  #changeCount = 0;

  readonly onDidChangeFile = this.#changes.event;

  /** @param isDependent whether a file depends on files of the workspace. */
  constructor(files: FileSource, workspaceChanges: Changes, isDependent: (uri: vscode.Uri) => boolean) {
    this.#files = files;
    this.#workspaceChanges = workspaceChanges;
    this.#isDependent = isDependent;
    this.#disposables.add(workspaceChanges.onDidChange(() => this.#onChange()));
    this.#disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#followed.delete(uri.toString())));
    // When the language of a document changes, VS Code closes and opens it without reading its file again.
    this.#disposables.add(vscode.workspace.onDidOpenTextDocument((document) => this.#follow(document.uri)));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (!this.#isDependent(uri)) return this.#files.stat(uri);
    this.#workspaceChanges.watch();
    this.#follow(uri);
    const mtime = this.#changeCount;
    return { ...(await this.#files.stat(uri)), mtime };
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#files.readFile(uri);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #follow(uri: vscode.Uri): void {
    if (this.#isDependent(uri)) this.#followed.set(uri.toString(), uri);
  }

  #onChange(): void {
    this.#changeCount += 1;
    const uris = [...this.#followed.entries()].map(([, uri]) => uri);
    if (uris.length > 0) this.#changes.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}
