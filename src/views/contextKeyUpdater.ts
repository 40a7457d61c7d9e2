import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { ContextKeySetter } from '../host/contextKeys.ts';
import { isUnreadSession } from '../state/sessions/attention.ts';
import { isUnreachable, serviceOf } from '../state/store/connection.ts';
import type { Store } from '../state/store/store.ts';
import { isFiltering } from '../state/sessions/sections.ts';
import type { Arranging } from './sessions/sessionsView.ts';

/** Keeps the context keys that menus and welcome views go by in step with the store. */
export class ContextKeyUpdater implements Disposable {
  readonly #setter = new ContextKeySetter();
  readonly #disposables = new Disposables();

  constructor(store: Store, arranging: Arranging) {
    this.#disposables.add(
      store.onDidChange(({ type }) => {
        if (type === 'connection' || type === 'sessionList' || type === 'session') this.#update(store);
      }),
    );
    this.#disposables.add(arranging.onDidChange(() => this.#setFiltered(arranging)));
    this.#setFiltered(arranging);
    this.#update(store);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #update({ connection, records }: Store): void {
    this.#setter.set('lineside.connection', connection.kind);
    this.#setter.set('lineside.hasSeveralServices', serviceOf(connection)?.name !== undefined);
    this.#setter.set('lineside.hasSessions', records.length > 0);
    this.#setter.set('lineside.isUnreachable', isUnreachable(connection, records));
    this.#setter.set('lineside.hasUnread', records.some(isUnreadSession));
  }

  #setFiltered({ arrangement }: Arranging): void {
    this.#setter.set('lineside.isFiltered', isFiltering(arrangement.filter));
  }
}
