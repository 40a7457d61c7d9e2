import { beforeEach, describe, expect, it } from 'vitest';
import { click, fill, hover, press } from '../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageFilter } from '../../src/shared/protocol/pageModel.ts';
import type { PageRow } from '../../src/shared/protocol/rowTypes.ts';
import type { OpenOptions, OpenPage } from './rig/pageRig.ts';
import {
  conversation,
  header,
  manyRows,
  markdownRow,
  row,
  stepOf,
  stepsRow,
  stubOf,
  setup,
  shownSession,
} from './rig/samples.ts';
import { moveClock } from './rig/moveClock.ts';
import { usePages } from './rig/usePage.ts';

const pages = usePages();
let open: OpenPage;

async function show(rows: readonly PageRow[], options: OpenOptions = {}): Promise<void> {
  open = await pages.open(options);
  await open.tell(setup, conversation(rows));
}

/** The messages that the host sends when a filter changes the rows from `before` to `after`. */
function reread(before: readonly PageRow[], after: readonly PageRow[], filter: PageFilter): HostMessage[] {
  const kept = new Set(after.map(({ key }) => key));
  const known = new Set(before.map(({ key }) => key));
  const removed = before.filter(({ key }) => !kept.has(key)).map(({ key }) => key);
  const inserts = after.flatMap((one, index) =>
    known.has(one.key) ? [] : [{ op: 'insert' as const, index, rowStubs: [stubOf(one)], rows: [one] }],
  );
  const patches = [...(removed.length > 0 ? [{ op: 'remove' as const, keys: removed }] : []), ...inserts];
  return [
    { type: 'patch', patches, isReread: true },
    { type: 'header', header: { ...header, filter } },
  ];
}

/** The top of a row in px; NaN if it isn't drawn. */
const topOf = (key: string) =>
  open.page.evaluate(
    (key) => document.querySelector(`article[data-key="${CSS.escape(key)}"]`)?.getBoundingClientRect().top ?? NaN,
    key,
  );

async function scrollTo(key: string): Promise<void> {
  await open.tell({ type: 'reveal', key });
  await expect.poll(() => topOf(key)).not.toBeNaN();
}

const summaryRow = (key: string, label: string, isOpen: boolean): PageRow =>
  stepsRow(key, [], { label, hint: `${label}, 4 s`, isOpen, hasErrors: false });

const mark = { label: 'Custom title', hint: 'Original title' };

