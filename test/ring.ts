/** Runs a ring of tests: one project of vitest. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFolder } from './editor/cache.ts';
import { runProgram } from './editor/programs.ts';

/** More files than this do not fail by chance. */
const mostUnsteadyFiles = 3;
const vitest = join(repositoryFolder, 'node_modules', 'vitest', 'vitest.mjs');

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface StepOutcome extends Counts {
  /** What a person needs to see of a step that failed. */
  readonly output: string;
  /** A line for each test that failed, to be read again under everything else. */
  readonly failures?: readonly string[];
  /** A line for each test that failed first and passed when its file was run again: to be mended, too. */
  readonly unsteady?: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly success: boolean;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly TestReport[];
}

interface TestReport {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages: readonly string[];
}

interface RingOutcome extends StepOutcome {
  readonly failures: readonly string[];
  /** Their names, in the same order. */
  readonly failedTests: readonly string[];
  readonly failedFiles: readonly FileReport[];
}

type Environment = Readonly<Record<string, string>>;

/** Counts the tests of one project. A ring that fails without a failed test counts as one failure. */
async function ring(
  project: string,
  environment: Environment = {},
  files: readonly string[] = [],
): Promise<RingOutcome> {
  const reportFile = join(repositoryFolder, 'test-results', `${project}.json`);
  await rm(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { code, output } = await runProgram(
    process.execPath,
    [vitest, 'run', '--project', project, ...files, ...reporters],
    { folder: repositoryFolder, environment },
  );
  const report = await readReport(reportFile);
  const failed = report?.numFailedTests ?? 0;
  const brokeOtherwise = (code !== 0 || !report?.success) && failed === 0;
  const failedFiles = report?.testResults.filter(({ status }) => status === 'failed') ?? [];
  return {
    passed: report?.numPassedTests ?? 0,
    failed: brokeOtherwise ? 1 : failed,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    output: code === 0 ? '' : output,
    failures: failedFiles.flatMap(failuresOf).map(lineOf),
    failedTests: failedFiles.flatMap(failuresOf).map(({ fullName }) => fullName),
    failedFiles,
  };
}

/**
 * Counts the tests of one project. Most drive real disks, browsers and editors: what fails in few files is done once more
 * from its start. What passes then counts, and is named as unsteady.
 */
export async function steadyRing(project: string, environment: Environment = {}): Promise<StepOutcome> {
  const first = await ring(project, environment);
  const { failedFiles } = first;
  if (failedFiles.length === 0 || failedFiles.length > mostUnsteadyFiles) return first;
  console.log(`${first.output.trimEnd()}\nAgain: ${failedFiles.map(({ name }) => name).join(', ')}...`);
  const second = await ring(
    project,
    environment,
    failedFiles.map(({ name }) => name),
  );
  const counted = failedFiles.flatMap(({ assertionResults }) => assertionResults);
  const count = (status: (one: string) => boolean) => counted.filter((test) => status(test.status)).length;
  return {
    passed: first.passed - count((one) => one === 'passed') + second.passed,
    failed: second.failed,
    skipped: first.skipped - count((one) => one !== 'passed' && one !== 'failed') + second.skipped,
    output: second.output,
    failures: second.failures,
    unsteady: first.failures.filter((_, index) => !second.failedTests.includes(first.failedTests[index] ?? '')),
  };
}

function failuresOf({ assertionResults }: FileReport): readonly TestReport[] {
  return assertionResults.filter(({ status }) => status === 'failed');
}

function lineOf({ fullName, failureMessages }: TestReport): string {
  return `${fullName}: ${failureMessages[0]?.split('\n', 1)[0] ?? ''}`;
}

async function readReport(file: string): Promise<VitestReport | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as VitestReport;
  } catch {
    return undefined;
  }
}
