import * as vscode from 'vscode';

/** Every context key that package.json uses, with its values. */
interface ContextKeys {
  /** `starting`, `noService`, `noKey`, `ready`, or `keyRejected`. */
  'lineside.connection': string;
  'lineside.hasSessions': boolean;
  /** There is a current service, and at least one other service is known, so the user can switch. */
  'lineside.hasSeveralServices': boolean;
  /**
   * Services are connected, but none was ever reached: each has sessions in the list, none of these was ever loaded on
   * this machine, and the last attempt to load each session failed with an error other than an HTTP status.
   */
  'lineside.isUnreachable': boolean;
  /** The Sessions view is filtered. */
  'lineside.isFiltered': boolean;
  /** At least one session is unread. */
  'lineside.hasUnread': boolean;
  /** At least one session needs the user. */
  'lineside.needsYou': boolean;
  /** Since the window was opened, the outbox has contained a message, which may be from another window. */
  'lineside.hasSentMessage': boolean;
  /** A session has been current in this window. */
  'lineside.hasOpenedConversation': boolean;
  /** The active editor contains the draft of a session. */
  'lineside.isComposeEditor': boolean;
  /** A composer has the focus. */
  'lineside.isComposing': boolean;
  /** A message is selected to be compared with another one. */
  'lineside.hasMessageToCompare': boolean;
  /** The active editor shows which lines agents wrote. */
  'lineside.showsAgentMarks': boolean;
  /** A conversation page has the focus. */
  'lineside.isConversationFocused': boolean;
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