describe('the header and filters', () => {
  it('are chosen in a menu, also by keyboard', async () => {
    await show(manyRows(3));
    const button = open.page.getByRole('button', { name: 'Filter Messages' });
    await button.focus();
    await press(open.page, 'Enter');
    const items = open.page.getByRole('menu', { name: 'Filter Messages' }).getByRole('menuitemradio');
    const labels = (await items.allTextContents()).map((label) => label.trim());
    expect(labels).toEqual(['Answers Only', 'Answers and Tool Calls', 'Everything']);
    // The selected item has the focus.
    expect(await items.nth(1).evaluate((item) => item === document.activeElement)).toBe(true);
    await press(open.page, 'ArrowUp');
    await press(open.page, 'Enter');
    const chosen = await open.waitForPost('setFilter');
    expect(chosen).toMatchObject({ detailLevel: 'answers', sessionId: 'ses_01' });
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    await press(open.page, 'ArrowDown');
    await press(open.page, 'Escape');
    expect(await open.page.getByRole('menu').count()).toBe(0);
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
  });

  it('leave the header to the title while the session is idle, with the rest in its tooltip', async () => {
    await show(manyRows(3));
    const title = open.page.getByRole('heading', { level: 1 });
    const lineHeight = async () => (await open.page.locator('.page-head').boundingBox())?.height;
    const running = await lineHeight();
    const status = open.page.locator('.status-label');
    expect(await status.boundingBox()).toMatchObject({ height: expect.any(Number) as number });
    await open.tell({ type: 'header', header: { ...header, status: 'idle', statusLabel: 'Idle', marks: [mark] } });
    expect(await open.page.locator('.page-status').boundingBox()).toMatchObject({ width: 1, height: 1 });
    expect(await open.page.locator('.page-status').textContent()).toMatch(/^Idle ?as of .*Custom title$/);
    expect(await title.getAttribute('title')).toMatch(/^Retry.*\nIdle as of .*\nclaude-sonnet-4-5\nOriginal title$/);
    expect(await lineHeight()).toBe(running);
  });

  it('change nothing that is visible when only the time of the status has changed', async () => {
    await show([markdownRow('a', 'hello')]);
    const changes = await open.page.evaluateHandle(() => {
      const visible: string[] = [];
      new MutationObserver((records) => {
        for (const { target, attributeName, oldValue } of records) {
          const node = target instanceof Element ? target : target.parentElement;
          const isSame = attributeName !== null && node?.getAttribute(attributeName) === oldValue;
          // The rows may still settle after they have been shown, so only the header and the composer count.
          if (isSame || attributeName === 'title' || !node?.closest('.page-head, .composer')) continue;
          if (node.closest('.visually-hidden')) continue;
          visible.push(`${attributeName ?? 'content'} of ${node.className}`);
        }
      }).observe(document.body, { subtree: true, childList: true, attributeOldValue: true, characterData: true });
      return visible;
    });
    const time = open.page.locator('.page-status .visually-hidden');
    const before = await time.textContent();
    await open.tell({ type: 'header', header: { ...header, asOf: (header.asOf ?? 0) + 60_000 } });
    expect(await time.textContent()).not.toBe(before);
    expect(await changes.jsonValue()).toEqual([]);
  });

  it('show the model, which a click changes', async () => {
    await show(manyRows(3));
    await click(open.page.getByRole('button', { name: 'Model: claude-sonnet-4-5' }));
    expect(await open.waitForPost('act')).toEqual({ type: 'act', ...shownSession, action: 'changeModel' });
    await open.tell({ type: 'header', header: { ...header, model: undefined } });
    expect(await open.page.locator('.model-button').isVisible()).toBe(false);
  });

  it('show that messages are not listed yet until they are', async () => {
    await show(manyRows(3));
    const note = open.page.getByText('2 messages not listed yet');
    expect(await note.count()).toBe(0);
    const incomplete = { label: '2 messages not listed yet', hint: 'The list of the service lags.' };
    await open.tell({ type: 'header', header: { ...header, incomplete } });
    expect(await note.isVisible()).toBe(true);
    expect(await note.getAttribute('title')).toBe(incomplete.hint);
    await open.tell({ type: 'header', header });
    expect(await note.count()).toBe(0);
  });

  it('show a summary and announce it to screen readers', async () => {
    await show(manyRows(3));
    expect(await open.page.locator('.page-filter').isVisible()).toBe(false);
    const summary = 'Answers Only: 214 of 1,000 messages';
    await open.tell({
      type: 'header',
      header: { ...header, filter: { detailLevel: 'answers', summary } },
    });
    expect(await open.page.locator('.page-filter').innerText()).toBe(summary);
    await open.page.getByRole('status').filter({ hasText: summary }).waitFor();
  });

  it.each([
    ['to fewer rows', true],
    ['to more rows', false],
  ])('keep the current message in place to the pixel: %s', async (_, isFewer) => {
    const all = manyRows(2_000);
    const few = all.filter((_, index) => index % 4 === 0);
    const [before, after] = isFewer ? [all, few] : [few, all];
    await show(before);
    await scrollTo('m1000');
    await open.page.locator('.rows').evaluate((view) => view.scrollBy(0, -37));
    await expect.poll(() => open.state()).toMatchObject({ anchorKey: 'm1000', anchorOffsetPx: 37 });
    const top = await topOf('m1000');
    await open.tell(...reread(before, after, { detailLevel: isFewer ? 'answers' : 'everything' }));
    expect((await topOf('m1000')) - top).toBe(0);
    // The drawn rows must match the new rows and their order.
    const keys = await open.page
      .locator('article[data-key]')
      .evaluateAll((rows) => rows.map((one) => Number((one as HTMLElement).dataset['key']?.slice(1))));
    const step = isFewer ? 4 : 1;
    expect(keys.length).toBeGreaterThan(3);
    for (const [place, key] of keys.entries()) expect(key).toBe((keys[0] ?? NaN) + place * step);
  });

  it('move the next remaining row into the place of a hidden one', async () => {
    const all = manyRows(200);
    await show(all);
    await scrollTo('m101');
    const top = await topOf('m101');
    await open.tell(
      ...reread(
        all,
        all.filter((_, index) => index % 4 === 0),
        { detailLevel: 'answers' },
      ),
    );
    expect(await topOf('m104')).toBe(top);
  });

  it('do not count the rows they reveal as new', async () => {
    const all = manyRows(60);
    const few = all.slice(0, 30);
    await show(few);
    await open.page.getByRole('button', { name: 'Stop Following' }).focus();
    await press(open.page, 'Enter');
    await open.tell(...reread(few, all, { detailLevel: 'everything' }));
    expect(await open.page.getByRole('button', { name: 'Jump to Latest' }).textContent()).not.toContain('new');
  });

  it('hide thinking and tool calls in answers, except failed ones', async () => {
    const fold = (kind: 'thinking' | 'toolResult', title: string, isError = false) =>
      ({ type: 'fold', kind, title, isError, blocks: [{ type: 'markdown', text: title }] }) as const;
    await show([
      row('a', [fold('thinking', 'Thought'), fold('toolResult', 'Failed', true), { type: 'markdown', text: 'Answer' }]),
    ]);
    const titles = () => open.page.locator('.fold-title:visible').allTextContents();
    expect(await titles()).toEqual(['Thought', 'Failed']);
    await open.tell({ type: 'header', header: { ...header, filter: { detailLevel: 'answers' } } });
    expect(await titles()).toEqual(['Failed']);
  });
});

