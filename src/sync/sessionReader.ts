import type { Disposable } from '../shared/lifecycle.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';

/** Reads sessions from the service and the cache into the store. Failures to reach the service are recorded there. */
export interface SessionReader {
  /** Keeps a session up to date until the handle is disposed; with `wantsMessages`, its conversation as well. */
  watch(key: SessionKey, wantsMessages: boolean): Disposable;
  /** Like {@link watch} with messages, and marks what arrives as read until the handle is disposed. */
  read(key: SessionKey): Disposable;
  /** Refreshes a session now. Resolves when done, also if it failed. */
  refresh(key: SessionKey): Promise<void>;
  /** Loads the page of messages before the oldest one. Resolves when done, also if it failed. */
  loadOlder(key: SessionKey): Promise<void>;
  /** Stops loading the history of a session; the messages loaded so far stay. */
  stopLoading(key: SessionKey): void;
  /** Resolves when the cached messages of a session are in the store. */
  restoreFromCache(key: SessionKey): Promise<void>;
  /**
   * Fetches a message that is not in the store yet, and its neighbors in the background. Resolves to whether the service
   * has the message, or undefined if the service can't be asked.
   * @throws ApiError if the request failed.
   */
  fetchMessage(key: SessionKey, messageId: string): Promise<boolean | undefined>;
}
