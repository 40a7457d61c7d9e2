import type * as vscode from 'vscode';
import type { Disposable } from '../shared/lifecycle.ts';
import { readCurrents, writeCurrent } from '../host/storage/workspaceState.ts';
import type { Store } from '../state/store/store.ts';

/**
 * Stores the current session of each service for the workspace. If no session is current when the session list changes,
 * such as after a reload, makes the most recent stored session in the list current.
 */
export function rememberCurrent(store: Store, memento: vscode.Memento): Disposable {
  return store.onDidChange(({ type }) => {
    if (type === 'current' && store.current) void writeCurrent(memento, store.current);
    if (type !== 'sessionList' || store.current) return;
    const remembered = readCurrents(memento).find((key) => store.record(key));
    if (remembered) store.setCurrent(remembered);
  });
}
