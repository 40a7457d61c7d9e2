import type * as vscode from 'vscode';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { readFilters, writeFilters } from '../../host/storage/workspaceState.ts';
import { type ConversationFilter, defaultFilter } from '../../state/conversation/filter.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';

/** Maximum number of sessions whose filters are saved. The filter that was set longest ago is dropped first. */
const maxSaved = 300;

/** The filter of each session: its detail level. Shared by all pages, and saved for the workspace. */
export class ConversationFilters implements Disposable {
  readonly #memento: vscode.Memento;
  readonly #changes = new Emitter<SessionKey>();
  #saved: Map<string, ConversationFilter> | undefined;

  /** Fires with the session whose filter changed. */
  readonly onDidChange = this.#changes.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get(key: SessionKey): ConversationFilter {
    return this.#all.get(keyText(key)) ?? defaultFilter;
  }

  set(key: SessionKey, filter: ConversationFilter): void {
    const all = this.#all;
    all.delete(keyText(key));
    all.set(keyText(key), filter);
    for (const oldest of all.keys()) {
      if (all.size <= maxSaved) break;
      all.delete(oldest);
    }
    void writeFilters(this.#memento, all);
    this.#changes.fire(key);
  }

  dispose(): void {
    this.#changes.dispose();
  }

  get #all(): Map<string, ConversationFilter> {
    return (this.#saved ??= readFilters(this.#memento));
  }
}
