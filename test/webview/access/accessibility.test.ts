import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fill, press } from '../../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import { axeViolations } from '../rig/axeViolations.ts';
import { moveClock } from '../rig/moveClock.ts';
import { themes, type OpenPage, type ThemeName } from '../rig/pageRig.ts';
import {
  conversation,
  fullComposer,
  header,
  manyRows,
  markdownRow,
  stubOf,
  setup,
  shownSession,
} from '../rig/samples.ts';
import { showcase } from '../rig/showcase.ts';
import { usePages } from '../rig/usePage.ts';

const pages = usePages();
let open: OpenPage;

const failure = {
  text: "Can't reach the service.",
  actions: [{ label: 'Retry', action: 'retry' }],
} as const;
const screen: HostMessage = {
  type: 'screen',
  screen: {
    title: 'No service yet',
    text: 'Connect to the service your agents run on.',
    buttons: [
      { label: 'Connect to Service...', action: 'connect' },
      { label: 'Try the Demo', action: 'tryDemo' },
    ],
  },
};

describe.each(Object.keys(themes) as ThemeName[])('axe reports no violations in the theme %s', (theme) => {
  it.each([200, 400, 1_200])('in a conversation %d px wide', async (widthPx) => {
    open = await pages.open({ theme, widthPx, heightPx: 5_000 });
    const older = { state: 'more', label: 'Load older messages' } as const;
    await open.tell(setup, conversation(showcase, { header: { ...header, failure }, composer: fullComposer, older }));
    const path = 'src/upload/retry.ts:12';
    await open.answer('findPaths', [{ path }]);
    await open.page.locator('math').first().waitFor();
    await expect.poll(() => open.page.locator('.path-link').count()).toBe(1);
    expect(await open.page.locator('article').count()).toBe(showcase.length);
    expect(await axeViolations(open.page)).toEqual([]);
  });

  it.each([250, 600])('with find, menus, a filter, and a current prompt, %d px wide', async (widthPx) => {
    open = await pages.open({ theme, widthPx });
    const rows = manyRows(40);
    const rowStubs = rows.map((one) => ({ ...stubOf(one), isPrompt: one.role === 'user' }));
    const filter = {
      detailLevel: 'answers',
      summary: 'Answers Only: 40 of 1,000 messages',
    } as const;
    await open.tell(setup, conversation(rows, { rowStubs, header: { ...header, filter } }));
    await open.tell({ type: 'reveal', key: 'm6' }, { type: 'openFind' });
    await fill(open.page.getByRole('searchbox'), 'client');
    await open.waitForPost('find', 1);
    const { findId } = (await open.posted()).findLast((one) => one.type === 'find') ?? { findId: 0 };
    const find = { findId, count: 3, index: 0, isMore: false, isSearching: false, isOlderMissing: true } as const;
    const pattern = { source: 'client', flags: 'gi' };
    const match = { key: 'm6', block: 0, place: 0 };
    await open.tell({ type: 'found', find: { ...find, isOlderLoading: false, pattern, match } });
    expect(await open.page.getByRole('button', { name: /^Current prompt/ }).count()).toBe(1);
    expect(await axeViolations(open.page)).toEqual([]);
    await open.tell({ type: 'found', find: { ...find, isOlderLoading: true, count: 0, failure: 'Not valid.' } });
    expect(await axeViolations(open.page)).toEqual([]);
    for (const name of ['Filter Messages', 'More Actions...', 'Attach']) {
      // Use the message in view, because focusing another one would scroll the list, which then draws other messages.
      const place = name === 'More Actions...' ? open.page.locator('article[data-key="m6"]') : open.page;
      await press(place.getByRole('button', { name, exact: true }), 'Enter');
      await open.page.getByRole('menu').waitFor();
      // The rest of the page was checked above.
      expect(await axeViolations(open.page, '[role=menu], [aria-expanded=true]'), name).toEqual([]);
      await press(open.page, 'Escape');
    }
  });

  it('on a screen without a conversation', async () => {
    open = await pages.open({ theme });
    await open.tell(setup, screen);
    expect(await axeViolations(open.page)).toEqual([]);
  });
});

