import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import type { Editor, EditorOptions } from './editor.ts';
import { launchServer } from './launchServer.ts';
import { askProbe, extensionsToInstall, probeEnvironment } from '../drive/probe.ts';
import { obtainServer } from '../install/vscodeServer.ts';
import { workbenchOf, workbenchShown } from '../drive/workbench.ts';

const defaultViewport = { width: 1440, height: 900 };

/** Starts the server build of VS Code, and a headless browser for its windows. */
export async function openServerEditor(options: EditorOptions): Promise<Editor> {
  const say = options.say ?? (() => undefined);
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
    const launched = await launchServer({ ...options, server, dataFolder, vsixes, environment });
    cleanups.push(() => launched.dispose());
    const browser = await launchBrowser(say);
    cleanups.push(() => browser.close());
    const context = await browser.newContext({ viewport: options.viewport ?? defaultViewport });
    await keepSecrets(context, launched.url);
    const address = workbenchAddress(launched.url, options);
    return {
      kind: 'server',
      dataFolder,
      openWindow: async () => openWindow(await context.newPage(), address, dataFolder),
      output: () => launched.output(),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function openWindow(page: Page, address: string, dataFolder: string): ReturnType<Editor['openWindow']> {
  const reload = async (): Promise<void> => {
    await page.reload();
  };
  const workbench = workbenchOf(page, { ask: (...request) => askProbe(dataFolder, ...request), reload });
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
  const key = Buffer.alloc(32, 7);
  await context.route('**/mint-key', (route) => route.fulfill({ body: key, contentType: 'application/octet-stream' }));
}

/** The URL of a workbench with `folder` open. Its payload contains the extensions under development. */
export function workbenchAddress(
  url: string,
  options: Pick<EditorOptions, 'folder' | 'developmentFolder' | 'testsModule'>,
): string {
  const remote = (path: string): string => `vscode-remote://${new URL(url).host}${urlPath(path)}`;
  const payload: [string, string][] = [];
  if (options.developmentFolder) payload.push(['extensionDevelopmentPath', remote(options.developmentFolder)]);
  if (options.testsModule) payload.push(['extensionTestsPath', remote(options.testsModule)]);
  const query = new URLSearchParams({ folder: urlPath(options.folder) });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `${url}/?${query.toString()}`;
}

/** Converts a path to the form that VS Code uses in URLs; for example, `C:\a\b` to `/c:/a/b`. */
function urlPath(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.startsWith('/') ? slashed : `/${slashed.charAt(0).toLowerCase()}${slashed.slice(1)}`;
}
