import * as vscode from 'vscode';
import type { Message } from '../../api/resources/message.ts';
import { fileSchemes, type FileSource } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { defined } from '../../shared/defined.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { inSlices } from '../../shared/slices.ts';
import {
  type CatchUpTarget,
  type News,
  readingNews,
  sessionsWithNews,
  writingCatchUp,
} from '../../state/documents/catchUp.ts';
import { inertingMarkdown } from '../../state/markdown/inert.ts';
import { serviceNames } from '../../state/store/connection.ts';
import type { ViewServices } from '../viewServices.ts';

/** The maximum number of documents whose text is in memory. */
const maxDocuments = 4;

/** A document: its text, and what its lines lead to. */
interface CatchUpDocument {
  readonly bytes: Uint8Array;
  readonly writtenAt: number;
  /** By zero-based line number. */
  readonly targets: ReadonlyMap<number, CatchUpTarget>;
}

/**
 * What happened in sessions since the user last viewed them, as read-only Markdown documents. A document doesn't change
 * when sessions are viewed. It is written again if VS Code reads it after a reload, or when it is no longer in memory.
 * All text is inert: except for links to web pages and mail addresses, this class provides the only links.
 */
export class CatchUpDocuments implements FileSource, vscode.DocumentLinkProvider, Disposable {
  readonly #services: Pick<ViewServices, 'store' | 'lifecycle' | 't'>;
  /** By the query of their URIs. */
  readonly #documents = new LruMap<string, CatchUpDocument>(maxDocuments);
  readonly #disposables = new Disposables();

  constructor(services: Pick<ViewServices, 'store' | 'lifecycle' | 't'>) {
    this.#services = services;
    this.#disposables.add(vscode.languages.registerDocumentLinkProvider({ scheme: fileSchemes.catchUp }, this));
  }

  /** Shows a new document. Resolves to false if there is no news. */
  async open(): Promise<boolean> {
    const { store, t } = this.#services;
    if (sessionsWithNews(store.records).length === 0) return false;
    const path = `/${t('Catch Up')}.md`;
    const uri = vscode.Uri.from({ scheme: fileSchemes.catchUp, path, query: String(Date.now()) });
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
    await vscode.window.showTextDocument(document, { preview: true });
    return true;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, writtenAt } = await this.#read(uri);
    const { File } = vscode.FileType;
    const permissions = vscode.FilePermission.Readonly;
    return { type: File, size: bytes.byteLength, ctime: writtenAt, mtime: writtenAt, permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(uri)).bytes;
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const { t } = this.#services;
    const { targets } = this.#documents.get(document.uri.query) ?? {};
    return [...(targets ?? [])].flatMap(([line, target]) => {
      if (line >= document.lineCount) return [];
      const link = new vscode.DocumentLink(document.lineAt(line).range, commandUri(target));
      link.tooltip = target.isChanges ? t('Show Changes') : t('Open Conversation');
      return [link];
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #read(uri: vscode.Uri): Promise<CatchUpDocument> {
    const known = this.#documents.get(uri.query);
    if (known) return known;
    await this.#services.lifecycle.ensureStarted();
    const written = await this.#write();
    this.#documents.set(uri.query, written);
    return written;
  }

  async #write(): Promise<CatchUpDocument> {
    const { store, t } = this.#services;
    const records = sessionsWithNews(store.records);
    const news = await inSlices(readingNews(records, t));
    const answers = new Map<News, Message>();
    for (const each of news) {
      const { answer, record } = each;
      if (answer?.messageId === undefined) continue;
      const [message] = await store.readBodies(record.listEntry.key, [answer.messageId]);
      if (message) answers.set(each, message);
    }
    const now = Date.now();
    const services = serviceNames(store.connections);
    const lines = await inSlices(writingCatchUp({ news, answers, totalCount: records.length, services, now }, t));
    const text = await inSlices(inertingMarkdown(`${lines.map((line) => line.text).join('\n')}\n`));
    const targets = lines.flatMap(({ target }, line) => (target ? [[line, target] as const] : []));
    return { bytes: Buffer.from(text), writtenAt: now, targets: new Map(targets) };
  }
}

/**
 * The URI of a command that only shows something. Its argument comes from the extension, and the command checks it
 * again. The argument has the form of a tree row, so that the command shows its errors. For an argument in the form
 * that scripts use, the command would throw them, and VS Code only logs what the command of a link throws. VS Code
 * decodes the query.
 */
function commandUri({ key, messageId, isChanges }: CatchUpTarget): vscode.Uri {
  const name = isChanges ? 'showChanges' : 'openConversation';
  const { origin, sessionId } = key;
  const argument = { kind: 'catchUp', key: { origin, sessionId }, ...defined({ messageId }) };
  return vscode.Uri.from({
    scheme: 'command',
    path: `lineside.${name}`,
    query: encodeURIComponent(JSON.stringify([argument])),
  });
}
