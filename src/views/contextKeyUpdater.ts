import { DelayedTask } from '../shared/delayedTask.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { ContextKeySetter } from '../host/contextKeySetter.ts';
import { isUnreadSession, needsYou } from '../state/sessions/attention.ts';
import { type Connection, isUnreachable, serviceOf } from '../state/store/connection.ts';
import type { SessionRecord } from '../state/store/sessionRecord.ts';
import type { Store } from '../state/store/store.ts';
import { isFiltering } from '../state/sessions/sections.ts';
import type { TreeOptionsStore } from './treeOptionsStore.ts';

/** Changes within this time are handled together, because each update looks at all sessions. */
const updateAfterMs = 20;

/** Updates the context keys that `when` clauses of menus and welcome views and the steps of the walkthrough use. */
export class ContextKeyUpdater implements Disposable {
  readonly #setter = new ContextKeySetter();
  readonly #disposables = new Disposables();
  readonly #updating: DelayedTask;

  constructor(store: Store, treeOptions: TreeOptionsStore) {
    this.#updating = this.#disposables.add(new DelayedTask(updateAfterMs, () => this.#update(store)));
    this.#disposables.add(
      store.onDidChange((change) => {
        const { type } = change;
        if (type === 'connection' || type === 'sessionList' || type === 'session' || type === 'outbox')
          this.#updating.request();
        if (type === 'current') this.#noteOpened(store);
        // A delivered message leaves the outbox, perhaps before the next update.
        if (type === 'outbox') this.#noteSent(store.record(change.key));
      }),
    );
    this.#disposables.add(treeOptions.onDidChange(() => this.#setFiltered(treeOptions)));
    this.#setFiltered(treeOptions);
    this.#noteOpened(store);
    for (const record of store.records) this.#noteSent(record);
    this.#update(store);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #update(store: Store): void {
    const { connection, connections, records } = store;
    const isOwnUnreachable = (one: Connection) => isUnreachable(one, store.recordsOf(serviceOf(one)?.origin ?? ''));
    this.#setter.set('lineside.connection', connection.kind);
    this.#setter.set('lineside.hasSeveralServices', serviceOf(connection)?.name !== undefined);
    this.#setter.set('lineside.hasSessions', records.length > 0);
    this.#setter.set('lineside.isUnreachable', connections.length > 0 && connections.every(isOwnUnreachable));
    this.#setter.set('lineside.hasUnread', records.some(isUnreadSession));
    this.#setter.set('lineside.needsYou', records.some(needsYou));
  }

  #noteOpened({ current }: Store): void {
    if (current) this.#setter.set('lineside.hasOpenedConversation', true);
  }

  #noteSent(record: SessionRecord | undefined): void {
    if (record && record.outbox.length > 0) this.#setter.set('lineside.hasSentMessage', true);
  }

  #setFiltered({ options }: TreeOptionsStore): void {
    this.#setter.set('lineside.isFiltered', isFiltering(options.filter));
  }
}
