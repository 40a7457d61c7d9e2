import { comparisonOf } from '../against/comparison.ts';
import { inTurns, withEach } from '../against/inTurns.ts';
import type { PackedVersion } from '../against/versions.ts';
import type { BenchOptions } from '../editorBench.ts';
import { type Columns, type Figure, figureTable, median } from '../tables/figures.ts';
import { goalTable } from '../tables/goals.ts';
import { startBenchService } from '../service/benchService.ts';
import { floorTitle, FreshWindows } from './freshWindows.ts';

/** Lengths of the conversations, in messages. */
const counts = [100, 10_000];
const figures: readonly Figure<number>[] = [
  { name: 'first opening: command to the last words, ms', of: (tookMs) => tookMs, digits: 0, isTime: true },
];

/**
 * Measures the first opening in a fresh window: a new browser profile, an extension host that hasn't activated
 * Lineside, and the conversation in the cache on disk. Resolves to the tables.
 */
export function benchFresh({ versions, runs, noteLoad }: Pick<BenchOptions, 'versions' | 'runs' | 'noteLoad'>) {
  const open = async (version: PackedVersion) => FreshWindows.open(version, await startBenchService(counts));
  return withEach(versions, open, async (opened) => {
    for (let run = 1; run <= runs; run += 1) {
      for (const page of opened[0]?.pages ?? []) {
        for (const windows of inTurns(opened, run)) {
          const tookMs = await windows.measure(page);
          console.log(`run ${run} of ${runs}, ${windows.title}, ${page.title}: opened in ${Math.round(tookMs)} ms`);
        }
      }
      noteLoad();
    }
    return [describeOpened(opened[0]?.columns ?? new Map()), ...comparisonOf(figures, opened)].join('\n\n');
  });
}

function describeOpened(columns: Columns<number>): string {
  const at = (title: string) => median(columns.get(title) ?? []);
  const titles = [...columns.keys()].filter((title) => title !== floorTitle);
  const goals = titles.map((title) => ({
    name: `${title} / ${floorTitle}`,
    must: 2,
    value: at(title) / at(floorTitle),
  }));
  return `${figureTable(figures, columns)}\n\n${goalTable(goals)}`;
}
