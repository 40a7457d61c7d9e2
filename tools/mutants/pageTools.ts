/** What the tests of the page share during a mutation run: one browser, and one build for each mutant. */
import { writeFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type BuildOptions, context, type BuildContext } from 'esbuild';
import { type BrowserServer, chromium } from 'playwright-core';
import { launchPageBrowser } from '../editor/run/browser.ts';
import { builtPage } from './builtPage.ts';

/** A browser that test processes connect to, and the page that they open in it. */
export class PageTools {
  readonly #server: BrowserServer;
  readonly #build: BuildContext;

  private constructor(server: BrowserServer, build: BuildContext) {
    this.#server = server;
    this.#build = build;
  }

  static async start(): Promise<PageTools> {
    const folder = process.cwd();
    const { bundles } = createRequire(import.meta.url)(join(folder, 'esbuild.js')) as {
      bundles: { page: BuildOptions };
    };
    const options = { ...bundles.page, sourcemap: false, metafile: false, outdir: 'unused', write: false };
    return new PageTools(await startServer(), await context({ ...options, absWorkingDir: folder }));
  }

  get address(): string {
    return this.#server.wsEndpoint();
  }

  /** Builds the page for the next tests. If it can't be built, the tests build it themselves and fail. */
  async build(): Promise<void> {
    rmSync(builtPage, { force: true });
    const { outputFiles = [] } = await this.#build.rebuild().catch(() => ({ outputFiles: [] }));
    if (outputFiles.length === 0) return;
    writeFileSync(builtPage, JSON.stringify(outputFiles.map(({ path, text }) => ({ path, text }))));
  }

  async dispose(): Promise<void> {
    rmSync(builtPage, { force: true });
    await this.#build.dispose();
    await this.#server.close();
  }
}

/** Starts the browser of the page tests with their options, but as a server. */
async function startServer(): Promise<BrowserServer> {
  const servers: BrowserServer[] = [];
  chromium.launch = async (options) => {
    const server = await chromium.launchServer(options);
    servers.push(server);
    return chromium.connect(server.wsEndpoint());
  };
  const browser = await launchPageBrowser({ sharesProcess: true });
  await browser.close();
  const [server] = servers;
  if (!server) throw new Error('The browser did not start.');
  return server;
}
