import { measureActivation } from './activation.ts';
import { comparisonOf, type MeasuredVersion } from './against/comparison.ts';
import { inTurns, withEach } from './against/inTurns.ts';
import type { PackedVersion } from './against/versions.ts';
import type { WindowFigures } from './benchWindows.ts';
import { activationFigures, describeMeasured, type Goal, lengthGoals, windowFigures } from './tables/goals.ts';
import { type HistoryLine, historyLine } from './tables/history.ts';
import { type BenchService, startBenchService } from './service/benchService.ts';
import { VersionWindows } from './against/versionWindows.ts';

export interface BenchOptions {
  /** The version to measure and, optionally, the one to compare it with. Both are measured in turns. */
  readonly versions: readonly PackedVersion[];
  /** Lengths of the conversations, in messages. */
  readonly counts: readonly number[];
  readonly runs: number;
  /** `one-turn`: each conversation is a single running turn of tool calls. */
  readonly history: 'turns' | 'one-turn';
  /** The number of comments in the draft of a second conversation with the longest length; 0 for none. */
  readonly commentCount: number;
  /** Called after each run, to record the load on the machine. */
  readonly noteLoad: () => void;
}

/**
 * Measures the extension in a real VS Code instance, and opens each page in a new window. Resolves to the tables, and
 * to the lines for the table of history.
 */
export async function benchEditor(
  options: BenchOptions,
): Promise<{ readonly tables: string; readonly history: readonly HistoryLine[] }> {
  const { versions, counts, runs, history, commentCount } = options;
  const activation = await measureActivation(versions, 2 * runs);
  const windows = await measureWindows(options, () => startBenchService([0, ...counts], { history, commentCount }));
  const tables = [
    describeMeasured(windows[0]?.columns ?? new Map(), lengthGoals, activation[0]?.columns.get('activation') ?? []),
    ...comparisonOf(activationFigures, activation),
    ...comparisonOf(windowFigures, windows),
  ].join('\n\n');
  const lines = versions.flatMap((version, place) => {
    const [opened, activated] = [windows[place], activation[place]];
    return opened && activated ? [historyLine(version, opened, activated)] : [];
  });
  // The older version comes first.
  return { tables, history: lines.toReversed() };
}

/**
 * Measures the conversations of a service, for example ones that end with a very large message. Resolves to the tables.
 */
export async function benchConversations(
  options: Pick<BenchOptions, 'versions' | 'runs' | 'noteLoad'>,
  startService: () => Promise<BenchService>,
  goals: readonly Goal[],
): Promise<string> {
  const windows = await measureWindows(options, startService);
  const table = describeMeasured(windows[0]?.columns ?? new Map(), goals);
  return [table, ...comparisonOf(windowFigures, windows)].join('\n\n');
}

/** Opens each conversation of a service, and the floor, in new windows of each version, in turns. */
function measureWindows(
  { versions, runs, noteLoad }: Pick<BenchOptions, 'versions' | 'runs' | 'noteLoad'>,
  startService: () => Promise<BenchService>,
): Promise<readonly MeasuredVersion<WindowFigures>[]> {
  const startedAtMs = Date.now();
  const open = (version: PackedVersion) => VersionWindows.open(version, startService);
  return withEach(versions, open, async (opened) => {
    console.log(`${passedOf(startedAtMs)} the cache is filled`);
    // Interleave the columns and versions, so that other load on the machine affects all of them.
    for (let run = 1; run <= runs; run += 1) {
      for (let column = 0; column < (opened[0]?.columnCount ?? 0); column += 1) {
        for (const version of inTurns(opened, run)) {
          const { title, figures } = await version.measure(column);
          const what = `run ${run} of ${runs}, ${version.title}, ${title}`;
          console.log(`${passedOf(startedAtMs)} ${what}: opened in ${Math.round(figures.page.openMs)} ms`);
        }
      }
      noteLoad();
    }
    return opened;
  });
}

function passedOf(startedAtMs: number): string {
  const seconds = Math.round((Date.now() - startedAtMs) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
