import { availableParallelism } from 'node:os';

/** The number of processors. `npm test` runs this number of single-processor steps at once. */
export const processors = availableParallelism();

/**
 * The number of test files that run at once: one for each processor, but at most 8. Vitest's default leaves one
 * processor unused, which is half of a small machine. A file of the end-to-end tests needs a browser and an editor,
 * which take about 1.5 GB. More files than processors take as long: on two processors, two files at once took 649 s,
 * and three took 643 s, with 1,237 s of processor time.
 */
export const workers = Math.min(processors, 8);

/**
 * The number of files of the unit and page rings that run at once. Their tests wait for timers, disks, and frames for a
 * part of their time: on two processors, three files at once took 149 instead of 197 s in the unit ring, with 288 s of
 * processor time.
 */
export const workersThatWait = workers + 1;
