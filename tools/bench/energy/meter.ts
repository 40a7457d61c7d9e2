import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import type { Door } from '../door.ts';

/** What a window used while it was left alone. */
export interface SpentFigures {
  /** Processor time of the extension host, in % of one core. */
  readonly hostPercent: number;
  /** Processor time of all processes that draw pages (the workbench and its webviews), in % of one core. */
  readonly pagesPercent: number;
  readonly requestsPerMinute: number;
  readonly writtenKBPerMinute: number;
}

/** What happened in the pages of a window. */
export interface TracedFigures {
  /** Frames that the browser drew, of the workbench and its webviews together. */
  readonly framesPerMinute: number;
  /** Timers that fired in pages. */
  readonly timersPerMinute: number;
}

export type EnergyFigures = SpentFigures & TracedFigures;

const traceMs = 15_000;
const traceSchema = z.object({ traceEvents: z.array(z.object({ name: z.optional(z.string()) })) });

/** Measures one window. Its browser must not have other windows. */
export class EnergyMeter {
  readonly #page: Page;
  readonly #requestCount: () => number;

  constructor(page: Page, requestCount: () => number) {
    this.#page = page;
    this.#requestCount = requestCount;
  }

  /** Measures what the window uses during the next `windowMs`. */
  async measure(door: Door, windowMs: number): Promise<SpentFigures> {
    const [hostBefore, pagesBefore, requestsBefore] = [await door.usage(), await this.#pagesMs(), this.#requestCount()];
    const startedAtMs = performance.now();
    await wait(windowMs);
    const passedMs = performance.now() - startedAtMs;
    const [host, pagesMs, requests] = [await door.usage(), await this.#pagesMs(), this.#requestCount()];
    const minutes = passedMs / 60_000;
    return {
      hostPercent: ((host.cpuMs - hostBefore.cpuMs) / passedMs) * 100,
      pagesPercent: ((pagesMs - pagesBefore) / passedMs) * 100,
      requestsPerMinute: (requests - requestsBefore) / minutes,
      writtenKBPerMinute: (host.writtenBytes - hostBefore.writtenBytes) / 1_000 / minutes,
    };
  }

  /** Counts frames and timers, which takes processor time. */
  async trace(): Promise<TracedFigures> {
    const browser = this.#browser();
    await browser.startTracing(this.#page, { categories: ['devtools.timeline', 'viz'] });
    await wait(traceMs);
    const trace = await browser.stopTracing();
    const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString('utf8')));
    const perMinute = (name: string) => (traceEvents.filter((event) => event.name === name).length * 60_000) / traceMs;
    return { framesPerMinute: perMinute('Display::DrawAndSwap'), timersPerMinute: perMinute('TimerFire') };
  }

  /** Processor time in ms that all page processes of the browser have used. */
  async #pagesMs(): Promise<number> {
    const session = await this.#browser().newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0);
  }

  #browser() {
    const browser = this.#page.context().browser();
    if (!browser) throw new Error('The window has no browser.');
    return browser;
  }
}
