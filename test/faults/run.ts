/**
 * `npm run test:faults`: the fault suite at its full extent, after which docs/reliability.md says what came of it.
 * SCHEDULES, KILLS, PAIRS and HTTP_EVERY set the extent, SEED repeats a run; the table is written by a full run only.
 */
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFolder } from '../editor/install/cache.ts';
import { runProgram } from '../editor/run/programs.ts';
import { type Tally, tallyFolder } from './tally.ts';

const full = { SCHEDULES: '1000', KILLS: '200', PAIRS: '60', HTTP_EVERY: '1' };
const columns = ['faults', 'typed', 'delivered', 'reported', 'lost', 'doubled'] as const;
const modules = join(repositoryFolder, 'node_modules');
const table = join(repositoryFolder, 'docs', 'reliability.md');

async function readTallies(): Promise<Tally[]> {
  const names = await readdir(tallyFolder);
  const texts = await Promise.all(names.map((name) => readFile(join(tallyFolder, name), 'utf8')));
  return texts.map((text) => JSON.parse(text) as Tally).sort((a, b) => a.order - b.order);
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |`;
}

function describe(tallies: readonly Tally[]): string {
  const totals = columns.map((column) => tallies.reduce((sum, tally) => sum + tally[column], 0));
  return [
    '# Nothing lost, nothing doubled',
    '',
    'What the fault suite tried, and what became of the messages. Written by a full run of it:',
    '',
    '```sh',
    'npm run test:faults',
    '```',
    '',
    row(['tried', ...columns]),
    row(['---', ...columns.map(() => '---:')]),
    ...tallies.map((tally) => row([tally.part, ...columns.map((column) => tally[column])])),
    row(['**all**', ...totals]),
    '',
    '- **typed**: messages that were in the outbox, that is on disk, when the composer let go of them.',
    '- **delivered**: in the list of the service exactly once in the end.',
    '- **reported**: shown as "Not sent" or "Couldn\'t confirm delivery" on the way. Nothing is sent again without asking',
    '  unless it surely was not processed, so these were decided by a person: one who looks at the conversation, discards',
    '  what is there and sends again what is not. Taken back by the person before they went out: typed, not delivered.',
    '- **lost**: neither in the list nor shown nor taken back. **doubled**: in the list more than once.',
    '',
    'The faults of HTTP are played by a server between the real client and the embedded service, on both routes to the',
    'network. The random schedules run two windows on one folder with real files, a clock and a service in the hands of',
    'the test. The kills and stops hit real processes.',
    '',
    'A run that fails prints its seed; `SEED=<seed> npm run test:faults` tries the same again. `npm test` runs a shorter',
    'form.',
    '',
  ].join('\n');
}

await rm(tallyFolder, { recursive: true, force: true });
const environment = Object.fromEntries(Object.entries(full).map(([name, value]) => [name, process.env[name] ?? value]));
const vitest = [join(modules, 'vitest', 'vitest.mjs'), 'run', '--project', 'faults'];
const { code, output } = await runProgram(process.execPath, vitest, { folder: repositoryFolder, environment });
console.log(output.trimEnd());
process.exitCode = code === 0 ? 0 : 1;
const isFull = Object.entries(full).every(([name, value]) => environment[name] === value);
if (code === 0 && isFull) {
  await writeFile(table, describe(await readTallies()));
  const prettier = [join(modules, 'prettier', 'bin', 'prettier.cjs'), '--write', table];
  await runProgram(process.execPath, prettier, { folder: repositoryFolder });
}
