import type { Disposable } from '../shared/lifecycle.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';

/** Port to the sync engine, which views may not import. Keeps visible sessions up to date. */
export interface SessionSubscriber {
  /** Keeps a session up to date until the handle is disposed; with `wantsMessages`, its conversation as well. */
  watch(key: SessionKey, wantsMessages: boolean): Disposable;
  /** Like {@link watch} with messages, but also marks new messages as read until the handle is disposed. */
  read(key: SessionKey): Disposable;
  /** Loads the page of messages before the oldest loaded one. Resolves when done, even if loading failed. */
  loadOlder(key: SessionKey): Promise<void>;
  /** Resolves when the cached messages of a session are in the store. */
  restoreFromCache(key: SessionKey): Promise<void>;
}
