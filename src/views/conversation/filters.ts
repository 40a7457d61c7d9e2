import type * as vscode from 'vscode';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { readReadings, writeReadings } from '../../host/storage/workspaceState.ts';
import { type ConversationFilter, defaultFilter } from '../../state/conversation/filter.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';

/** So many sessions' readings are remembered; the one chosen longest ago goes first. */
const mostRemembered = 300;

/** How each session is read: its lens and the roles left out, the same for all pages, kept for the workspace. */
export class ConversationFilters implements Disposable {
  readonly #memento: vscode.Memento;
  readonly #changes = new Emitter<SessionKey>();
  #readings: Map<string, ConversationFilter> | undefined;

  /** A session is read in another way from now on. */
  readonly onDidChange = this.#changes.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get(key: SessionKey): ConversationFilter {
    return this.#all.get(keyText(key)) ?? defaultFilter;
  }

  set(key: SessionKey, reading: ConversationFilter): void {
    const all = this.#all;
    all.delete(keyText(key));
    all.set(keyText(key), reading);
    for (const oldest of all.keys()) {
      if (all.size <= mostRemembered) break;
      all.delete(oldest);
    }
    void writeReadings(this.#memento, all);
    this.#changes.fire(key);
  }

  dispose(): void {
    this.#changes.dispose();
  }

  get #all(): Map<string, ConversationFilter> {
    return (this.#readings ??= readReadings(this.#memento));
  }
}
