/**
 * `npm run bench:secrets`: measures how fast the search for likely secrets reads harmless and hostile text, in
 * processor time, and its longest slice in a long text. Fails if a figure misses its goal (R50).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redactingText, redactText } from '../../../src/shared/redaction/redaction.ts';
import { hostilePieces } from '../../../test/unit/shared/redaction/hostilePieces.ts';
import { markdownTable } from '../tables/figures.ts';
import { leastMs, longestSlice } from './threadTime.ts';

const length = 1_000_000;
const goals = { harmless: 20, hostile: 5, sliceMs: 15 };
const runs = 5;

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

/** The speed of the fastest run, which other programs affect least, in MB per second of processor time. */
const speedOf = (text: string) => text.length / 1_000 / leastMs(() => redactText(text), runs);

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
const slice = await longestSlice(redactingText(repeated(harmless['source code'] ?? '').repeat(8)));
const table = [...rows, ...worst].map(({ name, speed, goal }) => [
  name.replaceAll('|', '\\|'),
  speed.toFixed(1),
  `${goal}`,
]);
console.log(markdownTable(['text of 1 MB', 'MB/s', 'goal'], table));
const { ms, collectingMs } = slice;
console.log(
  `longest slice of 8 MB: ${ms.toFixed(1)} ms, ${collectingMs.toFixed(1)} ms of it collecting garbage (goal: at most ${goals.sliceMs} ms)`,
);
const missed = [...rows, ...worst].filter(({ speed, goal }) => speed < goal);
if (missed.length > 0 || ms > goals.sliceMs) process.exitCode = 1;
