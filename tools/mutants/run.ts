/**
 * `npm run mutants`: makes small changes to the source, one at a time, and counts those that no test detects.
 *
 *   npm run mutants                             300 mutants a room; writes the table of docs/mutants.md
 *   npm run mutants -- --sample 60              fewer; prints the result only
 *   npm run mutants -- --only src/sync/lease    only files whose path starts with this, or with one of a list (a,b)
 *
 * `--seed` chooses another sample, `--workers` (2) the number of test processes, and `--budget` (20) the seconds of
 * tests for one mutant. Survivors are listed in test-results/mutants/survivors.md. Fails if a room misses its goal.
 */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryFolder } from '../editor/install/cache.ts';
import { seeded } from '../../test/faults/tally.ts';
import { formatMarkdown } from '../formatMarkdown.ts';
import { type MarkedFile, markBlocks } from './blocks.ts';
import { type Fate, MutantBox } from './box.ts';
import { mutationsOf, type Mutation } from './mutations.ts';
import { type MutatedRoom, mutatedRooms } from './rooms.ts';
import type { FileRecord } from './setup.ts';
import { TestOrder } from './testOrder.ts';
import type { Job } from './trial.ts';

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    only: { type: 'string', default: 'src/' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    budget: { type: 'string', default: '20' },
  },
});
const sampleSize = Number(options.sample);
const budgetMs = Number(options.budget) * 1000;
const only = options.only.split(',');
const isFull = sampleSize >= 300 && options.only === 'src/';

interface Mutant extends Job {
  readonly room: MutatedRoom;
  readonly line: number;
  readonly before: string;
}

const paths = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'src', 'test', 'tools'],
  {
    cwd: repositoryFolder,
    encoding: 'utf8',
  },
)
  .split('\0')
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'));
const startsWithAny = (prefixes: readonly string[]) => (path: string) =>
  prefixes.some((prefix) => path.startsWith(prefix));

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** All mutants of a room, or a sample of them. They are numbered later. */
async function mutantsOf(room: MutatedRoom): Promise<readonly Mutant[]> {
  const sources = paths.filter(startsWithAny(room.sources)).filter(startsWithAny(only));
  const found = await Promise.all(
    sources.map(async (path) => {
      const text = await readFile(join(repositoryFolder, path), 'utf8');
      const { blockAt } = markBlocks(path, text);
      return mutationsOf(path, text).map((mutation) => described(room, path, text, mutation, blockAt));
    }),
  );
  return shuffled(found.flat(), seeded(Number(options.seed))).slice(0, sampleSize);
}

function described(
  room: MutatedRoom,
  path: string,
  text: string,
  mutation: Mutation,
  blockAt: MarkedFile['blockAt'],
): Mutant {
  const line = text.slice(0, mutation.start).split('\n').length;
  const block = `${path}#${blockAt(mutation.start)}`;
  const before = text.slice(mutation.start, mutation.end);
  return { id: 0, path, block, tests: room.tests, mutation, room, line, before };
}

async function recordTests(boxes: readonly MutantBox[], rooms: readonly MutatedRoom[]): Promise<readonly FileRecord[]> {
  const sources = paths.filter((path) => rooms.some((room) => startsWithAny(room.sources)(path)));
  const tests = paths.filter(
    (path) => path.endsWith('.test.ts') && rooms.some((room) => startsWithAny(room.tests)(path)),
  );
  const shares = boxes.map((_, share) => tests.filter((_, index) => index % boxes.length === share));
  const records = await Promise.all(boxes.map((box, share) => box.record(sources, shares[share] ?? [])));
  return records.flat();
}

/**
 * Tries all mutants. Each box gets its share of the mutants of a file and tries them one after another, because the
 * other files stay compiled meanwhile.
 */
async function fatesOf(
  boxes: readonly MutantBox[],
  mutants: readonly Mutant[],
  records: readonly FileRecord[],
): Promise<ReadonlyMap<Mutant, Fate>> {
  const fates = new Map<Mutant, Fate>(mutants.map((mutant) => [mutant, 'unreached']));
  const order = new TestOrder(records, budgetMs);
  const reached = mutants.filter((mutant) => order.testsFor(mutant).length > 0);
  const trials = boxes.map((box, share) => {
    const jobs = reached.filter((_, index) => index % boxes.length === share);
    return box.try({ jobs, records, budgetMs }, ({ id }, fate) => {
      const mutant = mutants[id];
      if (mutant) fates.set(mutant, fate);
      if (mutant && fate !== 'killed') console.log(`${fate}: ${line(mutant)}`);
    });
  });
  await Promise.all(trials);
  return fates;
}

function line({ path, line, before, mutation }: Mutant): string {
  const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);
  return `${path}:${line} (${mutation.kind}) ${short(before)} -> ${short(mutation.replacement)}`;
}

function tableOf(rooms: readonly MutatedRoom[], fates: ReadonlyMap<Mutant, Fate>): string {
  const rows = rooms.map((room) => {
    const own = [...fates].filter(([mutant]) => mutant.room === room).map(([, fate]) => fate);
    const killed = own.filter((fate) => fate === 'killed' || fate === 'timeout').length;
    const percent = own.length === 0 ? 100 : (100 * killed) / own.length;
    if (percent < room.goal) process.exitCode = 1;
    return `| ${[room.name, own.length, killed, own.length - killed, `${percent.toFixed(0)} %`, `${room.goal} %`].join(' | ')} |`;
  });
  const head = ['| room | mutants | killed | survived | share | goal |', '| --- | ---: | ---: | ---: | ---: | ---: |'];
  return [...head, ...rows].join('\n');
}

async function writeTable(table: string): Promise<void> {
  const file = join(repositoryFolder, 'docs', 'mutants.md');
  const text = await readFile(file, 'utf8');
  const withTable = text.replace(/\| room[^]*?\n(?!\|)/, () => `${table}\n`);
  await writeFile(file, await formatMarkdown(withTable));
}

const startedAtMs = Date.now();
const byRoom = await Promise.all(mutatedRooms.map(mutantsOf));
const rooms = mutatedRooms.filter((_, index) => (byRoom[index] ?? []).length > 0);
const boxes: MutantBox[] = [];
for (let box = 0; box < Number(options.workers); box += 1) boxes.push(await MutantBox.create(`box${box}`));
const records = await recordTests(boxes, rooms);
console.log(`recorded ${records.length} test files (${((Date.now() - startedAtMs) / 1000).toFixed(0)} s)`);
const mutants = byRoom
  .flat()
  .sort((a, b) => a.path.localeCompare(b.path))
  .map((mutant, id) => ({ ...mutant, id }));
const fates = await fatesOf(boxes, mutants, records);
const survivors = [...fates].filter(([, fate]) => fate === 'survived' || fate === 'unreached');
const survivorsText = survivors.map(([mutant, fate]) => `- ${fate}: ${line(mutant)}`).join('\n');
await writeFile(join(repositoryFolder, 'test-results', 'mutants', 'survivors.md'), `${survivorsText}\n`);
const table = tableOf(rooms, fates);
if (isFull) await writeTable(table);
console.log(table);
console.log(
  `${fates.size} mutants in ${((Date.now() - startedAtMs) / 60_000).toFixed(1)} minutes, seed ${options.seed}`,
);
