/**
 * How long a test waits for VS Code, a page, or a condition before it fails, in milliseconds. The number of
 * test files that run in parallel hardly exceeds the number of processors, and input is sent until it arrives, so no
 * successful wait takes this long. On a machine four times slower than usual, reloading a window took 46 s.
 */
export const patienceMs = 60_000;
