import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** For `expect.poll`: as long as everything else is waited for. */
export const patiently = { timeout: 30_000 } as const;

/** Does something until it is seen to have worked: what is clicked may move away below the mouse, or be drawn anew. */
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

/** Whether what is typed goes there. */
export function hasFocus(field: Locator): Promise<boolean> {
  return field.evaluate((node) => node.ownerDocument.hasFocus() && node.ownerDocument.activeElement === node);
}