describe('runs of steps', () => {
  const around = (inside: readonly PageRow[], isOpen: boolean) => [
    ...manyRows(20),
    summaryRow('g', 'Ran 3 commands', isOpen),
    ...inside,
    ...manyRows(20, 100),
  ];
  const tools = ['t1', 't2', 't3'].map((key) =>
    markdownRow(key, 'A tool was used.', { role: 'tool', roleLabel: 'Tool' }),
  );

  it('open and close in place and keep the focus', async () => {
    await show(around([], false));
    await scrollTo('g');
    const button = open.page.getByRole('article', { name: 'Ran 3 commands' }).getByRole('button');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await button.focus();
    await press(open.page, 'Enter');
    expect(await open.waitForPost('toggleSteps')).toEqual({ type: 'toggleSteps', ...shownSession, key: 'g' });
    const top = await topOf('g');
    const replaced: HostMessage = {
      type: 'patch',
      isReread: true,
      patches: [
        { op: 'insert', index: 21, rowStubs: tools.map(stubOf), rows: tools },
        { op: 'replace', row: summaryRow('g', 'Ran 3 commands', true), estimatedLines: 1 },
      ],
    };
    await open.tell(replaced);
    expect(await topOf('g')).toBe(top);
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(await open.page.getByText('A tool was used.').count()).toBe(3);
    await press(open.page, 'Enter');
    await open.tell({
      type: 'patch',
      isReread: true,
      patches: [
        { op: 'remove', keys: ['t1', 't2', 't3'] },
        { op: 'replace', row: summaryRow('g', 'Ran 3 commands', false), estimatedLines: 1 },
      ],
    });
    expect(await topOf('g')).toBe(top);
    expect(await open.page.getByText('A tool was used.').count()).toBe(0);
  });

  it('open at the end without scrolling', async () => {
    const rows = [...manyRows(20), summaryRow('g', 'Ran 3 commands', false)];
    await show(rows);
    const top = await topOf('g');
    await click(open.page.getByRole('article', { name: 'Ran 3 commands' }).getByRole('button'));
    await open.tell({
      type: 'patch',
      isReread: true,
      patches: [{ op: 'insert', index: 21, rowStubs: tools.map(stubOf), rows: tools }],
    });
    expect(await topOf('g')).toBe(top);
  });
});

declare global {
  interface Window {
    /** Timers of more than ten minutes, which don't run by themselves. */
    longTimers: { readonly run: () => void; readonly ms: number }[];
  }
}

/** Runs in a page before its script: collects timers of more than ten minutes instead of starting them. */
function keepLongTimers(): void {
  const setSoon = window.setTimeout;
  window.longTimers = [];
  const set = (run: () => void, ms = 0): number =>
    ms > 600_000 ? window.longTimers.push({ run, ms }) : setSoon(run, ms);
  window.setTimeout = set as typeof window.setTimeout;
}

it('the heading of a day changes at midnight', async () => {
  const createdAt = Date.UTC(2026, 4, 20, 22);
  open = await pages.open({ clockMs: Date.UTC(2026, 4, 20, 23), prepare: keepLongTimers });
  const rows = [markdownRow('a', 'text', { createdAt, place: { startsDay: true } })];
  await open.tell(setup, conversation(rows));
  expect(await open.page.locator('.row-day').textContent()).toBe('Today');
  const [delayMs] = await open.page.evaluate(() => window.longTimers.map(({ ms }) => ms));
  expect(delayMs).toBeGreaterThan(3_000_000);
  expect(delayMs).toBeLessThanOrEqual(3_600_000);
  await open.page.evaluate(moveClock, Date.UTC(2026, 4, 21));
  await open.page.evaluate(() => window.longTimers[0]?.run());
  await open.waitForPost('ready', 1);
  await open.tell(conversation(rows));
  expect(await open.page.locator('.row-day').textContent()).toBe('Yesterday');
});

