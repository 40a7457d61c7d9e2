import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../events.ts';
import { describeMessageRow, describeSession } from '../state/describeSession.ts';
import { describeTree } from '../state/describeTree.ts';
import { isLockedOut, isUnreachable } from '../state/reachability.ts';
import { type SessionKey, keyText } from '../state/sessionKey.ts';
import { SessionTree, type TreeRow, sectionOf } from '../state/sessionTree.ts';
import type { Store, StoreChange } from '../state/store.ts';
import type { Translate } from '../state/words.ts';
import { messageItem, olderItem, sectionItem, sessionItem } from './treeItems.ts';

export interface SessionsViewOptions {
  readonly store: Store;
  readonly watch: (key: SessionKey, wantsMessages: boolean) => Disposable;
  readonly loadOlder: (key: SessionKey) => Promise<void>;
  /** Somebody looks at the tree. */
  readonly onFirstLook: () => void;
  readonly now: () => number;
  readonly t: Translate;
}

const ageRefreshMs = 60_000;

/** The Sessions tree: sections, sessions, their messages. It keeps nothing but which rows are open. */
export class SessionsView implements vscode.TreeDataProvider<TreeRow>, Disposable {
  readonly #options: SessionsViewOptions;
  readonly #tree = new SessionTree();
  readonly #changes = new vscode.EventEmitter<TreeRow | undefined>();
  readonly #view: vscode.TreeView<TreeRow>;
  readonly #disposables = new Disposables();
  /** What is watched while the view is visible: every session, and the messages of those that are open. */
  readonly #watched = new Map<string, Disposable>();
  readonly #open = new Map<string, Disposable>();

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(options: SessionsViewOptions) {
    this.#options = options;
    this.#view = vscode.window.createTreeView('sessionDeck.sessions', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    const ages = setInterval(() => this.#view.visible && this.#changes.fire(undefined), ageRefreshMs);
    for (const item of [
      this.#view,
      this.#changes,
      options.store.onDidChange((change) => this.#onChange(change)),
      this.#view.onDidChangeVisibility(() => this.#watchVisible()),
      this.#view.onDidCollapseElement(({ element }) => element.kind === 'session' && this.#close(element.key)),
      { dispose: () => clearInterval(ages) },
      { dispose: () => this.#unwatch() },
    ]) {
      this.#disposables.add(item);
    }
  }

  getChildren(row?: TreeRow): TreeRow[] {
    const { store, now } = this.#options;
    if (!row) {
      this.#options.onFirstLook();
      this.#watchVisible();
      // Welcome views stand in for a tree that could only repeat what is wrong.
      const isMute = isUnreachable(store.connection, store.records) || isLockedOut(store.connection, store.records);
      return isMute ? [] : this.#tree.sections(store.records, now());
    }
    if (row.kind === 'section') return this.#tree.sessions(store.records, row.section, now());
    if (row.kind !== 'session') return [];
    const record = store.record(row.key);
    if (!record) return [];
    this.#openSession(row.key);
    return this.#tree.messages(record);
  }

  getParent(row: TreeRow): TreeRow | undefined {
    if (row.kind === 'section') return undefined;
    if (row.kind !== 'session') return this.#tree.session(row.key);
    const { store, now } = this.#options;
    const record = store.record(row.key);
    const section = record && sectionOf(record, now());
    return this.#tree
      .sections(store.records, now())
      .find((item) => item.kind === 'section' && item.section === section);
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    const { store, now, t } = this.#options;
    switch (row.kind) {
      case 'section':
        return sectionItem(row, t);
      case 'older':
        return olderItem(row, t);
      case 'session': {
        const record = store.record(row.key);
        return record
          ? sessionItem(row, describeSession(record, store.connection, now(), t), t)
          : new vscode.TreeItem('');
      }
      case 'message': {
        const headers = store.record(row.key)?.headers ?? [];
        const header = headers.find((candidate) => candidate.messageId === row.messageId);
        return header ? messageItem(row, describeMessageRow(header, now(), t), t) : new vscode.TreeItem('');
      }
    }
  }

  /** Shows one page more of a session's messages. */
  async showOlder(key: SessionKey): Promise<void> {
    const record = this.#options.store.record(key);
    if (!record) return;
    const isNeeded = this.#tree.showOlder(record);
    this.#changes.fire(this.#tree.session(key));
    if (isNeeded) await this.#options.loadOlder(key);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #onChange(change: StoreChange): void {
    const { store, t } = this.#options;
    this.#view.message = describeTree(store.connection, store.records, t);
    switch (change.type) {
      case 'session':
      case 'connection':
      case 'deck':
        // A session may move to another section, and sections come and go.
        this.#changes.fire(undefined);
        break;
      case 'messages':
      case 'outbox':
      case 'draft':
        this.#changes.fire(this.#tree.session(change.key));
        break;
      case 'current':
        break;
    }
  }

  #watchVisible(): void {
    if (!this.#view.visible) {
      this.#unwatch();
      return;
    }
    const { store, watch } = this.#options;
    for (const { deck } of store.records) {
      const text = keyText(deck.key);
      if (!this.#watched.has(text)) this.#watched.set(text, watch(deck.key, false));
    }
    for (const [text, watcher] of this.#watched) {
      if (store.records.some(({ deck }) => keyText(deck.key) === text)) continue;
      watcher.dispose();
      this.#watched.delete(text);
    }
  }

  #openSession(key: SessionKey): void {
    const text = keyText(key);
    if (this.#view.visible && !this.#open.has(text)) this.#open.set(text, this.#options.watch(key, true));
  }

  #close(key: SessionKey): void {
    this.#open.get(keyText(key))?.dispose();
    this.#open.delete(keyText(key));
  }

  #unwatch(): void {
    for (const watcher of [...this.#watched.values(), ...this.#open.values()]) watcher.dispose();
    this.#watched.clear();
    this.#open.clear();
  }
}
