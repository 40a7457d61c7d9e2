import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { inSlices } from '../../shared/slices.ts';
import { fileSchemes, type FileSource } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import {
  type DocumentAddress,
  type DocumentContent,
  addressText,
  documentAddress,
  documentUri,
} from '../../state/documents/documentUri.ts';
import { findStep } from '../../state/conversation/turnSteps.ts';
import type { DocumentSection, DocumentWords } from '../../state/documents/document.ts';
import { inertingMarkdown } from '../../state/markdown/inert.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { type SessionKey, keyText, sameSession } from '../../state/store/sessionKey.ts';
import type { ViewServices } from '../viewServices.ts';
import { ConversationText, type OnProgress, type PartSummary } from './conversationText.ts';
import { DocumentFile } from './documentFile.ts';
import { documentWords } from './documentStrings.ts';

/**
 * Maximum number of unwatched files in memory. They are cached because an editor requests the size and content
 * separately.
 */
const maxUnwatchedFiles = 4;

type DocumentServices = Pick<ViewServices, 'store' | 'sessions' | 'lifecycle' | 't'>;

/**
 * Provides conversations as read-only Markdown files, and outputs of steps as text files. A file is rendered when it is
 * read, and reports changes while it is watched. After a reload, its tab is restored from the cache.
 */
