import { describe, expect, it } from 'vitest';
import { fill, press } from '../../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import type { PageConversation } from '../../../src/shared/protocol/pageModel.ts';
import type { OpenPage } from '../rig/pageRig.ts';
import { conversation, header, manyRows, stubOf, setup } from '../rig/samples.ts';
import { showcase } from '../rig/showcase.ts';
import { usePages } from '../rig/usePage.ts';

/** The maximum number of Tab presses in a walk, which exceeds the number of focusable elements. */
const mostSteps = 400;

const failure = { text: "Can't reach the service.", actions: [{ label: 'Retry', action: 'retry' }] } as const;
const kinds = ['file', 'selection', 'image'] as const;
const attachments = kinds.map((kind) => ({ attachmentId: kind, name: `a ${kind}`, detail: '1 KB', kind }));
const rich: Partial<Omit<PageConversation, 'rowStubs'>> = {
  header: { ...header, failure },
  older: { state: 'loading', label: 'Loading 200 of 5,000', canCancel: true },
  composer: { attachments, canSend: true, hint: 'Enter sends', computer: 'build-01', failure: 'That file is empty.' },
  draft: { text: 'Words', selectionStart: 0, selectionEnd: 0 },
};

declare global {
  interface Window {
    reached: WeakSet<Element>;
    /** The scroll position at the last stop. */
    stoppedAtPx: number | undefined;
  }
}

const pages = usePages();
let open: OpenPage;

async function show(message: HostMessage, heightPx: number): Promise<void> {
  open = await pages.open({ heightPx });
  await open.tell(setup, message);
  await open.page.evaluate(() => {
    window.reached = new WeakSet();
  });
}

/**
 * The names of elements that can be used now: drawn, enabled, and not in a closed menu. With `isLeft`, only those that
 * haven't been reached yet. The failure and the delivery strip aren't included: they get the focus only when their
 * buttons change.
 */
const usable = (isLeft: boolean) =>
  open.page.evaluate((isLeft) => {
    const all = document.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, summary, [tabindex]:not(.failure, .delivery-strip), [role^="menuitem"]',
    );
    return [...all]
      .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.matches(':disabled'))
      .filter((node) => !isLeft || !window.reached.has(node))
      .map((node) => node.getAttribute('aria-label') ?? node.textContent);
  }, isLeft);

interface Stop {
  readonly isNew: boolean;
  readonly isPage: boolean;
  /** Whether the element shares its tab stop with others that the arrow keys reach. */
  readonly isOneOfMany: boolean;
  /** Whether the element is a control inside a message, which Tab must not reach. */
  readonly isInMessage: boolean;
  readonly isRemovable: boolean;
  readonly hasMenu: boolean;
}

/**
 * Marks the focused element as reached and describes it. If moving the focus has scrolled the list, first waits until
 * the page has reacted: at the end of the list, other buttons are shown than elsewhere.
 */
const stop = (): Promise<Stop> =>
  open.page.evaluate(async () => {
    const node = document.activeElement;
    const { scrollTop } = document.querySelector('.rows') ?? { scrollTop: 0 };
    if (scrollTop !== window.stoppedAtPx) {
      // The callback runs after the scroll event, which comes at the start of the same frame.
      await new Promise((resolve) => requestAnimationFrame(resolve));
      window.stoppedAtPx = scrollTop;
    }
    const isNew = node !== null && !window.reached.has(node);
    if (node) window.reached.add(node);
    return {
      isNew,
      isPage: node === document.body,
      isOneOfMany: node?.closest('article, [role=toolbar], ul.attachments') !== null,
      isInMessage: node?.matches('article *') === true,
      isRemovable: node?.getAttribute('aria-keyshortcuts') === 'Delete',
      hasMenu: node?.getAttribute('aria-haspopup') === 'menu',
    };
  });

/**
 * Whether the focused element can scroll to the right. Scrolls it to its end, because each key press moves it only a
 * little.
 */
const scrollsOn = (): Promise<boolean> =>
  open.page.evaluate(() => {
    const node = document.activeElement;
    if (!node || !['auto', 'scroll'].includes(getComputedStyle(node).overflowX)) return false;
    const before = node.scrollLeft;
    node.scrollLeft = node.scrollWidth;
    return node.scrollLeft > before;
  });

/** Moves through all elements of a single tab stop with the arrow keys. */
async function walkAlong(key: 'ArrowRight' | 'ArrowDown'): Promise<void> {
  for (let step = 0; step < 200; step += 1) {
    await press(open.page, key);
    const at = await stop();
    // In a wide code block or table, Right Arrow first scrolls to its end.
    if (!at.isNew && !(await scrollsOn())) return;
    if (at.isRemovable) await remove();
    if (at.isInMessage && at.hasMenu && at.isNew) await walkMenu();
  }
}

