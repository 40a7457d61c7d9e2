/**
 * `npm run bench:linear`: measures the processor time per megabyte of every function over text of a service, for prose and
 * for the worst of the attacks of `test/linear`, and the longest time between two pauses. Writes the tables to
 * docs/performance.md.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inSlices } from '../../../src/shared/slices.ts';
import { repositoryFolder } from '../../editor/install/cache.ts';
import { knownAttacks } from '../../linear/attacks.ts';
import { documentFunctions, hostFunctions, pageFunctions, pausableFunctions } from '../../linear/textFunctions.ts';
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

/**
 * The longest processor time of the thread in which nothing else can run while a long text is read in slices, in ms.
 * Unlike the time that passes, it doesn't depend on what else the machine does.
 */
async function longestSlice(read: (text: string) => Iterator<unknown, unknown>, text: string): Promise<number> {
  let longest = 0;
  const end = { isOver: false };
  const work = read(text);
  let before = process.threadCpuUsage();
  const running = inSlices(work).finally(() => (end.isOver = true));
  for (; !end.isOver; before = process.threadCpuUsage()) {
    await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
  }
  await running;
  return longest;
}

/** The attacks that are measured with long texts: those with the longest slices for shorter ones. */
const measuredAttacks = 5;

async function sliceRow(name: string, read: (text: string) => Iterator<unknown, unknown>): Promise<readonly string[]> {
  const least = async (text: string) => {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) times.push(await longestSlice(read, text));
    return Math.min(...times);
  };
  const prose = await least(harmless.repeat(4));
  const found: { readonly made: (length: number) => string; readonly ms: number }[] = [];
  for (const made of Object.values(knownAttacks))
    found.push({ made, ms: await longestSlice(read, made(megabyte / 2)) });
  found.sort((one, other) => other.ms - one.ms);
  const longest: number[] = [];
  for (const { made } of found.slice(0, measuredAttacks)) longest.push(await least(made(2 * megabyte)));
  return [name, shown(prose), shown(Math.max(...longest))];
}

const head = ['ms of processor time per MB', 'prose', 'worst attack', 'which'];
const functions = { ...hostFunctions, ...documentFunctions, ...pageFunctions };
const table = markdownTable(
  head,
  Object.entries(functions).map(([name, run]) => rowOf(name, run)),
);
const slices: (readonly string[])[] = [];
for (const [name, read] of Object.entries(pausableFunctions)) slices.push(await sliceRow(name, read));
const sliceTable = markdownTable(['longest slice, ms', '4 MB of prose', 'worst of 2 MB'], slices);
console.log(`${table}\n\n${sliceTable}`);
await writeBetweenMarkers('linear', `${table}\n\n${sliceTable}`);
