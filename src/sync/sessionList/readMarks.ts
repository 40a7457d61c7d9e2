import { type Disposable, Disposables, onDispose } from '../../shared/lifecycle.ts';
import { hasNews, isWorking, type ReadMark, readMarkOf } from '../../state/store/sessionRecord.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { SessionList } from './sessionList.ts';

/** A conversation on the screen. */
interface Look {
  readonly key: SessionKey;
  /** The number of pages that show it. */
  count: number;
  /**
   * The read mark from before the conversation was opened. Absent if there was none or it was only assumed, and as soon
   * as it is known whether anything was new.
   */
  before: ReadMark | undefined;
  /** The number of requests for states of sessions that had been sent when it was opened. */
  readonly requestCount: number;
}

/**
 * Keeps read marks in sync with what the user sees. A new session counts as read when it is first loaded. A
 * conversation is marked as read when it is opened in a focused window, or when its window gets the focus. Messages
 * that arrive after that are marked as read when the agent stops, the conversation is closed, or the window loses the
 * focus. Notes what was new when a conversation was opened.
 */
export class ReadMarks implements Disposable {
  readonly #store: Store;
  readonly #sessionList: SessionList;
  readonly #looks = new Map<string, Look>();
  readonly #disposables = new Disposables();
  #isFocused = true;

  constructor(store: Store, sessionList: SessionList) {
    this.#store = store;
    this.#sessionList = sessionList;
    this.#disposables.add(
      store.onDidChange((change) => {
        if (change.type === 'session') this.#follow(change.key);
        if (change.type === 'sessionList') this.#markNew();
      }),
    );
  }

  /** Treats a conversation as shown until the handle is disposed. In a focused window, also marks it as read. */
  track(key: SessionKey): Disposable {
    const text = keyText(key);
    const look = this.#looks.get(text) ?? this.#newLook(key);
    look.count++;
    this.#looks.set(text, look);
    this.#noteNews(look);
    if (this.#isFocused) this.#markRead(key);
    return onDispose(() => {
      if (this.#isFocused) this.#markSeen(key);
      look.count--;
      if (look.count > 0) return;
      this.#looks.delete(text);
      this.#store.setNewSince(key, undefined);
    });
  }

  /** Sets whether the window has the focus. Messages that arrive without it stay unread until the focus returns. */
  setFocused(isFocused: boolean): void {
    if (isFocused === this.#isFocused) return;
    this.#isFocused = isFocused;
    for (const { key } of this.#looks.values()) {
      if (isFocused) this.#markRead(key);
      else this.#markSeen(key);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #newLook(key: SessionKey): Look {
    const mark = this.#store.record(key)?.listEntry.readMark;
    const before = mark?.isAssumed === true ? undefined : mark;
    return { key, count: 0, before, requestCount: this.#store.requestCount };
  }

  /**
   * Notes the time after which messages are new, once a session has changed or been refreshed since its conversation
   * was opened.
   */
  #noteNews(look: Look): void {
    const { session, requestNumber = 0 } = this.#store.record(look.key) ?? {};
    if (!session || !look.before) return;
    const isNews = hasNews(session, look.before);
    if (isNews) this.#store.setNewSince(look.key, look.before.updatedAt);
    if (isNews || requestNumber > look.requestCount) look.before = undefined;
  }

  /** Marks the sessions that are added to the store with a state, but without a mark. */
  #markNew(): void {
    for (const { listEntry } of this.#store.records) if (!listEntry.readMark) this.#follow(listEntry.key);
  }

  #follow(key: SessionKey): void {
    const look = this.#looks.get(keyText(key));
    if (look) this.#noteNews(look);
    const { session, listEntry } = this.#store.record(key) ?? {};
    if (!session || !listEntry || listEntry.isTransient) return;
    const isShown = this.#isFocused && look !== undefined;
    if (!listEntry.readMark) {
      const readMark = { ...readMarkOf(session), ...(!isShown && { isAssumed: true }) };
      this.#sessionList.note(key, { readMark });
    }
    // While the agent is working, more messages follow, so set the mark only when it stops, the conversation is closed,
    // or the window loses the focus.
    else if (isShown && !isWorking(session)) this.#markSeen(key);
  }

  /** Marks a session as read, even if the user marked it as unread. */
  #markRead(key: SessionKey): void {
    const { session, listEntry } = this.#store.record(key) ?? {};
    if (session && listEntry && !listEntry.isTransient) this.#sessionList.note(key, { readMark: readMarkOf(session) });
  }

  /** Marks a session as read unless the user marked it as unread while it was on screen. */
  #markSeen(key: SessionKey): void {
    if (this.#store.record(key)?.listEntry.readMark?.isUnread !== true) this.#markRead(key);
  }
}
