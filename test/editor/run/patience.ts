/**
 * How long a test waits for VS Code, a page, or a condition before it fails, in milliseconds. This is much longer than any
 * successful wait, so it only ends tests that hang. On a machine four times slower than usual, reloading a window took
 * 46 s.
 */
export const patienceMs = 120_000;
