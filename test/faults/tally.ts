import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The result of one part of the suite: the injected faults and the outcome of the typed messages. */
export interface Tally {
  /** The text in the first column of the table. */
  readonly part: string;
  /** The position of the row in the table. */
  readonly order: number;
  readonly faults: number;
  readonly typed: number;
  /** The typed messages that waited for a time or until another session was idle. */
  readonly scheduled?: number;
  /** Listed by the service exactly once. */
  readonly delivered: number;
  /** Shown as "Not sent" or "Couldn't confirm delivery", and resolved by the user. */
  readonly reported: number;
  /** Neither listed by the service, nor shown, nor discarded. */
  readonly lost: number;
  /** Listed by the service more than once. */
  readonly doubled: number;
  /** Sent before the time, or before the other session was idle, although the user didn't ask for that. */
  readonly early?: number;
}

export const tallyFolder = join(import.meta.dirname, '..', '..', 'test-results', 'faults');

/** Saves a tally for the table that `run.ts` writes. */
export function keepTally(tally: Tally): void {
  mkdirSync(tallyFolder, { recursive: true });
  writeFileSync(join(tallyFolder, `${tally.order}.json`), JSON.stringify(tally));
}

/** The extent of each part: a sample in `npm test`, everything in `npm run test:faults`. */
export const extent = {
  schedules: Number(process.env['SCHEDULES'] ?? 25),
  lags: Number(process.env['LAGS'] ?? 100),
  kills: Number(process.env['KILLS'] ?? 8),
  pairs: Number(process.env['PAIRS'] ?? 4),
  sends: Number(process.env['SENDS'] ?? 200),
  uploads: Number(process.env['UPLOADS'] ?? 4),
  clocks: Number(process.env['CLOCKS'] ?? 15),
  comments: Number(process.env['COMMENTS'] ?? 5),
  /** Runs every nth HTTP case. */
  httpEvery: Number(process.env['HTTP_EVERY'] ?? 11),
};

/** The seed of a day in UTC, such as 20260304: all runs on one day make the same choices, and each day differs. */
export function seedOfDay(date: Date): number {
  return Number(date.toISOString().slice(0, 10).replaceAll('-', ''));
}

/** The seed for random choices, shown in the test titles. The same seed repeats the run. */
export const seed = Number(process.env['SEED'] ?? seedOfDay(new Date()));

/** The seeds of a run with `count` seeds. If `first` is the seed of a day, the next four aren't those of other days. */
export function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index * 2_000);
}

/** One tally for each part: the sums of its runs. */
export function summed(tallies: readonly Tally[]): readonly Tally[] {
  const parts = new Map<number, Tally>();
  for (const tally of tallies) {
    const before = parts.get(tally.order);
    parts.set(tally.order, before ? sum(before, tally) : tally);
  }
  return [...parts.values()].sort((a, b) => a.order - b.order);
}

function sum(a: Tally, b: Tally): Tally {
  return {
    part: a.part,
    order: a.order,
    faults: a.faults + b.faults,
    typed: a.typed + b.typed,
    scheduled: (a.scheduled ?? 0) + (b.scheduled ?? 0),
    delivered: a.delivered + b.delivered,
    reported: a.reported + b.reported,
    lost: a.lost + b.lost,
    doubled: a.doubled + b.doubled,
    early: (a.early ?? 0) + (b.early ?? 0),
  };
}

/** Returns a generator of pseudorandom numbers in [0, 1). The same seed produces the same sequence. */
export function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Counts the occurrences of each string. */
export function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
