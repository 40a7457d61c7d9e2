import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import type { Editor, EditorOptions } from './editor.ts';
import { launchServer } from './launchServer.ts';
import { extensionsToInstall, probeEnvironment } from '../drive/probe.ts';
import { folderOfFewExtensions } from '../install/builtInExtensions.ts';
import { obtainServer } from '../install/vscodeServer.ts';
import { type Workbench, workbenchOf, workbenchShown } from '../drive/workbench.ts';

const defaultViewport = { width: 1440, height: 900 };

/** VS Code's server build, whose windows are pages of a browser. */
export interface ServerEditor extends Editor {
  /**
   * Closes all windows, and opens one in a new browser profile. The profile keeps the cookies and the local storage of
   * the previous one, with the API keys, but no other data and no cached scripts. `prepare` can add scripts to the
   * profile. Don't call this if the options name a browser, which other editors share.
   */
  openFreshWindow(prepare: (context: BrowserContext) => Promise<unknown>): Promise<Workbench>;
}

/** Starts the server build of VS Code, and a headless browser for its windows unless one is given. */
export async function openServerEditor(options: EditorOptions): Promise<ServerEditor> {
  const say = options.say ?? (() => undefined);
  const viewport = options.viewport ?? defaultViewport;
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'lineside-editor-')));
  const cleanups: (() => Promise<unknown>)[] = [];
  if (!options.dataFolder) cleanups.push(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 5 }));
  const dispose = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    const server = await obtainServer(options.version, say);
    const vsixes = await extensionsToInstall(options);
    const environment = { ...probeEnvironment(dataFolder), ...options.environment };
    const shared = options.browser && {
      port: options.browser.port,
      extensionsFolder: await options.browser.extensionsFolder(server, vsixes),
    };
    const builtIns = options.builtInExtensions === 'few' ? { builtInFolder: await folderOfFewExtensions(server) } : {};
    const own = { ...builtIns, ...(shared ?? { vsixes }) };
    const launched = await launchServer({ ...options, server, dataFolder, environment, ...own });
    cleanups.push(() => launched.dispose());
    let context = await (options.browser?.lend(viewport) ?? newContext(say, viewport));
    cleanups.push(() => options.browser?.takeBack(launched.url) ?? closeBrowser(context));
    await keepSecrets(context, launched.url);
    if (options.pseudoLanguage !== undefined) await setLanguage(context, options.pseudoLanguage);
    const address = workbenchAddress(launched.url, options);
    let windows = 0;
    return {
      kind: 'server',
      dataFolder,
      extensionsFolder: shared?.extensionsFolder ?? join(dataFolder, 'extensions'),
      openWindow: async () => openWindow(context.pages()[windows++] ?? (await context.newPage()), address, dataFolder),
      openFreshWindow: async (prepare) => {
        context = await replaceProfile(context, { viewport });
        await keepSecrets(context, launched.url);
        await prepare(context);
        return openWindow(await context.newPage(), address, dataFolder);
      },
      output: () => launched.output(),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function newContext(say: (line: string) => void, viewport: typeof defaultViewport): Promise<BrowserContext> {
  const browser = await launchBrowser(say);
  return browser.newContext({ viewport });
}

/**
 * Closes a browser profile and creates another one with its cookies and local storage, in which VS Code keeps secrets.
 */
async function replaceProfile(context: BrowserContext, options: BrowserContextOptions): Promise<BrowserContext> {
  const browser = context.browser();
  if (!browser) throw new Error('The window has no browser.');
  const storageState = await context.storageState();
  // Leaving the page ends its extension host.
  for (const page of context.pages()) await page.goto('about:blank');
  await context.close();
  return browser.newContext({ ...options, storageState });
}

async function closeBrowser(context: BrowserContext): Promise<void> {
  await context.browser()?.close();
}

async function openWindow(page: Page, address: string, dataFolder: string): ReturnType<Editor['openWindow']> {
  const reload = async (): Promise<void> => {
    await page.reload();
  };
  const workbench = workbenchOf(page, { dataFolder, reload });
  await page.goto(address);
  await workbenchShown(page);
  return workbench;
}

/**
 * Provides an encryption key. Without a key from its server, the page stores secrets only in memory, and a reload loses
 * them.
 */
async function keepSecrets(context: BrowserContext, url: string): Promise<void> {
  await context.addCookies([{ name: 'vscode-secret-key-path', value: '%2Fmint-key', url }]);
  // Playwright could answer the request, but it turns off the browser's cache while it intercepts requests.
  await context.addInitScript(() => {
    const { fetch } = globalThis;
    globalThis.fetch = async (...args) =>
      args[0] === '/mint-key' ? new Response(new Uint8Array(32).fill(7)) : fetch(...args);
  });
}

/** Names a language in the script with VS Code's texts, which the page loads before the workbench. */
async function setLanguage(context: BrowserContext, language: string): Promise<void> {
  await context.route('**/out/nls.messages.js', async (route) => {
    const response = await route.fetch();
    const name = `globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`;
    await route.fulfill({ response, body: `${await response.text()}\n${name}` });
  });
}

/** The URL of a workbench with `folder` open. Its payload contains the extensions under development. */
export function workbenchAddress(
  url: string,
  options: Pick<EditorOptions, 'folder' | 'developmentFolder' | 'testsModule' | 'pseudoLanguage'>,
): string {
  const remote = (path: string): string => `vscode-remote://${new URL(url).host}${urlPath(path)}`;
  const payload: [string, string][] = [];
  if (options.developmentFolder) payload.push(['extensionDevelopmentPath', remote(options.developmentFolder)]);
  if (options.testsModule) payload.push(['extensionTestsPath', remote(options.testsModule)]);
  const query = new URLSearchParams({ folder: urlPath(options.folder) });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `${url}/?${query.toString()}${options.pseudoLanguage === undefined ? '' : '#pseudo=true'}`;
}

/** Converts a path to the form that VS Code uses in URLs; for example, `C:\a\b` to `/c:/a/b`. */
function urlPath(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.startsWith('/') ? slashed : `/${slashed.charAt(0).toLowerCase()}${slashed.slice(1)}`;
}
