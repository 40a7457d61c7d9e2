import { click } from './act.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { repositoryFolder } from '../install/cache.ts';
import { patienceMs } from '../run/patience.ts';
import { Probe } from './probe.ts';
import { quickInputOf, type QuickInput } from './quickInput.ts';
import { untilItSucceeds } from './until.ts';

/** Identifies a webview if there are several. */
export interface WebviewChoice {
  /** The extension ID in the form `publisher.name`. Defaults to this extension. */
  readonly extensionId?: string;
  /** `view` (the default) is a webview in a side bar or panel, and `editor` is a webview in an editor tab. */
  readonly place?: 'view' | 'editor';
}

/** A VS Code window in a browser or on the desktop. The DOM is the same for both. */
export interface Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;
  /** Console output of the window since it opened. Lines from the extension host begin with `[Extension Host]`. */
  readonly consoleLines: readonly string[];
  /** Runs a command by its title in the palette, with or without its category. */
  runCommand(title: string): Promise<void>;
  /** Opens a file in the workspace by its relative path. */
  openFile(path: string): Promise<void>;
  /** Selects the lines from `from` to `to` (1-based) in the active editor, without the line break of the last line. */
  selectLines(from: number, to: number): Promise<void>;
  /** The content of a webview. */
  webview(choice?: WebviewChoice): FrameLocator;
  /** A status bar item of an extension (by default, of this one), by the IDs of both. */
  statusBarItem(itemId: string, extensionId?: string): Locator;
  /** Notifications whose message contains this text. */
  notification(text: string | RegExp): Locator;
  /**
   * Waits until a notification whose message contains this text is shown, and returns the first one. VS Code shows no
   * toast after three others within 800 ms, and hides a toast after 10 s. If there is no toast in time, this opens the
   * list of notifications.
   */
  notified(text: string | RegExp): Promise<Locator>;
  /** Clicks a button of the first notification whose message contains this text. */
  answerNotification(text: string | RegExp, button: string): Promise<void>;
  /** The modal dialog, while one is open. */
  readonly dialog: Locator;
  /** The visible rows of the tree view with this name. VS Code doesn't render the other rows of a long tree. */
  treeRows(viewName: string): Locator;
  /** The tree view with this name, which has the keyboard focus while one of its rows is focused. */
  tree(viewName: string): Locator;
  /** The element of the active text editor that receives keys. */
  readonly editorInput: Locator;
  /** Shows and focuses the view with this ID, regardless of its location. */
  focusView(viewId: string): Promise<void>;
  /**
   * Changes a user setting as the Settings editor does; `undefined` removes it. The setting has taken effect when this
   * resolves.
   */
  setSetting(key: string, value: unknown): Promise<void>;
  /** Runs a command by its ID, as a key binding with `args` does. Resolves to its result or rejects with its error. */
  execute(command: string, ...args: unknown[]): Promise<unknown>;
  /** Starts a command by its ID, as a key binding without arguments does, and doesn't wait for its end. */
  start(command: string): Promise<void>;
  /** Opens links to an extension at the same time, as if VS Code received them from the operating system. */
  openLinks(...links: readonly string[]): Promise<void>;
  /**
   * Reloads the window and waits until it is ready again. Focus a view afterward, because the visible view depends on
   * the state that VS Code saved.
   */
  reload(): Promise<void>;
  /** Resizes a side bar to this width. */
  resizeSideBar(bar: 'primary' | 'secondary', widthPx: number): Promise<void>;
  /** Saves a screenshot to `file`, or else to test-results/`name`.png. Resolves to its path. */
  screenshot(name: string, file?: string): Promise<string>;
  /**
   * Saves a screenshot for people to look at, if `PICTURES` is set. The pictures of a run take as much processor time
   * as a dozen windows.
   */
  picture(name: string): Promise<void>;
}

/** What differs between windows in a browser and on the desktop. */
export interface WorkbenchPlace {
  /** The folder with the user data of VS Code. */
  readonly dataFolder: string;
  /** Reloads the window. The caller waits for the workbench afterward. */
  reload(page: Page): Promise<void>;
}

