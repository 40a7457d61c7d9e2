import * as vscode from 'vscode';
import { lineRange } from '../../host/editors/documents.ts';
import { targetEditor } from '../../host/editors/insertCode.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import { ContextKeySetter } from '../../host/contextKeySetter.ts';
import { inSlices } from '../../shared/slices.ts';
import { isolatedLine } from '../../shared/text.ts';
import { type BranchPlace, readBranches } from '../../state/conversation/branches.ts';
import { standaloneMarkdown } from '../../state/markdown/embed.ts';
import { inertingMarkdown } from '../../state/markdown/inert.ts';
import { describeCompared } from '../../state/presentation/describeCompared.ts';
import { sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../services.ts';
import { NothingToDoError } from '../commandErrors.ts';
import { ComparedTexts } from './comparedTexts.ts';
import type { GivenMessage } from './givenMessage.ts';

type ComparisonServices = Pick<Services, 'store' | 'documents' | 't'>;

/** Compares messages and code of conversations in VS Code's diff editor. Changes nothing. */
export class Comparisons {
  readonly #services: ComparisonServices;
  readonly #texts = new ComparedTexts();
  readonly #contextKeys = new ContextKeySetter();
  /** The message that was selected for comparison. */
  #selected: GivenMessage | undefined;

  constructor(services: ComparisonServices) {
    this.#services = services;
  }

  /** The clipboard, selections, and code blocks as a read-only file system. */
  get files() {
    return this.#texts.files;
  }

  /** Selects a message for {@link withSelected}. */
  select(message: GivenMessage): void {
    this.#selected = message;
    this.#contextKeys.set('lineside.hasMessageToCompare', true);
  }

  /**
   * Compares the selected message, on the left, with another one.
   * @throws NothingToDoError if no message is selected, or if its session was removed.
   */
  async withSelected(message: GivenMessage): Promise<void> {
    const { store, documents, t } = this.#services;
    const selected = this.#selected;
    if (!selected || !store.record(selected.key)) throw new NothingToDoError(t('Select a message first.'));
    const isNamed = !sameSession(selected.key, message.key);
    const [left, right] = await Promise.all(
      [selected, message].map(({ key, messageId }) => documents.load(key, { messageId, form: 'text' })),
    );
    await showDiff(left, right, `${this.#nameOf(selected, isNamed)} ↔ ${this.#nameOf(message, isNamed)}`);
  }

  /**
   * Compares the clipboard, on the left, with a message. On both sides, Markdown that VS Code could act on is escaped.
   */
  async withClipboard(message: GivenMessage): Promise<void> {
    const { documents, t } = this.#services;
    const copied = await vscode.env.clipboard.readText();
    const text = await inSlices(standaloneMarkdown(copied.trim()));
    const left = this.#texts.add('Clipboard.md', await inSlices(inertingMarkdown(`${text}\n`)));
    const right = await documents.load(message.key, { messageId: message.messageId, form: 'text' });
    await showDiff(left, right, `${t('Clipboard')} ↔ ${this.#nameOf(message, false)}`);
  }

  /**
   * Compares the {@link targetEditor}, on the left, with a code block. Uses the selection of the editor if there is
   * one, or else its whole document.
   * @throws NothingToDoError if there is no editor.
   */
  async editorWithCode(code: string): Promise<void> {
    const { t } = this.#services;
    const editor = targetEditor();
    if (!editor) throw new NothingToDoError(t('Open a file in an editor first.'));
    const { document, selection } = editor;
    const fileName = baseName(document.uri);
    const left = selection.isEmpty ? document.uri : this.#texts.add(fileName, document.getText(selection));
    const name = selection.isEmpty ? fileName : `${fileName}#${lineRange(selection)}`;
    await showDiff(left, this.#texts.add(fileName, code), `${isolatedLine(name, 120)} ↔ ${t('Code Block')}`);
  }

  /** The branches of the conversation at a message; undefined if it has none there. */
  branchesAt({ key, messageId }: GivenMessage): BranchPlace | undefined {
    return readBranches(this.#services.store.record(key)?.headers ?? []).places.get(messageId);
  }

  /**
   * Compares two of the branches that begin with `messageIds`, with the earlier one on the left. `pair` contains their
   * indexes.
   */
  async branches(key: SessionKey, messageIds: readonly string[], pair: readonly [number, number]): Promise<void> {
    const { documents, t } = this.#services;
    const places = pair.toSorted((a, b) => a - b);
    const [left, right] = await Promise.all(
      places.map((at) => documents.load(key, { messageId: messageIds[at] ?? '', form: 'branch' })),
    );
    const [leftName = '', rightName = ''] = places.map((at) => t('Branch {0} of {1}', at + 1, messageIds.length));
    await showDiff(left, right, `${leftName} ↔ ${rightName}`);
  }

  #nameOf({ key, messageId }: GivenMessage, isNamed: boolean): string {
    const { store, t } = this.#services;
    const record = store.record(key);
    return record ? describeCompared(record, store.header(key, messageId), isNamed, t) : '';
  }
}

async function showDiff(left: vscode.Uri | undefined, right: vscode.Uri | undefined, title: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
}
