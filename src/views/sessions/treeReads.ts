import type * as vscode from 'vscode';
import { DelayedTask } from '../../shared/delayedTask.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { TreeRow } from '../../state/sessions/sessionTree.ts';

const stepMs = 500;
/**
 * The number of steps after which a row is drawn again. VS Code reads rows within 200 ms, or once an earlier refresh is
 * done.
 */
const drawAgainAt = 2;
/**
 * The number of steps after which a row is no longer checked: VS Code may not need its rows, as below a collapsed
 * section.
 */
const giveUpAt = 4;

/**
 * Checks that VS Code reads the rows below a row that changed. If VS Code receives rows and, at the same moment, the
 * event that they changed, it keeps showing these rows, but forgets which objects they represent. From then on, actions
 * on these rows have no effect. A row below which nothing is read in time is therefore drawn again.
 */
export class TreeReads implements Disposable {
  readonly #view: Pick<vscode.TreeView<TreeRow>, 'visible'>;
  readonly #drawAgain: (rows: TreeRow[] | undefined) => void;
  /** Rows below which VS Code has read the rows, which means that they are expanded. */
  #read = new WeakSet<TreeRow>();
  /**
   * The changed rows below which VS Code hasn't read the rows since, with the number of steps; undefined is the whole
   * tree.
   */
  readonly #unread = new Map<TreeRow | undefined, number>();
  readonly #step = new DelayedTask(stepMs, () => this.#onStep());

  /** @param drawAgain draws rows again with those below them, or the whole tree. */
  constructor(view: Pick<vscode.TreeView<TreeRow>, 'visible'>, drawAgain: (rows: TreeRow[] | undefined) => void) {
    this.#view = view;
    this.#drawAgain = drawAgain;
  }

  /** Call this when VS Code reads the rows below a row, or the sections. */
  read(row: TreeRow | undefined): void {
    if (row) this.#read.add(row);
    else {
      // VS Code reads the rows below expanded sections next.
      this.#read = new WeakSet();
      this.#unread.clear();
    }
    this.#unread.delete(row);
  }

  /** Call this when a row was collapsed: VS Code reads the rows below it only when it is expanded again. */
  close(row: TreeRow): void {
    this.#read.delete(row);
    this.#unread.delete(row);
  }

  /** Call this when VS Code was notified that rows have changed; without rows, that all have. */
  changed(rows: readonly TreeRow[] | undefined): void {
    for (const row of rows?.filter((one) => this.#read.has(one)) ?? [undefined]) {
      this.#unread.set(row, this.#unread.get(row) ?? 0);
    }
    if (this.#unread.size > 0) this.#step.request();
  }

  dispose(): void {
    this.#step.dispose();
  }

  #onStep(): void {
    // VS Code reads the rows of a hidden tree when the tree is shown.
    if (!this.#view.visible) this.#unread.clear();
    const late: TreeRow[] = [];
    let isTreeLate = false;
    for (const [row, steps] of this.#unread) {
      this.#unread.set(row, steps + 1);
      if (steps + 1 === giveUpAt) {
        this.#unread.delete(row);
        if (row) this.#read.delete(row);
      }
      if (steps + 1 !== drawAgainAt) continue;
      if (row) late.push(row);
      else isTreeLate = true;
    }
    if (this.#unread.size > 0) this.#step.request();
    if (isTreeLate) this.#drawAgain(undefined);
    else if (late.length > 0) this.#drawAgain(late);
  }
}
