import { describe, expect, it } from 'vitest';
import { fill, press } from '../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageRow, RowStub } from '../../src/shared/protocol/rowTypes.ts';
import { axeViolations } from './rig/axeViolations.ts';
import type { OpenPage } from './rig/pageRig.ts';
import { conversation, manyRows, markdownRow, setup, stubOf } from './rig/samples.ts';
import { usePages } from './rig/usePage.ts';

const pages = usePages();
const rows = manyRows(60).map((row, index) => ({ ...row, isError: index === 30 }));
const stubsOf = (of: readonly PageRow[]): RowStub[] =>
  of.map((row) => (row.role === 'user' ? { ...stubOf(row), isPrompt: true } : stubOf(row)));
const bookmarks = (...keys: readonly string[]): HostMessage => ({
  type: 'bookmarks',
  bookmarks: keys.map((key) => ({ messageId: key, key, note: `note of ${key}` })),
});

async function open(of: readonly PageRow[] = rows, rowStubs = stubsOf(of)): Promise<OpenPage> {
  const page = await pages.open();
  await page.tell(setup, conversation(of, { rowStubs }));
  await page.page.locator('article').last().waitFor();
  return page;
}

/** The tops of the marks of each kind, in px. */
function marksOf({ page }: OpenPage): Promise<Readonly<Record<string, readonly number[]>>> {
  return page.locator('.rail-marks path').evaluateAll((paths) => {
    const topsOf = (path: Element) => (path.getAttribute('d') ?? '').matchAll(/M\d+ (\d+)/g);
    return Object.fromEntries(
      paths.map((path) => [path.getAttribute('class') ?? '', [...topsOf(path)].map(([, top]) => Number(top))]),
    );
  });
}

/** The share of the list at which the viewport starts. */
const scrolledShare = ({ page }: OpenPage) => page.getByRole('log').evaluate((log) => log.scrollTop / log.scrollHeight);
const railHeight = ({ page }: OpenPage) => page.locator('.rail').evaluate((rail) => rail.clientHeight);

/** Moves the pointer to a point, and returns the tooltip that the rail then has. */
async function pointTo({ page }: OpenPage, xPx: number, yPx: number): Promise<string | null> {
  await page.mouse.move(xPx, yPx + 1);
  await page.mouse.move(xPx, yPx);
  return page.locator('.rail').getAttribute('title');
}

