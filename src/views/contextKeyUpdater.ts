import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { ContextKeySetter } from '../host/contextKeys.ts';
import { isUnreadSession } from '../state/sessions/attention.ts';
import { isUnreachable, serviceOf } from '../state/store/connection.ts';
import type { Store } from '../state/store/store.ts';
import { isFiltering } from '../state/sessions/sections.ts';
import type { Arranging } from './sessions/sessionsView.ts';

/** Keeps the context keys that menus and welcome views go by in step with the store. */
export class Contexts implements Disposable {
  readonly #setter = new ContextKeySetter();
  readonly #disposables = new Disposables();

  constructor(store: Store, arranging: Arranging) {
    this.#disposables.add(
      store.onDidChange(({ type }) => {
        if (type === 'connection' || type === 'deck' || type === 'session') this.#update(store);
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
    this.#setter.set('sessionDeck.connection', connection.kind);
    this.#setter.set('sessionDeck.hasSeveralServices', serviceOf(connection)?.name !== undefined);
    this.#setter.set('sessionDeck.hasSessions', records.length > 0);
    this.#setter.set('sessionDeck.isUnreachable', isUnreachable(connection, records));
    this.#setter.set('sessionDeck.hasUnread', records.some(isUnreadSession));
  }

  #setFiltered({ arrangement }: Arranging): void {
    this.#setter.set('sessionDeck.isFiltered', isFiltering(arrangement.filter));
  }
}
