import * as vscode from 'vscode';
import { parseJson } from '../../shared/json.ts';
import { inOnePiece } from '../files/inOnePiece.ts';
import type { FileScheme, FileSource } from './readOnlyFileSystem.ts';
import { textName } from './inertLanguages.ts';

/** The content of a file. */
interface FileContent {
  readonly sizeBytes: number;
  /** Each chunk is only valid until the next one is requested. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Encodes the parts of an address as the ID of a file. */
export function encodeAddress(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Decodes an ID. Anyone can make one, so the result can be anything. */
export function decodeAddress(fileId: string): unknown {
  return parseJson(Buffer.from(fileId, 'base64url').toString('utf8'));
}

/** Without it, VS Code would decode a file with the user's default encoding. */
const byteOrderMark = '\ufeff';

/** Text as the content of a file. */
export function textContent(text: string): FileContent {
  const bytes = Buffer.from(byteOrderMark + text);
  return { sizeBytes: bytes.byteLength, read: () => inOnePiece(bytes) };
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
    await vscode.commands.executeCommand('vscode.open', this.uri(fileId, name), { preview: true });
  }

  /** The URI of a file. VS Code determines the language and the editor from the name. */
  uri(fileId: string, name: string): vscode.Uri {
    return vscode.Uri.from({ scheme: this.#scheme, path: `/${textName(name)}`, query: fileId });
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
