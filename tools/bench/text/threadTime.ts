import { PerformanceObserver } from 'node:perf_hooks';

/**
 * Work pauses after this processor time. `inSlices` measures elapsed time instead, which is the same on an idle
 * computer.
 */
const sliceMs = 4;

/** The processor time of this thread since its start, in ms. It doesn't include other programs and threads. */
export function threadMs(): number {
  // Linux updates the time of a thread only every few milliseconds, or when the time of its process is read.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The least processor time of a few runs, in ms. */
export function leastMs(run: () => unknown, runs: number): number {
  const times = Array.from({ length: runs }, () => {
    const before = threadMs();
    run();
    return threadMs() - before;
  });
  return Math.min(...times);
}

/** The work between two pauses. */
export interface Slice {
  /** The processor time of this thread, in ms. */
  readonly ms: number;
  /** The part of it in which this thread collected garbage, in ms. */
  readonly collectingMs: number;
}

/** Measures the longest slice of work, and how much of it was garbage collection. */
export async function longestSlice(work: Iterator<unknown, unknown>): Promise<Slice> {
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  let longest = { ms: 0, start: 0, end: 0 };
  for (let isOver = false; !isOver;) {
    const start = performance.now();
    const before = threadMs();
    let ms = 0;
    while (!isOver && ms < sliceMs) {
      isOver = work.next().done === true;
      ms = threadMs() - before;
    }
    if (ms > longest.ms) longest = { ms, start, end: performance.now() };
  }
  // Garbage collections are reported in the next turn of the event loop.
  await new Promise<void>((resolve) => void setImmediate(resolve));
  collections.push(...observer.takeRecords());
  observer.disconnect();
  const { ms, start, end } = longest;
  const collectingMs = collections
    .filter((collection) => collection.startTime >= start && collection.startTime < end)
    .reduce((sum, { duration }) => sum + duration, 0);
  return { ms, collectingMs: Math.min(ms, collectingMs) };
}

/** Measures the longest slice of each of several runs, and resolves to the shortest of these. */
export async function leastLongestSlice(start: () => Iterator<unknown, unknown>, runs: number): Promise<Slice> {
  let least = await longestSlice(start());
  for (let run = 1; run < runs; run += 1) {
    const slice = await longestSlice(start());
    if (slice.ms < least.ms) least = slice;
  }
  return least;
}
