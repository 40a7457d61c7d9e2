import { expect } from 'vitest';
import type { Workbench } from '../../../tools/editor/drive/workbench.ts';
import { untilIs } from '../../../tools/editor/drive/until.ts';
import { patienceMs } from '../../../tools/editor/run/patience.ts';

export { hasFocus, until, untilIs, untilItSucceeds } from '../../../tools/editor/drive/until.ts';

/** Options for `expect.poll`, with the timeout that all journeys use. */
export const patiently = { timeout: patienceMs } as const;

/**
 * Whether a text editor has the keyboard focus. Its style isn't enough: an editor looks focused until it has noticed
 * that a page took the focus.
 */
export function isInEditor({ page }: Workbench): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.matches('.part.editor .monaco-editor *') ?? false);
}

/**
 * Waits until the text editor or comparison with this title is active and has taken the focus. Its tab is active before
 * that, and what a test opens in between, such as an input box, would lose the focus.
 */
export async function editorShown(workbench: Workbench, title: string | RegExp): Promise<void> {
  await workbench.page.locator('.part.editor .tab.active', { hasText: title }).waitFor();
  await untilIs(() => isInEditor(workbench), true);
}

/** The number of requests, once it has not changed for a second: a request that was sent before may still arrive. */
export async function finalCount(requests: { readonly length: number }): Promise<number> {
  let count = -1;
  const isSame = () => {
    const before = count;
    count = requests.length;
    return count === before;
  };
  await expect.poll(isSame, { ...patiently, interval: 1_000 }).toBe(true);
  return count;
}
