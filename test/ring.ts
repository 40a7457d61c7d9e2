/** Runs one ring of tests, which is one Vitest project. */
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repositoryFolder } from '../tools/editor/install/cache.ts';
import type { Evidence } from './evidence.ts';
import { runProgram } from '../tools/editor/run/programs.ts';

const vitest = join(repositoryFolder, 'node_modules', 'vitest', 'vitest.mjs');

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface StepOutcome extends Counts {
  /** The output of a failed step; empty if the step passed. */
  readonly output: string;
  /** For each failed test: one line, the name of its picture, and the end of the extension's log. */
  readonly failures?: readonly string[];
  /** The errors of the failed tests with their differences, printed again at the end of the run. */
  readonly details?: string;
  /** The test files and how long they took. */
  readonly files?: readonly FileTime[];
}

export interface FileTime {
  /** The path in the repository. */
  readonly path: string;
  readonly durationMs: number;
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
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly TestReport[];
}

interface TestReport {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages: readonly string[];
  readonly meta?: { readonly evidence?: Evidence };
}

/**
 * Runs the tests of one project and counts the results. A run that fails without a failed test counts as one failure.
 */
export async function ring(project: string, environment: Readonly<Record<string, string>> = {}): Promise<StepOutcome> {
  const reportFile = join(repositoryFolder, 'test-results', `${project}.json`);
  await rm(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { code, output } = await runProgram(process.execPath, [vitest, 'run', '--project', project, ...reporters], {
    folder: repositoryFolder,
    environment,
  });
  const report = await readReport(reportFile);
  const failed = report?.numFailedTests ?? 0;
  const brokeOtherwise = (code !== 0 || !report?.success) && failed === 0;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: brokeOtherwise ? 1 : failed,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    output: code === 0 ? '' : output,
    failures: report ? failuresOf(report) : [],
    details: code === 0 ? '' : detailsOf(output),
    files: report?.testResults.map(timeOf) ?? [],
  };
}

function failuresOf({ testResults }: VitestReport): readonly string[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages, meta }) => {
      const { picture, log = [] } = meta?.evidence ?? {};
      return [
        `${fullName}: ${failureMessages[0]?.split('\n', 1)[0] ?? ''}`,
        ...(picture === undefined ? [] : [`  picture: test-results/${picture}`]),
        ...log.map((line) => `  ${line}`),
      ].join('\n');
    });
}

function timeOf({ name, startTime, endTime }: FileReport): FileTime {
  return { path: relative(repositoryFolder, name), durationMs: endTime - startTime };
}

/** The part of Vitest's output from its list of failed tests or suites on; empty if there is none. */
function detailsOf(output: string): string {
  const start = output.search(/^.*Failed (Tests|Suites) /m);
  return start < 0 ? '' : output.slice(start).trimEnd();
}

async function readReport(file: string): Promise<VitestReport | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as VitestReport;
  } catch {
    return undefined;
  }
}
