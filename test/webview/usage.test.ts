import { describe, expect, it } from 'vitest';
import { press } from '../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { UsageHostMessage } from '../../src/shared/protocol/usageMessages.ts';
import { describeUsage } from '../../src/state/presentation/describeUsage.ts';
import type { UsageSample } from '../../src/state/store/usage.ts';
import { corpora } from '../fakes/corpora.ts';
import { recordOf, sessionOf, t } from '../unit/state/samples.ts';
import { axeViolations } from './rig/axeViolations.ts';
import { themes, type OpenPage, type ThemeName } from './rig/pageRig.ts';
import { usePages } from './rig/usePage.ts';

const pages = usePages({ entryPoint: 'src/webview/usage/main.ts' });
const minuteMs = 60_000;
const now = new Date(2026, 2, 4, 10, 0).getTime();

/** The usage of a session with `turns` turns, one every four minutes, and two child sessions. */
function usage(turns: number): UsageHostMessage {
  const counters = (turn: number) => ({
    inputTokens: 4_000 * turn,
    outputTokens: 900 * turn + 350 * (turn % 4),
    cacheReadTokens: 52_000 * turn,
    cacheCreationTokens: 3_100 * turn,
    thinkingTokens: 210 * turn,
    serviceCredits: 0.35 * turn,
  });
  const samples: UsageSample[] = Array.from({ length: turns + 1 }, (_, turn) => ({
    at: now + turn * 4 * minuteMs,
    isIdle: true,
    own: counters(turn * 0.8),
    inclusive: counters(turn),
    activeMs: turn * 95_000,
  }));
  const session = sessionOf({
    sessionSettings: {
      model: 'sonnet-large',
      assistantActiveTimeMs: turns * 95_000,
      tokenUsage: counters(turns * 0.8),
      inclusiveTokenUsage: counters(turns),
      childInclusiveTokenUsageBySessionId: {
        'c41e7f90-18ab-4d26-b5f3-9e60d7a1c832': counters(1),
        '29d7f4ab': counters(2),
      },
    },
  });
  const words = {
    t,
    titleOf: (sessionId: string) => (sessionId === '29d7f4ab' ? 'Write tests for the redirect guard' : undefined),
  };
  return { type: 'usage', usage: describeUsage(recordOf({ session, asOf: now }), samples, words) };
}

/** Runs in the page: shows messages one after another, and returns elements and attributes that the page never uses. */
async function foreignParts(messages: readonly UsageHostMessage[]): Promise<string[]> {
  const own =
    'body main header h1 h2 button dl div dt dd p section table thead tbody tr th td caption figure figcaption ul li span bdi i svg g rect line path polyline circle title script';
  const known = new Set(own.split(' '));
  const foreign: string[] = [];
  for (const message of messages) {
    window.postMessage(message, '*');
    await new Promise<void>((resolve) => {
      addEventListener('message', () => setTimeout(resolve, 0), { once: true });
    });
    for (const node of document.querySelectorAll('body, body *:not(script)')) {
      if (!known.has(node.localName)) foreign.push(`<${node.localName}>`);
      for (const { name, value } of node.attributes)
        if (/^(?:on.*|href|src|srcdoc|action|style)$/.test(name)) foreign.push(`${node.localName} ${name}=${value}`);
    }
  }
  return [...new Set(foreign)];
}

/** A usage page with the text in every string. */
function hostileUsage(text: string, empty?: string): UsageHostMessage {
  const { usage: content } = usage(3);
  const table = { caption: text, columns: [text, text], rows: [[text, text]], empty: text };
  const chart = {
    ...{ caption: text, summary: text, ticks: [{ value: 0, label: text }], times: [text, text], legend: [text] },
    points: [1, 2].map((at) => ({ label: text, at, values: [at] })),
  };
  const texts = { origin: text, sessionId: text, title: text, heading: text, exportLabel: text };
  return {
    type: 'usage',
    usage: {
      ...content,
      ...texts,
      ...(empty === undefined ? {} : { empty }),
      facts: [{ label: text, value: text }],
      charts: [
        { ...chart, kind: 'bars' },
        { ...chart, kind: 'line' },
      ],
      tables: [table, { ...table, rows: [] }],
    },
  };
}

/** Sends a message, with a cast, because the types of the rig cover only the conversation page. */
async function tell(open: OpenPage, message: UsageHostMessage): Promise<void> {
  await open.tell(message as unknown as HostMessage);
}

