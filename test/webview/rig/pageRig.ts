import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import type {
  PageAnswers,
  PageMessage,
  PageMessages,
  PageQuestionType,
  PageState,
} from '../../../src/shared/protocol/pageMessages.ts';
import { renderPageHtml } from '../../../src/views/conversation/pageHtml.ts';
import { launchPageBrowser } from '../../../tools/editor/run/browser.ts';
import { patienceMs } from '../../../tools/editor/run/patience.ts';
import { moveClock } from './moveClock.ts';

/** The script of the conversation page. */
export const conversationEntryPoint = 'src/webview/main.ts';

const idlePath = '/idle';
/** Asks for the page with a policy that only reports. */
const reportedQuery = '?reported';
const here = dirname(fileURLToPath(import.meta.url));

export type ThemeName = 'dark' | 'light' | 'hcDark' | 'hcLight';

/** The colors and fonts of four built-in VS Code themes, as VS Code passes them to a webview. */
export const themes = JSON.parse(readFileSync(join(here, 'themes.json'), 'utf8')) as Record<
  ThemeName,
  Record<string, string>
>;

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly widthPx?: number;
  readonly heightPx?: number;
  /** The saved state that the page restores. */
  readonly state?: PageState;
  /**
   * With `reported`, the content security policy blocks nothing, to test the page's protection without it. What the
   * policy would have blocked is an error of the page.
   */
  readonly policy?: 'enforced' | 'reported';
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** Whether the device has a touchscreen and no pointer that can hover. */
  readonly isTouch?: boolean;
  /** The time of the page's clock when the page is loaded, in Unix ms. */
  readonly clockMs?: number;
  /** Runs in the page before its script. */
  readonly prepare?: () => void;
}

