import { rename, writeFile } from 'node:fs/promises';
import type { HostTestResult, HostTests } from './hostTests.ts';

/**
 * Runs the tests one after another inside the extension host, and writes their results to `reportFile`. Doesn't reject
 * if a test fails, because VS Code reports a rejection only as text.
 */
export async function runHostTests(tests: HostTests, reportFile: string): Promise<void> {
  const results: HostTestResult[] = [];
  for (const [name, test] of Object.entries(tests)) {
    const startedAtMs = performance.now();
    const failure = await failureOf(test);
    const durationMs = performance.now() - startedAtMs;
    results.push(failure === undefined ? { name, durationMs } : { name, durationMs, failure });
  }
  // Rename the complete file, so that the waiting process never reads a partial one.
  await writeFile(`${reportFile}.part`, JSON.stringify(results));
  await rename(`${reportFile}.part`, reportFile);
}

async function failureOf(test: HostTests[string]): Promise<string | undefined> {
  try {
    await test();
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
