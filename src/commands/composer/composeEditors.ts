import * as vscode from 'vscode';
import { withoutIcons } from '../../host/prompts/editorText.ts';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { ContextKeySetter } from '../../host/contextKeySetter.ts';
import { closeTabs, shownEditors } from '../../host/editors/openEditors.ts';
import { inertLanguage } from '../../host/readOnlyFiles/inertLanguages.ts';
import { readComposeDocuments, writeComposeDocuments } from '../../host/storage/workspaceState.ts';
import { type Draft, lastAddedId } from '../../state/store/sessionRecord.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { type SessionKey, sameSession } from '../../state/store/sessionKey.ts';
import { plainLine } from '../../shared/text.ts';
import type { ComposerController } from './composerController.ts';
import type { Services } from '../services.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';

type ComposeServices = Pick<Services, 'store' | 'drafts' | 'lifecycle' | 't'>;

/** When a document is closed without saving, VS Code first empties it, and then closes it within this time. */
const closingMs = 1_000;
/** A draft can quote what an agent wrote, so VS Code must not act on its text. */
const composeLanguage = inertLanguage('markdown');
/** The maximum number of edits until a document has the text of the draft. */
const maxAttempts = 10;

/**
 * Opens drafts in editors. Each draft is an untitled Markdown document that stays in sync with the session's draft
 * while it is open. Closing the document keeps the draft.
 */
export class ComposeEditors implements Disposable, vscode.CodeLensProvider {
  readonly #services: ComposeServices;
  readonly #composer: ComposerController;
  readonly #memento: vscode.Memento;
  readonly #keys: Map<string, SessionKey>;
  readonly #contexts = new ContextKeySetter();
  readonly #disposables = new Disposables();
  /** The draft whose text is being put into a document. */
  readonly #applying = new Map<vscode.TextDocument, Draft>();
  /** The last update of each document. */
  readonly #updates = new WeakMap<vscode.TextDocument, Promise<void>>();
  /** The text that was taken from a document to be sent, until the document no longer shows it. */
  readonly #taken = new WeakMap<vscode.TextDocument, string>();
  /**
   * The ID of the last addition to the draft that a document contains; 0 if it contains none. Documents that haven't
   * been in sync with their draft in this window have no entry.
   */
  readonly #addedIds = new WeakMap<vscode.TextDocument, number>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #lensChanges = this.#disposables.add(new Emitter<void>());
  readonly onDidChangeCodeLenses = this.#lensChanges.event;

