import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Options for `expect.poll`, with the timeout that all journeys use. */
export const patiently = { timeout: 30_000 } as const;

/** Repeats an action until `isSo` is true, because a click target can move away or be redrawn. */
export async function until(isSo: () => Promise<boolean>, act: () => Promise<unknown>): Promise<void> {
  await expect
    .poll(async () => {
      if (await isSo()) return true;
      await act();
      return expect
        .poll(isSo, { timeout: 5_000 })
        .toBe(true)
        .then(
          () => true,
          () => false,
        );
    }, patiently)
    .toBe(true);
}

/** Whether the field has the keyboard focus. */
export function hasFocus(field: Locator): Promise<boolean> {
  return field.evaluate((node) => node.ownerDocument.hasFocus() && node.ownerDocument.activeElement === node);
}
