import type * as vscode from 'vscode';
import { onDidChangeTitleWidth, settings } from '../host/settings.ts';
import { readTreeOptions, writeTreeOptions } from '../host/storage/workspaceState.ts';
import { type Disposable, Emitter } from '../shared/lifecycle.ts';
import { type TreeOptions, defaultTreeOptions } from '../state/sessions/sections.ts';

/**
 * Determines how the Sessions view groups, sorts, and filters sessions, and shortens their titles. Grouping and sorting
 * are stored for all windows on this machine.
 */
export class TreeOptionsStore implements Disposable {
  readonly #memento: vscode.Memento;
  readonly #changes = new Emitter<void>();
  #options: TreeOptions;
  #textMatches: ReadonlySet<string> = new Set();

  #titleWidth = settings.titleWidth.read();
  readonly #settingsListener = onDidChangeTitleWidth(() => {
    this.#titleWidth = settings.titleWidth.read();
    this.#changes.fire();
  });

  readonly onDidChange = this.#changes.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#options = { ...defaultTreeOptions, ...readTreeOptions(memento) };
  }

  get options(): TreeOptions {
    return this.#options;
  }

  /** The maximum width of titles, in characters, of which wide ones count as two; 0 shows full titles. */
  get titleWidth(): number {
    return this.#titleWidth;
  }

  /** The sessions whose messages contain the words of the filter, by `keyText`. */
  get textMatches(): ReadonlySet<string> {
    return this.#textMatches;
  }

  change(change: Partial<TreeOptions>): void {
    if (change.filter && change.filter.text !== this.#options.filter.text) this.#textMatches = new Set();
    this.#options = { ...this.#options, ...change };
    // On top of what is stored now: another window may have stored a choice since this one was opened.
    if (change.groupBy ?? change.sortBy)
      void writeTreeOptions(this.#memento, { ...this.#options, ...readTreeOptions(this.#memento), ...change });
    this.#changes.fire();
  }

  /** Sets the sessions whose messages contain the words of the filter, by `keyText`. */
  setTextMatches(keyTexts: ReadonlySet<string>): void {
    this.#textMatches = keyTexts;
    this.#changes.fire();
  }

  dispose(): void {
    this.#settingsListener.dispose();
    this.#changes.dispose();
  }
}