  constructor(services: ComposeServices, composer: ComposerController, memento: vscode.Memento) {
    this.#services = services;
    this.#composer = composer;
    this.#memento = memento;
    this.#keys = new Map(readComposeDocuments(memento).map(({ uri, key }) => [uri, key]));
    const own = this.#disposables;
    own.add(vscode.languages.registerCodeLensProvider({ scheme: 'untitled', language: composeLanguage }, this));
    own.add(vscode.window.onDidChangeActiveTextEditor(() => this.#updateContext()));
    own.add(vscode.workspace.onDidChangeTextDocument(({ document }) => void this.#onEdited(document)));
    own.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    own.add(
      services.store.onDidChange((change) => {
        if (change.type === 'draft' && change.source !== this) void this.#updateDocument(change.key);
      }),
    );
    this.#updateContext();
  }

  /** Opens the draft of a session in an editor. */
  async open(key: SessionKey): Promise<void> {
    const known = this.#documentOf(key);
    const draft = this.#services.drafts.get(key);
    const given = { language: composeLanguage, content: draft.text };
    const document = known ?? (await vscode.workspace.openTextDocument(given));
    if (!known) this.#noteAdditions(document, draft);
    this.#keys.set(document.uri.toString(), key);
    // The user may have typed in the page while VS Code opened the document.
    await this.#updateDocument(key);
    await this.#saveKeys();
    // Set the selection while opening, because setting it later could move the caret while the user types.
    const end = document.positionAt(document.getText().length);
    await vscode.window.showTextDocument(document, known ? {} : { selection: new vscode.Range(end, end) });
    this.#updateContext();
  }

  /** The session whose draft a document contains; undefined if the document isn't a compose editor. */
  keyOf(document: vscode.TextDocument | undefined): SessionKey | undefined {
    // A new untitled document can have the URI of a compose editor that was closed before the extension ran.
    return document?.languageId === composeLanguage ? this.#keys.get(document.uri.toString()) : undefined;
  }

  /**
   * Sends the text of the active editor, which becomes empty, and closes the editor once the message is on disk, unless
   * the draft has a new text, attachment, or comment by then. If the message isn't sent, its text returns to the
   * editor.
   * @throws UserFacingError if there is no text, attachment, or comment, if the editor isn't a compose editor, or if
   * the session was removed from the list. UserFacingError or NotAttachable if the message couldn't be queued.
   */
  async sendActive(): Promise<void> {
    const { store, drafts, t } = this.#services;
    const document = vscode.window.activeTextEditor?.document;
    const key = this.keyOf(document);
    if (!document || !key) throw new UserFacingError(t("This editor doesn't contain a message for a session."));
    if (!store.record(key))
      throw new UserFacingError(t('This session was removed from your list. Your message is still in this editor.'));
    // The editor can still show a text that was taken, if the command runs twice in a row.
    const text = this.#untaken(document);
    const { attachments, comments } = drafts.get(key);
    const hasContent = text.trim() !== '' || attachments.length > 0 || comments.length > 0;
    if (!hasContent) throw new NothingToDoError(t('Enter a message first.'));
    this.#taken.set(document, textOf(document));
    try {
      await this.#composer.send(key, { text, addedId: this.#addedIds.get(document) ?? 0 });
    } catch (error) {
      // The text is in the draft again, so it belongs to what the document shows.
      this.#taken.delete(document);
      throw error;
    }
    // VS Code asks about unsaved changes if the document isn't empty yet.
    if (!document.isClosed) await this.#updateDocument(key);
    const rest = drafts.get(key);
    const isNew = this.#untaken(document) !== '' || rest.text !== '';
    if (document.isClosed || isNew || rest.attachments.length > 0 || rest.comments.length > 0) return;
    if (await closeTabs(document.uri)) this.#forget(document.uri);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { store, drafts, t } = this.#services;
    const key = this.keyOf(document);
    const record = key && store.record(key);
    if (!key || !record) return [];
    const { attachments, comments } = drafts.get(key);
    const place = new vscode.Range(0, 0, 0, 0);
    const title = `$(send) ${withoutIcons(t('Send to "{0}"', plainLine(sessionTitle(record), 60)))}`;
    const send = new vscode.CodeLens(place, { title, command: 'lineside.sendComposed' });
    const attached = t({ one: '1 attachment', other: '{0} attachments' }, attachments.length);
    const commented = t({ one: '1 comment', other: '{0} comments' }, comments.length);
    const also = [...(attachments.length > 0 ? [attached] : []), ...(comments.length > 0 ? [commented] : [])];
    return [send, ...also.map((title) => new vscode.CodeLens(place, { title, command: '' }))];
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#disposables.dispose();
  }

  #documentOf(key: SessionKey): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((document) => sameSession(this.keyOf(document), key));
  }

  /** Updates the draft, unless the document was only emptied because it is being closed. */
  async #onEdited(document: vscode.TextDocument): Promise<void> {
    // An event from our own edit doesn't change the draft, which may be newer by now.
    const applied = this.#applying.get(document);
    if (applied && withLineFeeds(applied.text) === textOf(document)) {
      this.#noteAdditions(document, applied);
      return;
    }
    if (!this.keyOf(document) || !(await this.#services.lifecycle.start())) return;
    if (textOf(document) !== '') {
      this.#updateDraft(document);
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // The document can outlive its tab, and another document may now have the same URI, so check both.
      const isShown = shownEditors().some(({ uri }) => uri.toString() === document.uri.toString());
      if (isShown && !document.isClosed) this.#updateDraft(document);
    }, closingMs);
    this.#timers.add(timer);
  }

  #updateDraft(document: vscode.TextDocument): void {
    const key = this.keyOf(document);
    if (!key) return;
    const text = textOf(document);
    const draft = this.#services.drafts.get(key);
    if (withLineFeeds(draft.text) === text) {
      this.#noteAdditions(document, draft);
      return;
    }
    // What the user typed before the sent text was removed from the document is the start of the next message.
    const own = this.#untaken(document);
    const typed = { text: own, selectionStart: own.length, selectionEnd: own.length };
    const addedId = this.#addedIds.get(document) ?? 0;
    this.#addedIds.set(document, addedId);
    this.#services.drafts.setText(key, { ...typed, addedId }, own === text ? this : undefined);
  }

  /** The text of a document without what was taken to be sent, if the document still shows it. */
  #untaken(document: vscode.TextDocument): string {
    const text = textOf(document);
    const taken = this.#taken.get(document);
    return taken !== undefined && text.startsWith(taken) ? text.slice(taken.length) : text;
  }

  /** Records that a document contains all additions of this draft. */
  #noteAdditions(document: vscode.TextDocument, draft: Draft): void {
    this.#addedIds.set(document, lastAddedId(draft) ?? 0);
    this.#taken.delete(document);
  }

  /** Updates the document, if one is open, with text that was typed elsewhere. Resolves when the update has ended. */
  #updateDocument(key: SessionKey): Promise<void> {
    const document = this.#documentOf(key);
    if (!document) return Promise.resolve();
    this.#lensChanges.fire();
    if (!this.#applying.has(document)) this.#updates.set(document, this.#applyDraft(key, document));
    return this.#updates.get(document) ?? Promise.resolve();
  }

  /** Applies one edit at a time, because VS Code rejects an edit for an older version of the document. */
  async #applyDraft(key: SessionKey, document: vscode.TextDocument): Promise<void> {
    if (!this.#addedIds.has(document) && document.version > 1 && textOf(document) !== '') {
      // The user went on typing after a reload, before the saved draft was read.
      this.#addedIds.set(document, lastAddedId(this.#services.drafts.get(key)) ?? 0);
      this.#updateDraft(document);
      return;
    }
    try {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const draft = this.#services.drafts.get(key);
        const text = withLineFeeds(draft.text);
        if (document.isClosed) return;
        if (textOf(document) === text) {
          this.#noteAdditions(document, draft);
          return;
        }
        this.#applying.set(document, draft);
        const edit = new vscode.WorkspaceEdit();
        edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
        await vscode.workspace.applyEdit(edit);
      }
    } finally {
      this.#applying.delete(document);
    }
  }

  #forget(uri: vscode.Uri): void {
    if (!this.#keys.delete(uri.toString())) return;
    this.#updateContext();
    void this.#saveKeys();
  }

  async #saveKeys(): Promise<void> {
    await writeComposeDocuments(
      this.#memento,
      [...this.#keys].map(([uri, key]) => ({ uri, key })),
    );
  }

  #updateContext(): void {
    const isOurs = this.keyOf(vscode.window.activeTextEditor?.document) !== undefined;
    this.#contexts.set('lineside.isComposeEditor', isOurs);
    this.#lensChanges.fire();
  }
}

/** The text of a document with the line breaks of drafts. A document can use others, for example on Windows. */
function textOf(document: vscode.TextDocument): string {
  return withLineFeeds(document.getText());
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
