import type * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import type { SectionRow, SessionRow, SessionTree, TreeRow } from '../../state/sessions/sessionTree.ts';
import { type SessionKey, sameSession } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';

/** A row to reveal. */
interface Due {
  /** The row; undefined as long as the tree has none. */
  readonly row: () => SessionRow | undefined;
  readonly options: { readonly select: boolean; readonly focus: boolean };
  /** The rows that were selected when this one became due. If others are selected, the user has moved on. */
  readonly selection: readonly TreeRow[];
  /** The attempts that are left. */
  left: number;
}

const attempts = 5;
const againAfterMs = 500;

/**
 * Reveals rows of the Sessions tree, each of them once: VS Code scrolls the tree, and expands the section of the row.
 * While VS Code redraws the tree, revealing a row may fail or have no effect, so it is tried several times, unless the
 * user selects another row meanwhile. Nothing is revealed while the view is hidden, because VS Code would then show the
 * view.
 */
export class TreeReveal implements Disposable {
  readonly #view: vscode.TreeView<TreeRow>;
  readonly #tree: SessionTree;
  readonly #store: Store;
  readonly #draw: (section: SectionRow) => void;
  readonly #disposables = new Disposables();
  #due: Due | undefined;
  #isTrying = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param draw draws the rows of a section again. */
  constructor(view: vscode.TreeView<TreeRow>, tree: SessionTree, store: Store, draw: (section: SectionRow) => void) {
    this.#view = view;
    this.#tree = tree;
    this.#store = store;
    this.#draw = draw;
    this.#disposables.add(view.onDidChangeSelection(({ selection }) => this.#onSelect(selection)));
  }

  /** Reveals and focuses a row. */
  focus(row: SessionRow): void {
    this.#begin(() => row, { select: false, focus: true });
  }

  /**
   * Selects the row of the current session once it has one, unless that row, a row below it, or several rows are
   * selected.
   */
  selectCurrent(): void {
    const { current } = this.#store;
    const { selection } = this.#view;
    const isSelected = selection.some((row) => 'key' in row && sameSession(row.key, current));
    // Keeps the row in its section, even if the section wouldn't show it otherwise.
    if (current && isSelected) this.#rowOf(current);
    if (!current || isSelected || selection.length > 1) this.#end();
    else this.#begin(() => this.#rowOf(current), { select: true, focus: false });
  }

  /** Reveals the row that is still due. Call this after the rows or the visibility of the tree have changed. */
  revealDue(): void {
    const due = this.#due;
    if (!due || this.#isTrying) return;
    const row = due.row();
    if (!row || !this.#view.visible) return;
    due.left -= 1;
    this.#isTrying = true;
    void this.#view.reveal(row, due.options).then(
      () => this.#check(due, due.options.focus),
      () => this.#check(due, false),
    );
  }

  dispose(): void {
    this.#end();
    this.#disposables.dispose();
  }

  #begin(row: Due['row'], options: Due['options']): void {
    this.#end();
    this.#due = { row, options, selection: this.#view.selection, left: attempts };
    this.revealDue();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#due = undefined;
    this.#isTrying = false;
  }

  /**
   * Tries again later, unless the attempt is done. An attempt to select a row is done when the selection changes to the
   * row.
   */
  #check(due: Due, isDone: boolean): void {
    if (this.#due !== due) return;
    if (isDone || due.left === 0) {
      this.#end();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#isTrying = false;
      this.revealDue();
    }, againAfterMs);
  }

  #onSelect(selection: readonly TreeRow[]): void {
    if (selection.some((row) => this.#due?.selection.includes(row) === false)) this.#end();
  }

  /**
   * The row of a session. If its section doesn't show that row yet, adds the row to the section and draws the section
   * again.
   */
  #rowOf(key: SessionKey): SessionRow | undefined {
    const section = this.#tree.reveal(key);
    if (section) this.#draw(section);
    return this.#tree.rowsOf(key)[0];
  }
}
