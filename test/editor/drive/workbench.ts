import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { repositoryFolder } from '../install/cache.ts';
import type { ProbeRequest } from './probe.ts';
import { quickInputOf, type QuickInput } from './quickInput.ts';

/** Which webview is meant where there may be several. */
export interface WebviewChoice {
  /** `publisher.name`; by default this extension's. */
  readonly extensionId?: string;
  /** `view` is one in a side bar or panel, `editor` one in a tab. */
  readonly place?: 'view' | 'editor';
}

/** One VS Code window, in a browser or on the desktop: both have the same DOM. */
export interface Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;
  /** Console lines of the window since it opened; those of the extension host begin with `[Extension Host]`. */
  readonly consoleLines: readonly string[];
  /** Runs a command by its title in the palette, with or without its category. */
  runCommand(title: string): Promise<void>;
  /** Opens a file of the workspace by its relative path. */
  openFile(path: string): Promise<void>;
  /** Selects whole lines in the active editor, `from` to `to`, counted from 1, without the last line's end. */
  selectLines(from: number, to: number): Promise<void>;
  /** The content of a webview. */
  webview(choice?: WebviewChoice): FrameLocator;
  /** A status bar item of an extension by both ids. */
  statusBarItem(itemId: string, extensionId?: string): Locator;
  /** Toasts whose message holds this text. */
  notification(text: string | RegExp): Locator;
  /** Presses a button of the toast with this message. */
  answerNotification(text: string | RegExp, button: string): Promise<void>;
  /** The modal dialog, while one is shown. */
  readonly dialog: Locator;
  /** Rows of the tree view with this name, those in sight: long trees render only these. */
  treeRows(viewName: string): Locator;
  /** Shows a view by its name, wherever it is. */
  focusView(viewName: string): Promise<void>;
  /** Changes a user setting as the Settings editor does; `undefined` removes it. It holds when this resolves. */
  setSetting(key: string, value: unknown): Promise<void>;
  /** Runs a command by its id with arguments, as a key binding does; resolves to its result, rejects with its error. */
  execute(command: string, ...args: unknown[]): Promise<unknown>;
  /** Follows a link to an extension, as VS Code does when the system hands it one. */
  openLink(link: string): Promise<void>;
  /** Reloads the window and waits until it is back. Which view is open then depends on what VS Code had saved: focus one. */
  reload(): Promise<void>;
  /** Makes a side bar this wide. */
  resizeSideBar(bar: 'primary' | 'secondary', widthPx: number): Promise<void>;
  /** Writes a picture: to `file`, or to test-results/`name`.png; returns its path. */
  screenshot(name: string, file?: string): Promise<string>;
}

/** What differs between the browser and the desktop. */
export interface WorkbenchPlace {
  /** Asks the probe in the extension host. */
  ask(quickInput: QuickInput, request: ProbeRequest): Promise<unknown>;
  /** Reloads the window; the workbench is waited for afterwards. */
  reload(page: Page): Promise<void>;
}

const ownExtensionId = 'lineside.lineside';

/** VS Code's own marks for: all parts are restored, and the extensions' commands and views are known. */
const readyMarks = ['code/LifecyclePhase/Restored', 'code/didLoadExtensions'];

/** Waits until the page shows a workbench that is ready for input: before, it moves the focus about. */
export async function workbenchShown(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
  const isReady = (names: readonly string[]): boolean =>
    names.every((name) => performance.getEntriesByName(name).length > 0);
  await page.waitForFunction(isReady, readyMarks, { timeout: 60_000 });
}