describe('a step', () => {
  const line = () => open.page.getByRole('listitem');
  const button = () => line().getByRole('button', { name: 'Ran npm test' });

  it('shows what the agent did, its outcome, and the first line of a failure', async () => {
    await show([stepsRow('s', [stepOf('failed', { status: 'failed', took: '3 s', failure: 'FAIL a.test.ts' })])]);
    expect(await button().textContent()).toBe('Ran npm test failed 3 s');
    expect(await open.page.getByText('FAIL a.test.ts').isVisible()).toBe(true);
  });

  it.each(['packages/server/tests/basket.test.ts', 'tests/basket.test.ts', 'basket.test.ts'])(
    'shows the whole file name of %s at 250 px',
    async (object) => {
      await show([stepsRow('s', [stepOf('done', { kind: 'write', label: 'Edited {0}', object, changed: '+4 −0' })])]);
      await open.page.setViewportSize({ width: 250, height: 500 });
      const name = line().locator('.step-file');
      expect(await name.textContent()).toBe(object.split('/').at(-1));
      const [text, box, shown] = await name.evaluate((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const boxes = [range, node, node.closest('.step-object')!].map((each) => each.getBoundingClientRect());
        return boxes.map(({ left, right }) => ({ left: Math.round(left), right: Math.round(right) }));
      });
      expect(text).toEqual(box);
      expect([box!.left >= shown!.left, box!.right <= shown!.right]).toEqual([true, true]);
      expect(await line().getByRole('button').getAttribute('aria-label')).toBe(`Edited ${object} +4 −0`);
    },
  );

  it('expands to its arguments and its result, also by keyboard, and stays open when the result arrives', async () => {
    await show([stepsRow('s', [stepOf('running')])]);
    await press(button(), 'Enter');
    const content = (text: string) => ({ blocks: [{ type: 'code', text } as const] });
    expect(await open.answer('getStep', content('npm test --all'))).toMatchObject({ messageId: 'm', index: 0 });
    await open.page.getByText('npm test --all').waitFor();
    const replaced = stepsRow('s', [stepOf('done', { took: '3 s' })]);
    await open.tell({ type: 'patch', patches: [{ op: 'replace', row: replaced, estimatedLines: 1 }] });
    await open.answer('getStep', content('12 passed'), 1);
    await open.page.getByText('12 passed').waitFor();
    expect(await button().getAttribute('aria-expanded')).toBe('true');
    await press(button(), 'Enter');
    expect(await open.page.getByText('12 passed').isVisible()).toBe(false);
  });

  it('shows why it failed only while it is collapsed, because its output says it too', async () => {
    await show([stepsRow('s', [stepOf('failed', { failure: 'No such file' })])]);
    const failure = open.page.locator('.step-failure');
    expect(await failure.isVisible()).toBe(true);
    await click(button());
    await open.answer('getStep', { blocks: [{ type: 'code', text: 'No such file' }] });
    await open.page.locator('.fold-inside').getByText('No such file').waitFor();
    expect(await failure.isVisible()).toBe(false);
    await click(button());
    expect(await failure.isVisible()).toBe(true);
  });

  it('shows why it failed while its output is loading, and if only a part of that is shown', async () => {
    await show([stepsRow('s', [stepOf('failed', { failure: '3 tests failed' })])]);
    const failure = open.page.locator('.step-failure');
    await click(button());
    expect(await failure.isVisible()).toBe(true);
    await open.answer('getStep', {
      blocks: [{ type: 'code', text: 'Building...' }],
      cut: { text: '9 of 99 lines' },
      hasOutput: true,
    });
    await open.page.getByText('9 of 99 lines').waitFor();
    expect(await failure.isVisible()).toBe(true);
  });

  it('shows all of a long path in its content at 250 px', async () => {
    await show([stepsRow('s', [stepOf('done')])]);
    await open.page.setViewportSize({ width: 250, height: 500 });
    await press(button(), 'Enter');
    const path = '/home/agent/documents/work/repository/packages/explain/SKILL.md';
    await open.answer('getStep', {
      blocks: [
        { type: 'note', text: path },
        { type: 'markdown', text: path },
      ],
    });
    await open.page.getByText(path).last().waitFor();
    const hidden = await line()
      .locator('.fold-inside')
      .evaluate((node) => node.scrollWidth - node.clientWidth);
    expect(hidden).toBe(0);
  });

  it('says if it cannot be loaded, and opens all of a long result', async () => {
    await show([stepsRow('s', [stepOf('done')])]);
    await click(button());
    await open.answer('getStep', { blocks: [], cut: { text: '9 of 10 characters', messageId: 'r' } });
    await click(open.page.getByRole('button', { name: 'Show All in Editor' }));
    expect(await open.waitForPost('showAll')).toEqual({ type: 'showAll', ...shownSession, key: 'r' });
    expect(await open.page.getByRole('button', { name: 'Open Output as Document' }).count()).toBe(0);
  });

  it('opens its output as a document, also if only a part of it is shown', async () => {
    await show([stepsRow('s', [stepOf('done')])]);
    await click(button());
    await open.answer('getStep', { blocks: [], cut: { text: '9 of 10 characters' }, hasOutput: true });
    await click(open.page.getByRole('button', { name: 'Open Output as Document' }));
    expect(await open.waitForPost('showAll')).toEqual({ type: 'showAll', ...shownSession, key: 'm', index: 0 });
    expect(await open.page.getByRole('button', { name: 'Show All in Editor' }).count()).toBe(0);
  });
});

