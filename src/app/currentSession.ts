import type * as vscode from 'vscode';
import type { Disposable } from '../shared/lifecycle.ts';
import { readCurrents, writeCurrent } from '../host/storage/workspaceState.ts';
import { serviceOf } from '../state/store/connection.ts';
import { type SessionKey, sameSession } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import type { SessionList } from '../sync/sessionList/sessionList.ts';

const maxRemoved = 20;

/**
 * Stores the current session of each service for the workspace. As long as no session has been current in this window,
 * the most recent stored session that is in the list becomes current, once it is known which stored sessions are in the
 * list. Later, only a session that was removed while it was current becomes current again, if it returns to the list
 * while none is current: the user didn't open the others.
 */
export function rememberCurrent(
  store: Store,
  memento: vscode.Memento,
  sessionList: Pick<SessionList, 'settled'>,
): Disposable {
  let lastCurrent = store.current;
  /** The sessions that were removed while they were current, and haven't returned to the list; newest first. */
  let removed: readonly SessionKey[] = [];
  /** Whether all sessions of the services that are connected at the start are in the list. */
  let isListRead = false;
  const restore = () => {
    const remembered = lastCurrent
      ? removed.find((key) => store.record(key))
      : firstListed(store, readCurrents(memento), isListRead);
    removed = removed.filter((key) => !store.record(key));
    if (remembered && !store.current) store.setCurrent(remembered);
  };
  const awaitList = async () => {
    // After a failed read, the sessions that could be read are all that can be expected.
    await sessionList.settled().catch(() => undefined);
    isListRead = true;
    restore();
  };
  return store.onDidChange(({ type }) => {
    if (type === 'current' && store.current) {
      lastCurrent = store.current;
      void writeCurrent(memento, store.current);
    } else if (type === 'current' && lastCurrent && !store.record(lastCurrent)) {
      removed = [lastCurrent, ...removed.filter((key) => !sameSession(key, lastCurrent))].slice(0, maxRemoved);
    }
    if (type === 'connection' && store.connection.kind !== 'starting' && !lastCurrent) void awaitList();
    if (type === 'sessionList') restore();
  });
}

/**
 * The first of these sessions that is in the list; undefined while the list may still lack an earlier one, because its
 * service isn't known yet, or its sessions haven't been read.
 */
function firstListed(store: Store, keys: readonly SessionKey[], isListRead: boolean): SessionKey | undefined {
  const isAwaited = ({ origin }: SessionKey) =>
    !isListRead && (store.connection.kind === 'starting' || serviceOf(store.connectionOf(origin)) !== undefined);
  const first = keys.find((key) => store.record(key) !== undefined || isAwaited(key));
  return first && store.record(first) ? first : undefined;
}
