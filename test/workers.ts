import { availableParallelism } from 'node:os';

/** The number of processors, which is how much work a test run does at once. */
export const processors = availableParallelism();

/**
 * How many test files run at once. Vitest's default leaves one processor unused, which is half of a small machine. A file
 * of the end-to-end tests needs a browser and an editor, which take about 1.5 GB.
 */
export const workers = Math.min(processors, 8);