/** The helper for a page that shows a workbench. */
export function workbenchOf(page: Page, place: WorkbenchPlace): Workbench {
  const quickInput = quickInputOf(page);
  const consoleLines: string[] = [];
  page.on('console', (message) => consoleLines.push(message.text()));
  const runCommand = (title: string): Promise<void> => quickInput.openAndPick(`>${title}`, title);
  const notification = (text: string | RegExp): Locator =>
    page
      .locator('.notification-list-item')
      .filter({ has: page.locator('.notification-list-item-message', { hasText: text }) });
  return {
    page,
    quickInput,
    consoleLines,
    runCommand,
    openFile: (path) => openFile(page, quickInput, path),
    selectLines: (from, to) => selectLines(page, quickInput, from, to),
    webview: (choice) => webview(page, choice),
    statusBarItem: (itemId, extensionId = ownExtensionId) => page.locator(`[id="${extensionId}.${itemId}"]`),
    notification,
    answerNotification: (text, button) => notification(text).first().getByRole('button', { name: button }).click(),
    dialog: page.locator('.monaco-dialog-box'),
    treeRows: (viewName) => page.locator(`[role="tree"][aria-label=${JSON.stringify(viewName)}] [role="treeitem"]`),
    focusView: (viewName) => runCommand(`Focus on ${viewName} View`),
    setSetting: async (setting, value) => {
      await place.ask(quickInput, { setting, value });
    },
    openLink: async (link) => {
      await place.ask(quickInput, { link });
    },
    execute: (command, ...args) => place.ask(quickInput, { command, args }),
    reload: async () => {
      await place.reload(page);
      await workbenchShown(page);
    },
    resizeSideBar: (bar, widthPx) => resizeSideBar(page, bar, widthPx),
    screenshot: (name, file) => screenshot(page, name, file),
  };
}

async function openFile(page: Page, quickInput: QuickInput, path: string): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  await quickInput.open(path);
  await quickInput.rows.filter({ hasText: name }).first().waitFor();
  await quickInput.accept();
  await page.locator('.part.editor .tab.active', { hasText: name }).waitFor();
}

async function selectLines(page: Page, quickInput: QuickInput, from: number, to: number): Promise<void> {
  await quickInput.open(`:${from}`);
  await quickInput.accept();
  await quickInput.widget.waitFor({ state: 'hidden' });
  await page.keyboard.press('Home');
  await page.keyboard.press('Home');
  for (let line = from; line < to; line++) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+End');
}

function webview(page: Page, { extensionId = ownExtensionId, place = 'view' }: WebviewChoice = {}): FrameLocator {
  const purpose = place === 'view' ? '[src*="purpose=webviewView"]' : ':not([src*="purpose=webviewView"])';
  return page
    .frameLocator(`iframe.webview.ready[src*="extensionId=${extensionId}"]${purpose}`)
    .frameLocator('#active-frame');
}

async function resizeSideBar(page: Page, bar: 'primary' | 'secondary', widthPx: number): Promise<void> {
  const part = page.locator(bar === 'primary' ? '.part.sidebar' : '.part.auxiliarybar');
  const box = await part.boundingBox();
  if (!box) throw new Error(`The ${bar} side bar is not shown, so it cannot be resized.`);
  const edgePx = bar === 'primary' ? box.x + box.width : box.x;
  const sashPx = await nearestSash(page, edgePx);
  const growthPx = widthPx - box.width;
  const middlePx = box.y + box.height / 3;
  await page.mouse.move(sashPx, middlePx);
  await page.mouse.down();
  await page.mouse.move(sashPx + (bar === 'primary' ? growthPx : -growthPx), middlePx, { steps: 5 });
  await page.mouse.up();
  // A sash under the pointer is lit up.
  await page.mouse.move(box.x + box.width / 2, 0);
}

/** The middle of the sash at an edge: newer layouts leave a gap between the parts, and it lies in the gap. */
async function nearestSash(page: Page, edgePx: number): Promise<number> {
  const boxes = await Promise.all(
    (await page.locator('.monaco-sash.vertical').all()).map((sash) => sash.boundingBox()),
  );
  const middles = boxes.flatMap((box) => (box && box.height > 300 ? [box.x + box.width / 2] : []));
  const nearest = middles.sort((a, b) => Math.abs(a - edgePx) - Math.abs(b - edgePx))[0];
  if (nearest === undefined) throw new Error('No sash was found to resize the side bar with.');
  return nearest;
}

async function screenshot(page: Page, name: string, file?: string): Promise<string> {
  const path = file ?? join(repositoryFolder, 'test-results', `${name.replace(/[^\w.-]+/g, '-')}.png`);
  await mkdir(join(path, '..'), { recursive: true });
  await page.screenshot({ path });
  return path;
}
