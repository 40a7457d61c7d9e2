/**
 * A warm test process, working in a copy of the repository:
 *
 *   node trial.ts record <folder> <test files...>   runs the tests and records what they enter
 *   node trial.ts try <trial.json>                  tries each mutant of a list against its tests
 *
 * `try` prints `start <id>` and `done <id> <killed|survived|timeout>` for each mutant. It stops after the first
 * timeout, when a process that runs tests still hangs: the caller must end this program with all of its processes, and
 * start it again for the other mutants.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createVitest, type Vitest } from 'vitest/node';
import type { Mutation } from './mutations.ts';
import { PageTools } from './pageTools.ts';
import type { FileRecord, Selection } from './setup.ts';
import { type MutantPlace, type SelectedFile, TestOrder } from './testOrder.ts';

/** A mutant to try. */
export interface Job extends MutantPlace {
  readonly id: number;
  readonly mutation: Mutation;
}

/** The input of `try`. `budgetMs` limits the tests of each mutant. */
export interface Trial {
  readonly jobs: readonly Job[];
  readonly records: readonly FileRecord[];
  readonly budgetMs: number;
}

type TrialFate = 'killed' | 'survived' | 'timeout';

const selection = join(process.cwd(), 'selected.json');
const [command, ...args] = process.argv.slice(2);

async function open(browser?: string): Promise<Vitest> {
  const isRecording = command === 'record';
  const tryVariables = { MUTANTS_SELECTED: selection, ...(browser === undefined ? {} : { MUTANTS_BROWSER: browser }) };
  return createVitest(
    {
      config: false,
      watch: false,
      root: process.cwd(),
      include: ['test/unit/**/*.test.ts', 'test/webview/**/*.test.ts'],
      setupFiles: ['tools/mutants/setup.ts'],
      pool: 'forks',
      maxWorkers: 1,
      bail: isRecording ? 0 : 1,
      testTimeout: isRecording ? 180_000 : 20_000,
      hookTimeout: isRecording ? 180_000 : 20_000,
      expect: { poll: { timeout: isRecording ? 15_000 : 5_000 } },
      env: isRecording ? { MUTANTS_RECORD: args[0] } : tryVariables,
      reporters: [{}],
    },
    {
      logLevel: 'silent',
      ...(isRecording ? {} : { resolve: { alias: { esbuild: join(import.meta.dirname, 'builtPage.ts') } } }),
    },
  );
}

interface FileResult {
  readonly isPassed: boolean;
  /** The full names of the tests that failed. */
  readonly failed: readonly string[];
}

async function run(vitest: Vitest, path: string): Promise<FileResult> {
  const file = join(process.cwd(), path);
  const result = await vitest.runTestSpecifications([vitest.getRootProject().createSpecification(file)]);
  vitest.state.clearErrors();
  // The result also contains the modules of earlier runs.
  const testModules = result.testModules.filter(({ moduleId }) => moduleId === file);
  const errors = [...result.unhandledErrors, ...testModules.flatMap((module) => module.errors())];
  const failed = testModules
    .flatMap((module) => [...module.children.allTests('failed')])
    .map(({ fullName }) => fullName);
  if (command === 'record') for (const reason of [...failed, ...errors]) console.log(reason);
  const isPassed = errors.length === 0 && testModules.length > 0 && testModules.every((module) => module.ok());
  return { isPassed, failed };
}

/** Runs the selected tests of a file. Resolves to undefined if they take much longer than they did without a mutant. */
async function runSelected(
  vitest: Vitest,
  { path, names, ms, slowestMs }: SelectedFile,
): Promise<FileResult | undefined> {
  const chosen: Selection = { names, timeoutMs: 4_000 + 3 * slowestMs };
  writeFileSync(selection, JSON.stringify(chosen));
  const limit = new AbortController();
  const result = await Promise.race([
    run(vitest, path),
    setTimeout(10_000 + 3 * ms, undefined, { signal: limit.signal }).catch(() => undefined),
  ]);
  limit.abort();
  return result;
}

async function fateOf(vitest: Vitest, job: Job, order: TestOrder): Promise<TrialFate> {
  for (const file of order.testsFor(job)) {
    const result = await runSelected(vitest, file);
    if (!result) return 'timeout';
    if (result.isPassed) continue;
    order.killed(job.path, file.path, result.failed);
    return 'killed';
  }
  return 'survived';
}

function hasPageTests({ tests }: Job): boolean {
  return tests.some((prefix) => prefix.startsWith('test/webview/'));
}

/** Tries a mutant. Resolves to whether the next one can be tried. */
async function tryMutant(vitest: Vitest, job: Job, order: TestOrder, tools: PageTools | undefined): Promise<boolean> {
  const file = join(process.cwd(), job.path);
  const original = readFileSync(file, 'utf8');
  const { start, end, replacement } = job.mutation;
  console.log(`start ${job.id}`);
  try {
    writeFileSync(file, original.slice(0, start) + replacement + original.slice(end));
    vitest.invalidateFile(file);
    if (hasPageTests(job)) await tools?.build();
    const fate = await fateOf(vitest, job, order);
    console.log(`done ${job.id} ${fate}`);
    return fate !== 'timeout';
  } finally {
    writeFileSync(file, original);
    vitest.invalidateFile(file);
  }
}

async function recordTests(paths: readonly string[]): Promise<void> {
  const vitest = await open();
  for (const path of paths) {
    // On a busy machine, a test can fail once.
    const isPassed = (await run(vitest, path)).isPassed || (await run(vitest, path)).isPassed;
    console.log(`${isPassed ? 'passed' : 'failed'} ${path}`);
  }
  await vitest.close();
}

async function tryMutants({ jobs, records, budgetMs }: Trial): Promise<void> {
  const tools = jobs.some(hasPageTests) ? await PageTools.start() : undefined;
  const vitest = await open(tools?.address);
  const order = new TestOrder(records, budgetMs);
  for (const job of jobs) if (!(await tryMutant(vitest, job, order, tools))) return;
  await tools?.dispose();
  rmSync(selection, { force: true });
  await vitest.close();
}

if (command === 'record') await recordTests(args.slice(1));
else await tryMutants(JSON.parse(readFileSync(args[0] ?? '', 'utf8')) as Trial);
process.exit(0);
