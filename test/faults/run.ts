/**
 * `npm run test:faults`: runs the full fault suite with the seed of the day and writes the results to
 * docs/reliability.md.
 *
 *   npm run test:faults -- --seeds 3    with three seeds, as before a release
 *   SEED=20260304 npm run test:faults   repeats the run of a seed
 *
 * SCHEDULES, LAGS, KILLS, PAIRS, SENDS, UPLOADS, CLOCKS, COMMENTS, and HTTP_EVERY set the extent of the run. Only a
 * full run that passes writes the table.
 */
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryFolder } from '../../tools/editor/install/cache.ts';
import { runProgram } from '../../tools/editor/run/programs.ts';
import { formatMarkdown } from '../../tools/formatMarkdown.ts';
import { seed, seedsFrom, summed, type Tally, tallyFolder } from './tally.ts';

const full = {
  ...{ SCHEDULES: '1000', LAGS: '1000', KILLS: '200', PAIRS: '60', SENDS: '10000', HTTP_EVERY: '1' },
  ...{ UPLOADS: '60', CLOCKS: '1000', COMMENTS: '100' },
};
const columns = ['faults', 'typed', 'scheduled', 'delivered', 'reported', 'lost', 'doubled', 'early'] as const;
const modules = join(repositoryFolder, 'node_modules');
const table = join(repositoryFolder, 'docs', 'reliability.md');

async function readTallies(): Promise<Tally[]> {
  const names = await readdir(tallyFolder);
  const texts = await Promise.all(names.map((name) => readFile(join(tallyFolder, name), 'utf8')));
  return texts.map((text) => JSON.parse(text) as Tally);
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |`;
}

function describe(tallies: readonly Tally[], seeds: readonly number[]): string {
  const totals = columns.map((column) => tallies.reduce((sum, tally) => sum + (tally[column] ?? 0), 0));
  return [
    '# Nothing lost, nothing duplicated',
    '',
    'The faults that the fault suite injects, and what became of the messages. A full run writes this document:',
    '',
    '```sh',
    'npm run test:faults',
    '```',
    '',
    row(['part', ...columns]),
    row(['---', ...columns.map(() => '---:')]),
    ...tallies.map((tally) => row([tally.part, ...columns.map((column) => tally[column] ?? 0)])),
    row(['**all**', ...totals]),
    '',
    '- **typed**: messages that were saved in the outbox when the composer was cleared.',
    '- **scheduled**: of the typed messages, those that waited for a time or until another session was idle. **early**: those',
    '  of them that reached the service before that time, or before that session was idle, although the user had not decided',
    '  to send them.',
    '- **delivered**: listed by the service exactly once at the end.',
    '- **reported**: shown as "Not sent" or "Couldn\'t confirm delivery" at some point. A message is sent again without asking',
    '  only if it certainly was not processed, so a simulated user decided about these: the user checks the conversation,',
    '  discards the messages that it contains, and sends the others again. Messages discarded before they were sent count as',
    '  typed, but not as delivered.',
    '- **lost**: neither listed, nor shown, nor discarded. **doubled**: listed more than once.',
    '- In the row of lagging lists, the messages are those of the service, and the conversation is checked: **delivered**',
    '  messages are shown exactly once in the end, and **reported** ones were counted as not listed yet.',
    '- In the row of scripted sends, **typed** counts pieces of text. In the row of comments, it counts the comments and pieces',
    '  of text that were saved in a draft. They end in a delivered message or in a draft, never in both, unless the user',
    '  removes them.',
    '',
    'A server between the real client and the embedded service injects the HTTP faults, on both routes to the network.',
    'The scripted sends use a page that the test plays: messages from and to the page, and writes to the disk, are delayed at',
    'random.',
    'The random schedules run two windows, or one for lagging lists, with a clock and a service that the test controls.',
    'Two windows share a folder with real files. Real processes are killed and suspended. The SHA-256 of each attachment',
    'that the service receives must be that of the file; a message is shown as not sent if its copy of the file was damaged',
    'on disk, and counts as reported. A scheduled message may not join the queue more than a minute late without asking.',
    '',
    `These are the sums of the runs with ${seeds.length === 1 ? 'the seed' : 'the seeds'} ${seeds.join(', ')}. The seed is the date by default, so each day tries`,
    'other schedules. A failing run prints its seed; `SEED=<seed> npm run test:faults` repeats it. `npm test` runs a',
    'shorter form. Run `npm run test:faults -- --seeds 3` before a release.',
    '',
  ].join('\n');
}

/** Runs the suite with one seed. Resolves to its tallies; undefined if it failed. */
async function runWith(ownSeed: number, environment: Readonly<Record<string, string>>): Promise<Tally[] | undefined> {
  console.log(`fault suite, SEED=${ownSeed}`);
  await rm(tallyFolder, { recursive: true, force: true });
  const vitest = [join(modules, 'vitest', 'vitest.mjs'), 'run', '--project', 'faults'];
  const { code, output } = await runProgram(process.execPath, vitest, {
    folder: repositoryFolder,
    environment: { ...environment, SEED: String(ownSeed) },
  });
  console.log(output.trimEnd());
  if (code === 0) return readTallies();
  console.log(`The fault suite failed. To repeat this run: SEED=${ownSeed} npm run test:faults`);
  return undefined;
}

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '1' } } });
const seeds = seedsFrom(seed, Number(values.seeds));
const environment = Object.fromEntries(Object.entries(full).map(([name, value]) => [name, process.env[name] ?? value]));
const tallies: (Tally[] | undefined)[] = [];
for (const ownSeed of seeds) tallies.push(await runWith(ownSeed, environment));
const passed = tallies.filter((own) => own !== undefined);
const isFull = Object.entries(full).every(([name, value]) => environment[name] === value);
if (passed.length < seeds.length) process.exitCode = 1;
else if (isFull) {
  await writeFile(table, await formatMarkdown(describe(summed(passed.flat()), seeds)));
}
