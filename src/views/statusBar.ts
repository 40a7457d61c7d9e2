import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { describeStatusBar } from '../state/presentation/statusBar.ts';
import { type SessionKey, sameSession } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import type { Translate } from '../shared/text.ts';

export interface StatusBarOptions {
  readonly store: Store;
  readonly watch: (key: SessionKey, wantsMessages: boolean) => Disposable;
  readonly now: () => number;
  readonly t: Translate;
}

/** The item `lineside.status`: what the current session's agent does, and how many others are at work. */
export class StatusBar implements Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #options: StatusBarOptions;
  readonly #disposables = new Disposables();
  #watched: { readonly key: SessionKey; readonly handle: Disposable } | undefined;

  constructor(options: StatusBarOptions) {
    this.#options = options;
    this.#item = vscode.window.createStatusBarItem('lineside.status', vscode.StatusBarAlignment.Right, 100);
    this.#item.name = options.t('Lineside Status');
    this.#item.command = 'lineside.pickSession';
    this.#disposables.add(this.#item);
    this.#disposables.add({ dispose: () => this.#watched?.handle.dispose() });
    this.#disposables.add(
      options.store.onDidChange(({ type }) => {
        if (type === 'messages' || type === 'draft') return;
        this.#watchCurrent();
        this.#draw();
      }),
    );
    this.#draw();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Watches the current session once it was read here: starting a window asks the service for nothing. */
  #watchCurrent(): void {
    const { store, watch } = this.#options;
    const { current } = store;
    const record = current && store.record(current);
    const wanted = record?.asOf !== undefined && !record.isRemembered ? current : undefined;
    if (sameSession(wanted, this.#watched?.key)) return;
    this.#watched?.handle.dispose();
    this.#watched = undefined;
    if (wanted) this.#watched = { key: wanted, handle: watch(wanted, false) };
  }

  #draw(): void {
    const { store, now, t } = this.#options;
    const { connection, current, records } = store;
    const record = current && store.record(current);
    const description = describeStatusBar(connection, record, records, now(), t);
    if (!description) {
      this.#item.hide();
      return;
    }
    this.#item.text = description.text;
    this.#item.tooltip = description.tooltip;
    this.#item.accessibilityInformation = { label: description.spoken };
    this.#item.backgroundColor = description.isError
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : undefined;
    this.#item.show();
  }
}
