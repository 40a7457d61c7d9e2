import { type Disposable, Disposables } from '../events.ts';
import { ContextKeySetter } from '../host/contextKeys.ts';
import { isUnreachable } from '../state/reachability.ts';
import type { Store } from '../state/store.ts';

/** Keeps the context keys that menus and welcome views go by in step with the store. */
export class Contexts implements Disposable {
  readonly #setter = new ContextKeySetter();
  readonly #disposables = new Disposables();

  constructor(store: Store) {
    this.#disposables.add(
      store.onDidChange(({ type }) => {
        if (type === 'connection' || type === 'deck' || type === 'session') this.#update(store);
      }),
    );
    this.#update(store);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #update({ connection, records }: Store): void {
    this.#setter.set('sessionDeck.connection', connection.kind);
    this.#setter.set('sessionDeck.hasSessions', records.length > 0);
    this.#setter.set('sessionDeck.isUnreachable', isUnreachable(connection, records));
  }
}