describe('a step to go to', () => {
  const lines = Array.from({ length: 40 }, (_, index) => stepOf('done', { index, object: `command ${index}` }));
  const rows = [...manyRows(60), stepsRow('s', lines), ...manyRows(60, 100)];
  const target = { key: 's', steps: [30, 32].map((index) => ({ messageId: 'm', index })) };
  const expanded = () => open.page.locator('.step-button[aria-expanded="true"] .step-object').allTextContents();
  /** Whether the first expanded step, or its start, is in view, below the line with the current prompt. */
  const isInView = (part: 'whole' | 'start' = 'whole') =>
    open.page.evaluate((part) => {
      const line = document.querySelector('.step:has(> .step-button[aria-expanded="true"])')?.getBoundingClientRect();
      const view = document.querySelector('.rows')?.getBoundingClientRect();
      const end = part === 'whole' ? line?.bottom : line?.top;
      return line !== undefined && view !== undefined && line.top >= view.top + 32 && Number(end) <= view.bottom;
    }, part);
  const stepIsShown = async () => {
    const content = (text: string) => ({ blocks: [{ type: 'code', text } as const] });
    expect(await open.answer('getStep', content('one line'))).toMatchObject({ messageId: 'm', index: 30 });
    expect(await open.answer('getStep', content('a line\n'.repeat(50)), 1)).toMatchObject({ index: 32 });
    await open.page.getByText('one line').waitFor();
    expect(await expanded()).toEqual(['command 30', 'command 32']);
    expect(await isInView()).toBe(true);
  };

  it('is expanded and scrolled to, in a row that is drawn or not', async () => {
    await show(rows);
    await open.tell({ type: 'reveal', ...target });
    await stepIsShown();
    // It stays expanded.
    await scrollTo('m159');
    await open.tell({ type: 'reveal', key: 's', steps: [{ messageId: 'm', index: 30 }] });
    await expect.poll(() => isInView()).toBe(true);
    expect(await expanded()).toEqual(['command 30', 'command 32']);
  });

  it('is scrolled to after its content has arrived, also if it was expanded before', async () => {
    const reveal = { key: 's', steps: [{ messageId: 'm', index: 30 }] };
    const content = { blocks: [{ type: 'code', text: 'a line\n'.repeat(50) } as const] };
    await show(rows);
    await open.tell({ type: 'reveal', ...reveal });
    await open.answer('getStep', content);
    await open.page.getByText('a line').waitFor();
    // The row is drawn again, and the step is expanded from the start.
    await open.tell(conversation(rows, { reveal }));
    await expect.poll(expanded).toEqual(['command 30']);
    await open.answer('getStep', content, 1);
    await open.page.getByText('a line').waitFor();
    await expect.poll(() => isInView('start')).toBe(true);
  });

  it('is expanded and scrolled to once its row arrives, also if the conversation begins with it', async () => {
    open = await pages.open();
    const bodies = { rows: rows.slice(0, 30) };
    await open.tell(setup, conversation(rows, { ...bodies, reveal: target }));
    await expect.poll(() => topOf('s')).not.toBeNaN();
    expect(await expanded()).toEqual([]);
    await open.tell({ type: 'rows', rows: rows.slice(30) });
    await stepIsShown();
  });

  it('is forgotten if the reader goes elsewhere before it arrives, and the row is shown if it has no such step', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(rows, { rows: rows.slice(0, 30) }), { type: 'reveal', ...target });
    await open.tell({ type: 'reveal', key: 'm3' }, { type: 'rows', rows: rows.slice(30) });
    await scrollTo('s');
    await open.tell({ type: 'reveal', key: 's', steps: [{ messageId: 'gone', index: 0 }] });
    await expect.poll(() => topOf('s')).not.toBeNaN();
    expect(await expanded()).toEqual([]);
  });
});

