/**
 * `npm run bench:linear`: measures the processor time per megabyte of every function that reads text from a service,
 * for prose and for the worst of the attacks of `test/linear`, and the longest processor time between two pauses.
 * Writes the tables to docs/slow-text.md.
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
import { leastLongestSlice, leastMs, longestSlice, type Slice } from './threadTime.ts';

const megabyte = 1_000_000;
/** The length of the texts that are used to find the worst attack. */
const searchLength = 50_000;
/** A function that takes longer per megabyte isn't linear, so it isn't measured with a whole megabyte. */
const longestMs = 3_000;
const runs = 3;

const docs = ['architecture.md', 'specification.md', 'performance.md', 'content.md'];
const prose = (await Promise.all(docs.map((name) => readFile(join(repositoryFolder, 'docs', name), 'utf8')))).join(
  '\n',
);
const harmless = prose.repeat(Math.ceil(megabyte / prose.length)).slice(0, megabyte);

function perMegabyte(run: (text: string) => unknown, text: string, count: number): number {
  return (leastMs(() => run(text), count) * megabyte) / text.length;
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

/** The number of attacks that are measured with long texts: those with the longest slices in shorter texts. */
const measuredAttacks = 5;

async function sliceRow(name: string, read: (text: string) => Iterator<unknown, unknown>): Promise<readonly string[]> {
  const found: { readonly attack: string; readonly ms: number }[] = [];
  for (const [attack, made] of Object.entries(knownAttacks)) {
    found.push({ attack, ms: (await longestSlice(read(made(megabyte / 2)))).ms });
  }
  found.sort((one, other) => other.ms - one.ms);
  let worst = { attack: '', slice: { ms: 0, collectingMs: 0 } };
  for (const { attack } of found.slice(0, measuredAttacks)) {
    const text = knownAttacks[attack]?.(2 * megabyte) ?? '';
    const slice = await leastLongestSlice(() => read(text), runs);
    if (slice.ms > worst.slice.ms) worst = { attack, slice };
  }
  const long = harmless.repeat(4);
  const usual = await leastLongestSlice(() => read(long), runs);
  return [name, ...shownSlice(usual), ...shownSlice(worst.slice), worst.attack];
}

const shownSlice = ({ ms, collectingMs }: Slice) => [shown(ms), shown(collectingMs)];

const head = ['ms of processor time per MB', 'prose', 'worst attack', 'which'];
const functions = { ...hostFunctions, ...documentFunctions, ...pageFunctions };
const table = markdownTable(
  head,
  Object.entries(functions).map(([name, run]) => rowOf(name, run)),
);
const sliceRows: (readonly string[])[] = [];
for (const [name, read] of Object.entries(pausableFunctions)) sliceRows.push(await sliceRow(name, read));
const sliceTable = markdownTable(
  ['longest slice, ms of processor time', '4 MB of prose', 'collecting', 'worst of 2 MB', 'collecting', 'which'],
  sliceRows,
);
console.log(`${table}\n\n${sliceTable}`);
await writeBetweenMarkers('linear', `${table}\n\n${sliceTable}`);
