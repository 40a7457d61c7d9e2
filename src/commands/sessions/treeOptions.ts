import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { type TreeOptions, defaultTreeOptions } from '../../state/sessions/sections.ts';

const entryName = 'tree';
const keptSchema = z.object({
  groupBy: z.catch(z.enum(['age', 'status', 'tag']), 'age'),
  sortBy: z.catch(z.enum(['updated', 'created', 'name', 'attention']), 'updated'),
});

/** How the user wants the Sessions tree: kept for all windows of this machine, but for the filter. */
export class TreeOptionsStore implements Disposable {
  readonly #memento: vscode.Memento;
  readonly #changes = new Emitter<void>();
  #arrangement: TreeOptions;
  #foundInText: ReadonlySet<string> = new Set();

  readonly onDidChange = this.#changes.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    const kept = keptSchema.safeParse(memento.get(entryName));
    this.#arrangement = kept.success ? { ...defaultTreeOptions, ...kept.data } : defaultTreeOptions;
  }

  get arrangement(): TreeOptions {
    return this.#arrangement;
  }

  get foundInText(): ReadonlySet<string> {
    return this.#foundInText;
  }

  choose(choice: Partial<TreeOptions>): void {
    if (choice.filter) this.#foundInText = new Set();
    this.#arrangement = { ...this.#arrangement, ...choice };
    const { groupBy, sortBy } = this.#arrangement;
    void this.#memento.update(entryName, { groupBy, sortBy });
    this.#changes.fire();
  }

  /** The words of the filter were found in the messages of these sessions. */
  takeFound(keyTexts: ReadonlySet<string>): void {
    this.#foundInText = keyTexts;
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
