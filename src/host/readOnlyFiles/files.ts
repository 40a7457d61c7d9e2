import * as vscode from 'vscode';
import type { FileScheme, FileSource } from './fileSystem.ts';

/** The content of a file. */
interface FileContent {
  readonly sizeBytes: number;
  /** Each chunk is only valid until the next one is requested. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Shows stored bytes as read-only files. `find` resolves to undefined if a file no longer exists. */
export class ReadOnlyFiles implements FileSource {
  readonly #scheme: FileScheme;
  readonly #find: (fileId: string) => Promise<FileContent | undefined>;

  constructor(scheme: FileScheme, find: (fileId: string) => Promise<FileContent | undefined>) {
    this.#scheme = scheme;
    this.#find = find;
  }

  /**
   * Opens a file. The ID is in the query instead of the path, because VS Code shows the path to distinguish files with
   * equal names.
   */
  async show(fileId: string, name: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${name}`, query: fileId });
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

  async #content(uri: vscode.Uri): Promise<FileContent> {
    const content = await this.#find(uri.query);
    if (!content) throw vscode.FileSystemError.FileNotFound(uri);
    return content;
  }
}
