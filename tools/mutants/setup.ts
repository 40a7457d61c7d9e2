/**
 * Runs in each test process of a mutation run. With `MUTANTS_RECORD`, it writes which blocks each test enters and how
 * long it takes. With `MUTANTS_SELECTED`, it skips all tests but the selected ones, limits their time, and connects to
 * the browser at `MUTANTS_BROWSER`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';

/** The record of one test: its duration, and the blocks it enters, as `<path>#<number>`. */
export interface TestRecord {
  readonly ms: number;
  readonly blocks: readonly string[];
}

/** The record of one test file. `shared` are the blocks entered outside its tests, such as by its imports. */
export interface FileRecord {
  readonly path: string;
  readonly shared: readonly string[];
  readonly tests: Readonly<Record<string, TestRecord>>;
}

/** The tests to run, and the time limit of each. */
export interface Selection {
  readonly names: readonly string[];
  readonly timeoutMs: number;
}

const recordFolder = process.env['MUTANTS_RECORD'];
const selection = process.env['MUTANTS_SELECTED'];

if (recordFolder !== undefined) record(recordFolder);
if (selection !== undefined && existsSync(selection)) {
  await select(JSON.parse(readFileSync(selection, 'utf8')) as Selection);
}

async function select({ names, timeoutMs }: Selection): Promise<void> {
  const selected = new Set(names);
  beforeEach(({ task, skip }) => skip(!selected.has(task.fullTestName)));
  vi.setConfig({ testTimeout: timeoutMs, hookTimeout: timeoutMs });
  const browser = process.env['MUTANTS_BROWSER'];
  if (browser !== undefined) chromium.launch = () => chromium.connect(browser);
  if (!readFileSync(expect.getState().testPath ?? '', 'utf8').includes("from 'fast-check'")) return;
  // A failed property is enough. Finding its smallest counterexample can take a long time.
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ endOnFailure: true });
}

function record(folder: string): void {
  const shared = new Set<string>();
  const tests: Record<string, TestRecord> = {};
  let entered = shared;
  let startedAtMs = 0;
  Object.assign(globalThis, { onEnterBlock: (id: string) => entered.add(id) });
  listenToPages((id) => entered.add(id));
  beforeEach(() => {
    entered = new Set();
    startedAtMs = performance.now();
  });
  afterEach(({ task }) => {
    tests[task.fullTestName] = { ms: Math.ceil(performance.now() - startedAtMs), blocks: [...entered] };
    entered = shared;
  });
  afterAll(() => {
    const path = relative(process.cwd(), expect.getState().testPath ?? '').replaceAll('\\', '/');
    const found: FileRecord = { path, shared: [...shared], tests };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${path.replaceAll('/', '.')}.json`), JSON.stringify(found));
  });
}

/** Listens to the console of each page that a test opens. */
function listenToPages(heard: (id: string) => void): void {
  const launch = chromium.launch.bind(chromium);
  chromium.launch = async (options) => {
    const browser = await launch(options);
    const newContext = browser.newContext.bind(browser);
    browser.newContext = async (contextOptions) => {
      const context = await newContext(contextOptions);
      context.on('console', (message) => {
        const text = message.text();
        if (text.startsWith('entered ')) heard(text.slice('entered '.length));
      });
      return context;
    };
    return browser;
  };
}
