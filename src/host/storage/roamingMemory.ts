import type * as vscode from 'vscode';

const entryName = 'deck';

/** The one value of ours that Settings Sync carries, where the user has turned that on. */
export function roamingMemory(memento: vscode.Memento & { setKeysForSync(keys: readonly string[]): void }) {
  memento.setKeysForSync([entryName]);
  return {
    read: (): unknown => memento.get(entryName),
    write: (value: unknown): PromiseLike<void> => memento.update(entryName, value),
  };
}
