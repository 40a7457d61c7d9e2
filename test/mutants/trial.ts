/**
 * A warm test process, working in a copy of the repository:
 *
 *   node trial.ts record <folder> <test files...>   runs the tests and records what they enter
 *   node trial.ts try <jobs.json>                   tries each mutant of a list against its tests
 *
 * `try` prints `start <id>` and `done <id> <killed|survived>` for each mutant. The process that started it ends it if a
 * mutant takes too long.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import type { Mutation } from './mutations.ts';

/** A mutant and the tests that run its block. */
export interface Job {
  readonly id: number;
  readonly path: string;
  readonly mutation: Mutation;
  /** In the order in which they are run. */
  readonly files: readonly { readonly path: string; readonly tests: readonly string[] }[];
}

const selection = join(process.cwd(), 'selected.json');
const [command, ...args] = process.argv.slice(2);

async function open(): Promise<Vitest> {
  const isRecording = command === 'record';
  return createVitest(
    {
      config: false,
      watch: false,
      root: process.cwd(),
      include: ['test/unit/**/*.test.ts', 'test/webview/**/*.test.ts'],
      setupFiles: ['test/mutants/setup.ts'],
      pool: 'forks',
      maxWorkers: 1,
      bail: isRecording ? 0 : 1,
      testTimeout: 20_000,
      hookTimeout: 20_000,
      expect: { poll: { timeout: isRecording ? 15_000 : 5_000 } },
      env: isRecording ? { MUTANTS_RECORD: args[0] } : { MUTANTS_SELECTED: selection },
      reporters: [{}],
    },
    { logLevel: 'silent' },
  );
}

async function passes(vitest: Vitest, path: string): Promise<boolean> {
  const file = join(process.cwd(), path);
  const result = await vitest.runTestSpecifications([vitest.getRootProject().createSpecification(file)]);
  vitest.state.clearErrors();
  // The result also contains the modules of earlier runs.
  const testModules = result.testModules.filter(({ moduleId }) => moduleId === file);
  const errors = [...result.unhandledErrors, ...testModules.flatMap((module) => module.errors())];
  if (command === 'record') {
    const failed = testModules.flatMap((module) => [...module.children.allTests('failed')]);
    for (const { fullName } of failed) console.log(`  ${fullName}`);
    for (const error of errors) console.log(error);
  }
  return errors.length === 0 && testModules.length > 0 && testModules.every((module) => module.ok());
}

async function isKilled(vitest: Vitest, job: Job): Promise<boolean> {
  for (const { path, tests } of job.files) {
    writeFileSync(selection, JSON.stringify(tests));
    if (!(await passes(vitest, path))) return true;
  }
  return false;
}

async function tryMutant(vitest: Vitest, job: Job): Promise<void> {
  const file = join(process.cwd(), job.path);
  const original = readFileSync(file, 'utf8');
  const { start, end, replacement } = job.mutation;
  console.log(`start ${job.id}`);
  try {
    writeFileSync(file, original.slice(0, start) + replacement + original.slice(end));
    vitest.invalidateFile(file);
    console.log(`done ${job.id} ${(await isKilled(vitest, job)) ? 'killed' : 'survived'}`);
  } finally {
    writeFileSync(file, original);
    vitest.invalidateFile(file);
  }
}

const vitest = await open();
if (command === 'record') {
  for (const path of args.slice(1)) {
    // On a busy machine, a test can fail once.
    const isPassed = (await passes(vitest, path)) || (await passes(vitest, path));
    console.log(`${isPassed ? 'passed' : 'failed'} ${path}`);
  }
} else {
  const jobs = JSON.parse(readFileSync(args[0] ?? '', 'utf8')) as readonly Job[];
  for (const job of jobs) await tryMutant(vitest, job);
}
rmSync(selection, { force: true });
await vitest.close();
process.exit(0);
