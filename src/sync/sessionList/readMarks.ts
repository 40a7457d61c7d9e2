import { type Disposable, Disposables, onDispose } from '../../shared/lifecycle.ts';
import { isWorking, readMarkOf } from '../../state/store/sessionRecord.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { SessionList } from './sessionList.ts';

/**
 * Keeps the marks of what was read in step with what the user looks at. A session that was never read before counts as
 * read from then on; what is on screen in a focused window is read as it comes.
 */
export class ReadMarks implements Disposable {
  readonly #store: Store;
  readonly #sessionList: SessionList;
  readonly #looks = new Map<string, { readonly key: SessionKey; count: number }>();
  readonly #disposables = new Disposables();
  #isFocused = true;

  constructor(store: Store, sessionList: SessionList) {
    this.#store = store;
    this.#sessionList = sessionList;
    this.#disposables.add(store.onDidChange((change) => change.type === 'session' && this.#follow(change.key)));
  }

  /** Somebody reads a conversation until the handle is disposed. */
  look(key: SessionKey): Disposable {
    const text = keyText(key);
    const look = this.#looks.get(text) ?? { key, count: 0 };
    look.count++;
    this.#looks.set(text, look);
    if (this.#isFocused) this.#markRead(key);
    return onDispose(() => {
      if (this.#isFocused) this.#markSeen(key);
      look.count--;
      if (look.count === 0) this.#looks.delete(text);
    });
  }

  /** What comes while the window is not focused is not read. */
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

  #follow(key: SessionKey): void {
    const { session, listEntry } = this.#store.record(key) ?? {};
    if (!session || !listEntry || listEntry.isTransient) return;
    if (!listEntry.readMark) this.#sessionList.note(key, { readMark: readMarkOf(session) });
    // While the agent works there is more to come; the mark is set when it rests, or when nobody looks any more.
    else if (this.#isFocused && this.#looks.has(keyText(key)) && !isWorking(session)) this.#markSeen(key);
  }

  /** To look is to read, whatever it was marked as. */
  #markRead(key: SessionKey): void {
    const { session, listEntry } = this.#store.record(key) ?? {};
    if (session && listEntry && !listEntry.isTransient) this.#sessionList.note(key, { readMark: readMarkOf(session) });
  }

  /** What the user marked as unread while it was on screen stays so. */
  #markSeen(key: SessionKey): void {
    if (this.#store.record(key)?.listEntry.readMark?.isUnread !== true) this.#markRead(key);
  }
}