describe('the rail', () => {
  it('marks prompts, errors, and bookmarks where the scrollbar shows their messages', async () => {
    const page = await open();
    await page.tell(bookmarks('m30', 'absent'));
    await expect.poll(async () => (await marksOf(page))['bookmark']?.length).toBe(1);
    const marks = await marksOf(page);
    expect(marks['prompt']).toHaveLength(15);
    expect(marks['error']).toHaveLength(1);
    expect(marks['match']).toEqual([]);
    expect(marks['error']).toEqual(marks['bookmark']);
    await page.tell({ type: 'reveal', key: 'm30' });
    const place = async () => Math.round((await scrolledShare(page)) * (await railHeight(page)));
    await expect
      .poll(async () => Math.abs((await place()) - ((await marksOf(page))['bookmark']?.[0] ?? 0)))
      .toBeLessThan(3);
  });

  it('marks the matches of a search until find is closed', async () => {
    const page = await open();
    await page.tell({ type: 'openFind' });
    await fill(page.page.getByRole('searchbox', { name: 'Find in Conversation' }), 'x');
    const searched = async () => (await page.posted()).findLast((message) => message.type === 'find')?.findId;
    await expect.poll(searched).toBeGreaterThan(1);
    const found = { count: 2, isMore: false, isSearching: false, isOlderMissing: false, isOlderLoading: false };
    await page.tell({ type: 'found', find: { ...found, findId: (await searched()) ?? 0, matchKeys: ['m5', 'm40'] } });
    await expect.poll(async () => (await marksOf(page))['match']?.length).toBe(2);
    await press(page.page, 'Escape');
    await expect.poll(async () => (await marksOf(page))['match']).toEqual([]);
  });

  it('goes to the message of a mark on a click, and keeps the focus', async () => {
    const page = await open();
    const composer = page.page.getByRole('textbox', { name: 'Message', exact: true });
    await composer.focus();
    await page.tell(bookmarks('m20'));
    await expect.poll(async () => (await marksOf(page))['bookmark']?.length).toBe(1);
    const box = await page.page.locator('.rail').boundingBox();
    const pointAt = async () => {
      const [top = 0] = (await marksOf(page))['bookmark'] ?? [];
      return pointTo(page, (box?.x ?? 0) + 3, (box?.y ?? 0) + top + 3);
    };
    await expect.poll(pointAt).toBe('Bookmark\nnote of m20');
    await page.page.mouse.down();
    await page.page.mouse.up();
    const row = page.page.locator('article[data-key="m20"]');
    await row.waitFor();
    await expect.poll(async () => Math.abs(((await row.boundingBox())?.y ?? -99) - (box?.y ?? 0))).toBeLessThan(3);
    expect(await composer.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('shows the first line of a prompt, and lets the wheel scroll the list between marks', async () => {
    const page = await open();
    await expect.poll(async () => (await marksOf(page))['prompt']?.length).toBe(15);
    const box = await page.page.locator('.rail').boundingBox();
    const topsPx = async () => (await marksOf(page))['prompt'] ?? [];
    const [x, y] = [(box?.x ?? 0) + 1, box?.y ?? 0];
    const pointAt = async () => pointTo(page, x, y + ((await topsPx())[5] ?? 0) + 1);
    await expect.poll(pointAt).toMatch(/^Prompt\nMessage 20\. The upload/);
    const tops = await topsPx();
    await page.page.mouse.move(x, y + ((tops[5] ?? 0) + (tops[6] ?? 0)) / 2);
    const before = await scrolledShare(page);
    await page.page.mouse.wheel(0, -300);
    await expect.poll(() => scrolledShare(page)).toBeLessThan(before);
  });

  it('is hidden in an empty conversation and in one that fits on the screen', async () => {
    for (const few of [[], [markdownRow('a', 'one'), markdownRow('b', 'two', { role: 'user' })]]) {
      const page = await pages.open();
      await page.tell(setup, conversation(few, { rowStubs: stubsOf(few) }), bookmarks('a'));
      await page.page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
      await page.page.locator('.rail-marks path[d=""]').first().waitFor({ state: 'attached' });
      expect(await page.page.locator('.rail').isVisible()).toBe(false);
    }
  });

  it('has as many nodes with 200 bookmarks in 10,000 rows as without marks', async () => {
    const stubs = Array.from({ length: 10_000 }, (_, index) => ({
      key: `m${index}`,
      estimatedLines: 1 + (index % 20),
      isPrompt: index % 4 === 0,
    }));
    const last = manyRows(40, 9_960);
    const page = await open(last, stubs);
    await page.tell(bookmarks(...Array.from({ length: 200 }, (_, index) => `m${index * 50}`)));
    await expect.poll(async () => (await marksOf(page))['bookmark']?.length).toBeGreaterThan(50);
    expect(await page.page.locator('.rail *').count()).toBe(5);
    const { prompt = [], bookmark = [] } = await marksOf(page);
    for (const tops of [prompt, bookmark]) expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(prompt.length).toBeLessThan(400);
  });

  it('is next to the scrollbar, in both directions, and covers neither it nor a message, also at 250 px', async () => {
    for (const direction of ['ltr', 'rtl']) {
      const page = await pages.open({ widthPx: 250 });
      await page.page.evaluate((dir) => document.documentElement.setAttribute('dir', dir), direction);
      await page.tell(setup, conversation(rows, { rowStubs: stubsOf(rows) }));
      await expect.poll(async () => (await marksOf(page))['prompt']?.length).toBe(15);
      const log = page.page.getByRole('log');
      const [rail, list] = [await page.page.locator('.rail').boundingBox(), await log.boundingBox()];
      const body = await page.page.locator('article[data-role="assistant"] .row-body').last().boundingBox();
      if (!rail || !list || !body) throw new Error('not shown');
      const scrollbar = await log.evaluate((node: HTMLElement) => (node.offsetWidth - node.clientWidth) / 2);
      if (direction === 'ltr') {
        expect(rail.x + rail.width).toBeLessThanOrEqual(list.x + list.width - scrollbar);
        expect(body.x + body.width).toBeLessThanOrEqual(rail.x);
      } else {
        expect(rail.x).toBeGreaterThanOrEqual(list.x + scrollbar);
        expect(body.x).toBeGreaterThanOrEqual(rail.x + rail.width);
      }
    }
  });

  it('is hidden from assistive technology, and has no accessibility violations', async () => {
    const page = await open();
    await page.tell(bookmarks('m10'));
    await expect.poll(async () => (await marksOf(page))['bookmark']?.length).toBe(1);
    expect(await page.page.locator('.rail').getAttribute('aria-hidden')).toBe('true');
    expect(await axeViolations(page.page)).toEqual([]);
  });

  it('has marks in the colors of the system in forced colors', async () => {
    const page = await pages.open({ forcedColors: true });
    await page.tell(setup, conversation(rows, { rowStubs: stubsOf(rows) }), bookmarks('m10'));
    await expect.poll(async () => (await marksOf(page))['bookmark']?.length).toBe(1);
    const colors = await page.page.evaluate(() => {
      const colorOf = (color: string): string => {
        document.body.style.outlineColor = color;
        return getComputedStyle(document.body).outlineColor;
      };
      const fills = [...document.querySelectorAll('.rail-marks path')].map((path) => getComputedStyle(path).fill);
      return { fills, text: colorOf('CanvasText'), highlight: colorOf('Highlight') };
    });
    expect(colors.fills).toEqual([colors.text, colors.text, colors.text, colors.highlight]);
  });

  it('is drawn again when a row with an error is added', async () => {
    const page = await open();
    await expect.poll(async () => (await marksOf(page))['error']?.length).toBe(1);
    const failed = markdownRow('failed', 'It failed.', { isError: true });
    await page.tell({
      type: 'patch',
      patches: [{ op: 'insert', index: 60, rowStubs: [stubOf(failed)], rows: [failed] }],
    });
    await expect.poll(async () => (await marksOf(page))['error']?.length).toBe(2);
  });
});
