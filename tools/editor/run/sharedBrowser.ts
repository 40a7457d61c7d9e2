import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { VscodeServer } from '../install/vscodeServer.ts';
import { launchPageBrowser } from './browser.ts';
import { findLastingPort } from './lastingPort.ts';
import { installExtensions } from './launchServer.ts';

/**
 * What the editors of a test process share, one after another: a browser page, a port, and the folders of installed
 * extensions. VS Code's scripts stay compiled in the page as long as their addresses stay the same, so that a window
 * opens with about half of the processor time. Everything that VS Code stored in the page is removed between editors.
 * The browser ends with the process.
 */
export class SharedBrowser {
  /** The port for the servers of all editors. */
  readonly port: number;
  readonly #browser: Browser;
  #context: BrowserContext | undefined;
  #isLent = false;
  readonly #extensionFolders = new Map<string, Promise<string>>();

  private constructor(browser: Browser, port: number) {
    this.#browser = browser;
    this.port = port;
  }

  static async launch(): Promise<SharedBrowser> {
    return new SharedBrowser(await launchPageBrowser({ sharesProcess: false }), await findLastingPort());
  }

  get isConnected(): boolean {
    return this.#browser.isConnected();
  }

  /** Lends the context with its page to an editor, which must call `takeBack` when it is disposed. */
  async lend(viewport: { readonly width: number; readonly height: number }): Promise<BrowserContext> {
    if (this.#isLent) throw new Error('The shared browser shows another editor, which must be disposed first.');
    this.#isLent = true;
    this.#context ??= await this.#browser.newContext();
    const [page = await this.#context.newPage()] = this.#context.pages();
    await page.setViewportSize(viewport);
    return this.#context;
  }

  /** Removes everything that an editor left in the context. If that fails, the next editor gets a new context. */
  async takeBack(url: string): Promise<void> {
    const context = this.#context;
    try {
      if (context) await clean(context, url);
    } catch {
      this.#context = undefined;
      await context?.close().catch(() => undefined);
    } finally {
      this.#isLent = false;
    }
  }

  /** The folder in which these packages are installed. Editors share the folder for the same packages. */
  extensionsFolder(server: VscodeServer, vsixes: readonly string[]): Promise<string> {
    const name = [server.version, ...vsixes].join('\n');
    const folder = this.#extensionFolders.get(name) ?? newExtensionsFolder(server, vsixes);
    this.#extensionFolders.set(name, folder);
    return folder;
  }
}

async function clean(context: BrowserContext, url: string): Promise<void> {
  const [page, ...others] = context.pages();
  for (const other of others) await other.close();
  if (page) await leave(page);
  const session = await context.newCDPSession(page ?? (await context.newPage()));
  await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
  await session.detach();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearCookies();
  await context.clearPermissions();
}

/** Leaves VS Code's page, and clears what belongs to the page or to the whole browser. */
async function leave(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(async () => {
    sessionStorage.clear();
    await navigator.clipboard.writeText('');
  });
  page.removeAllListeners('console');
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
}

async function newExtensionsFolder(server: VscodeServer, vsixes: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lineside-extensions-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await installExtensions({
    server,
    dataFolder: join(folder, 'data'),
    extensionsFolder: join(folder, 'installed'),
    vsixes,
  });
  return join(folder, 'installed');
}
