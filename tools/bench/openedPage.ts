import { setTimeout as wait } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import type { WebviewChoice, Workbench } from '../editor/drive/workbench.ts';
import { frameMs, percentile } from './tables/figures.ts';

/** Measurements of one page, from its opening to the last turn of the wheel. Times in ms, memory in MB. */
export interface PageFigures {
  readonly openMs: number;
  readonly longestTaskMs: number;
  /** The number of tasks longer than 50 ms while opening. */
  readonly longTasks: number;
  readonly dragMeanMs: number;
  readonly dragP95Ms: number;
  readonly dragBlankPercent: number;
  readonly wheelDroppedPercent: number;
  readonly appendMs: number;
  readonly keyP95Ms: number;
  readonly elementCount: number;
  readonly heapMB: number;
}

export interface Opening {
  readonly choice: Required<WebviewChoice>;
  /** Opens the page. Resolves to the start time in Unix ms. */
  open(): Promise<number>;
  /**
   * Adds a message that the page shows at its end. Resolves to the time at which the extension was notified, in Unix
   * ms.
   */
  append(text: string): Promise<number>;
}

/** The number of messages that {@link appendMessages} adds. */
export const appends = 12;
const typed = 'Words are typed while everything is open, as quickly as a person can.';

/** Opens a page and takes all measurements, in the order in which a user would encounter them. */
export async function measurePage(workbench: Workbench, opening: Opening): Promise<PageFigures> {
  const heapBeforeMB = await heapMB(workbench.page);
  const atMs = await opening.open();
  const frame = await outerFrame(workbench, opening.choice);
  await frame.waitForFunction(() => window.framePlay.firstPaintAtMs > 0);
  await frame.evaluate(() => window.framePlay.begin());
  await untilQuiet(frame);
  const opened = await frame.evaluate(() => ({ ...window.framePlay }));
  const drag = await frame.evaluate(() => window.framePlay.drag(120));
  await untilQuiet(frame);
  const appendMs = await appendMessages(frame, opening);
  const keyMs = await typeWords(workbench, frame);
  const wheelDroppedPercent = await turnWheel(workbench, frame);
  const elementCount = await pageIn(frame).evaluate(() => document.querySelectorAll('*').length);
  const heapAfterMB = await heapMB(workbench.page);
  return {
    openMs: opened.firstPaintAtMs - atMs,
    longestTaskMs: opened.longestTaskMs,
    longTasks: opened.longTasks,
    dragMeanMs: drag.stepMs.reduce((sum, ms) => sum + ms, 0) / drag.stepMs.length,
    dragP95Ms: percentile(drag.stepMs, 0.95),
    dragBlankPercent: drag.blankShare * 100,
    wheelDroppedPercent,
    appendMs,
    keyP95Ms: percentile(keyMs, 0.95),
    elementCount,
    heapMB: heapAfterMB - heapBeforeMB,
  };
}

/** Adds {@link appends} messages, one at a time. Resolves to the mean time to the paint that shows one, in ms. */
export async function appendMessages(frame: Frame, opening: Opening): Promise<number> {
  let sumMs = 0;
  for (let round = 0; round < appends; round += 1) {
    const text = `added ${round} ${crypto.randomUUID()}`;
    // Waits and paints both end at a frame boundary, so spread the messages evenly across the frame.
    await wait((frameMs * (round + 0.5)) / appends);
    const painted = frame.evaluate((text) => window.framePlay.paintedAtMs(text), text);
    const toldAtMs = await opening.append(text);
    sumMs += (await painted) - toldAtMs;
    await untilQuiet(frame);
  }
  return sumMs / appends;
}

/** The outer frame of the webview, which holds the benchmark's state. */
export async function outerFrame(workbench: Workbench, choice: WebviewChoice): Promise<Frame> {
  const body = workbench.webview(choice).locator('body');
  await body.locator('article[data-key]').first().waitFor({ timeout: 120_000 });
  const [handle] = await body.elementHandles();
  const frame = (await handle?.ownerFrame())?.parentFrame();
  if (!frame) throw new Error('The webview has no frame.');
  return frame;
}

/** The inner frame, which holds the page. */
function pageIn(outer: Frame): Frame {
  const inner = outer.childFrames().find((frame) => frame.name() === 'active-frame') ?? outer.childFrames()[0];
  if (!inner) throw new Error('The webview has no page.');
  return inner;
}

/** Waits until the page has received no messages for a while. */
export async function untilQuiet(frame: Frame): Promise<void> {
  await frame.waitForFunction(() => Date.now() - window.framePlay.lastHeardAtMs > 700, undefined, { timeout: 60_000 });
}

async function typeWords(workbench: Workbench, frame: Frame): Promise<number[]> {
  await pageIn(frame).locator('textarea:visible').first().click();
  await workbench.page.keyboard.type(typed, { delay: 40 });
  const taken: number[] = [];
  while (taken.length < typed.length) {
    taken.push(...(await frame.evaluate(() => window.framePlay.takeKeys())));
    await wait(20);
  }
  return taken;
}

/** Percentage of frames dropped while the wheel turns 120 notches. */
async function turnWheel(workbench: Workbench, frame: Frame): Promise<number> {
  const box = await pageIn(frame).locator('.rows').boundingBox();
  if (!box) throw new Error('There is nothing to scroll.');
  await pageIn(frame).evaluate(() => document.querySelector('.rows')?.scrollTo(0, 15_000));
  await workbench.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await wait(300);
  await frame.evaluate(() => window.framePlay.takeFrames());
  for (let notch = 0; notch < 120; notch += 1) await workbench.page.mouse.wheel(0, -100);
  const frames = await frame.evaluate(() => window.framePlay.takeFrames());
  const due = frames.map((ms) => Math.max(1, Math.round(ms / frameMs)));
  const dropped = due.reduce((sum, count) => sum + count - 1, 0);
  return (dropped / (frames.length + dropped)) * 100;
}

/** Heap use in MB of the window's renderer, which its webviews share, after a garbage collection. */
async function heapMB(page: Page): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  await client.detach();
  return usedSize / 1e6;
}