/** Matches the element of a text editor that receives keys. */
export const monacoInput = ':is(.native-edit-context, textarea.inputarea)';

const ownExtensionId = 'lineside.lineside';

/**
 * How long to wait for a toast before the list of notifications is opened. This is long enough for a slow machine,
 * because opening the list closes a quick pick.
 */
const toastMs = 10_000;

/** How long to wait for a button of a notification that is shown. */
const answerMs = 5_000;

/**
 * Performance marks that VS Code sets when all parts are restored and when the commands and views of extensions are
 * registered.
 */
const readyMarks = ['code/LifecyclePhase/Restored', 'code/didLoadExtensions'];

/** Waits until the page shows a workbench that is ready for input. Until then, the workbench still moves the focus. */
export async function workbenchShown(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor();
  const isReady = (names: readonly string[]): boolean =>
    names.every((name) => performance.getEntriesByName(name).length > 0);
  await page.waitForFunction(isReady, readyMarks);
}

/** Creates the helper for a page that shows a workbench, and sets the default timeout of its browser context. */
export function workbenchOf(page: Page, place: WorkbenchPlace): Workbench {
  page.context().setDefaultTimeout(patienceMs);
  const quickInput = quickInputOf(page);
  const probe = new Probe(page, place.dataFolder);
  const consoleLines: string[] = [];
  page.on('console', (message) => consoleLines.push(message.text()));
  const execute: Workbench['execute'] = (command, ...args) => probe.ask({ command, args });
  const runCommand = (title: string): Promise<void> => quickInput.openAndPick(`>${title}`, title);
  const tree = (viewName: string): Locator => page.locator(`[role="tree"][aria-label=${JSON.stringify(viewName)}]`);
  const notification = (text: string | RegExp): Locator =>
    page
      .locator('.notification-list-item')
      .filter({ has: page.locator('.notification-list-item-message', { hasText: text }) });
  const notified = async (text: string | RegExp): Promise<Locator> => {
    const first = notification(text).first();
    const hasToast = await first.waitFor({ timeout: toastMs }).then(
      () => true,
      () => false,
    );
    if (!hasToast) await execute('notifications.showList');
    await first.waitFor();
    return first;
  };
  return {
    page,
    quickInput,
    consoleLines,
    runCommand,
    openFile: async (path) => {
      await execute('linesideProbe.openFile', path);
    },
    selectLines: async (from, to) => {
      await execute('linesideProbe.selectLines', from, to);
    },
    webview: (choice) => webview(page, choice),
    statusBarItem: (itemId, extensionId = ownExtensionId) => page.locator(`[id="${extensionId}.${itemId}"]`),
    notification,
    notified,
    // A toast can hide after it was found.
    answerNotification: (text, button) =>
      untilItSucceeds(async () =>
        click((await notified(text)).getByRole('button', { name: button }), { timeout: answerMs }),
      ),
    dialog: page.locator('.monaco-dialog-box'),
    treeRows: (viewName) => tree(viewName).locator('[role="treeitem"]'),
    tree,
    editorInput: page.locator(`.part.editor .editor-group-container.active ${monacoInput}`).last(),
    focusView: async (viewId) => {
      await execute(`${viewId}.focus`);
    },
    setSetting: async (setting, value) => {
      await probe.ask({ setting, value });
    },
    openLinks: async (...links) => {
      await probe.ask({ links });
    },
    execute,
    start: async (command) => {
      await probe.ask({ command, isDetached: true });
    },
    reload: async () => {
      await place.reload(page);
      await workbenchShown(page);
    },
    resizeSideBar: (bar, widthPx) => resizeSideBar(page, bar, widthPx),
    screenshot: (name, file) => screenshot(page, name, file),
    picture: async (name) => {
      if (process.env['PICTURES']) await screenshot(page, name);
    },
  };
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
  // Move the pointer off the sash, so that the sash isn't highlighted.
  await page.mouse.move(box.x + box.width / 2, 0);
}

/** The horizontal center of the sash nearest to an edge. In newer layouts, the sash is in a gap between the parts. */
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
