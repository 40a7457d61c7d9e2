import type { Disposable } from '../shared/lifecycle.ts';
import type { MessageHeader } from '../state/store/messageHeader.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { NewestMessages } from '../state/store/sessionRecord.ts';
import type { SearchRequest, SearchStop } from './history/serviceSearch.ts';

/**
 * The interface through which views and commands load sessions from the service into the store. {@link SyncEngine}
 * implements it. Unless stated otherwise, failures are recorded in the store (the `failure` of the session or of its
 * history) and nothing rejects.
 */
export interface SessionReader {
  /** Keeps a session up to date until the handle is disposed; with `wantsMessages`, also its conversation. */
  watch(key: SessionKey, wantsMessages: boolean): Disposable;
  /**
   * Like {@link watch} with messages, and marks the conversation as read while the window is focused. Unlike `watch`,
   * doesn't put the cached messages in the store immediately; see {@link readNewest}.
   */
  read(key: SessionKey): Disposable;
  /** Whether the newest messages of a session that isn't open will soon be read in the background. */
  isBeingChecked(key: SessionKey): boolean;
  /**
   * Whether a conversation is watched, and its messages were read after the last known change of the session. If so,
   * the caller needn't refresh it: newer messages are loaded soon. A complete history can still lack newer messages.
   */
  hasNewestMessages(key: SessionKey): boolean;
  /**
   * Refreshes a session now, whether it is watched or not. Also reads its new messages if its conversation is watched,
   * or if its outbox contains a message that isn't scheduled. Resolves when the requests have ended.
   */
  refresh(key: SessionKey): Promise<void>;
  /**
   * Loads the page of messages before the oldest one in the store or, if the list starts with the oldest message, the
   * rest that was skipped because the user stopped loading. Resolves when the requests have ended.
   */
  loadOlder(key: SessionKey): Promise<void>;
  /**
   * Loads all messages that aren't loaded yet. Resolves when they are loaded, loading is stopped, or a request has
   * failed; immediately if the service can't be contacted.
   */
  loadRest(key: SessionKey): Promise<void>;
  /**
   * Lists the messages with the role `user`, loaded or not, without loading them: `onPage` receives the headers of each
   * page. Resolves to false if the service can't be contacted or ignores the role filter.
   * @throws ApiError if a request failed.
   */
  listPrompts(
    key: SessionKey,
    signal: AbortSignal,
    onPage: (headers: readonly MessageHeader[]) => void,
  ): Promise<boolean>;
  /**
   * Searches conversations on their services, without loading them. Leaves out conversations of services that can't be
   * contacted. Resolves when the search has ended on each service, or when the signal is aborted, to the services whose
   * failure or pause ended the search early.
   */
  searchServices(request: SearchRequest): Promise<readonly SearchStop[]>;
  /** Stops loading the history of a session. Messages that were already loaded stay. */
  stopLoading(key: SessionKey): void;
  /**
   * Reads the newest cached messages of a session, without storing them. Undefined if there are none, if the cached
   * messages are in the store or being put there, or if {@link restoreFromCache} is needed to find them or finds them
   * just as fast. Otherwise, call `restoreFromCache` when the messages are shown, because refreshes of the session wait
   * for it.
   */
  readNewest(key: SessionKey): Promise<NewestMessages | undefined>;
  /** Puts the cached messages of a session in the store, if the session is there. Resolves when that is done. */
  restoreFromCache(key: SessionKey): Promise<void>;
  /**
   * Loads one message by its ID, and the messages around it in the background. Resolves to whether the message is now
   * in the store: false if the service doesn't have it, undefined if the service can't be contacted.
   * @throws ApiError if the request failed.
   */
  fetchMessage(key: SessionKey, messageId: string): Promise<boolean | undefined>;
}

/** Refreshes a session and its newest messages once. Resolves when the requests have ended. */
export async function readOnce(sessions: Pick<SessionReader, 'watch' | 'refresh'>, key: SessionKey): Promise<void> {
  const subscription = sessions.watch(key, true);
  await sessions.refresh(key).finally(() => subscription.dispose());
}
