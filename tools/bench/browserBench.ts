import { setTimeout as wait } from 'node:timers/promises';
import { openRig, type OpenPage, type PageRig } from '../../test/webview/rig/pageRig.ts';
import { conversation, setup } from '../../test/webview/rig/samples.ts';
import type { BenchOptions } from './editorBench.ts';
import { type LayoutFigures, traceLayouts } from './layoutTrace.ts';
import { playHost, type Drag, type Opening } from './playedHost.ts';
import { markdownTable, median, percentile } from './tables/figures.ts';

interface Run {
  readonly opening: Opening;
  readonly drag: Drag;
  readonly appendMs: readonly number[];
  readonly keyMs: readonly number[];
  readonly heapMB: number;
  /** Growth of the page's heap for each message that was streamed, after a garbage collection. */
  readonly slopeMB: number;
  readonly elementCount: number;
  readonly dragLayout: LayoutFigures;
  readonly appendLayout: LayoutFigures;
}

const steps = 120;
const appends = 20;
const streamed = 1_000;
/** Time after which the list is at rest. */
const settledMs = 400;

const around = conversation([]).conversation;

async function measure(rig: PageRig, count: number): Promise<Run> {
  const open = await rig.open({ prepare: playHost, widthPx: 500, heightPx: 800 });
  try {
    const { page } = open;
    const emptyMB = await heapMB(open);
    await page.evaluate(([count, setup, around]) => window.playedHost.prepare(count, setup, around), [
      count,
      setup,
      around,
    ] as const);
    const preparedMB = await heapMB(open);
    const opening = await page.evaluate(() => window.playedHost.open());
    const drag = await page.evaluate((steps) => window.playedHost.drag(steps), steps);
    const appendMs = await page.evaluate((appends) => window.playedHost.append(appends), appends);
    await page.locator('textarea').focus();
    await page.keyboard.type('Words are typed while everything is open. '.repeat(2));
    const keyMs = await page.evaluate(() => window.playedHost.takeKeys());
    const elementCount = await page.evaluate(() => document.querySelectorAll('*').length);
    // Exclude the simulated host, which keeps its own copy of all data in the same heap.
    const usedMB = await heapMB(open);
    const pageMB = usedMB - preparedMB + emptyMB;
    await page.evaluate((streamed) => window.playedHost.stream(streamed), streamed);
    const slopeMB = ((await heapMB(open)) - usedMB) / streamed;
    // Last, because a trace takes processor time.
    const dragLayout = await traceLayouts(page, undefined, async () => {
      await page.evaluate((steps) => window.playedHost.drag(steps), steps);
      await wait(settledMs);
    });
    const appendLayout = await traceLayouts(page, undefined, async () => {
      await page.evaluate((appends) => window.playedHost.append(appends), appends);
      await wait(settledMs);
    });
    if (open.errors.length > 0) throw new Error(open.errors.join('\n'));
    return { opening, drag, appendMs, keyMs, elementCount, heapMB: pageMB, slopeMB, dragLayout, appendLayout };
  } finally {
    await open.close();
  }
}

async function heapMB({ page }: OpenPage): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  await client.detach();
  return usedSize / 1_000_000;
}

const figures: readonly { readonly name: string; readonly of: (run: Run) => number; readonly digits: number }[] = [
  { name: 'open: first picture, ms', of: ({ opening }) => opening.paintedMs, digits: 0 },
  { name: 'open: all bodies there, ms', of: ({ opening }) => opening.streamedMs, digits: 0 },
  { name: 'open: longest task, ms', of: ({ opening }) => opening.longestTaskMs, digits: 0 },
  { name: 'open: longest message heard, ms', of: ({ opening }) => opening.longestOwnMs, digits: 1 },
  { name: 'drag: mean step, ms', of: ({ drag }) => mean(drag.stepMs), digits: 1 },
  { name: 'drag: p95 step, ms', of: ({ drag }) => percentile(drag.stepMs, 0.95), digits: 1 },
  { name: 'drag: blank, %', of: ({ drag }) => drag.blankShare * 100, digits: 1 },
  { name: 'append: to picture, ms', of: ({ appendMs }) => median(appendMs), digits: 1 },
  { name: 'type: p95 to picture, ms', of: ({ keyMs }) => percentile(keyMs, 0.95), digits: 1 },
  { name: 'drag: forced layouts', of: ({ dragLayout }) => dragLayout.forcedLayouts, digits: 0 },
  { name: 'drag: layout and styles, ms', of: ({ dragLayout }) => dragLayout.layoutMs + dragLayout.styleMs, digits: 0 },
  { name: 'append: forced layouts', of: ({ appendLayout }) => appendLayout.forcedLayouts / appends, digits: 1 },
  {
    name: 'append: layout and styles, ms',
    of: ({ appendLayout }) => (appendLayout.layoutMs + appendLayout.styleMs) / appends,
    digits: 1,
  },
  { name: 'elements', of: ({ elementCount }) => elementCount, digits: 0 },
  { name: 'heap of the page, MB', of: ({ heapMB }) => heapMB, digits: 1 },
  { name: '1,000 messages streamed: heap, MB a message', of: ({ slopeMB }) => slopeMB, digits: 4 },
];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Measures the page outside VS Code, compared with an empty page that only receives messages. Resolves to the table.
 */
export async function benchBrowser({
  counts,
  runs,
  noteLoad,
}: Pick<BenchOptions, 'counts' | 'runs' | 'noteLoad'>): Promise<string> {
  const floor = await openRig('tools/bench/emptyPage.ts');
  const sessionList = await openRig();
  try {
    const column = (rig: PageRig, count: number) => ({ rig, count, runs: new Array<Run>() });
    const ends = [...new Set([Math.min(...counts), Math.max(...counts)])];
    const columns = [
      ...ends.map((count) => column(floor, count)),
      ...counts.map((count) => column(sessionList, count)),
    ];
    // Interleave the columns, so that other load on the machine affects all of them.
    for (let run = 0; run < runs; run += 1) {
      for (const column of columns) column.runs.push(await measure(column.rig, column.count));
      noteLoad();
    }
    const cell = (runs: readonly Run[], of: (run: Run) => number, digits: number) => {
      const value = median(runs.map(of));
      return Number.isFinite(value) ? value.toFixed(digits) : '–';
    };
    const head = [
      '',
      ...columns.map(({ rig, count }) => (rig === floor ? 'floor, ' : '') + count.toLocaleString('en')),
    ];
    const rows = figures.map(({ name, of, digits }) => [name, ...columns.map(({ runs }) => cell(runs, of, digits))]);
    return markdownTable(head, rows);
  } finally {
    await floor.dispose();
    await sessionList.dispose();
  }
}
