import { rename, writeFile } from 'node:fs/promises';
import type { HostTestResult, HostTests } from './hostTests.ts';

/**
 * Runs the tests one after the other, inside the extension host, and writes their results to `reportFile`. It never
 * rejects for a failed test: VS Code tells of a rejection in words only.
 */
export async function runHostTests(tests: HostTests, reportFile: string): Promise<void> {
  const results: HostTestResult[] = [];
  for (const [name, test] of Object.entries(tests)) {
    const startedAtMs = performance.now();
    const failure = await failureOf(test);
    const durationMs = performance.now() - startedAtMs;
    results.push(failure === undefined ? { name, durationMs } : { name, durationMs, failure });
  }
  // Whoever waits for the file must not read half of it.
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
