import * as vscode from 'vscode';
import { DelayedTask } from '../../shared/delayedTask.ts';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { followRepositories } from './git.ts';

/** A pull or a build changes many files. The event fires after `delayMs`, and then at most once in `againMs`. */
const delayMs = 500;
const againMs = 3_000;

/**
 * Fires when the content of workspace files may have changed: after a save, and when the Git extension reports a
 * change. If that extension isn't running in this host, is disabled, or has no repository for one of the folders, a
 * file watcher is used instead. Nothing is watched before {@link watch} is called.
 */
export class WorkspaceChanges implements Disposable {
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<void>());
  readonly #due = this.#disposables.add(
    new DelayedTask(delayMs, () => {
      this.#due.pause();
      this.#changes.fire();
    }),
  );
  #followed: Disposable | undefined;

  /** Fires after files may have changed, and after the workspace folders have changed. */
  readonly onDidChange = this.#changes.event;

  /** Watches the workspace from the first call on. */
  watch(): void {
    if (this.#followed) return;
    this.#follow();
    this.#disposables.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#onChange(uri)));
    this.#disposables.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#follow();
        this.#due.request(againMs);
      }),
    );
  }

  dispose(): void {
    this.#followed?.dispose();
    this.#disposables.dispose();
  }

  #follow(): void {
    this.#followed?.dispose();
    const folders = vscode.workspace.workspaceFolders ?? [];
    this.#followed = followRepositories(folders, () => this.#due.request(againMs)) ?? this.#watchFiles();
  }

  #watchFiles(): Disposable {
    const own = new Disposables();
    const changed = (uri: vscode.Uri) => this.#onChange(uri);
    const watcher = own.add(vscode.workspace.createFileSystemWatcher('**/*'));
    own.add(watcher.onDidChange(changed));
    own.add(watcher.onDidCreate(changed));
    own.add(watcher.onDidDelete(changed));
    return own;
  }

  #onChange(uri: vscode.Uri): void {
    // Git changes its own files all the time.
    if (vscode.workspace.getWorkspaceFolder(uri) && !uri.path.includes('/.git/')) this.#due.request(againMs);
  }
}