/** Removes the focused attachment with Delete, and marks its Remove button, which Tab doesn't reach, as reached. */
async function remove(): Promise<void> {
  const skip = (await open.posted()).filter(({ type }) => type === 'removeAttachment').length;
  await press(open.page, 'Delete');
  const { attachmentId } = await open.waitForPost('removeAttachment', skip);
  const button = open.page.getByRole('button', { name: `Remove a ${attachmentId}` });
  await button.evaluate((node) => window.reached.add(node));
}

async function walkMenu(): Promise<void> {
  await press(open.page, 'Enter');
  await open.page.getByRole('menu').waitFor();
  await stop();
  await walkAlong('ArrowDown');
  expect(await open.page.getByRole('menu').evaluate((menu) => menu.contains(document.activeElement))).toBe(true);
  const left = await open.page
    .getByRole('menu')
    .locator('[role^="menuitem"]')
    .evaluateAll((items) => items.filter((item) => !window.reached.has(item)).map((item) => item.textContent));
  expect(left).toEqual([]);
  await press(open.page, 'Escape');
  expect(await open.page.getByRole('menu').count()).toBe(0);
  // The focus has returned to the button, and the walk continues from there.
  expect((await stop()).hasMenu).toBe(true);
}

/**
 * Walks through the whole page with Tab, the arrow keys, and Enter. Returns the names of elements that weren't reached.
 */
async function walk(): Promise<string[]> {
  for (let step = 0; step < mostSteps; step += 1) {
    await press(open.page, 'Tab');
    const at = await stop();
    // After the last tab stop, Tab moves the focus to the page itself and then to the first tab stop again.
    if (!at.isNew && !at.isPage) break;
    expect(at.isInMessage).toBe(false);
    if (at.isRemovable) await remove();
    if (at.isOneOfMany) await walkAlong('ArrowRight');
    if (at.hasMenu) await walkMenu();
  }
  await walkRows();
  // Moving through the list can have changed the buttons after it.
  for (let at = await stop(); !at.isPage; at = await stop()) await press(open.page, 'Tab');
  return usable(true);
}

/** Walks from the first message to the last one, because Tab enters the list at the first message in view. */
async function walkRows(): Promise<void> {
  const log = open.page.getByRole('log');
  const topOfFirst = async () => {
    await press(log, 'Home');
    return open.page.evaluate(() => document.querySelector('[aria-posinset="1"]')?.getBoundingClientRect().top);
  };
  await expect.poll(topOfFirst).toBeGreaterThan(0);
  for (let step = 0; step < mostSteps; step += 1) {
    await press(open.page, 'Tab');
    if (!(await log.evaluate((node) => node.contains(document.activeElement)))) break;
    const at = await stop();
    expect(at.isInMessage).toBe(false);
    await walkAlong('ArrowRight');
  }
}

describe('keyboard users can reach', () => {
  it('everything in a conversation with most kinds of content', async () => {
    await show(conversation(showcase, rich), 6_000);
    for (const name of ['Find in Conversation', 'Filter Messages', 'Retry', 'Cancel', 'Open Image', 'Remove a file']) {
      expect(await usable(false), name).toContain(name);
    }
    const closed = open.page.locator('.fold > .fold-button[aria-expanded="false"]');
    while ((await closed.count()) > 0) await press(closed.first(), 'Enter');
    expect(await walk()).toEqual([]);
  });

  it('the find widget in all its states', async () => {
    await show(conversation(manyRows(4)), 700);
    await press(open.page, 'Control+f');
    const { findId } = await open.waitForPost('find');
    const state = {
      count: 3,
      index: 0,
      isMore: false,
      isSearching: false,
      isOlderMissing: true,
      isOlderLoading: false,
    };
    await fill(open.page.getByRole('searchbox'), 'message');
    await open.waitForPost('find', 1);
    const find = { ...state, findId: findId + 1, pattern: { source: 'message', flags: 'gi' } };
    await open.tell({ type: 'found', find: { ...find, match: { key: 'm1', place: 0 } } });
    for (const name of ['Match Case', 'Next Match', 'Load All Messages', 'Show All in Editor', 'Close']) {
      expect(await usable(false), name).toContain(name);
    }
    expect(await walk()).toEqual([]);
  });

  it('the current prompt and the button that jumps to the latest message', async () => {
    const rows = manyRows(60);
    const rowStubs = rows.map((one) => (one.role === 'user' ? { ...stubOf(one), isPrompt: true } : stubOf(one)));
    await show(conversation(rows, { rowStubs }), 700);
    await open.tell({ type: 'reveal', key: 'm31' });
    await open.page.getByRole('button', { name: /^Current prompt: Message 28/ }).waitFor();
    expect(await usable(false)).toContain('Jump to Latest');
    expect(await walk()).toEqual([]);
  });
});
