import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../events.ts';

/**
 * Files of the editor, of a scheme of their own, that only we write: what is shown in them is kept elsewhere. Folders
 * look empty, and whatever would change a file is refused.
 */
export abstract class ReadOnlyFileSystem implements vscode.FileSystemProvider, Disposable {
  protected readonly disposables = new Disposables();
  /** Says which files have changed. */
  protected readonly changes = this.disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());

  readonly onDidChangeFile = this.changes.event;

  constructor(scheme: string) {
    const options = { isReadonly: true, isCaseSensitive: true };
    this.disposables.add(vscode.workspace.registerFileSystemProvider(scheme, this, options));
  }

  /** Throws `FileNotFound` for a file that is not there, or not any more. */
  abstract stat(uri: vscode.Uri): Promise<vscode.FileStat>;

  /** Throws `FileNotFound` for a file that is not there, or not any more. */
  abstract readFile(uri: vscode.Uri): Promise<Uint8Array>;

  /** Asked for as long as an editor shows the file. */
  abstract watch(uri: vscode.Uri): vscode.Disposable;

  // The breadcrumbs of an editor look into the folders above its file.
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
