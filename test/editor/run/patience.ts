/**
 * The time in milliseconds after which a test that still waits for VS Code fails. It is much longer than any such wait
 * takes, so that it only ends tests that hang. On a machine that was four times slower than usual, a window took 46 s to
 * reload.
 */
export const patienceMs = 120_000;