describe.each(Object.keys(themes) as ThemeName[])('the usage page in the theme %s', (theme) => {
  it.each([250, 900])('has no axe violations and fits into %d px', async (widthPx) => {
    const open = await pages.open({ theme, widthPx, heightPx: 2_400 });
    await tell(open, usage(14));
    await open.page.getByRole('img', { name: /^Tokens by turn\. / }).waitFor();
    expect(await axeViolations(open.page)).toEqual([]);
    expect(await open.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(widthPx);
  });
});

describe('the usage page', () => {
  it('labels its charts with values at the grid lines, times below, and a legend for every color', async () => {
    const open = await pages.open({ widthPx: 600, heightPx: 2_400 });
    await tell(open, usage(14));
    const bars = open.page.locator('section', { hasText: 'Tokens by turn' });
    expect(await bars.locator('.chart-scale span').allInnerTexts()).toEqual(['80K', '40K', '0']);
    expect(await bars.locator('.chart-times').innerText()).toMatch(/^Mar 4, 2026, 10:04.*10:56/);
    expect(await bars.getByRole('listitem').allInnerTexts()).toEqual(['Input', 'Output', 'Cache read', 'Cache write']);
    const picture = await bars.locator('svg').boundingBox();
    const lines = await bars
      .locator('svg .grid')
      .evaluateAll((all) => all.map((line) => line.getBoundingClientRect().y));
    const numbers = await bars.locator('.chart-scale span').evaluateAll((all) =>
      all.map((number) => {
        const { y, height } = number.getBoundingClientRect();
        return y + height / 2;
      }),
    );
    for (const [place, y] of [...lines].reverse().entries())
      expect(Math.abs(y - (numbers[place] ?? 0))).toBeLessThan(3);
    const tallest = await bars
      .locator('svg g')
      .evaluateAll((all) => Math.min(...all.map((bar) => bar.getBoundingClientRect().y)));
    expect(tallest).toBeGreaterThanOrEqual((picture?.y ?? 0) - 0.5);
  });

  it('can be used with the keyboard, and keeps the focus and scroll position in a table during updates', async () => {
    const open = await pages.open({ widthPx: 300, heightPx: 900 });
    await tell(open, usage(3));
    await press(open.page, 'Tab');
    await press(open.page, 'Enter');
    expect((await open.posted()).map(({ type }) => type as string)).toContain('exportCsv');
    const turns = open.page.getByRole('region', { name: /^Turns/ });
    await turns.focus();
    await turns.evaluate((frame) => (frame.scrollLeft = 60));
    const counters = await open.page.getByRole('region', { name: 'Counters' }).elementHandle();
    await tell(open, usage(4));
    expect(await turns.getByRole('row').count()).toBe(5);
    expect(await turns.evaluate((frame) => [frame === document.activeElement, frame.scrollLeft])).toEqual([true, 60]);
    expect(await counters.evaluate((frame) => frame.isConnected)).toBe(false);
    const same = await turns.elementHandle();
    await tell(open, usage(4));
    expect(await same.evaluate((frame) => frame.isConnected)).toBe(true);
  });

  it.each(Object.entries(corpora))('shows hostile text as text: %s', async (_, payloads) => {
    const open = await pages.open({ heightPx: 2_400 });
    const messages = payloads.flatMap((payload) => [hostileUsage(payload, payload), hostileUsage(payload)]);
    expect(await open.page.evaluate(foreignParts, messages)).toEqual([]);
    const last = payloads.at(-1) ?? '';
    expect(await open.page.locator('h1').textContent()).toBe(`${last}: ${last}`);
    expect(await open.page.locator('svg').count()).toBe(2);
    expect(open.foreignRequests).toEqual([]);
    expect(open.errors).toEqual([]);
  });

  it('explains why there is nothing to show', async () => {
    const open = await pages.open();
    const text = { number: String, shortNumber: String, dateTime: String, timeRange: String };
    const words = { ...text, t, titleOf: () => undefined };
    await tell(open, { type: 'usage', usage: describeUsage(recordOf({ session: undefined }), [], words) });
    await open.page.getByText("This session hasn't loaded yet.").waitFor();
    expect(await axeViolations(open.page)).toEqual([]);
    await tell(open, usage(2));
    await open.page.getByRole('button', { name: 'Export as CSV...' }).waitFor();
  });
});