/** The conversation page in a real browser. The test acts as the host. */
export interface OpenPage {
  readonly page: Page;
  /** Sends messages from the host and waits until the page has drawn them. */
  tell(...messages: readonly HostMessage[]): Promise<void>;
  /** All messages that the page has posted, in order. */
  posted(): Promise<PageMessage[]>;
  /** Waits for a message of this type, ignoring the first `skip` ones, and returns it. */
  waitForPost<T extends PageMessage['type']>(type: T, skip?: number): Promise<Extract<PageMessage, { type: T }>>;
  /** Waits for a question, ignoring the first `skip` ones of this type, answers it, and returns it. */
  answer<T extends PageQuestionType>(type: T, answer: PageAnswers[T], skip?: number): Promise<PageMessages[T]>;
  state(): Promise<PageState | undefined>;
  /** Requests for anything other than the page's own files. */
  readonly foreignRequests: readonly string[];
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Builds and serves the page, and opens it in tabs of a single browser. */
export interface PageRig {
  open(options?: OpenOptions): Promise<OpenPage>;
  /** False after the browser has ended, for example because it crashed. */
  isRunning(): boolean;
  dispose(): Promise<void>;
}

/**
 * Which process runs a page: `new` starts one for each page, which is like the first page of a window. `warm` uses the
 * process of earlier pages, which has already compiled the script. Pages share nothing else, because they store nothing
 * in the browser.
 */
export type Renderer = 'new' | 'warm';

/** Opens and closes blank tabs. */
interface Tabs {
  open(): Promise<{ readonly page: Page; close(): Promise<void> }>;
}

interface Bridge {
  posted: PageMessage[];
  state: PageState | undefined;
}

declare global {
  interface Window {
    bridge: Bridge;
    acquireVsCodeApi: () => unknown;
  }
}

/** Builds the page, or another entry point in its place, and starts a browser. */
export async function openRig(entryPoint = conversationEntryPoint, renderer: Renderer = 'new'): Promise<PageRig> {
  const files = await buildPage(entryPoint);
  const server = await serve(files);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  const browser = await launchPageBrowser({ sharesProcess: renderer === 'warm' });
  const tabs = renderer === 'new' ? coldTabs(browser) : await warmTabs(browser, origin);
  return {
    open: (options = {}) => openPage(tabs, origin, options),
    isRunning: () => browser.isConnected(),
    async dispose() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const contextOptions: BrowserContextOptions = {
  viewport: { width: 400, height: 700 },
  locale: 'en-GB',
  timezoneId: 'UTC',
  reducedMotion: 'no-preference',
  forcedColors: 'none',
};

async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext(contextOptions);
  context.setDefaultTimeout(patienceMs);
  return context;
}

function coldTabs(browser: Browser): Tabs {
  return {
    open: async () => {
      const context = await newContext(browser);
      return { page: await context.newPage(), close: () => context.close() };
    },
  };
}

/** All tabs belong to one context. An idle page of the same site keeps their process running between two pages. */
async function warmTabs(browser: Browser, origin: string): Promise<Tabs> {
  const context = await newContext(browser);
  await (await context.newPage()).goto(`${origin}${idlePath}`);
  return {
    open: async () => {
      const page = await context.newPage();
      return { page, close: () => page.close() };
    },
  };
}

async function buildPage(entryPoint: string): Promise<ReadonlyMap<string, string>> {
  const { bundles } = createRequire(import.meta.url)('../../../esbuild.js') as { bundles: { page: BuildOptions } };
  const result = await build({
    ...bundles.page,
    sourcemap: false,
    metafile: false,
    absWorkingDir: join(here, '..', '..', '..'),
    entryPoints: { ...(bundles.page.entryPoints as Record<string, string>), conversation: entryPoint },
    outdir: 'unused',
    write: false,
  });
  const paths = {
    'conversation.css': '/conversation.css',
    'conversation.js': '/conversation.js',
    'math.js': '/math.js',
    'highlight.js': '/highlight.js',
  };
  const built = result.outputFiles.flatMap((file) =>
    Object.entries(paths).flatMap(([end, path]) => (file.path.endsWith(end) ? [[path, file.text] as const] : [])),
  );
  return new Map(built);
}

async function serve(files: ReadonlyMap<string, string>): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const file = files.get(url.pathname);
    if (file !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    else if (url.pathname === '/') {
      const { text, headers } = inVscode(html(request.headers.host ?? '', files), url.search === reportedQuery);
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text);
    } else if (url.pathname === idlePath) response.writeHead(200, { 'content-type': 'text/html' }).end('idle');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function html(host: string, files: ReadonlyMap<string, string>): string {
  const origin = `http://${host}`;
  return renderPageHtml({
    cspSource: origin,
    mediaUri: origin,
    scriptUri: `${origin}/conversation.js`,
    style: files.get('/conversation.css') ?? '',
    language: 'en',
    title: 'Conversation',
    place: 'view',
  });
}

/** The page and its headers as VS Code delivers them, or with a policy that only reports. */
function inVscode(page: string, isReported: boolean): { readonly text: string; readonly headers: OutgoingHttpHeaders } {
  // VS Code puts a script of its own before everything else.
  const text = page.replace('<head>', '<head><script id="_vscodeApiScript"></script>');
  if (!isReported) return { text, headers: {} };
  const [element, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"&]*)">/.exec(text) ?? [];
  if (element === undefined || policy === undefined) throw new Error('The page has no content security policy.');
  // An element can't declare a policy that only reports.
  return { text: text.replace(element, ''), headers: { 'content-security-policy-report-only': policy } };
}

async function openPage(tabs: Tabs, origin: string, options: OpenOptions): Promise<OpenPage> {
  const { page, close } = await tabs.open();
  const { widthPx: width = 400, heightPx: height = 700 } = options;
  await page.setViewportSize({ width, height });
  if (options.reducedMotion) await page.emulateMedia({ reducedMotion: 'reduce' });
  if (options.forcedColors) await page.emulateMedia({ forcedColors: 'active' });
  if (options.isTouch) await emulateTouch(page, width, height);
  const foreignRequests: string[] = [];
  const errors: string[] = [];
  const own = ['/', `/${reportedQuery}`, '/conversation.js', '/math.js', '/highlight.js', '/favicon.ico'].map(
    (path) => origin + path,
  );
  page.on('request', (request) => {
    const url = request.url();
    if (!own.includes(url) && !url.startsWith('data:')) foreignRequests.push(url);
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isIcon) errors.push(message.text());
  });
  await page.addInitScript(playHost, options.state);
  await page.addInitScript(wearTheme, themes[options.theme ?? 'dark']);
  if (options.clockMs !== undefined) await page.addInitScript(moveClock, options.clockMs);
  if (options.prepare) await page.addInitScript(options.prepare);
  if (options.policy === 'reported') await page.addInitScript(logViolations);
  await page.goto(`${origin}/${options.policy === 'reported' ? reportedQuery : ''}`);
  await page.waitForFunction(() => window.bridge.posted.some((message) => message.type === 'ready'));
  return { ...drive(page), foreignRequests, errors, close };
}

/** Playwright emulates a touchscreen only for a whole browser context. */
async function emulateTouch(page: Page, width: number, height: number): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: true });
  await client.send('Emulation.setTouchEmulationEnabled', { enabled: true });
}

