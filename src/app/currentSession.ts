import type * as vscode from 'vscode';
import type { Disposable } from '../shared/lifecycle.ts';
import { readCurrents, writeCurrent } from '../host/storage/workspaceState.ts';
import type { Store } from '../state/store/store.ts';

/**
 * Keeps the current session of each service across reloads of the workspace: remembers each change, and makes the one
 * remembered current again as soon as it is on the deck, unless another one was chosen before.
 */
export function rememberCurrent(store: Store, memento: vscode.Memento): Disposable {
  return store.onDidChange(({ type }) => {
    if (type === 'current' && store.current) void writeCurrent(memento, store.current);
    if (type !== 'sessionList' || store.current) return;
    const remembered = readCurrents(memento).find((key) => store.record(key));
    if (remembered) store.setCurrent(remembered);
  });
}
