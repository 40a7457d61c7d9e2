import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { defined } from '../../../src/shared/defined.ts';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import { repositoryFolder } from '../../../tools/editor/install/cache.ts';
import type {} from '../../evidence.ts';
import { conversationEntryPoint, openRig, type OpenOptions, type OpenPage, type PageRig } from './pageRig.ts';

/** Pages for the tests of one file. Each test opens its own. */
export interface Pages {
  open(options?: OpenOptions): Promise<OpenPage>;
}

/** The rigs of this process, by entry point. Its test files share them, and the browsers end with the process. */
const rigs = new Map<string, PageRig>();

/** Builds the page and starts a browser, unless an earlier file did. */
async function sharedRig(entryPoint: string): Promise<PageRig> {
  const known = rigs.get(entryPoint);
  if (known?.isRunning()) return known;
  const opened = await openRig(entryPoint, 'warm');
  rigs.set(entryPoint, opened);
  return opened;
}

async function closeRig(entryPoint: string): Promise<void> {
  const known = rigs.get(entryPoint);
  rigs.delete(entryPoint);
  await known?.dispose();
}

/**
 * Builds the page and starts a browser, once for the test files of a process, and again after a test has failed. Pages
 * are closed after the test that opened them. Unless `mayFail` is set, the test fails if a page had an error or
 * requested anything other than its own files. `entryPoint` is the script of a page other than the conversation.
 */
export function usePages({
  mayFail = false,
  entryPoint = conversationEntryPoint,
}: { readonly mayFail?: boolean; readonly entryPoint?: string } = {}): Pages {
  let opened: OpenPage[] = [];
  beforeAll(() => sharedRig(entryPoint));
  afterEach(async ({ task }) => {
    const pages = opened;
    opened = [];
    const errors = pages.flatMap((page) => page.errors);
    const foreignRequests = pages.flatMap((page) => page.foreignRequests);
    if (task.result?.state === 'fail')
      task.meta.evidence = defined({ picture: await pictureOf(pages.at(-1), task.name) });
    await Promise.all(pages.map((page) => page.close()));
    // A page that no longer responds would also block the next page.
    if (task.result?.state === 'fail') await closeRig(entryPoint);
    if (!mayFail) expect({ errors, foreignRequests }).toEqual({ errors: [], foreignRequests: [] });
  });
  return {
    async open(options) {
      const page = await (await sharedRig(entryPoint)).open(options);
      opened.push(page);
      return page;
    },
  };
}

/**
 * Opens a page before each test of the calling file and sends it the messages in `begin`. The members of the returned
 * page are available only in tests and hooks.
 */
export function usePage(begin: readonly HostMessage[], options: OpenOptions = {}): OpenPage {
  const pages = usePages();
  let open: OpenPage | undefined;
  beforeEach(async () => {
    open = await pages.open(options);
    await open.tell(...begin);
  });
  return {
    get page() {
      return present(open).page;
    },
    get foreignRequests() {
      return present(open).foreignRequests;
    },
    get errors() {
      return present(open).errors;
    },
    tell: (...messages) => present(open).tell(...messages),
    posted: () => present(open).posted(),
    waitForPost: (type, skip) => present(open).waitForPost(type, skip),
    answer: (type, answer, skip) => present(open).answer(type, answer, skip),
    state: () => present(open).state(),
    close: () => present(open).close(),
  };
}

/** Saves a picture of a page. Resolves to its file name; undefined if there is no page, or if it doesn't respond. */
async function pictureOf(open: OpenPage | undefined, testName: string): Promise<string | undefined> {
  const name = `failed-${testName.replace(/[^\w.-]+/g, '-')}.png`;
  const taken = open?.page.screenshot({ path: join(repositoryFolder, 'test-results', name) });
  return taken?.then(
    () => name,
    () => undefined,
  );
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The page is open inside tests and hooks only.');
  return value;
}