function drive(page: Page): Omit<OpenPage, 'foreignRequests' | 'errors' | 'close'> {
  const posted = () => page.evaluate(() => window.bridge.posted);
  // Sent as JSON text, because the browser driver is much slower with large objects.
  const tell: OpenPage['tell'] = (...messages) => page.evaluate(tellPage, JSON.stringify(messages));
  const waitForPost: OpenPage['waitForPost'] = async (type, skip = 0) => {
    const isThere = ({ type, skip }: { type: string; skip: number }) =>
      window.bridge.posted.filter((message) => message.type === type).length > skip;
    await page.waitForFunction(isThere, { type, skip });
    const found = (await posted()).filter((message) => message.type === type)[skip];
    return found as Extract<PageMessage, { type: typeof type }>;
  };
  return {
    page,
    posted,
    tell,
    waitForPost,
    async answer(type, answer, skip = 0) {
      const asked = (await waitForPost(type, skip)) as PageMessages[typeof type];
      await tell({ type: 'answer', askId: asked.askId, answer });
      return asked;
    },
    state: () => page.evaluate(() => window.bridge.state),
  };
}

/** Runs in the page: posts all messages, and waits until two frames after the page has received them. */
async function tellPage(text: string): Promise<void> {
  const messages = JSON.parse(text) as HostMessage[];
  for (const message of messages) window.postMessage(message, '*');
  await new Promise<void>((resolve) => {
    const heard = (event: MessageEvent) => {
      if (event.data !== 'told') return;
      window.removeEventListener('message', heard);
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    };
    window.addEventListener('message', heard);
    window.postMessage('told', '*');
  });
}

/** Runs in the page before its script: provides VS Code's end of the message channel. */
function playHost(state: PageState | undefined): void {
  const bridge: Bridge = { posted: [], state };
  window.bridge = bridge;
  window.acquireVsCodeApi = () => ({
    postMessage: (message: PageMessage) => bridge.posted.push(structuredClone(message)),
    getState: () => bridge.state,
    setState: (next: PageState) => {
      bridge.state = structuredClone(next);
    },
  });
}

/**
 * Runs in the page before its script: makes each violation of the policy an error, because Chromium reports some as
 * warnings.
 */
function logViolations(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    console.error(`The page violates its policy: ${effectiveDirective}, ${blockedURI}, ${sample}`);
  });
}

/** Runs in the page: sets the variables that VS Code sets on the root element of every webview. */
function wearTheme(variables: Record<string, string>): void {
  const wear = () => {
    const { style } = document.documentElement;
    for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
    style.setProperty('background-color', variables['--vscode-sideBar-background'] ?? '');
    const scrollbar = variables['--vscode-scrollbarSlider-background'] ?? '';
    style.setProperty('scrollbar-color', `${scrollbar} transparent`);
  };
  if (document.documentElement instanceof HTMLElement) wear();
  else document.addEventListener('readystatechange', wear, { once: true });
}
