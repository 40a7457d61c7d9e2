import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one part of the suite tried, and what became of the messages typed. */
export interface Tally {
  /** What was tried, as it stands in the table. */
  readonly part: string;
  /** Its place in the table. */
  readonly order: number;
  readonly faults: number;
  readonly typed: number;
  /** In the service's list, once. */
  readonly delivered: number;
  /** Shown as not sent, or as perhaps not sent, and decided by the person. */
  readonly reported: number;
  /** Neither in the service's list nor shown. */
  readonly lost: number;
  /** More than once in the service's list. */
  readonly doubled: number;
}

export const tallyFolder = join(import.meta.dirname, '..', '..', 'test-results', 'faults');

/** Keeps a tally for the table that `run.ts` writes. */
export function keepTally(tally: Tally): void {
  mkdirSync(tallyFolder, { recursive: true });
  writeFileSync(join(tallyFolder, `${tally.order}.json`), JSON.stringify(tally));
}

/** How much of each part is tried: little in `npm test`, all of it by `npm run test:faults`. */
export const extent = {
  schedules: Number(process.env['SCHEDULES'] ?? 25),
  kills: Number(process.env['KILLS'] ?? 8),
  pairs: Number(process.env['PAIRS'] ?? 4),
  /** Of the cases over HTTP one in so many. */
  httpEvery: Number(process.env['HTTP_EVERY'] ?? 11),
};

/** Printed where a test fails; the same seed tries the same again. */
export const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** Draws in [0, 1), the same for the same seed. */
export function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How often each text stands in a list. */
export function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
