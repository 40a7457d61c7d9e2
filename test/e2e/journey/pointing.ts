import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { Workbench } from '../../editor/drive/workbench.ts';
import { patiently, until } from './until.ts';

/** A row of the Sessions tree by a part of its label. */
export function treeRow(workbench: Workbench, label: string | RegExp): Locator {
  return workbench.treeRows('Sessions').filter({ hasText: label }).first();
}

/** Expands or collapses a row; again where rows moved below the mouse. */
export async function setExpanded(row: Locator, isExpanded: boolean): Promise<void> {
  const isAsWanted = async () => (await row.getAttribute('aria-expanded')) === String(isExpanded);
  await until(isAsWanted, () => row.locator('.monaco-tl-twistie').click());
}

/** Rests the mouse on something until `hint` shows; again where it was drawn anew meanwhile. */
export async function hoverUntil(workbench: Workbench, target: Locator, hint: Locator): Promise<void> {
  await until(
    () => hint.first().isVisible(),
    async () => {
      await workbench.page.mouse.move(0, 0);
      await target.hover();
    },
  );
}

/** What the mouse rests on says this. */
export function hover(workbench: Workbench, text: string): Locator {
  return workbench.page.locator('.monaco-hover:visible').filter({ hasText: text });
}

/** Chooses an entry of a menu of a page; opens it again where the page lost the focus meanwhile, which closes it. */
export async function chooseInMenu(button: Locator, item: Locator): Promise<void> {
  const isChosen = async () => {
    if (!(await item.isVisible())) await button.click();
    return item.click({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isChosen, patiently).toBe(true);
}

/**
 * Chooses an entry of the context menu of a row, through submenus where several names are given; opens it again where
 * another row had moved below the mouse.
 */
export async function chooseInContextMenu(workbench: Workbench, row: Locator, ...names: string[]): Promise<void> {
  const { page } = workbench;
  const isOpen = async () => (await page.locator('.monaco-menu:visible').count()) > 0;
  const isOfRow = async () => (await isOpen()) && (await row.and(page.locator('.focused')).count()) > 0;
  await until(isOfRow, async () => {
    if (await isOpen()) await page.keyboard.press('Escape');
    await row.click({ button: 'right' });
  });
  for (const name of names) await pressMenuItem(workbench, name);
}

/** Chooses an entry of the menu that is open. Menus hear a mouse button go up only once they were there for 100 ms. */
export async function pressMenuItem(workbench: Workbench, name: string): Promise<void> {
  await menuItem(workbench, name).click({ delay: 150 });
}

/** An entry of the context menu that is open. A submenu is a part of its entry, so the innermost one is meant. */
export function menuItem(workbench: Workbench, name: string): Locator {
  const { page } = workbench;
  return page
    .locator('.monaco-menu .action-item')
    .filter({ has: page.getByText(name, { exact: true }) })
    .last();
}
