import type * as vscode from 'vscode';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { TreeRow } from '../../state/sessions/sessionTree.ts';

/** How long VS Code may take to read all rows again. */
const readWithinMs = 10_000;

/** A clicked row; `unknown` if VS Code doesn't say which; undefined if there is nothing to do. */
export type Clicked = TreeRow | 'unknown' | undefined;

/**
 * Finds the row that was clicked, which is selected. VS Code can show rows whose objects it has forgotten (see
 * `TreeReads`), and then reports no selection. After it has read all rows again, it reports the row.
 */
export class ClickedRow implements Disposable {
  readonly #view: Pick<vscode.TreeView<TreeRow>, 'selection' | 'visible'>;
  readonly #drawAll: () => void;
  #found: ((clicked: Clicked) => void) | undefined;
  #limit: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;

  /** @param drawAll draws the whole tree again. */
  constructor(view: Pick<vscode.TreeView<TreeRow>, 'selection' | 'visible'>, drawAll: () => void) {
    this.#view = view;
    this.#drawAll = drawAll;
  }

  /**
   * Resolves to the clicked row, after a redraw if necessary; to undefined if several rows are selected, or if another
   * row is clicked meanwhile; to `unknown` if the view is hidden, or if VS Code doesn't report the row in time.
   */
  async find(): Promise<Clicked> {
    this.#end(undefined);
    const { selection, visible } = this.#view;
    if (selection.length > 0) return onlyOne(selection);
    if (!visible) return 'unknown';
    return new Promise((resolve) => {
      this.#found = resolve;
      this.#limit = setTimeout(() => this.#end('unknown'), readWithinMs);
      this.#drawAll();
    });
  }

  /**
   * Call this when VS Code reads rows. The selection is looked up afterward, because VS Code must receive the rows
   * first.
   */
  read(): void {
    if (this.#found) this.#look ??= setTimeout(() => this.#onRead());
  }

  dispose(): void {
    this.#end(undefined);
  }

  #onRead(): void {
    this.#look = undefined;
    const { selection } = this.#view;
    if (selection.length > 0) this.#end(onlyOne(selection));
  }

  #end(clicked: Clicked): void {
    clearTimeout(this.#limit);
    clearTimeout(this.#look);
    this.#look = undefined;
    const found = this.#found;
    this.#found = undefined;
    found?.(clicked);
  }
}

function onlyOne(selection: readonly TreeRow[]): TreeRow | undefined {
  return selection.length === 1 ? selection[0] : undefined;
}
