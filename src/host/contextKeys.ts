import * as vscode from 'vscode';

/** Every context key that package.json's `when` clauses use, with its values. */
export interface ContextKeys {
  /** `starting`, `noService`, `noKey`, `ready` or `keyRefused`. */
  'lineside.connection': string;
  'lineside.hasSessions': boolean;
  /** There is a service that can be switched to. */
  'lineside.hasSeveralServices': boolean;
  /** Nothing was read yet and the last try failed: the tree has nothing to show but why. */
  'lineside.isUnreachable': boolean;
  /** The Sessions tree leaves something out. */
  'lineside.isFiltered': boolean;
  /** There is a session with something unread. */
  'lineside.hasUnread': boolean;
  /** The active editor holds a message for a session. */
  'lineside.isComposeEditor': boolean;
  /** The caret is in a composer. */
  'lineside.isComposing': boolean;
}

/** Sets context keys, each only when its value changes. */
export class ContextKeySetter {
  readonly #values = new Map<string, string | boolean>();

  set<Name extends keyof ContextKeys>(name: Name, value: ContextKeys[Name]): void {
    if (this.#values.get(name) === value) return;
    this.#values.set(name, value);
    void vscode.commands.executeCommand('setContext', name, value);
  }
}