describe('the page', () => {
  it('has the specified roles and names', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(manyRows(3), { composer: fullComposer }));
    const log = open.page.getByRole('log', { name: 'Conversation' });
    expect(await log.getAttribute('aria-live')).toBe('off');
    expect(await log.getByRole('article').count()).toBe(3);
    const first = log.getByRole('article', { name: 'You message, 4 Mar, 10:00' });
    expect(await first.getAttribute('aria-posinset')).toBe('1');
    expect(await first.getAttribute('aria-setsize')).toBe('3');
    for (const name of ['Send', 'Attach', 'Refresh', 'Remove retry.ts']) {
      expect(await open.page.getByRole('button', { name, exact: true }).count(), name).toBe(1);
    }
    expect(await open.page.getByRole('textbox', { name: 'Message' }).count()).toBe(1);
    expect(await open.page.getByRole('list', { name: 'Attachments' }).count()).toBe(1);
    expect(await open.page.getByRole('status').count()).toBe(1);
    expect(await open.page.getByRole('heading', { level: 1 }).textContent()).toBe(header.title);
  });

  it('counts all messages of the session, including those that are not loaded', async () => {
    open = await pages.open({ heightPx: 5_000 });
    const label = 'Load older messages';
    const older = { state: 'more', label, count: 97 } as const;
    const whole = { ...header, filter: { detailLevel: 'everything' } } as const;
    await open.tell(setup, conversation(manyRows(3), { header: whole, older }));
    const last = open.page.locator('article[data-key="m2"]');
    const place = async () => [await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')];
    expect(await place()).toEqual(['100', '100']);
    // The number of unloaded messages that the filter would show is unknown.
    await open.tell({ type: 'header', header });
    expect(await place()).toEqual(['3', '-1']);
    await open.tell({ type: 'header', header: whole });
    expect(await place()).toEqual(['100', '100']);
    await open.tell({ type: 'older', older: { state: 'loading', label } });
    expect(await place()).toEqual(['3', '-1']);
    await open.tell({ type: 'older', older: { state: 'none', label: '' } });
    expect(await place()).toEqual(['3', '3']);
  });

  it('shows that there are no messages once that is known', async () => {
    open = await pages.open();
    const empty = open.page.getByText('No messages yet.');
    await open.tell(setup, conversation([], { older: { state: 'loading', label: 'Loading...' } }));
    await open.page.getByText('Loading...').waitFor();
    expect(await empty.isVisible()).toBe(false);
    await open.tell({ type: 'older', older: { state: 'none', label: '' } });
    await empty.waitFor();
    const summary = 'Answers Only: 0 of 4 messages';
    await open.tell({ type: 'header', header: { ...header, filter: { ...header.filter, summary } } });
    await empty.waitFor({ state: 'hidden' });
    await open.page.locator('.empty', { hasText: summary }).waitFor();
  });

  it('isolates the direction of the title from adjacent text', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([], { header: { ...header, title: 'a\u202egnp.exe' } }));
    // The first element isolates the title; another one inside it contains the control character.
    const title = open.page.getByRole('heading', { level: 1 }).locator('bdi').first();
    expect(await title.evaluate((node) => getComputedStyle(node).unicodeBidi)).toBe('isolate');
  });

  it('shows the age of the status, and marks a stale status', async () => {
    const asOf = Date.UTC(2026, 4, 20, 12, 34, 56);
    open = await pages.open({ clockMs: asOf + 60_000 });
    await open.tell(setup, conversation([], { header: { ...header, asOf, isStale: true } }));
    const status = open.page.locator('.page-status');
    expect(await status.textContent()).toContain('as of 12:34:56');
    expect(await status.getAttribute('class')).toContain('is-stale');
  });

  it.each([
    [250, 60],
    [350, 100],
  ])('leaves room for the title next to a stale status, %s px wide', async (widthPx, titlePx) => {
    const asOf = Date.UTC(2026, 4, 20, 12, 34, 56);
    open = await pages.open({ clockMs: asOf + 60_000, widthPx });
    await open.tell(
      setup,
      conversation([], { header: { ...header, title: 'A title '.repeat(9), asOf, isStale: true } }),
    );
    const widthOf = async (name: string) => (await open.page.locator(name).boundingBox())?.width ?? 0;
    expect(await widthOf('.page-title')).toBeGreaterThan(titlePx);
    expect(await open.page.locator('.page-line').evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
  });

  it('shows the age of the same stale status with its date after midnight', async () => {
    const asOf = Date.UTC(2026, 4, 20, 12, 34, 56);
    open = await pages.open({ clockMs: asOf + 60_000 });
    const shown = conversation([], { header: { ...header, asOf, isStale: true } });
    await open.tell(setup, shown);
    const status = open.page.locator('.page-status');
    expect(await status.textContent()).toContain('as of 12:34:56');
    await open.page.evaluate(moveClock, asOf + 86_400_000);
    await open.tell(shown);
    expect(await status.textContent()).not.toContain('as of 12:34');
    expect(await open.page.getByRole('heading', { level: 1 }).getAttribute('title')).not.toContain('as of 12:34');
  });

  it('draws nothing repeatedly while the agent is running', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(manyRows(2)));
    await open.page.locator('.page-status', { hasText: 'Running' }).waitFor();
    expect(await open.page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});