describe('the plan of the agent', () => {
  const plan = { label: 'Plan: 3 of 7 done', current: 'Write the tests', version: '1' };

  it('is one line above the composer that expands to its items', async () => {
    await show(manyRows(3));
    const button = open.page.getByRole('button', { name: 'Plan: 3 of 7 done' });
    expect(await button.count()).toBe(0);
    await open.tell({ type: 'header', header: { ...header, plan } });
    expect((await button.textContent())?.trim()).toBe('Plan: 3 of 7 done Write the tests');
    await press(button, 'Enter');
    const items = [
      { text: 'Read the code', state: 'done', spoken: 'done' },
      { text: 'Write the tests', state: 'current', spoken: 'in progress' },
    ] as const;
    await open.answer('getPlan', items);
    const list = open.page.getByRole('list', { name: 'Plan' }).getByRole('listitem');
    await expect.poll(() => list.allTextContents()).toEqual(['Read the code, done', 'Write the tests, in progress']);
    await open.tell({ type: 'header', header: { ...header, plan: { ...plan, label: 'Plan: 4 of 7 done' } } });
    await open.answer('getPlan', items.slice(0, 1), 1);
    await expect.poll(() => list.count()).toBe(1);
    // Another item has changed, which the line doesn't show.
    const changed = { ...plan, label: 'Plan: 4 of 7 done', version: '2' };
    await open.tell({ type: 'header', header: { ...header, plan: changed } });
    expect((await open.posted()).filter(({ type }) => type === 'getPlan')).toHaveLength(3);
    await open.answer('getPlan', items, 2);
    await expect.poll(() => list.count()).toBe(2);
    await open.tell({ type: 'header', header });
    expect(await button.count()).toBe(0);
    expect(await list.count()).toBe(0);
  });
});

describe('the bar above the composer', () => {
  const turn = {
    messageId: 'm0',
    changes: { label: '3 files +12 −4', hint: 'Show the changes' },
    errors: { label: '1 error', hint: 'Show the errors' },
    time: { label: 'Working for 2 min', hint: 'Time since the prompt' },
  };
  const bar = () => open.page.getByRole('group', { name: 'Last turn' });

  it('describes the last turn, and its changes and errors are links', async () => {
    await show(manyRows(3));
    expect(await bar().count()).toBe(0);
    await open.tell({ type: 'header', header: { ...header, turn } });
    expect(await bar().innerText()).toMatch(/^3 files \+12 −4\s+1 error\s+Working for 2 min$/);
    await click(bar().getByRole('button', { name: '3 files +12 −4' }));
    expect(await open.waitForPost('showTurn')).toEqual({
      type: 'showTurn',
      ...shownSession,
      key: 'm0',
      part: 'changes',
    });
    const errors = bar().getByRole('button', { name: /error/ });
    await press(errors, 'Enter');
    expect(await open.waitForPost('showTurn', 1)).toEqual({
      type: 'showTurn',
      ...shownSession,
      key: 'm0',
      part: 'errors',
    });
    // Another error arrives while its link has the focus.
    const more = { ...turn, errors: { label: '2 errors', hint: 'Show the errors' } };
    await open.tell({ type: 'header', header: { ...header, turn: more } });
    expect(await errors.evaluate((node) => node === document.activeElement && node.textContent)).toBe('2 errors');
    // The link to the files, which comes before the one to the errors, disappears and appears again.
    const { changes: _changes, ...onlyErrors } = turn;
    for (const changed of [onlyErrors, turn]) {
      await open.tell({ type: 'header', header: { ...header, turn: changed } });
      expect(await errors.evaluate((node) => node === document.activeElement)).toBe(true);
    }
    await open.tell({ type: 'header', header: { ...header, turn: { messageId: 'm0', time: turn.time } } });
    expect(await bar().getByRole('button').count()).toBe(0);
    await open.tell({ type: 'header', header });
    expect(await bar().count()).toBe(0);
  });

  it('moves nothing that is read when it appears and changes', async () => {
    await show(manyRows(400));
    await scrollTo('m200');
    await open.page.locator('.rows').evaluate((view) => view.scrollBy(0, -37));
    await expect.poll(() => open.state()).toMatchObject({ anchorKey: 'm200', anchorOffsetPx: 37 });
    const top = await topOf('m200');
    for (const part of [turn, { messageId: 'm0' }, undefined]) {
      await open.tell({ type: 'header', header: { ...header, ...(part && { turn: part }) } });
      expect((await topOf('m200')) - top).toBe(0);
    }
  });
});

