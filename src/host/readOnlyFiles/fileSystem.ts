import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';

/** Who knows what stands in the files of a scheme. */
export interface FileSource {
  /** Says which files have changed. */
  readonly onDidChangeFile?: vscode.Event<vscode.FileChangeEvent[]>;
  /** Throws `FileNotFound` for a file that is not there, or not any more. */
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  /** Throws `FileNotFound` for a file that is not there, or not any more. */
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  /** Asked for as long as an editor shows the file; without it, files never change. */
  watch?(uri: vscode.Uri): Disposable;
}

/**
 * Files of the editor, of a scheme of their own, that only we write: what is shown in them is kept elsewhere. Folders
 * look empty, and whatever would change a file is refused. The source is asked for when the first file is.
 */
export class ReadOnlyFileSystem implements vscode.FileSystemProvider, Disposable {
  readonly #source: () => Promise<FileSource>;
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  #followed: FileSource | undefined;

  readonly onDidChangeFile = this.#changes.event;

  constructor(scheme: string, source: () => Promise<FileSource>) {
    this.#source = source;
    const options = { isReadonly: true, isCaseSensitive: true };
    this.#disposables.add(vscode.workspace.registerFileSystemProvider(scheme, this, options));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return (await this.#open()).stat(uri);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#open()).readFile(uri);
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const watching = new Disposables();
    const begin = async () => {
      const source = await this.#open();
      const handle = watching.isDisposed ? undefined : source.watch?.(uri);
      if (handle) watching.add(handle);
    };
    // Whoever watches a file also reads it, and is told there what is wrong.
    begin().catch(() => undefined);
    return new vscode.Disposable(() => watching.dispose());
  }

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
    this.#disposables.dispose();
  }

  async #open(): Promise<FileSource> {
    const source = await this.#source();
    if (source !== this.#followed && source.onDidChangeFile) {
      this.#disposables.add(source.onDidChangeFile((changes) => this.#changes.fire(changes)));
    }
    this.#followed = source;
    return source;
  }
}

/** The schemes of our read-only files; promised names. */
export const fileSchemes = {
  /** Conversations and messages as documents. */
  conversation: 'lineside',
  /** Pictures that came in messages. */
  message: 'lineside-message',
  /** What was attached and is not sent yet. */
  attachment: 'lineside-attachment',
} as const;

export type FileScheme = (typeof fileSchemes)[keyof typeof fileSchemes];
