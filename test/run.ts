/**
 * `npm test`: runs all checks, and prints a line when each one starts and ends. At the end, it lists the slowest test
 * files and, for each failed test, the name of its picture and the end of the extension's log. The last line shows the
 * totals:
 *
 *   412 passed, 0 failed
 *
 * Each tool (formatter, linter, type checker, structure, package) counts as one check, and so does each test of a ring.
 * All steps run, but the end-to-end tests fail without a package. The exit code is 1 if anything failed or nothing
 * passed.
 */
import { join } from 'node:path';
import { Lazy } from '../src/shared/lazy.ts';
import { repositoryFolder } from '../tools/editor/install/cache.ts';
import { runProgram } from '../tools/editor/run/programs.ts';
import { faultsOf, packageExtension } from '../tools/editor/vsix.ts';
import { seed } from './faults/tally.ts';
import { processors } from './workers.ts';
import { type Counts, type FileTime, ring, type StepOutcome } from './ring.ts';

interface Step {
  readonly name: string;
  run(): Promise<StepOutcome>;
}

const modules = join(repositoryFolder, 'node_modules');
const programs = {
  oxfmt: join(modules, 'oxfmt', 'bin', 'oxfmt'),
  oxlint: join(modules, 'oxlint', 'bin', 'oxlint'),
  tsc: join(modules, 'typescript7', 'bin', 'tsc'),
};
/** The package, which several steps need. */
const vsix = new Lazy(() => packageExtension());

const checks: readonly Step[] = [
  { name: 'format', run: () => tool(programs.oxfmt, [['--check', '.']]) },
  { name: 'lint', run: () => tool(programs.oxlint, [['--deny-warnings']]) },
  {
    name: 'types',
    run: () =>
      tool(programs.tsc, [
        ['-p', '.'],
        ['-p', 'src/webview'],
        ['-p', 'test'],
      ]),
  },
  { name: 'structure', run: () => tool(join(repositoryFolder, 'tools', 'structure', 'print.ts'), [[]]) },
];

/**
 * Steps that use one processor run next to each other, as many as there are processors. Then the rings follow one after
 * the other, because each uses all processors: running two at once takes as long, and makes every wait in them longer.
 */
const singleProcessor: readonly Step[] = [{ name: 'package', run: packageStep }, ...checks];
const allProcessors: readonly Step[] = [
  { name: 'unit tests', run: unitTests },
  { name: `fault tests, the shorter form, SEED=${seed}`, run: () => ring('faults', { SEED: String(seed) }) },
  { name: 'page tests', run: () => ring('webview') },
  { name: 'end-to-end tests', run: endToEnd },
];

/** Runs a tool once for each list of arguments. Together, the runs count as one check. */
async function tool(program: string, runs: readonly (readonly string[])[]): Promise<StepOutcome> {
  let output = '';
  for (const args of runs) {
    const result = await runProgram(process.execPath, [program, ...args], { folder: repositoryFolder });
    if (result.code !== 0) output += result.output || `${program} ended with code ${result.code}\n`;
  }
  return one(output);
}

function one(failure: string): StepOutcome {
  return { passed: failure ? 0 : 1, failed: failure ? 1 : 0, skipped: 0, output: failure };
}

async function packageStep(): Promise<StepOutcome> {
  return one(faultsOf(await vsix.get()).join('\n'));
}

async function endToEnd(): Promise<StepOutcome> {
  return ring('e2e', { LINESIDE_VSIX: (await vsix.get()).file });
}

/** One of the tests compares the package, if there is one, with a package that it builds in another folder. */
async function unitTests(): Promise<StepOutcome> {
  const named = await vsix.get().then(
    ({ file }) => ({ LINESIDE_VSIX: file }),
    () => ({}),
  );
  return ring('unit', named);
}

async function outcomeOf(step: Step): Promise<StepOutcome> {
  try {
    return await step.run();
  } catch (error) {
    return one(error instanceof Error ? error.message : String(error));
  }
}

function described({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The ten test files that took longest. */
function slowest(files: readonly FileTime[]): string {
  const slow = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 10);
  const lines = slow.map(({ path, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(7)} s  ${path}`);
  return ['slowest test files:', ...lines].join('\n');
}

class Tally {
  readonly total: Counts = { passed: 0, failed: 0, skipped: 0 };
  readonly failures: string[] = [];
  readonly details: string[] = [];
  readonly files: FileTime[] = [];

  /** Runs steps, at most `most` at once. They start in their order. */
  async run(steps: readonly Step[], most: number): Promise<void> {
    const waiting = steps.values();
    await Promise.all(Array.from({ length: most }, () => this.#runEach(waiting)));
  }

  async #runEach(steps: Iterable<Step>): Promise<void> {
    for (const step of steps) {
      console.log(`${step.name}...`);
      const startedAtMs = Date.now();
      const outcome = await outcomeOf(step);
      if (outcome.output) console.log(outcome.output.trimEnd());
      console.log(`${step.name}: ${described(outcome)} (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s)`);
      this.#add(step, outcome);
    }
  }

  #add(step: Step, outcome: StepOutcome): void {
    this.total.passed += outcome.passed;
    this.total.failed += outcome.failed;
    this.total.skipped += outcome.skipped;
    this.files.push(...(outcome.files ?? []));
    if (outcome.failed === 0) return;
    if (outcome.details) this.details.push(outcome.details);
    this.failures.push(...(outcome.failures?.length ? outcome.failures : [`${step.name}: see above`]));
  }
}

async function main(): Promise<void> {
  const tally = new Tally();
  await tally.run(singleProcessor, processors);
  await tally.run(allProcessors, 1);
  const { total, failures, details, files } = tally;
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
  console.log(slowest(files));
  for (const detail of details) console.log(detail);
  for (const failure of failures) console.log(`failed: ${failure}`);
  console.log(described(total));
}

// Exit when interrupted instead of continuing with the next step. Programs started by this process end with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
await main();