describe('a row shows', () => {
  it('the day it starts, the duration of its turn, and its branches', async () => {
    const place = {
      startsDay: true,
      took: { label: '4 min 12 s', hint: 'From the prompt' },
      branch: { label: 'Branch 2 of 2', previousId: 'other' },
    };
    const now = Date.UTC(2026, 4, 20, 12);
    const rows = [
      markdownRow('a', 'Answer', { place }),
      markdownRow('b', 'Today', { createdAt: now, place: { startsDay: true } }),
    ];
    await show(rows, { clockMs: now });
    const [first, second] = [open.page.getByRole('article').first(), open.page.getByRole('article').last()];
    expect(await first.locator('.row-day').innerText()).toBe('Wednesday, 4 March 2026');
    expect(await second.locator('.row-day').innerText()).toBe('Today');
    expect(await first.locator('.row-foot').innerText()).toContain('4 min 12 s');
    expect(await first.getByRole('button', { name: 'Next Branch' }).isDisabled()).toBe(true);
    await click(first.getByRole('button', { name: 'Previous Branch' }));
    expect((await open.waitForPost('revealMessage')).messageId).toBe('other');
    await open.tell({
      type: 'patch',
      patches: [{ op: 'replace', row: markdownRow('a', 'Answer'), estimatedLines: 1 }],
    });
    expect(await first.locator('.row-day, .row-foot').count()).toBe(0);
  });

  it('has actions below an answer while the pointer or the focus is in it', async () => {
    await show([
      markdownRow('a', 'Answer', {
        place: { isAnswer: true, branch: { label: 'Branch 2 of 2', previousId: 'other' } },
      }),
      markdownRow('b', 'Progress'),
    ]);
    const [first, second] = [open.page.getByRole('article').first(), open.page.getByRole('article').last()];
    expect(await second.locator('.row-foot').count()).toBe(0);
    const actions = first.locator('.answer-actions');
    const opacity = () => actions.evaluate((node) => getComputedStyle(node).opacity);
    const heightPx = (await first.boundingBox())?.height;
    expect(await opacity()).toBe('0');
    await first.focus();
    expect(await opacity()).toBe('1');
    expect((await first.boundingBox())?.height).toBe(heightPx);
    await click(actions.getByRole('button', { name: 'Copy' }));
    expect(await open.waitForPost('messageAction')).toMatchObject({ action: 'copy', key: 'a', sessionId: 'ses_01' });
    await click(actions.getByRole('button', { name: 'Reply with Quote' }));
    expect(await open.waitForPost('messageAction', 1)).toMatchObject({ action: 'quote', key: 'a' });
    await press(actions.getByRole('button', { name: 'Compare' }), 'Enter');
    const items = open.page.getByRole('menu', { name: 'Compare' }).getByRole('menuitem');
    const labels = (await items.allTextContents()).map((label) => label.trim());
    expect(labels).toEqual([
      'Select for Compare',
      'Compare with Selected',
      'Compare with Clipboard',
      'Compare Branches',
    ]);
    // The focus is in the menu, which is outside the row.
    expect(await opacity()).toBe('1');
    await press(open.page, 'Enter');
    expect(await open.waitForPost('messageAction', 2)).toMatchObject({ action: 'selectForCompare', key: 'a' });
  });

  it('offers Copy Selection instead of Cut and Paste in the context menu of messages', async () => {
    await show([markdownRow('a', 'Answer')]);
    const log = open.page.getByRole('log');
    const context = async () => JSON.parse((await log.getAttribute('data-vscode-context')) ?? '{}') as unknown;
    expect(await context()).toEqual({ preventDefaultContextMenuItems: true, linesideHasSelection: false });
    await open.page.getByRole('article').evaluate((node) => document.getSelection()?.selectAllChildren(node));
    await expect.poll(context).toEqual({ preventDefaultContextMenuItems: true, linesideHasSelection: true });
    await open.page.locator('.composer').evaluate((node) => document.getSelection()?.selectAllChildren(node));
    await expect.poll(context).toEqual({ preventDefaultContextMenuItems: true, linesideHasSelection: false });
  });
});

