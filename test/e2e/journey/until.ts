import { setTimeout as wait } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../../editor/drive/workbench.ts';
import { patienceMs } from '../../editor/run/patience.ts';

/** Options for `expect.poll`, with the timeout that all journeys use. */
export const patiently = { timeout: patienceMs } as const;

/**
 * Waits until `read` returns `expected`. Unlike `expect.poll`, this also works outside tests, for example in a benchmark.
 */
export async function untilIs<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const giveUpAtMs = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (value === expected) return;
    if (Date.now() > giveUpAtMs) throw new Error(`expected ${String(expected)}, but it is ${String(value)}`);
    await wait(50);
  }
}

/**
 * Repeats an action until `isSo` is true, because a click target can move away or be redrawn. Also works outside tests.
 * @throws the last error of the action, or an error that says that it had no effect, if `isSo` isn't true in time.
 */
export async function until(isSo: () => Promise<boolean>, act: () => Promise<unknown>): Promise<void> {
  const giveUpAtMs = Date.now() + patienceMs;
  let problem: unknown = new Error('the action had no effect');
  while (!(await becomesTrue(isSo, 0))) {
    if (Date.now() > giveUpAtMs) throw problem;
    const hasActed = await act().then(
      () => true,
      (error: unknown) => {
        problem = error;
        return false;
      },
    );
    await becomesTrue(isSo, hasActed ? 5_000 : 50);
  }
}

/** Whether `isSo` becomes true in time. An error counts as false, because the element that `isSo` reads can be redrawn. */
async function becomesTrue(isSo: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const giveUpAtMs = Date.now() + timeoutMs;
  for (;;) {
    if (await isSo().catch(() => false)) return true;
    if (Date.now() >= giveUpAtMs) return false;
    await wait(50);
  }
}

/**
 * Whether the field has the keyboard focus in its document, and each of the frames around it in the document outside. A
 * page focuses its field before the workbench knows that the page has the focus.
 */
export async function hasFocus(field: Locator): Promise<boolean> {
  const isActive = (node: Element): boolean => node.ownerDocument.activeElement === node;
  const node = await field.elementHandle();
  if (!(await node.evaluate(() => document.hasFocus())) || !(await node.evaluate(isActive))) return false;
  for (let frame = await node.ownerFrame(); frame?.parentFrame(); frame = frame.parentFrame()) {
    if (!(await (await frame.frameElement()).evaluate(isActive))) return false;
  }
  return true;
}

/**
 * Whether a text editor has the keyboard focus. Its style is not enough: an editor looks focused until it has noticed
 * that a page took the focus.
 */
export function isInEditor({ page }: Workbench): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.matches('.part.editor .monaco-editor *') ?? false);
}
