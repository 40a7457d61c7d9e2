import * as vscode from 'vscode';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { maxQuoteLength } from '../../shared/protocol/vocabulary.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import { findQuote, quoteOffset } from '../../shared/text/quotes.ts';
import type { Translate } from '../../shared/text.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { placeComments } from '../../state/conversation/comments.ts';
import { messagesStart, placingSections, type SectionPlace } from '../../state/documents/document.ts';
import { type DocumentAddress, documentAddress } from '../../state/documents/documentUri.ts';
import { sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import type { DraftComment } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { ConversationDocuments } from './conversationDocuments.ts';

/** The number of lines that are quoted if no text of the message is selected. */
const maxLines = 3;

/**
 * Port to the drafts, which contain the comments. `addComment` returns false if the draft has the maximum number of
 * comments. `changeComment` removes the comment if its text is undefined.
 */
interface CommentDrafts {
  addComment(key: SessionKey, comment: DraftComment): boolean;
  changeComment(key: SessionKey, commentId: string, text: string | undefined): void;
}

/**
 * Whether a comment is in the draft now, or why it can't be added: the draft has the maximum number of comments, or
 * there is no message at the lines of its thread.
 */
type AddOutcome = 'added' | 'full' | 'noMessage';

type ShownComment = Pick<DraftComment, 'commentId' | 'text'>;

/** A comment of a draft in a document, with the thread that shows it. */
export class DocumentComment implements vscode.Comment {
  readonly key: SessionKey;
  readonly commentId: string;
  readonly author: vscode.CommentAuthorInformation;
  readonly thread: vscode.CommentThread;
  body: string;
  mode = vscode.CommentMode.Preview;

  constructor(key: SessionKey, { commentId, text }: ShownComment, thread: vscode.CommentThread, t: Translate) {
    this.key = key;
    this.commentId = commentId;
    this.author = { name: t('You') };
    this.body = text;
    this.thread = thread;
    thread.comments = [this];
  }

  /** Shows the comment at its place. A text that is being edited stays. */
  show(text: string, range: vscode.Range): void {
    if (!this.thread.range?.isEqual(range)) this.thread.range = range;
    if (this.mode === vscode.CommentMode.Editing || this.body === text) return;
    this.body = text;
    this.thread.comments = [this];
  }

  /** Starts or ends editing the comment, and shows this text. */
  setMode(mode: vscode.CommentMode, text = this.body): void {
    this.mode = mode;
    this.body = text;
    this.thread.comments = [this];
  }

  dispose(): void {
    this.thread.dispose();
  }
}

/** An open document with the comments in it. */
interface OpenDocument {
  readonly document: vscode.TextDocument;
  readonly address: DocumentAddress;
  readonly comments: Map<string, DocumentComment>;
  /** Increases with each update, so that only the last one is applied. */
  updates: number;
}

/**
 * Shows the comments of drafts as comment threads in conversation documents, and adds those that are written there.
 * Does nothing until such a document is open.
 */
export class DocumentComments implements vscode.CommentingRangeProvider, Disposable {
  readonly #store: Store;
  readonly #documents: Pick<ConversationDocuments, 'sections'>;
  readonly #drafts: CommentDrafts;
  readonly #t: Translate;
  readonly #open = new Map<vscode.TextDocument, OpenDocument>();
  /**
   * The comments that were being edited when their document was closed, by its URI and their IDs. The text editor of an
   * editor group keeps the edited text of each thread, and shows it again in the same thread. The text editors of other
   * groups show the saved text.
   */
  readonly #closedEdits = new Map<string, Map<string, DocumentComment>>();
  readonly #disposables = new Disposables();
  #controller: vscode.CommentController | undefined;

  constructor(store: Store, documents: Pick<ConversationDocuments, 'sections'>, drafts: CommentDrafts, t: Translate) {
    this.#store = store;
    this.#documents = documents;
    this.#drafts = drafts;
    this.#t = t;
    const own = this.#disposables;
    own.add(vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)));
    own.add(vscode.workspace.onDidCloseTextDocument((document) => this.#closed(document)));
    own.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const shown = this.#open.get(document);
        if (shown) void this.#update(shown);
      }),
    );
    own.add(
      store.onDidChange((change) => {
        if (change.type !== 'draft') return;
        for (const shown of this.#open.values())
          if (sameSession(shown.address.key, change.key)) void this.#update(shown);
      }),
    );
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
  }

  /** All lines from the first message on; none if the document contains no messages. */
  provideCommentingRanges(document: vscode.TextDocument): vscode.Range[] {
    const shown = this.#open.get(document);
    if (!shown) return [];
    const start = isWholeMessage(shown.address) ? 0 : messagesStart(document.getText());
    return start < 0 ? [] : [new vscode.Range(document.positionAt(start).line, 0, document.lineCount - 1, 0)];
  }

  /**
   * Adds a comment that the user wrote in a new thread, with the lines of the thread as its quote. Removes the thread
   * if the comment was added. Rejects if the document can't be read.
   */
  async add({ thread, text }: vscode.CommentReply): Promise<AddOutcome> {
    const shown = [...this.#open.values()].find(({ document }) => document.uri.toString() === thread.uri.toString());
    const quoted = shown && thread.range && (await this.#quote(shown, thread.range));
    if (!quoted) return 'noMessage';
    const comment = { commentId: crypto.randomUUID(), ...quoted, text };
    if (!this.#drafts.addComment(shown.address.key, comment)) return 'full';
    thread.dispose();
    return 'added';
  }

  /** Lets the user edit the text of a comment. */
  edit(comment: DocumentComment): void {
    comment.setMode(vscode.CommentMode.Editing);
  }

  /**
   * Saves the edited text of a comment. If the comment was sent or removed in the meantime, adds a new one, like
   * {@link add}. If that isn't possible, the text can be edited again.
   */
  async save(comment: DocumentComment): Promise<AddOutcome> {
    const { key, commentId, body: text, thread } = comment;
    if (this.#saved(comment)) {
      comment.setMode(vscode.CommentMode.Preview);
      this.#drafts.changeComment(key, commentId, text);
      return 'added';
    }
    let isAdded = false;
    try {
      const outcome = await this.add({ thread, text });
      isAdded = outcome === 'added';
      return outcome;
    } finally {
      if (isAdded) this.#drop(comment);
      else this.#reopen(comment);
    }
  }

  /** Ends editing a comment without saving its text. */
  cancel(comment: DocumentComment): void {
    const saved = this.#saved(comment);
    comment.setMode(vscode.CommentMode.Preview, saved?.text);
    if (!saved) this.#drop(comment);
  }

  remove(comment: DocumentComment): void {
    comment.setMode(vscode.CommentMode.Preview);
    if (!this.#saved(comment)) this.#drop(comment);
    this.#drafts.changeComment(comment.key, comment.commentId, undefined);
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#open.clear();
    this.#closedEdits.clear();
    this.#controller?.dispose();
  }

  /**
   * Opens the field of a comment again, with its text. VS Code closes a field when its comment is saved, and opens one
   * only for a new comment or if the mode changes.
   */
  #reopen(comment: DocumentComment): void {
    const { key, commentId, body: text, thread } = comment;
    const edited = new DocumentComment(key, { commentId, text }, thread, this.#t);
    edited.setMode(vscode.CommentMode.Editing);
    this.#listWith(comment)?.set(commentId, edited);
  }

  #drop(comment: DocumentComment): void {
    comment.dispose();
    this.#listWith(comment)?.delete(comment.commentId);
  }

  /**
   * The comments of the open document that has this object; undefined if none has it. Another document can show the
   * same comment of the draft.
   */
  #listWith(comment: DocumentComment): Map<string, DocumentComment> | undefined {
    const lists = [...this.#open.values()].map(({ comments }) => comments);
    return lists.find((comments) => comments.get(comment.commentId) === comment);
  }

  /** A comment as it is in the draft; undefined if it was sent or removed. */
  #saved({ key, commentId }: DocumentComment): DraftComment | undefined {
    return this.#store.record(key)?.draft.comments.find((comment) => comment.commentId === commentId);
  }

  #opened(document: vscode.TextDocument): void {
    const address = document.uri.scheme === fileSchemes.conversation ? documentAddress(document.uri) : undefined;
    if (!address || !showsMessages(address)) return;
    if (!this.#controller) {
      this.#controller = vscode.comments.createCommentController('lineside.comments', 'Lineside');
      this.#controller.options = { placeHolder: this.#t('Write a comment to send with your next message') };
      this.#controller.commentingRangeProvider = this;
    }
    const uri = document.uri.toString();
    const comments = this.#closedEdits.get(uri) ?? new Map<string, DocumentComment>();
    this.#closedEdits.delete(uri);
    const shown = { document, address, comments, updates: 0 };
    this.#open.set(document, shown);
    void this.#update(shown);
  }

  #closed(document: vscode.TextDocument): void {
    const shown = this.#open.get(document);
    this.#open.delete(document);
    const edits = new Map<string, DocumentComment>();
    for (const [commentId, comment] of shown?.comments ?? []) {
      if (comment.mode === vscode.CommentMode.Editing) edits.set(commentId, comment);
      else comment.dispose();
    }
    if (edits.size > 0) this.#closedEdits.set(document.uri.toString(), edits);
  }

  /** Updates the threads of a document after a change of the draft or of the document. */
  async #update(shown: OpenDocument): Promise<void> {
    const update = ++shown.updates;
    const { address, document } = shown;
    const isNeeded = shown.comments.size > 0 || this.#placed(address.key).length > 0;
    // If the document can't be read, its editor shows the error.
    const found = isNeeded ? await this.#places(shown).catch(() => []) : [];
    if (update !== shown.updates || this.#open.get(document) !== shown) return;
    const places = new Map(found.map((place) => [place.messageId, place]));
    const ranges = await inSlices(this.#ranges(document, this.#placed(address.key), places));
    if (update !== shown.updates || this.#open.get(document) !== shown) return;
    const gone = new Map(shown.comments);
    for (const [comment, range] of ranges) {
      this.#show(shown, comment, range);
      gone.delete(comment.commentId);
    }
    for (const [commentId, comment] of gone) {
      // The user is editing a comment that was sent or removed in the meantime.
      if (comment.mode === vscode.CommentMode.Editing) continue;
      comment.dispose();
      shown.comments.delete(commentId);
    }
  }

  /** The comments on the messages of a document, with the ranges of their quotes or else of the messages' headings. */
  *#ranges(
    document: vscode.TextDocument,
    placed: ReturnType<typeof placeComments>,
    places: ReadonlyMap<string, SectionPlace>,
  ): PausableWork<ReadonlyMap<DraftComment, vscode.Range>> {
    const ranges = new Map<DraftComment, vscode.Range>();
    const text = document.getText();
    for (const { comment, header } of placed) {
      const place = places.get(header?.messageId ?? comment.messageId);
      if (!place) continue;
      const { bodyStart, start, end } = place;
      const quote = yield* findQuote(text.slice(bodyStart, end), comment.quote, comment.offset);
      const [from, to] = quote?.map((index) => document.positionAt(bodyStart + index)) ?? [];
      const heading = document.positionAt(start);
      ranges.set(comment, new vscode.Range(from ?? heading, to ?? heading));
    }
    return ranges;
  }

  #show({ address, document, comments }: OpenDocument, comment: DraftComment, range: vscode.Range): void {
    const known = comments.get(comment.commentId);
    if (known) known.show(comment.text, range);
    const thread = known ? undefined : this.#controller?.createCommentThread(document.uri, range, []);
    if (!thread) return;
    // Without a label, the heading of a new thread stays "Start discussion", and screen readers read "undefined".
    thread.label = this.#t({ one: '1 comment', other: '{0} comments' }, 1);
    thread.canReply = false;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    comments.set(comment.commentId, new DocumentComment(address.key, comment, thread, this.#t));
  }

  #placed(key: SessionKey): ReturnType<typeof placeComments> {
    const record = this.#store.record(key);
    return record ? placeComments(record.draft.comments, record) : [];
  }

  /** The places of the messages in a document. */
  async #places({ document, address }: OpenDocument): Promise<readonly SectionPlace[]> {
    const text = document.getText();
    if (!isWholeMessage(address)) {
      return await inSlices(placingSections(text, await this.#documents.sections(address)));
    }
    return [{ messageId: address.shows.messageId, start: 0, bodyStart: 0, end: text.length }];
  }

  /**
   * The message in which a range begins, and a quote: its lines in the range or, if these are blank, its first lines.
   * Undefined if the range begins before the first message.
   */
  async #quote(
    shown: OpenDocument,
    range: vscode.Range,
  ): Promise<Pick<DraftComment, 'messageId' | 'quote' | 'offset'> | undefined> {
    const { document } = shown;
    const text = document.getText();
    const places = await this.#places(shown);
    const start = document.offsetAt(new vscode.Position(range.start.line, 0));
    const end = document.offsetAt(document.lineAt(range.end.line).range.end);
    const place = places.findLast((known) => known.start <= start);
    if (!place) return undefined;
    const { messageId, bodyStart } = place;
    const from = Math.max(bodyStart, start);
    const lines = text.slice(from, Math.min(place.end, end)).trim();
    const quote = lines === '' ? firstLines(text.slice(bodyStart, place.end)) : lines;
    const offset = lines === '' ? 0 : await inSlices(quoteOffset(text.slice(bodyStart, from)));
    return { messageId, quote: startOfText(quote, maxQuoteLength), offset };
  }
}

/** An address of a document that is the text of one message, without a heading. */
type WholeMessage = DocumentAddress & { readonly shows: { readonly messageId: string; readonly form: 'text' } };

function isWholeMessage(address: DocumentAddress): address is WholeMessage {
  return 'form' in address.shows && address.shows.form === 'text';
}

/** Whether the lines of a document can be commented on: not those of an output, or of a branch for a comparison. */
function showsMessages({ shows }: DocumentAddress): boolean {
  return !('outputOf' in shows) && !('form' in shows && shows.form === 'branch');
}

/** The first lines of a message, without the line of details in italics that can follow the heading. */
function firstLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const start = /^\*.*\*$/.test(lines[0] ?? '') ? 1 : 0;
  return lines.slice(start, start + maxLines).join('\n');
}
