import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import type { Store } from '../state/store/store.ts';
import type { Translate } from '../shared/text.ts';

/** Offers the quick fix "Send Problem to Session" for diagnostics if there are sessions in the list. */
export class SendProblemCodeActions implements vscode.CodeActionProvider, Disposable {
  readonly #store: Store;
  readonly #t: Translate;
  readonly #disposables = new Disposables();

  constructor(store: Store, t: Translate) {
    this.#store = store;
    this.#t = t;
    const metadata = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    this.#disposables.add(vscode.languages.registerCodeActionsProvider('*', this, metadata));
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (diagnostics.length === 0 || this.#store.records.length === 0) return [];
    const title = this.#t('Send Problem to Session');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    // Not the object that scripts pass, because the command would show no errors then.
    const target = { uri: document.uri, problemRange: range };
    action.command = { command: 'lineside.sendProblems', title, arguments: [target] };
    return [action];
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
