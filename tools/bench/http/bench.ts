import { comparisonOf } from '../against/comparison.ts';
import { inTurns, withEach } from '../against/inTurns.ts';
import type { PackedVersion } from '../against/versions.ts';
import type { FirstReadFigures } from '../benchWindows.ts';
import type { BenchOptions } from '../editorBench.ts';
import { startBenchService } from '../service/benchService.ts';
import { type Columns, type Figure, figureTable, median } from '../tables/figures.ts';
import { goalTable } from '../tables/goals.ts';
import { HttpWindows } from './httpWindows.ts';

/** Lengths of the conversations, in messages. */
const counts = [100, 10_000, 100_000];
const figures: readonly Figure<FirstReadFigures>[] = [
  { name: 'first picture: command to picture, ms', of: ({ pictureMs }) => pictureMs, digits: 0, isTime: true },
  { name: 'longest task of the extension host, ms', of: ({ stallMs }) => stallMs, digits: 0, isTime: true },
  { name: 'memory added to the extension host, MB', of: ({ hostMB }) => hostMB, digits: 1 },
  { name: 'written to the cache, KB', of: ({ diskKB }) => diskKB, digits: 0 },
];

/**
 * Measures the first opening of conversations that are not in the cache, over HTTP, from a service that lists the
 * newest messages first. Resolves to the tables.
 */
export function benchHttp({ versions, runs, noteLoad }: Pick<BenchOptions, 'versions' | 'runs' | 'noteLoad'>) {
  const open = async (version: PackedVersion) =>
    HttpWindows.open(version, await startBenchService(counts, { order: 'desc' }));
  return withEach(versions, open, async (opened) => {
    for (let run = 1; run <= runs; run += 1) {
      for (const conversation of opened[0]?.conversations ?? []) {
        for (const windows of inTurns(opened, run)) {
          const measured = await windows.measure(conversation);
          console.log(`run ${run} of ${runs}, ${windows.title}, ${conversation.title}: ${JSON.stringify(measured)}`);
        }
      }
      noteLoad();
    }
    return [describeRead(opened[0]?.columns ?? new Map()), ...comparisonOf(figures, opened)].join('\n\n');
  });
}

function describeRead(columns: Columns<FirstReadFigures>): string {
  const pictureMs = (title: string) => median((columns.get(title) ?? []).map((figures) => figures.pictureMs));
  const [shortest = '', ...longer] = columns.keys();
  const goals = longer.map((title) => ({
    name: `first picture, ${title} / ${shortest}`,
    must: 1.2,
    value: pictureMs(title) / pictureMs(shortest),
  }));
  return `${figureTable(figures, columns)}\n\n${goalTable(goals)}`;
}
