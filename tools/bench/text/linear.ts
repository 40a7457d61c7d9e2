/**
 * `npm run bench:linear`: measures the processor time per megabyte of every function over text of a service, for prose and
 * for the worst of the attacks of `test/linear`, and the longest processor time between two pauses. Writes the tables to
 * docs/slow-text.md.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

const docs = ['architecture.md', 'specification.md', 'performance.md', 'content.md'];
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

/** The processor time after which work pauses, as `inSlices` measures it on an idle computer. */
const sliceMs = 4;

/**
 * The longest processor time of this thread between two pauses of work on a long text, in ms. It includes garbage collections
 * of this thread, but not the time of other programs.
 */
function longestSlice(work: Iterator<unknown, unknown>): number {
  let longest = 0;
  for (let isOver = false; !isOver;) {
    const start = process.threadCpuUsage();
    let ms = 0;
    while (!isOver && ms < sliceMs) {
      isOver = work.next().done === true;
      const { user, system } = process.threadCpuUsage(start);
      ms = (user + system) / 1_000;
    }
    longest = Math.max(longest, ms);
  }
  return longest;
}

/** The attacks that are measured with long texts: those with the longest slices for shorter ones. */
const measuredAttacks = 5;

function sliceRow(name: string, read: (text: string) => Iterator<unknown, unknown>): readonly string[] {
  const least = (text: string) => Math.min(...Array.from({ length: runs }, () => longestSlice(read(text))));
  const found = Object.entries(knownAttacks).map(([attack, made]) => {
    return { attack, made, ms: longestSlice(read(made(megabyte / 2))) };
  });
  found.sort((one, other) => other.ms - one.ms);
  const measured = found
    .slice(0, measuredAttacks)
    .map(({ attack, made }) => ({ attack, ms: least(made(2 * megabyte)) }));
  const worst = measured.reduce((one, other) => (other.ms > one.ms ? other : one));
  return [name, shown(least(harmless.repeat(4))), shown(worst.ms), worst.attack];
}

const head = ['ms of processor time per MB', 'prose', 'worst attack', 'which'];
const functions = { ...hostFunctions, ...documentFunctions, ...pageFunctions };
const table = markdownTable(
  head,
  Object.entries(functions).map(([name, run]) => rowOf(name, run)),
);
const sliceTable = markdownTable(
  ['longest slice, ms of processor time', '4 MB of prose', 'worst of 2 MB', 'which'],
  Object.entries(pausableFunctions).map(([name, read]) => sliceRow(name, read)),
);
console.log(`${table}\n\n${sliceTable}`);
await writeBetweenMarkers('linear', `${table}\n\n${sliceTable}`);
