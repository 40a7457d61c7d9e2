import { defineConfig } from 'vitest/config';

const node = {
  environment: 'node',
  pool: 'forks',
  // What is waited for comes; on a busy machine it comes later than vitest's second.
  expect: { poll: { timeout: 15_000 } },
} as const;

/** One project for each ring of tests; `npm test` runs them all, each also has a script of its own. */
export default defineConfig({
  test: {
    projects: [
      { test: { ...node, name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 20_000 } },
      { test: { ...node, name: 'faults', include: ['test/faults/**/*.test.ts'], testTimeout: 120_000 } },
      {
        test: {
          ...node,
          name: 'webview',
          include: ['test/webview/**/*.test.ts'],
          // While one test waits for its browser, another can use the processor; by default two cores run one at a time.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/journey/globalSetup.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          // Each file has its own editor, folder and service; while one waits for a poll, the other can go on.
          maxWorkers: 2,
        },
      },
    ],
  },
});
