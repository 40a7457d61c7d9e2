import { defineConfig } from 'vitest/config';

const node = {
  environment: 'node',
  pool: 'forks',
  // On a busy machine, conditions become true later than Vitest's default of one second allows.
  expect: { poll: { timeout: 30_000 } },
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
          // On a busy machine, tests with large bodies took more than 20 s. Only a test that hangs takes 60 s.
          testTimeout: 60_000,
        },
      },
      { test: { ...node, name: 'faults', include: ['test/faults/**/*.test.ts'], testTimeout: 120_000 } },
      {
        test: {
          ...node,
          name: 'webview',
          // The files that a process runs share its browser. See test/webview/rig/usePage.ts.
          isolate: false,
          include: ['test/webview/**/*.test.ts'],
          // Tests often wait for their browser, but Vitest runs only one file at a time on two cores by default.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          isolate: false,
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/journey/globalSetup.ts'],
          // Longer than one wait in test/editor/run/patience.ts, so that the wait reports what it waited for.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Each file has its own editor, folder, and service, and often waits for a poll. Files share a browser.
          maxWorkers: 2,
        },
      },
    ],
  },
});
