import { defineConfig } from 'vitest/config';
import { patienceMs } from './tools/editor/run/patience.ts';
import { StartOrder } from './test/startOrder.ts';
import { workers, workersThatWait } from './test/workers.ts';

const node = {
  environment: 'node',
  pool: 'forks',
  expect: { poll: { timeout: patienceMs } },
  // Longer than a single wait, so that a failed wait can report what it waited for.
  testTimeout: 2 * patienceMs,
  hookTimeout: 2 * patienceMs,
  maxWorkers: workers,
} as const;

/** One project for each ring of tests. `npm test` runs all of them, and `npm run test:<name>` runs one. */
export default defineConfig({
  test: {
    sequence: { sequencer: StartOrder },
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          maxWorkers: workersThatWait,
          // Some of these tests run long computations or build packages. On a slow machine, the longest take minutes.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          include: ['test/unit/**/*.test.ts'],
          isolate: false,
          setupFiles: ['test/unit/freshModules.ts'],
        },
      },
      { test: { ...node, name: 'faults', include: ['test/faults/**/*.test.ts'] } },
      {
        test: {
          ...node,
          name: 'webview',
          maxWorkers: workersThatWait,
          // The files that a process runs share its browser. See test/webview/rig/usePage.ts.
          isolate: false,
          include: ['test/webview/**/*.test.ts'],
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          isolate: false,
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/journey/globalSetup.ts'],
          // Tests and hooks wait several times, and on a slow machine, each time can be almost as long as a wait may be.
          testTimeout: 5 * patienceMs,
          hookTimeout: 5 * patienceMs,
          // Each file has its own editor, folder, and service. Files share a browser.
        },
      },
    ],
  },
});
