import type * as vscode from 'vscode';
import type { Disposable } from '../shared/lifecycle.ts';
import { readCurrents, writeCurrent } from '../host/storage/workspaceState.ts';
import type { Store } from '../state/store/store.ts';

/**
 * Stores the current session of each service for the workspace. Until a session is current in this window, makes the
 * most recent stored session in the list current. Later, only a session that was removed while it was current becomes
 * current again, if it returns to the list: the user didn't open the others.
 */
export function rememberCurrent(store: Store, memento: vscode.Memento): Disposable {
  let wasAnyCurrent = store.current !== undefined;
  return store.onDidChange(({ type }) => {
    if (type === 'current' && store.current) {
      wasAnyCurrent = true;
      void writeCurrent(memento, store.current);
    }
    if (type !== 'sessionList' || store.current) return;
    const stored = readCurrents(memento);
    const remembered = (wasAnyCurrent ? stored.slice(0, 1) : stored).find((key) => store.record(key));
    if (remembered) store.setCurrent(remembered);
  });
}
