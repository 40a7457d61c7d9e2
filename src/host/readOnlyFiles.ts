import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../events.ts';

/** What a file holds, whoever keeps it. */
export interface FileContent {
  readonly sizeBytes: number;
  /** A piece is good until the next one is asked for. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/**
 * Bytes that are kept elsewhere, as read-only files of the editor: shown as any file of that kind is. `find` resolves to
 * undefined for what is not there any more.
 */
export class ReadOnlyFiles implements vscode.FileSystemProvider, Disposable {
  readonly #scheme: string;
  readonly #find: (fileId: string) => Promise<FileContent | undefined>;
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());

  readonly onDidChangeFile = this.#changes.event;

  constructor(scheme: string, find: (fileId: string) => Promise<FileContent | undefined>) {
    this.#scheme = scheme;
    this.#find = find;
    const options = { isReadonly: true, isCaseSensitive: true };
    this.#disposables.add(vscode.workspace.registerFileSystemProvider(scheme, this, options));
  }

  /** Opens it under a name. */
  async show(fileId: string, name: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${fileId}/${name}` });
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { sizeBytes } = await this.#content(uri);
    const { File } = vscode.FileType;
    return { type: File, size: sizeBytes, ctime: 0, mtime: 0, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { sizeBytes, read } = await this.#content(uri);
    const whole = new Uint8Array(sizeBytes);
    let offset = 0;
    for await (const piece of read()) {
      whole.set(piece, offset);
      offset += piece.byteLength;
    }
    return whole;
  }

  // What a file holds never changes, and there are no folders to look into or write to.
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
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
    this.#disposables.dispose();
  }

  async #content(uri: vscode.Uri): Promise<FileContent> {
    const content = await this.#find(uri.path.split('/')[1] ?? '');
    if (!content) throw vscode.FileSystemError.FileNotFound(uri);
    return content;
  }
}
