import type { Disposable } from '../shared/lifecycle.ts';
import type { PageTarget } from '../shared/protocol/rowTypes.ts';
import { FrameTask } from './dom/timers.ts';
import type { ConversationRows } from './rows/conversationRows.ts';

/** Goes to steps that the host names, as soon as their row is drawn. */
export class StepNavigation implements Disposable {
  readonly #rows: ConversationRows;
  /** Goes to the steps after the list has been laid out. */
  readonly #going = new FrameTask(() => void this.#go());
  /** The last target; undefined if it has no steps. */
  #target: PageTarget | undefined;
  #isExpected = false;

  constructor(rows: ConversationRows) {
    this.#rows = rows;
  }

  /**
   * Expands the steps of the target and scrolls to the first of them, as soon as they are drawn. The caller scrolls to
   * their row. Replaces an earlier target.
   */
  expect(target: PageTarget | undefined): void {
    this.#target = target?.steps ? target : undefined;
    this.#isExpected = this.#target !== undefined;
    this.moved();
  }

  /** Call this when the mounted rows have changed. */
  moved(): void {
    if (this.#isExpected && this.#target && this.#rows.body(this.#target.key)) this.#going.request();
  }

  dispose(): void {
    this.#going.dispose();
  }

  async #go(): Promise<void> {
    const target = this.#target;
    if (!target || !this.#isExpected || !this.#rows.mounted(target.key)) return;
    this.#isExpected = false;
    // What the steps show moves the first of them, so scroll afterward.
    const first = await this.#rows.expandSteps(target.key, target.steps ?? []);
    if (!first || this.#target !== target) return;
    const range = document.createRange();
    range.selectNode(first);
    this.#rows.revealRange(target.key, range, 0);
  }
}