export class ConversationDocuments implements FileSource, Disposable {
  readonly #services: DocumentServices;
  readonly #words: DocumentWords;
  readonly #texts = new Map<string, ConversationText>();
  readonly #files = new Map<string, DocumentFile>();
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());

  readonly onDidChangeFile = this.#changes.event;

  constructor(services: DocumentServices) {
    this.#services = services;
    this.#words = documentWords(services.t);
    this.#disposables.add(
      services.store.onDidChange((change) => {
        if (change.type === 'session' || change.type === 'messages') this.#noteChange(change.key);
        if (change.type === 'connection' || change.type === 'sessionList') this.#noteChange(undefined);
      }),
    );
  }

  /** The parts of a conversation, or undefined if `signal` was aborted. */
  async parts(key: SessionKey, signal: AbortSignal, onProgress: OnProgress): Promise<PartSummary[] | undefined> {
    try {
      return await this.#text(key).parts(signal, onProgress);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /**
   * Shows a part of a conversation. If `messageId` is given, shows the part with that message and scrolls to the
   * message. If that message doesn't exist, shows `part`, and resolves to false.
   */
  async open(
    key: SessionKey,
    { messageId, part }: { readonly messageId?: string | undefined; readonly part: number },
  ): Promise<boolean> {
    const place = messageId === undefined ? undefined : await this.#text(key).placeOf(messageId);
    const editor = await this.#show({ key, shows: { part: place?.part ?? part } });
    if (place) {
      const line = Math.min(place.line, editor.document.lineCount) - 1;
      editor.selection = new vscode.Selection(line, 0, line, 0);
      editor.revealRange(editor.selection, vscode.TextEditorRevealType.AtTop);
    }
    return messageId === undefined || place !== undefined;
  }

  /** Shows a message or the output of a step in a separate document. */
  async openContent(key: SessionKey, shows: DocumentContent): Promise<void> {
    await this.#show({ key, shows });
  }

  /**
   * Loads a document for an editor that isn't a text editor, such as a diff editor. Resolves to its URI.
   * @throws Error if it doesn't exist.
   */
  async load(key: SessionKey, shows: DocumentContent): Promise<vscode.Uri> {
    return (await this.#load({ key, shows })).uri;
  }

  /** The messages of a document as it shows them, in its order. */
  async sections({ key, shows }: DocumentAddress): Promise<readonly DocumentSection[]> {
    const sections = await this.#text(key).sections(shows);
    const inert: DocumentSection[] = [];
    for (const { messageId, text } of sections) inert.push({ messageId, text: await inSlices(inertingMarkdown(text)) });
    return inert;
  }

  watch(uri: vscode.Uri): Disposable {
    const handle = new Disposables();
    const address = documentAddress(uri);
    if (!address) return handle;
    const file = this.#file(uri, address);
    handle.add(file.watch());
    handle.add(this.#services.sessions.watch(address.key, true));
    return handle;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const file = await this.#read(uri);
    const { sizeBytes, changedAt } = file;
    const ctime = this.#services.store.record(file.address.key)?.session?.createdAt ?? changedAt;
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, ctime, mtime: changedAt, size: sizeBytes, permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(uri)).takeBytes();
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const file of this.#files.values()) file.dispose();
    this.#files.clear();
    this.#texts.clear();
  }

  async #show(address: DocumentAddress): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(await this.#load(address), { preview: false });
  }

  #load(address: DocumentAddress): Thenable<vscode.TextDocument> {
    const uri = openUri(address) ?? this.#uri(address);
    // The user's default encoding for files on disk doesn't apply here.
    return vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
  }

  #uri(address: DocumentAddress): vscode.Uri {
    return vscode.Uri.from({ scheme: fileSchemes.conversation, ...documentUri(address, this.#title(address)) });
  }

  /** The name of a document: what it shows, or the title of its session. */
  #title({ key, shows }: DocumentAddress): string {
    const { store } = this.#services;
    const record = store.record(key);
    const title = record ? sessionTitle(record) : key.sessionId;
    if ('outputOf' in shows) return findStep(record?.headers ?? [], shows.messageId, shows.outputOf)?.label ?? title;
    const firstLine = 'form' in shows ? store.header(key, shows.messageId)?.firstLine : '';
    return firstLine === undefined || firstLine === '' ? title : firstLine;
  }

  async #read(uri: vscode.Uri): Promise<DocumentFile> {
    const address = documentAddress(uri);
    if (!address) throw vscode.FileSystemError.FileNotFound(uri);
    await this.#services.lifecycle.ensureStarted();
    await this.#services.sessions.restoreFromCache(address.key);
    const file = this.#file(uri, address);
    if (await file.read()) return file;
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  #file(uri: vscode.Uri, address: DocumentAddress): DocumentFile {
    const name = uri.toString();
    const known = this.#files.get(name);
    if (known) return known;
    const write = () => writeContent(this.#text(address.key), address.shows);
    const file: DocumentFile = new DocumentFile(address, write, () => {
      const type = file.exists ? vscode.FileChangeType.Changed : vscode.FileChangeType.Deleted;
      this.#changes.fire([{ type, uri }]);
    });
    this.#files.set(name, file);
    this.#dropUnwatched();
    return file;
  }

  #text(key: SessionKey): ConversationText {
    const text = this.#texts.get(keyText(key)) ?? new ConversationText(this.#services.store, key, this.#words);
    this.#texts.set(keyText(key), text);
    return text;
  }

  #noteChange(key: SessionKey | undefined): void {
    for (const file of this.#files.values()) if (!key || sameSession(file.address.key, key)) file.noteChange();
  }

  /**
   * Drops all unwatched files except the most recently added ones. A dropped file is rendered again when it is read.
   */
  #dropUnwatched(): void {
    const unused = [...this.#files].filter(([, file]) => !file.isWatched).slice(0, -maxUnwatchedFiles);
    for (const [name, file] of unused) {
      file.dispose();
      this.#files.delete(name);
    }
    const used = new Set([...this.#files.values()].map((file) => keyText(file.address.key)));
    for (const text of this.#texts.keys()) if (!used.has(text)) this.#texts.delete(text);
  }
}

async function writeContent(text: ConversationText, shows: DocumentContent): Promise<string | undefined> {
  if ('outputOf' in shows) return text.output(shows.messageId, shows.outputOf);
  const markdown = await writeMarkdown(text, shows);
  return markdown === undefined ? undefined : inSlices(inertingMarkdown(markdown));
}

function writeMarkdown(
  text: ConversationText,
  shows: Exclude<DocumentContent, { readonly outputOf: number }>,
): Promise<string | undefined> {
  if ('part' in shows) return text.part(shows.part);
  if (shows.form === 'text') return text.copied(shows.messageId);
  return shows.form === 'branch' ? text.branch(shows.messageId) : text.message(shows.messageId);
}

/**
 * The URI of the tab that already shows a document; undefined if there is none. It may contain an earlier title of the
 * session.
 */
function openUri(address: DocumentAddress): vscode.Uri | undefined {
  for (const { input } of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
    if (!(input instanceof vscode.TabInputText) || input.uri.scheme !== fileSchemes.conversation) continue;
    const shown = documentAddress(input.uri);
    if (shown && addressText(shown) === addressText(address)) return input.uri;
  }
  return undefined;
}
