import type * as vscode from 'vscode';
import type { Disposable } from '../shared/lifecycle.ts';
import { readCurrents, writeCurrent } from '../host/storage/workspaceState.ts';
import { type SessionKey, sameSession } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';

const maxRemoved = 20;

/**
 * Stores the current session of each service for the workspace. Until a session is current in this window, makes the
 * most recent stored session in the list current. Later, only a session that was removed while it was current becomes
 * current again, if it returns to the list while none is current: the user didn't open the others.
 */
export function rememberCurrent(store: Store, memento: vscode.Memento): Disposable {
  let lastCurrent = store.current;
  /** The sessions that were removed while they were current, and haven't returned to the list; newest first. */
  let removed: readonly SessionKey[] = [];
  return store.onDidChange(({ type }) => {
    if (type === 'current' && store.current) {
      lastCurrent = store.current;
      void writeCurrent(memento, store.current);
    } else if (type === 'current' && lastCurrent && !store.record(lastCurrent)) {
      removed = [lastCurrent, ...removed.filter((key) => !sameSession(key, lastCurrent))].slice(0, maxRemoved);
    }
    if (type !== 'sessionList') return;
    const remembered = (lastCurrent ? removed : readCurrents(memento)).find((key) => store.record(key));
    removed = removed.filter((key) => !store.record(key));
    if (remembered && !store.current) store.setCurrent(remembered);
  });
}