describe('prompts', () => {
  const prompts = [0, 8, 16];
  const rows = Array.from({ length: 24 }, (_, index) =>
    // The first prompt starts with a code block, whose fence isn't text.
    markdownRow(`m${index}`, `${index === 0 ? '```md\n' : ''}**Words** ${index}. ${'More words. '.repeat(40)}`, {
      role: prompts.includes(index) ? 'user' : 'assistant',
    }),
  );
  const sticky = () => open.page.getByRole('button', { name: /^Current prompt: / });
  beforeEach(async () => {
    open = await pages.open();
    const rowStubs = rows.map((one, index) =>
      prompts.includes(index) ? { ...stubOf(one), isPrompt: true } : stubOf(one),
    );
    await open.tell(setup, conversation(rows, { rowStubs }));
  });
  const isAtTop = (key: string) =>
    expect
      .poll(async () => {
        const view = await open.page.locator('.rows').evaluate((node) => node.getBoundingClientRect().top);
        return Math.abs((await topOf(key)) - view);
      })
      .toBeLessThan(2);

  it('can be navigated one by one, and each is focused and announced', async () => {
    for (const key of ['m16', 'm8', 'm0']) {
      await open.tell({ type: 'goTo', target: 'prompt', by: -1 });
      await isAtTop(key);
      await open.page.locator(`article[data-key="${key}"]:focus`).waitFor();
    }
    await open.tell({ type: 'goTo', target: 'prompt', by: 1 });
    await isAtTop('m8');
    await open.page.getByRole('status').filter({ hasText: 'Current prompt: Words 8.' }).waitFor();
  });

  it('keep the focus and are announced when their bodies arrive later', async () => {
    const rowStubs = rows.map((one, index) => ({ ...stubOf(one), isPrompt: prompts.includes(index) }));
    await open.tell(conversation(rows, { rowStubs, rows: rows.slice(-4), sessionId: 'ses_02' }));
    await open.tell({ type: 'goTo', target: 'prompt', by: -1 });
    await open.page.locator('article.is-waiting[data-key="m16"]:focus').waitFor();
    await open.tell({ type: 'rows', rows: rows.slice(10, 20) });
    await open.page.locator('article[data-key="m16"]:not(.is-waiting):focus').waitFor();
    await open.page.getByRole('status').filter({ hasText: 'Current prompt: Words 16.' }).waitFor();
  });

  it('can be navigated one by one while they are in view together', async () => {
    const short = Array.from({ length: 6 }, (_, index) =>
      markdownRow(`s${index}`, `Short ${index}.`, { role: index % 2 === 0 ? 'user' : 'assistant' }),
    );
    const rowStubs = short.map((one, index) => (index % 2 === 0 ? { ...stubOf(one), isPrompt: true } : stubOf(one)));
    await open.tell(conversation(short, { rowStubs, sessionId: 'ses_02' }));
    const focused = () => open.page.evaluate(() => document.activeElement?.closest('article')?.dataset['key']);
    await open.page.locator('article[data-key="s0"]').focus();
    for (const [by, key] of [
      [1, 's2'],
      [1, 's4'],
      [-1, 's2'],
      [-1, 's0'],
      [-1, 's0'],
    ] as const) {
      await open.tell({ type: 'goTo', target: 'prompt', by });
      expect(await focused()).toBe(key);
    }
    await open.page.getByRole('status').filter({ hasText: 'Nothing more in this direction.' }).waitFor();
  });

  it('stay visible above the messages that follow them, as one line that scrolls back to the prompt', async () => {
    expect(await sticky().innerText()).toMatch(/^Words 16\./);
    const box = await sticky().boundingBox();
    expect(box?.height).toBeLessThan(32);
    await scrollTo('m5');
    await sticky().filter({ hasText: 'Words 0.' }).waitFor();
    await fill(open.page.getByRole('textbox', { name: 'Message' }), 'half a thought');
    await press(sticky(), 'Enter');
    await isAtTop('m0');
    // A visible prompt isn't repeated. The page notices that it is visible one frame after it has scrolled.
    await sticky().waitFor({ state: 'hidden' });
    await open.page.locator('article[data-key="m0"]:focus').waitFor();
    await press(open.page, 'Enter');
    expect((await open.posted()).filter(({ type }) => type === 'send')).toEqual([]);
  });

  it('are not repeated while only the line of their day is out of view', async () => {
    const dated = rows.map((one) => (one.key === 'm8' ? { ...one, place: { startsDay: true } } : one));
    await open.tell({ type: 'rows', rows: dated }, { type: 'goTo', target: 'prompt', by: -1 });
    await open.tell({ type: 'goTo', target: 'prompt', by: -1 });
    await isAtTop('m8');
    await open.page.locator('.rows').evaluate(async (list) => {
      list.scrollBy(0, 24);
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    });
    expect(await sticky().isVisible()).toBe(false);
    const view = await open.page.locator('.rows').boundingBox();
    const heading = await open.page.locator('article[data-key="m8"] .row-head').boundingBox();
    expect(heading!.y).toBeGreaterThan(view!.y);
    await open.page.locator('.rows').evaluate((list) => list.scrollBy(0, 40));
    await sticky().filter({ hasText: 'Words 8.' }).waitFor();
  });
});

describe('times', () => {
  it('are always shown, shown on hover, or hidden, according to the setting and without a reload', async () => {
    await show(manyRows(3));
    const time = open.page.getByRole('article').first().locator('time');
    const opacity = () => time.evaluate((node) => getComputedStyle(node).opacity);
    expect(await opacity()).toBe('1');
    await open.tell({ ...setup, appearance: { times: 'never' } });
    expect(await time.isVisible()).toBe(false);
    await open.tell({ ...setup, appearance: { times: 'hover' } });
    expect(await opacity()).toBe('0');
    await hover(open.page.getByRole('article').first());
    expect(await opacity()).toBe('1');
    expect((await open.posted()).filter(({ type }) => type === 'ready')).toHaveLength(1);
  });

  it('have the short format of the locale, as in documents and tooltips', async () => {
    const createdAt = Date.UTC(2026, 2, 4, 9, 5);
    const morning = markdownRow('m0', 'Words', { createdAt, place: { newSince: createdAt } });
    open = await pages.open();
    await open.tell({ ...setup, locale: 'en-US' }, conversation([morning]));
    await open.page
      .locator('time')
      .filter({ hasText: /^9:05\sAM$/ })
      .waitFor();
    expect(await open.page.locator('.row-new').innerText()).toMatch(/^New since Mar 4, 9:05\sAM$/);
  });
});
