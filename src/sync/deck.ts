import { type Disposable, Disposables } from '../events.ts';
import { serviceOf } from '../state/connection.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { DeckEntry } from '../state/sessionRecord.ts';
import type { Store } from '../state/store.ts';
import type { Clock } from './clock.ts';
import type { DeckFiles } from './deckFiles.ts';
import type { UnreadableFile } from './disk.ts';

/**
 * The user's list of sessions: on disk for every service, in the store for the current one. Sessions of a temporary
 * service (the demo) are in the store only.
 */
export class Deck implements Disposable {
  readonly #store: Store;
  readonly #files: DeckFiles;
  readonly #clock: Clock;
  readonly #isTemporary: () => boolean;
  readonly #disposables = new Disposables();
  #shownOrigin: string | undefined;
  #showing: Promise<readonly UnreadableFile[]> = Promise.resolve([]);

  constructor(store: Store, files: DeckFiles, clock: Clock, isTemporary: () => boolean) {
    this.#store = store;
    this.#files = files;
    this.#clock = clock;
    this.#isTemporary = isTemporary;
    this.#disposables.add(store.onDidChange((change) => change.type === 'connection' && this.#follow()));
  }

  /** Resolves when the deck of the current service is in the store, to the files that could not be read. */
  settled(): Promise<readonly UnreadableFile[]> {
    return this.#showing;
  }

  /** Puts a session on the deck. Resolves when it is on disk; rejects where it cannot be written, and then is not on it. */
  async add(key: SessionKey, computerId?: string): Promise<void> {
    const known = this.#store.record(key)?.deck;
    const addedAt = known?.addedAt ?? this.#clock.now();
    const entry: DeckEntry = { key, addedAt, ...(computerId === undefined ? {} : { computerId }) };
    if (!this.#isTemporary()) await this.#files.add(entry);
    this.#store.addSession(entry);
  }

  /** Takes a session off the deck; the service keeps it. Its draft and outgoing messages stay on disk for its return. */
  async remove(key: SessionKey): Promise<void> {
    await this.#files.remove(key);
    this.#store.removeSession(key);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #follow(): void {
    const show = () => this.#show();
    this.#showing = this.#showing.then(show, show);
    // Whoever starts the window awaits it and says what failed.
    this.#showing.catch(() => undefined);
  }

  async #show(): Promise<readonly UnreadableFile[]> {
    const origin = serviceOf(this.#store.connection)?.origin;
    if (this.#store.connection.kind === 'starting' || origin === this.#shownOrigin) return [];
    this.#shownOrigin = origin;
    for (const { deck } of this.#store.records) if (deck.key.origin !== origin) this.#store.removeSession(deck.key);
    const { entries, unreadable } = await this.#files.load();
    if (this.#disposables.isDisposed || origin !== this.#shownOrigin) return [];
    for (const entry of entries) if (entry.key.origin === origin) this.#store.addSession(entry);
    return unreadable;
  }
}
