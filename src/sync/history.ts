import type { Message } from '../api/message.ts';
import type { SessionsApi } from '../api/sessionsApi.ts';
import { type SessionKey, keyText } from '../state/sessionKey.ts';
import type { HistoryState } from '../state/sessionRecord.ts';
import type { Store } from '../state/store.ts';
import type { Clock } from './clock.ts';
import { problemOf } from './problems.ts';
import { type RoleMemory, getIfThere, learnRoles, newRoleMemory } from './roles.ts';
import { type ListOrder, type WalkStep, orderOf, walkPages } from './walk.ts';

/** Where reading of one session stands. */
interface Place {
  order: ListOrder;
  /** Newest first: the cursor of the page before the oldest one here. */
  olderCursor: string | undefined;
  /** Oldest first: the cursor of the last page, which is read again when something is new. */
  tailCursor: string | undefined;
  extent: HistoryState['extent'];
  readonly roles: RoleMemory;
  /** Work on one session is done one after the other. */
  queue: Promise<void>;
}

/**
 * Brings the messages of sessions into the store, whatever order the service lists them in (design, section 6):
 * newest first, a refresh reads from the start until it meets what is known, and older pages come when asked for;
 * oldest first, the first refresh walks to the end and later ones go on from the last page.
 */
export class History {
  readonly #places = new Map<string, Place>();
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Reads what is new. Rejects with the ApiError that ended it; what came before stays. */
  refresh(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    return this.#inTurn(key, async (place) => {
      if (place.extent === 'unread') this.#announce(key, place, true);
      const from = place.order === 'oldestFirst' ? place.tailCursor : undefined;
      const hadMessages = (this.#store.record(key)?.headers.length ?? 0) > 0;
      /** Newest first, what is new waits here until it meets what is known: a walk that breaks leaves no hole. */
      const fresh: Message[] = [];
      for await (const step of walkPages(api, key.sessionId, this.#options(key, signal, from))) {
        if (place.order === 'unknown') place.order = orderOf(step.page.messages);
        if (place.order !== 'newestFirst') this.#takeNext(key, place, step);
        else if (!hadMessages) {
          this.#takeFirst(key, place, step);
          break;
        } else {
          fresh.unshift(...step.page.messages.toReversed());
          if (step.next === undefined) place.extent = 'complete';
          if (this.#meetsKnown(key, step)) break;
        }
        this.#announce(key, place, place.extent !== 'complete');
      }
      if (fresh.length > 0) this.#store.takeMessages(key, fresh);
      await this.#learnRoles(api, key, signal, place, place.order === 'oldestFirst');
    });
  }

  /** Reads the page before the oldest message here; does nothing where there is none. */
  loadOlder(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    return this.#inTurn(key, async (place) => {
      if (place.olderCursor === undefined) return;
      this.#announce(key, place, true);
      for await (const step of walkPages(api, key.sessionId, this.#options(key, signal, place.olderCursor))) {
        this.#takeFirst(key, place, step);
        break;
      }
      await this.#learnRoles(api, key, signal, place, true);
    });
  }

  /** Reads the newest message again by its id: an answer that grows (design, section 5). */
  refreshNewest(api: SessionsApi, key: SessionKey, signal: AbortSignal): Promise<void> {
    return this.#inTurn(key, async () => {
      const record = this.#store.record(key);
      const newest = record?.headers.at(-1);
      if (!record || !newest) return;
      const options = { computerId: record.deck.computerId, signal };
      const message = await getIfThere(() => api.getMessage(key.sessionId, newest.messageId, options));
      if (message) this.#store.takeMessages(key, [message]);
    });
  }

  /** Forgets where reading of a session stood, for one that left the deck. */
  forget(key: SessionKey): void {
    this.#places.delete(keyText(key));
  }

  /** Newest first: a page that lies before all that is here, the first of all included. */
  #takeFirst(key: SessionKey, place: Place, { page, next }: WalkStep): void {
    this.#store.takeOlderMessages(key, page.messages.toReversed());
    place.olderCursor = next;
    place.extent = next === undefined ? 'complete' : 'partial';
  }

  /** Oldest first: a page that goes on from what is here. */
  #takeNext(key: SessionKey, place: Place, { page, cursor, next }: WalkStep): void {
    this.#store.takeMessages(key, page.messages);
    place.tailCursor = cursor;
    place.extent = next === undefined ? 'complete' : 'partial';
  }

  #learnRoles(api: SessionsApi, key: SessionKey, signal: AbortSignal, place: Place, isResumed: boolean) {
    return learnRoles(api, key, this.#store, { signal, order: place.order, memory: place.roles, isResumed });
  }

  #meetsKnown(key: SessionKey, step: WalkStep): boolean {
    const known = new Set(this.#store.record(key)?.headers.map((header) => header.messageId));
    return step.page.messages.some((message) => known.has(message.id));
  }

  #options(key: SessionKey, signal: AbortSignal, from: string | undefined) {
    return { computerId: this.#store.record(key)?.deck.computerId, signal, from };
  }

  async #inTurn(key: SessionKey, work: (place: Place) => Promise<void>): Promise<void> {
    const place = this.#place(key);
    const turn = place.queue.then(() => work(place));
    place.queue = turn.then(
      () => this.#announce(key, place, false),
      (error: unknown) => this.#announce(key, place, false, error),
    );
    await turn;
  }

  #announce(key: SessionKey, place: Place, isLoading: boolean, error?: unknown): void {
    const before = this.#store.record(key)?.history;
    const problem = error === undefined ? undefined : problemOf(error, this.#clock.now());
    if (before?.extent === place.extent && before.isLoading === isLoading && !before.problem && !problem) return;
    this.#store.setHistory(key, { extent: place.extent, isLoading, problem });
  }

  #place(key: SessionKey): Place {
    const text = keyText(key);
    const place = this.#places.get(text) ?? {
      order: 'unknown',
      olderCursor: undefined,
      tailCursor: undefined,
      extent: 'unread',
      roles: newRoleMemory(),
      queue: Promise.resolve(),
    };
    this.#places.set(text, place);
    return place;
  }
}
