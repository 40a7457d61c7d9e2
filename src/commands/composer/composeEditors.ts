import * as vscode from 'vscode';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { ContextKeySetter } from '../../host/contextKeys.ts';
import { shownEditors } from '../../host/editors/openEditors.ts';
import { readComposeDocuments, writeComposeDocuments } from '../../host/storage/workspaceState.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import { type SessionKey, sameSession } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';
import type { ComposerController } from './composer.ts';
import type { AppLifecycle } from '../context.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';

export interface ComposeEditorsParts {
  readonly store: Store;
  readonly drafts: Drafts;
  readonly composing: ComposerController;
  readonly memento: vscode.Memento;
  readonly lifecycle: AppLifecycle;
  readonly t: Translate;
}

/** VS Code empties a document that is closed without saving, and closes it then: within this time. */
const closingMs = 1_000;

/**
 * Messages written in an editor of their own: an untitled Markdown document for a session, which is the session's draft
 * as long as it is open. What is typed on either side is on the other; closing the document leaves the draft as it is.
 */
export class ComposeEditors implements Disposable, vscode.CodeLensProvider {
  readonly #parts: ComposeEditorsParts;
  readonly #keys: Map<string, SessionKey>;
  readonly #contexts = new ContextKeySetter();
  readonly #disposables = new Disposables();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #lensChanges = this.#disposables.add(new Emitter<void>());
  readonly onDidChangeCodeLenses = this.#lensChanges.event;

  constructor(parts: ComposeEditorsParts) {
    this.#parts = parts;
    this.#keys = new Map(readComposeDocuments(parts.memento).map(({ uri, key }) => [uri, key]));
    const own = this.#disposables;
    own.add(vscode.languages.registerCodeLensProvider({ scheme: 'untitled', language: 'markdown' }, this));
    own.add(vscode.window.onDidChangeActiveTextEditor(() => this.#mark()));
    own.add(vscode.workspace.onDidChangeTextDocument(({ document }) => void this.#edited(document)));
    own.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    own.add(
      parts.store.onDidChange((change) => {
        if (change.type === 'draft' && change.source !== this) void this.#follow(change.key);
      }),
    );
    this.#mark();
  }

  /** Shows the draft of a session in an editor. */
  async open(key: SessionKey): Promise<void> {
    const known = this.#documentOf(key);
    const content = this.#parts.drafts.get(key).text;
    const document = known ?? (await vscode.workspace.openTextDocument({ language: 'markdown', content }));
    this.#keys.set(document.uri.toString(), key);
    await this.#remember();
    // Set with the opening: set afterwards, it would move a caret that somebody writes at already.
    const end = document.positionAt(content.length);
    await vscode.window.showTextDocument(document, known ? {} : { selection: new vscode.Range(end, end) });
    this.#mark();
  }

  /** The session that a document is written for. */
  keyOf(document: vscode.TextDocument | undefined): SessionKey | undefined {
    return document && this.#keys.get(document.uri.toString());
  }

  /**
   * Sends what stands in the active editor, and closes it once the message is on disk.
   * @throws ToldError where it is no such editor, it is empty, or the message could not be kept.
   */
  async sendActive(): Promise<void> {
    const { composing, store, t } = this.#parts;
    const document = vscode.window.activeTextEditor?.document;
    const key = this.keyOf(document);
    if (!document || !key) throw new UserFacingError(t('This editor has no message for a session.'));
    if (!store.record(key))
      throw new UserFacingError(t('The session is not on the deck any more. The text stays here.'));
    const text = document.getText();
    if (text.trim() === '') throw new NothingToDoError(t('Write something first.'));
    // From here on the document follows no draft: the one that is sent is emptied.
    this.#forget(document.uri);
    try {
      await composing.send(key, { text });
    } catch (error) {
      this.#keys.set(document.uri.toString(), key);
      await this.#remember();
      throw error;
    }
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { store, drafts, t } = this.#parts;
    const key = this.keyOf(document);
    const record = key && store.record(key);
    if (!key || !record) return [];
    const count = drafts.get(key).attachments.length;
    const place = new vscode.Range(0, 0, 0, 0);
    const title = `$(send) ${t('Send to "{0}"', plainLine(sessionTitle(record), 60))}`;
    const send = new vscode.CodeLens(place, { title, command: 'lineside.sendComposed' });
    const attached = count === 1 ? t('with 1 attachment') : t('with {0} attachments', count);
    return count === 0 ? [send] : [send, new vscode.CodeLens(place, { title: attached, command: '' })];
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#disposables.dispose();
  }

  #documentOf(key: SessionKey): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((document) => sameSession(this.keyOf(document), key));
  }

  /** An emptied document empties the draft only where it stays: one that is closed leaves the draft as it is. */
  async #edited(document: vscode.TextDocument): Promise<void> {
    if (!this.keyOf(document)) return;
    await this.#parts.lifecycle.ensureStarted();
    if (document.getText() !== '') {
      this.#take(document);
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // It may outlive its tab for a while, and another one may have its address by now.
      const isShown = shownEditors().some(({ uri }) => uri.toString() === document.uri.toString());
      if (isShown && !document.isClosed) this.#take(document);
    }, closingMs);
    this.#timers.add(timer);
  }

  #take(document: vscode.TextDocument): void {
    const key = this.keyOf(document);
    if (!key) return;
    const text = document.getText();
    if (this.#parts.drafts.get(key).text === text) return;
    this.#parts.drafts.setText(key, { text, selectionStart: text.length, selectionEnd: text.length }, this);
  }

  /** Takes over into the document what was typed elsewhere. */
  async #follow(key: SessionKey): Promise<void> {
    const document = this.#documentOf(key);
    if (!document) return;
    this.#lensChanges.fire();
    const { text } = this.#parts.drafts.get(key);
    if (document.getText() === text) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
  }

  #forget(uri: vscode.Uri): void {
    if (!this.#keys.delete(uri.toString())) return;
    this.#mark();
    void this.#remember();
  }

  async #remember(): Promise<void> {
    await writeComposeDocuments(
      this.#parts.memento,
      [...this.#keys].map(([uri, key]) => ({ uri, key })),
    );
  }

  #mark(): void {
    const isOurs = this.keyOf(vscode.window.activeTextEditor?.document) !== undefined;
    this.#contexts.set('lineside.isComposeEditor', isOurs);
    this.#lensChanges.fire();
  }
}
