import { setTimeout as wait } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { patienceMs } from '../run/patience.ts';

/** How long an action usually may take to show its immediate effect before it is repeated. */
const effectMs = 5_000;

/**
 * Waits until `read` returns `expected`, or rejects after {@link patienceMs}. Unlike `expect.poll`, this also works
 * outside tests, for example in a benchmark.
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
 * @param againAfterMs how long an action may take to show its effect before it is repeated.
 * @throws the last error of the action, or an error that says that it had no effect, if `isSo` isn't true in time.
 */
export async function until(
  isSo: () => Promise<boolean>,
  act: () => Promise<unknown>,
  timeoutMs = patienceMs,
  againAfterMs = effectMs,
): Promise<void> {
  const giveUpAtMs = Date.now() + timeoutMs;
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
    await becomesTrue(isSo, hasActed ? againAfterMs : 50);
  }
}

/**
 * Repeats an action until it succeeds, for example on a menu, which can close.
 * @throws the last error of the action if it doesn't succeed in time.
 */
export async function untilItSucceeds(act: () => Promise<unknown>): Promise<void> {
  let hasSucceeded = false;
  await until(
    () => Promise.resolve(hasSucceeded),
    async () => {
      await act();
      hasSucceeded = true;
    },
  );
}

/**
 * Whether `isSo` becomes true in time. An error counts as false, because the element that `isSo` reads can be redrawn.
 * A call that takes longer than {@link effectMs} also counts as false, because it waits for an element that doesn't
 * exist.
 */
async function becomesTrue(isSo: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const giveUpAtMs = Date.now() + timeoutMs;
  for (;;) {
    const isLate = new AbortController();
    const late = wait(effectMs, false, { signal: isLate.signal }).catch(() => false);
    const isTrue = await Promise.race([isSo().catch(() => false), late]);
    isLate.abort();
    if (isTrue) return true;
    if (Date.now() >= giveUpAtMs) return false;
    await wait(50);
  }
}

/**
 * Whether the field has the keyboard focus in its document, and each frame around it has the focus in the document that
 * contains the frame. A page focuses its field before the workbench knows that the page has the focus.
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
