import { comparisonOf } from '../against/comparison.ts';
import { inTurns, withEach } from '../against/inTurns.ts';
import type { PackedVersion } from '../against/versions.ts';
import type { BenchOptions } from '../editorBench.ts';
import { type Columns, type Figure, figureTable, median, percentile, shown } from '../tables/figures.ts';
import { goalTable } from '../tables/goals.ts';
import { startBenchService } from '../service/benchService.ts';
import { BusyLoops } from './busyLoops.ts';
import { floorTitle, FreshWindows } from './freshWindows.ts';

const figures: readonly Figure<number>[] = [
  { name: 'first opening: command to the last words, ms', of: (tookMs) => tookMs, digits: 0, isTime: true },
];

interface FreshOptions extends Pick<BenchOptions, 'versions' | 'runs' | 'noteLoad'> {
  /** Lengths of the conversations, in messages. All others are compared with the first one. */
  readonly counts: readonly number[];
  /** The number of processes that keep a processor busy. */
  readonly busyCount: number;
}

/**
 * Measures the first opening in a fresh window: a new browser profile, an extension host that hasn't activated
 * Lineside, and the conversation in the cache on disk. Resolves to the tables.
 */
export function benchFresh({ versions, counts, runs, busyCount, noteLoad }: FreshOptions) {
  const open = async (version: PackedVersion) => FreshWindows.open(version, await startBenchService(counts));
  return withEach(versions, open, async (opened) => {
    const loops = new BusyLoops(busyCount);
    try {
      for (let run = 1; run <= runs; run += 1) {
        for (const page of opened[0]?.pages ?? []) {
          for (const windows of inTurns(opened, run)) {
            const tookMs = await windows.measure(page);
            console.log(`run ${run} of ${runs}, ${windows.title}, ${page.title}: opened in ${Math.round(tookMs)} ms`);
          }
        }
        noteLoad();
      }
    } finally {
      loops.dispose();
    }
    return [describeOpened(opened[0]?.columns ?? new Map()), ...comparisonOf(figures, opened)].join('\n\n');
  });
}

function describeOpened(columns: Columns<number>): string {
  const at = (title: string) => median(columns.get(title) ?? []);
  const titles = [...columns.keys()].filter((title) => title !== floorTitle);
  const goals = titles.map((title) => {
    const shortest = shortestIn(titles, title);
    const isShortest = shortest === title;
    const other = isShortest ? floorTitle : shortest;
    const must = isShortest ? (title.endsWith('side bar') ? 1.8 : 2) : title.startsWith('100,000 ') ? 1.25 : 1.1;
    return { name: `${title} / ${isShortest ? floorTitle : 'the shortest'}`, must, value: at(title) / at(other) };
  });
  return `${figureTable(figures, columns, [middleHalves(columns)])}\n\n${goalTable(goals)}`;
}

/** The column of the shortest conversation in the same place. */
function shortestIn(titles: readonly string[], title: string): string {
  const place = title.slice(title.indexOf(' '));
  return titles.find((other) => other.endsWith(place)) ?? title;
}

/** A row with the middle half of the runs of each column. */
function middleHalves(columns: Columns<number>): string[] {
  const half = (values: readonly number[]) =>
    `${shown(percentile(values, 0.25), 0)}–${shown(percentile(values, 0.75), 0)}`;
  return ['the middle half of the runs, ms', ...[...columns.values()].map(half)];
}
