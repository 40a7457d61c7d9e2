import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { click, hover as pointAt, press } from '../../../tools/editor/drive/act.ts';
import type { Workbench } from '../../../tools/editor/drive/workbench.ts';
import { patienceMs } from '../../../tools/editor/run/patience.ts';
import { patiently, until, untilItSucceeds } from './until.ts';

/**
 * The first row of the Sessions tree with this text in its label or, because titles are shortened, in its ARIA label.
 */
export function treeRow(workbench: Workbench, label: string | RegExp): Locator {
  const rows = workbench.treeRows('Sessions');
  const shown = rows.filter({ hasText: label });
  if (typeof label !== 'string') return shown.first();
  return shown.or(rows.and(workbench.page.locator(`[aria-label*=${JSON.stringify(label)}]`))).first();
}

/** Whether the top of an element is between the top and the bottom of another one. */
export async function beginsInside(inner: Locator, outer: Locator): Promise<boolean> {
  const [box, around] = [await inner.boundingBox(), await outer.boundingBox()];
  return box !== null && around !== null && box.y >= around.y - 1 && box.y < around.y + around.height;
}

/** Expands or collapses a row. Retries if rows have moved under the pointer. */
export async function setExpanded(row: Locator, isExpanded: boolean): Promise<void> {
  const isAsWanted = async () => (await row.getAttribute('aria-expanded')) === String(isExpanded);
  await until(isAsWanted, () => click(row.locator('.monaco-tl-twistie')));
}

/** Hovers over `target` until `hint` is visible. Retries if `target` was redrawn. */
export async function hoverUntil(workbench: Workbench, target: Locator, hint: Locator): Promise<void> {
  await until(
    () => hint.first().isVisible(),
    async () => {
      await workbench.page.mouse.move(0, 0);
      await pointAt(target);
    },
  );
}

/** The visible hover with this text. */
export function hover(workbench: Workbench, text: string): Locator {
  return workbench.page.locator('.monaco-hover:visible').filter({ hasText: text });
}

/** Chooses an item from a menu on a page. Reopens the menu if it closed because the page lost the focus. */
export async function chooseInMenu(button: Locator, item: Locator): Promise<void> {
  await untilItSucceeds(async () => {
    if (!(await item.isVisible())) await click(button);
    await click(item, { timeout: 5_000 });
  });
}

/** Opens the context menu of a row. Retries if the menu closed, or if another row has moved under the pointer. */
async function openContextMenu(workbench: Workbench, row: Locator): Promise<void> {
  const { page } = workbench;
  const isOpen = async () => (await page.locator('.monaco-menu:visible').count()) > 0;
  const isOfRow = async () => (await isOpen()) && (await row.and(page.locator('.focused')).count()) > 0;
  await until(isOfRow, async () => {
    if (await isOpen()) await press(page, 'Escape');
    await click(row, { button: 'right' });
  });
}

/**
 * Opens the context menu of a row, and its submenu if one is named, and returns the labels of all visible items. Leaves
 * the menu open.
 */
export async function contextMenuOf(workbench: Workbench, row: Locator, submenu?: string): Promise<string[]> {
  const labels = workbench.page.locator('.monaco-menu:visible .action-label:visible');
  let shown: string[] = [];
  // A page that takes the focus closes the menu.
  const readLabels = async () => {
    await openContextMenu(workbench, row);
    const closed = await labels.count();
    if (submenu !== undefined) {
      await pressMenuItem(workbench, submenu, { timeout: 5_000 });
      await expect.poll(() => labels.count(), { timeout: 5_000 }).toBeGreaterThan(closed);
    }
    shown = await labels.allInnerTexts();
    return shown.length;
  };
  await expect.poll(readLabels, patiently).toBeGreaterThan(0);
  return shown;
}

/** Closes the open menu and its submenus. A key that is pressed while a submenu is being opened may be ignored. */
export async function closeMenus({ page }: Workbench): Promise<void> {
  const menus = page.locator('.monaco-menu');
  await until(
    async () => (await menus.count()) === 0,
    () => press(page, 'Escape'),
    patienceMs,
    500,
  );
}

/**
 * Chooses an item from the context menu of a row. Several names select an item in a submenu. Reopens the menu if it
 * closed because a page took the focus.
 */
export async function chooseInContextMenu(workbench: Workbench, row: Locator, ...names: string[]): Promise<void> {
  await untilItSucceeds(async () => {
    await openContextMenu(workbench, row);
    await chooseInOpenMenu(workbench, ...names);
  });
}

/**
 * Chooses an item from the open menu. Several names select an item in a submenu.
 * @throws if the menu closed before, or if it stays open because it ignored the press.
 */
export async function chooseInOpenMenu(workbench: Workbench, ...names: readonly string[]): Promise<void> {
  for (const name of names) await pressMenuItem(workbench, name, { timeout: 5_000 });
  await workbench.page.locator('.monaco-menu').first().waitFor({ state: 'detached', timeout: 5_000 });
}

/**
 * Chooses an item from the **...** menu of the view in the primary side bar. Several names select an item in a submenu.
 */
export async function chooseInViewMenu(workbench: Workbench, ...names: string[]): Promise<void> {
  const button = workbench.page.locator('.part.sidebar .composite.title').getByRole('button', { name: 'More Actions' });
  const isOpen = async () => (await workbench.page.locator('.monaco-menu:visible').count()) > 0;
  await untilItSucceeds(async () => {
    await until(isOpen, () => click(button));
    await chooseInOpenMenu(workbench, ...names);
  });
}

/**
 * Presses an item of the open menu. Holds the button, because menus ignore a release in their first 100 ms. A submenu
 * that is opened again meanwhile ignores the press, too.
 */
export async function pressMenuItem(
  workbench: Workbench,
  name: string,
  options: { readonly timeout?: number } = {},
): Promise<void> {
  await click(menuItem(workbench, name), { delay: 150, ...options });
}

/** An item of the open context menu. Submenus are nested in their parent items, so this returns the innermost match. */
export function menuItem(workbench: Workbench, name: string): Locator {
  const { page } = workbench;
  return page
    .locator('.monaco-menu .action-item')
    .filter({ has: page.getByText(name, { exact: true }) })
    .last();
}
