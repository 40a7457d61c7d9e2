import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';

/** Provides the files of one URI scheme. */
export interface FileSource {
  /** Fires when files change. */
  readonly onDidChangeFile?: vscode.Event<vscode.FileChangeEvent[]>;
  /** @throws vscode.FileSystemError `FileNotFound` if there is no such file. */
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  /** @throws vscode.FileSystemError `FileNotFound` if there is no such file. */
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  /**
   * Reports changes to a file until the handle is disposed. Absent if files never change, or if the source reports
   * their changes without it.
   */
  watch?(uri: vscode.Uri): Disposable;
}

/**
 * A read-only file system for one URI scheme. Folders appear empty, and writing is rejected. The source is created when
 * the first file is opened.
 */
export class ReadOnlyFileSystem implements vscode.FileSystemProvider, Disposable {
  readonly #source: () => Promise<FileSource>;
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  #followed: FileSource | undefined;

  readonly onDidChangeFile = this.#changes.event;
  readonly createDirectory = rejectChange;
  readonly writeFile = rejectChange;
  readonly delete = rejectChange;
  readonly rename = rejectChange;

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
    // Ignore the error here, because reading the file reports the same one.
    begin().catch(() => undefined);
    return new vscode.Disposable(() => watching.dispose());
  }

  // Breadcrumbs list a file's parent folders, so return no entries instead of throwing.
  readDirectory(): [string, vscode.FileType][] {
    return [];
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

function rejectChange(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}

/** The URI schemes of our read-only files. `lineside` is never renamed (spec 11). */
export const fileSchemes = {
  /** Conversations and messages as documents. */
  conversation: 'lineside',
  /** Images in messages. */
  message: 'lineside-message',
  /** Attachments that are not sent yet. */
  attachment: 'lineside-attachment',
  /**
   * Files before and after the agent's changes, and the changed pieces as they are in the workspace and as the agent
   * wrote them.
   */
  change: 'lineside-change',
  /** Texts that a diff editor compares and that aren't stored: the clipboard, a selection, or a code block. */
  compare: 'lineside-compare',
  /** Diagrams that the Markdown preview draws. */
  diagram: 'lineside-diagram',
  /** What happened in sessions since the user last viewed them. */
  catchUp: 'lineside-catchup',
  /** The accessibility help. */
  help: 'lineside-help',
  /** Messages that language models want to send, while the user is asked to confirm them. */
  question: 'lineside-question',
} as const;

export type FileScheme = (typeof fileSchemes)[keyof typeof fileSchemes];
