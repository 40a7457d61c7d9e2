/**
 * `npm run bench:secrets`: measures how fast the search for likely secrets reads harmless and hostile text, in processor time, and its
 * longest slice in a long text. Fails if a figure misses its goal (R50).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redactingText, redactText } from '../../../src/shared/redaction/redaction.ts';
import { hostilePieces } from '../../../test/unit/shared/redaction/hostilePieces.ts';
import { markdownTable } from '../tables/figures.ts';

const length = 1_000_000;
const goals = { harmless: 20, hostile: 5, sliceMs: 15 };
const runs = 5;
/** The processor time after which work pauses, as `inSlices` measures it on an idle computer. */
const sliceMs = 4;

const root = join(import.meta.dirname, '../../..');
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
const textOf = (pattern: RegExp) =>
  files
    .filter((path) => pattern.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
const repeated = (text: string) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

const harmless: Readonly<Record<string, string>> = {
  'source code': repeated(textOf(/^src\/.*\.ts$/)),
  documentation: repeated(textOf(/\.md$/)),
  'lock file': repeated(textOf(/^package-lock\.json$/)),
  'style sheets': repeated(textOf(/\.css$/)),
  prose: repeated('The quick brown fox jumps over the lazy dog, and then it goes on. '),
};

/** The speed of the fastest run, in MB per second of processor time, which other programs affect least. */
function speedOf(text: string): number {
  const times = Array.from({ length: runs }, () => {
    const start = process.threadCpuUsage();
    redactText(text);
    return msSince(start) / 1_000;
  });
  return text.length / 1_000_000 / Math.min(...times);
}

/** The processor time of this thread since a measurement, in ms. */
function msSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

/** The longest processor time between two pauses of the work, in ms. */
function longestSlice(text: string): number {
  const work = redactingText(text);
  let longest = 0;
  for (let isOver = false; !isOver;) {
    const start = process.threadCpuUsage();
    let ms = 0;
    while (!isOver && ms < sliceMs) {
      isOver = work.next().done === true;
      ms = msSince(start);
    }
    longest = Math.max(longest, ms);
  }
  return longest;
}

const warmUp = Object.values(harmless);
for (const text of [...warmUp, ...warmUp]) redactText(text);

const rows = Object.entries(harmless).map(([name, text]) => ({ name, speed: speedOf(text), goal: goals.harmless }));
const worst = hostilePieces
  .map((piece) => ({
    name: `hostile: ${JSON.stringify(piece.slice(0, 30))}`,
    speed: speedOf(repeated(piece)),
    goal: goals.hostile,
  }))
  .sort((a, b) => a.speed - b.speed)
  .slice(0, 8);
const slice = longestSlice(repeated(harmless['source code'] ?? '').repeat(8));
const table = [...rows, ...worst].map(({ name, speed, goal }) => [
  name.replaceAll('|', '\\|'),
  speed.toFixed(1),
  `${goal}`,
]);
console.log(markdownTable(['text of 1 MB', 'MB/s', 'goal'], table));
console.log(`longest slice of 8 MB: ${slice.toFixed(1)} ms (goal: at most ${goals.sliceMs} ms)`);
const missed = [...rows, ...worst].filter(({ speed, goal }) => speed < goal);
if (missed.length > 0 || slice > goals.sliceMs) process.exitCode = 1;
