import type { Disposable } from '../shared/lifecycle.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { NewestMessages } from '../state/store/sessionRecord.ts';

/** Port to the sync engine, which views may not import. Keeps visible sessions up to date. */
export interface SessionSubscriber {
  /** Keeps a session up to date until the handle is disposed; with `wantsMessages`, its conversation as well. */
  watch(key: SessionKey, wantsMessages: boolean): Disposable;
  /**
   * Like {@link watch} with messages, but also marks messages as read while the window has the focus, until the handle
   * is disposed. The caller loads the cached messages itself; see {@link readNewest}.
   */
  read(key: SessionKey): Disposable;
  /**
   * Reads the newest cached messages of a session, without putting them into the store. Resolves to undefined if there
   * are none, or if {@link restoreFromCache} is needed, already called, or as fast. Otherwise, call
   * {@link restoreFromCache} as soon as the messages are shown or no longer needed: refreshes of the session wait until
   * then.
   */
  readNewest(key: SessionKey): Promise<NewestMessages | undefined>;
  /** Resolves when the cached messages of a session are in the store. */
  restoreFromCache(key: SessionKey): Promise<void>;
}
