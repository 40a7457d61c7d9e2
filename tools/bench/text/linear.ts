/**
 * `npm run bench:linear`: measures the processor time per megabyte of every function over text of a service, for prose and
 * for the worst of the attacks of `test/linear`, and the longest time between two pauses, with and without garbage
 * collections. Writes the tables to docs/performance.md.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { inSlices } from '../../../src/shared/slices.ts';
import { repositoryFolder } from '../../editor/install/cache.ts';
import { knownAttacks } from '../../../test/linear/attacks.ts';
import {
  documentFunctions,
  hostFunctions,
  pageFunctions,
  pausableFunctions,
} from '../../../test/linear/textFunctions.ts';
import { markdownTable } from '../tables/figures.ts';
import { writeBetweenMarkers } from '../tables/report.ts';

const megabyte = 1_000_000;
/** The length of the texts with which the worst attack is searched. */
const searchLength = 50_000;
/** What takes longer per megabyte isn't linear, so it isn't measured with a megabyte. */
const longestMs = 3_000;
const runs = 3;

const docs = ['architecture.md', 'performance.md', 'content.md'];
const prose = (await Promise.all(docs.map((name) => readFile(join(repositoryFolder, 'docs', name), 'utf8')))).join(
  '\n',
);
const harmless = prose.repeat(Math.ceil(megabyte / prose.length)).slice(0, megabyte);

/** The least processor time of a few runs, in ms. */
function processorMs(run: () => unknown, count: number): number {
  const times = Array.from({ length: count }, () => {
    const before = process.cpuUsage();
    run();
    return msSince(before);
  });
  return Math.min(...times);
}

/** The processor time since a measurement, in ms. */
function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function perMegabyte(run: (text: string) => unknown, text: string, count: number): number {
  return (processorMs(() => run(text), count) * megabyte) / text.length;
}

function rowOf(name: string, run: (text: string) => unknown): readonly string[] {
  run(harmless);
  const found = Object.entries(knownAttacks).map(([attack, made]) => {
    return { attack, made, ms: perMegabyte(run, made(searchLength), 2) };
  });
  const worst = found.reduce((one, other) => (other.ms > one.ms ? other : one));
  // Some functions read nothing of a text that is longer than their limit.
  const ms = worst.ms > longestMs ? worst.ms : Math.max(worst.ms, perMegabyte(run, worst.made(megabyte), runs));
  return [name, shown(perMegabyte(run, harmless, runs)), shown(ms), worst.attack];
}

const shown = (ms: number) => (ms < 0.95 ? ms.toFixed(1) : ms.toFixed(0));

/** The longest times between two pauses of work on a long text, in ms. */
interface Stall {
  /** With the garbage collections that happened meanwhile. */
  readonly all: number;
  /** Without them. */
  readonly own: number;
}

/** Measures the longest times in which nothing else can run while a long text is read in slices. */
async function longestSlice(read: (text: string) => Iterator<unknown, unknown>, text: string): Promise<Stall> {
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const slices: { readonly start: number; readonly end: number }[] = [];
  const end = { isOver: false };
  const work = read(text);
  let start = performance.now();
  const running = inSlices(work).finally(() => (end.isOver = true));
  for (; !end.isOver; start = performance.now()) {
    await new Promise((resolve) => setImmediate(resolve));
    slices.push({ start, end: performance.now() });
  }
  await running;
  // The observer is told of a collection in a later turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 10));
  observer.disconnect();
  const stall = { all: 0, own: 0 };
  for (const slice of slices) {
    const all = slice.end - slice.start;
    if (all <= stall.own) continue;
    const inSlice = collections.filter(({ startTime }) => startTime >= slice.start && startTime < slice.end);
    const own = all - inSlice.reduce((sum, { duration }) => sum + duration, 0);
    stall.all = Math.max(stall.all, all);
    stall.own = Math.max(stall.own, own);
  }
  return stall;
}

/** The attacks that are measured with long texts: those with the longest slices for shorter ones. */
const measuredAttacks = 5;

const longer = (one: Stall, other: Stall): Stall => ({
  all: Math.max(one.all, other.all),
  own: Math.max(one.own, other.own),
});
const shorter = (one: Stall, other: Stall): Stall => ({
  all: Math.min(one.all, other.all),
  own: Math.min(one.own, other.own),
});

async function sliceRow(name: string, read: (text: string) => Iterator<unknown, unknown>): Promise<readonly string[]> {
  const least = async (text: string) => {
    const stalls: Stall[] = [];
    for (let run = 0; run < runs; run += 1) stalls.push(await longestSlice(read, text));
    return stalls.reduce(shorter);
  };
  const prose = await least(harmless.repeat(4));
  const found: { readonly made: (length: number) => string; readonly own: number }[] = [];
  for (const made of Object.values(knownAttacks))
    found.push({ made, own: (await longestSlice(read, made(megabyte / 2))).own });
  found.sort((one, other) => other.own - one.own);
  let worst = { all: 0, own: 0 };
  for (const { made } of found.slice(0, measuredAttacks)) worst = longer(worst, await least(made(2 * megabyte)));
  return [name, shown(prose.own), shown(prose.all), shown(worst.own), shown(worst.all)];
}

const head = ['ms of processor time per MB', 'prose', 'worst attack', 'which'];
const functions = { ...hostFunctions, ...documentFunctions, ...pageFunctions };
const table = markdownTable(
  head,
  Object.entries(functions).map(([name, run]) => rowOf(name, run)),
);
const slices: (readonly string[])[] = [];
for (const [name, read] of Object.entries(pausableFunctions)) slices.push(await sliceRow(name, read));
const sliceTable = markdownTable(
  ['longest slice, ms', '4 MB of prose', 'with collections', 'worst of 2 MB', 'with collections'],
  slices,
);
console.log(`${table}\n\n${sliceTable}`);
await writeBetweenMarkers('linear', `${table}\n\n${sliceTable}`);
