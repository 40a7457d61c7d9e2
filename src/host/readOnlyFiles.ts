import * as vscode from 'vscode';
import { ReadOnlyFileSystem } from './readOnlyFileSystem.ts';

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
export class ReadOnlyFiles extends ReadOnlyFileSystem {
  readonly #scheme: string;
  readonly #find: (fileId: string) => Promise<FileContent | undefined>;

  constructor(scheme: string, find: (fileId: string) => Promise<FileContent | undefined>) {
    super(scheme);
    this.#scheme = scheme;
    this.#find = find;
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

  // What a file holds never changes.
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async #content(uri: vscode.Uri): Promise<FileContent> {
    const content = await this.#find(uri.path.split('/')[1] ?? '');
    if (!content) throw vscode.FileSystemError.FileNotFound(uri);
    return content;
  }
}