describe('without a mouse', () => {
  it('every control can be reached and used', async () => {
    open = await pages.open({ heightPx: 5_000 });
    await open.tell(setup, conversation(showcase, { header: { ...header, failure }, composer: fullComposer }));
    const reached = new Set<string>();
    const pressAndRead = async (key: string) => {
      await press(open.page, key);
      return open.page.evaluate(() => {
        const node = document.activeElement;
        if (node === document.body) return '';
        const hasMark = node !== null && getComputedStyle(node).outlineStyle !== 'none';
        const isField = node instanceof HTMLTextAreaElement;
        const name = node?.getAttribute('aria-label') ?? node?.textContent;
        // In a wide code block or table, Right Arrow would first scroll to its end.
        if (node) node.scrollLeft = node.scrollWidth;
        return `${hasMark || isField ? '' : 'unmarked '}${name ?? ''}`;
      });
    };
    const isInMessage = () => open.page.evaluate(() => document.activeElement?.matches('article') === true);
    for (let step = 0; step < 160; step += 1) {
      const name = await pressAndRead('Tab');
      reached.add(name);
      // The focus is back where it started.
      if (name === 'Message') break;
      // The arrow keys go through the controls of a message, to its end.
      if (!(await isInMessage())) continue;
      for (let before = '', control = name; control !== before;) {
        before = control;
        control = await pressAndRead('ArrowRight');
        reached.add(control);
      }
    }
    expect([...reached].filter((name) => name.startsWith('unmarked '))).toEqual([]);
    for (const name of ['Refresh', 'Retry', 'Conversation', 'Thinking', 'Copy', 'Send Again', 'Discard']) {
      expect([...reached], name).toContain(name);
    }
    for (const name of ['Retry-After', 'retry.ts 1 KB', 'Message', 'Attach'])
      expect([...reached], name).toContain(name);
  });

  it('the conversation scrolls and the buttons work', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(manyRows(50)));
    await open.page.getByRole('log').focus();
    // Rows that are measured meanwhile can stop the scrolling.
    const isDrawn = (key: string) => open.page.locator(`article[data-key="${key}"]`).isVisible();
    await press(open.page, 'Home', { effect: () => isDrawn('m0') });
    expect(await isDrawn('m49')).toBe(false);
    await press(open.page, 'End', { effect: () => isDrawn('m49') });
    await press(open.page.getByRole('button', { name: 'Refresh' }), 'Enter');
    expect(await open.waitForPost('act')).toEqual({ type: 'act', ...shownSession, action: 'refresh' });
    await open.tell(screen);
    await press(open.page.getByRole('button', { name: 'Connect to Service...' }), 'Enter');
    expect(await open.waitForPost('act', 1)).toEqual({ type: 'act', action: 'connect' });
    const session = { origin: 'https://other.example', sessionId: 'ses_03' };
    await open.tell({ ...screen, session });
    await press(open.page.getByRole('button', { name: 'Connect to Service...' }), 'Enter');
    expect(await open.waitForPost('act', 2)).toEqual({ type: 'act', action: 'connect', ...session });
  });

  it('the focus moves to the list when the focused message scrolls out of view', async () => {
    open = await pages.open();
    const rows = manyRows(200);
    rows[199] = markdownRow('m199', '[link](https://example.com)');
    await open.tell(setup, conversation(rows));
    await open.page.getByRole('link', { name: 'link' }).focus();
    await open.tell({ type: 'reveal', key: 'm10' });
    expect(await open.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log');
  });
});

