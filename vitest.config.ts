import { defineConfig } from 'vitest/config';
import { patienceMs } from './test/editor/run/patience.ts';

const node = {
  environment: 'node',
  pool: 'forks',
  expect: { poll: { timeout: patienceMs } },
  // Longer than a single wait, so that a failed wait can report what it waited for. On a machine four times slower than
  // usual, some tests took more than 60 s. Only a test that hangs takes 180 s.
  testTimeout: 180_000,
  hookTimeout: 180_000,
} as const;

/** One project for each ring of tests. `npm test` runs all of them, and a script runs each one. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
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
          // The files that a process runs share its browser. See test/webview/rig/usePage.ts.
          isolate: false,
          include: ['test/webview/**/*.test.ts'],
          // Tests often wait for their browser, but Vitest runs only one file at a time on two cores by default.
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          isolate: false,
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/journey/globalSetup.ts'],
          // Tests open and reload windows, and often wait several times.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Each file has its own editor, folder, and service, and often waits for a poll. Files share a browser.
          maxWorkers: 2,
        },
      },
    ],
  },
});