describe('appearance', () => {
  it('never scrolls as a whole', async () => {
    open = await pages.open({ heightPx: 300 });
    await open.tell(setup, conversation(manyRows(50)));
    const scrolled = await open.page.evaluate(() => {
      for (const node of [document.documentElement, document.body]) node.scrollTop = 50;
      return [document.documentElement, document.body].map(({ scrollTop }) => scrollTop);
    });
    expect(scrolled).toEqual([0, 0]);
  });

  it('applies the chat fonts as soon as they are set, and keeps the reading position', async () => {
    open = await pages.open();
    const fonts = { family: 'Georgia, serif', sizePx: 17, codeFamily: 'Courier', codeSizePx: 11 };
    const rows = manyRows(60);
    rows[59] = markdownRow('m59', 'Text\n\n```\ncode\n```');
    await open.tell(setup, conversation(rows));
    const setIn = (selector: string) =>
      open.page.locator(selector).evaluate((node) => {
        const { fontFamily, fontSize } = getComputedStyle(node);
        return `${fontSize} ${fontFamily}`;
      });
    const before = [await setIn('article[data-key="m59"] p'), await setIn('article[data-key="m59"] pre code')];
    await fill(open.page.getByRole('textbox', { name: 'Message' }), 'not sent yet');
    await open.tell({ ...setup, fonts });
    expect(await setIn('article[data-key="m59"] p')).toBe('17px Georgia, serif');
    expect(await setIn('article[data-key="m59"] pre code')).toBe('11px Courier');
    expect(await open.page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('not sent yet');
    await open.tell({ type: 'reveal', key: 'm30' });
    const headPx = () =>
      open.page.evaluate(() => {
        const topOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().top ?? NaN;
        return topOf('article[data-key="m30"]') - topOf('[role="log"]');
      });
    const wasPx = await headPx();
    await open.tell(setup);
    expect(await headPx()).toBe(wasPx);
    await open.tell({ type: 'reveal', key: 'm59' });
    expect([await setIn('article[data-key="m59"] p'), await setIn('article[data-key="m59"] pre code')]).toEqual(before);
  });

  it('fits into 200 px without overflow', async () => {
    open = await pages.open({ widthPx: 200, heightPx: 5_000 });
    await open.tell(setup, conversation(showcase, { header: { ...header, failure }, composer: fullComposer }));
    const outside = await open.page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((node) => !node.closest('pre, table, .formula-block, .visually-hidden, svg, .page-title bdi'))
        .filter((node) => node.getBoundingClientRect().right > 200.5)
        .map((node) => `${node.localName}.${node.className}`),
    );
    expect(outside).toEqual([]);
  });

  it("does not truncate the extension's own strings at 200 px", async () => {
    open = await pages.open({ widthPx: 200, heightPx: 5_000 });
    const older = { state: 'failed', label: "Couldn't load older messages. Try again" } as const;
    const hint = 'Set an API key for this service to send messages. Your draft is saved.';
    const full = { header: { ...header, failure }, composer: { ...fullComposer, hint }, older };
    await open.tell(setup, conversation(showcase, full));
    const words = '.badge, .composer-hint, .composer-failure, .failure-text, .link-button, .fold-title';
    const cut = await open.page.locator(words).evaluateAll((nodes) => {
      // The header of a progress update is only for screen readers.
      const isClipped = (node: Element | null): boolean =>
        node !== null && (getComputedStyle(node).clipPath !== 'none' || isClipped(node.parentElement));
      return nodes
        .filter((node) => getComputedStyle(node).display !== 'inline' && !isClipped(node))
        .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)
        .map((node) => `${node.getAttribute('class')}: ${node.textContent}`);
    });
    expect(cut).toEqual([]);
    expect(await open.page.locator('.composer-hint').isVisible()).toBe(true);
  });

  it('shows no animation with reduced motion', async () => {
    open = await pages.open({ reducedMotion: true });
    await open.tell(setup, conversation([], { older: { state: 'loading', label: 'Loading...' } }));
    const animation = open.page.locator('.is-spinning').first();
    expect(await animation.evaluate((node) => getComputedStyle(node).animationName)).toBe('none');
  });

  it('shows no animation in the find widget and menus with reduced motion', async () => {
    open = await pages.open({ reducedMotion: true });
    await open.tell(setup, conversation(showcase), { type: 'openFind' });
    await press(open.page.getByRole('button', { name: 'Filter Messages' }), 'Enter');
    const moving = await open.page.locator('body *').evaluateAll((nodes) =>
      nodes
        .filter((node) => {
          const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(node);
          return animationName !== 'none' || transitionDuration !== '0s' || scrollBehavior === 'smooth';
        })
        .map((node) => node.getAttribute('class')),
    );
    expect(moving).toEqual([]);
  });

  it('marks selected, current, and found items in forced colors', async () => {
    open = await pages.open({ forcedColors: true });
    const rows = manyRows(20);
    const rowStubs = rows.map((one) => ({ ...stubOf(one), isPrompt: one.role === 'user' }));
    await open.tell(setup, conversation(rows, { rowStubs }), { type: 'reveal', key: 'm6' });
    const style = (
      locator: Locator,
      name: 'borderTopColor' | 'borderBottomColor' | 'outlineColor' | 'backgroundColor',
    ) => locator.evaluate((node, name) => getComputedStyle(node)[name], name);
    const clear = 'rgba(0, 0, 0, 0)';
    const sticky = open.page.getByRole('button', { name: /^Current prompt/ });
    expect(await style(sticky, 'borderBottomColor')).not.toBe(clear);
    // Messages scroll underneath, so the background must not be transparent.
    expect(await style(sticky, 'backgroundColor')).not.toBe(clear);
    await open.tell({ type: 'openFind' });
    expect(await style(open.page.locator('.find'), 'borderBottomColor')).not.toBe(clear);
    const box = open.page.getByRole('checkbox', { name: 'Match Case' });
    const off = await style(box, 'borderTopColor');
    await press(box, 'Enter');
    expect(await style(box, 'borderTopColor')).not.toBe(off);
    await press(open.page, 'Escape');
    await press(open.page.getByRole('button', { name: 'Filter Messages' }), 'Enter');
    const items = open.page.getByRole('menuitemradio');
    expect(await style(items.nth(1), 'outlineColor')).not.toBe(clear);
    expect(await style(open.page.getByRole('menu'), 'borderTopColor')).not.toBe(clear);
  });

  it('keeps buttons visible in forced colors', async () => {
    open = await pages.open({ forcedColors: true });
    await open.tell(setup, conversation(manyRows(2)));
    const border = open.page.getByRole('button', { name: 'Attach', exact: true });
    expect(await border.evaluate((node) => getComputedStyle(node).borderTopColor)).not.toContain('rgba(0, 0, 0, 0)');
  });
});
