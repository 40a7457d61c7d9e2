import type { ActivationFigures } from '../activation.ts';
import type { MeasuredVersion } from '../against/comparison.ts';
import type { PackedVersion } from '../against/versions.ts';
import type { WindowFigures } from '../benchWindows.ts';
import { frameMs, median, shown } from './figures.ts';
import { readBetweenMarkers, writeBetweenMarkers } from './report.ts';

/** The cells of a line in the table of history, as docs/performance.md names them. */
export type HistoryLine = readonly string[];

const commitColumn = 1;

/** The line of a version that was measured today. */
export function historyLine(
  { commit, sizeBytes }: Pick<PackedVersion, 'commit' | 'sizeBytes'>,
  { columns: windows }: MeasuredVersion<WindowFigures>,
  { columns: activation }: MeasuredVersion<ActivationFigures>,
): HistoryLine {
  const of = (column: string, figure: (figures: WindowFigures) => number) =>
    median((windows.get(column) ?? []).map(figure));
  const openMs = (column: string) => of(column, ({ page }) => page.openMs);
  const activated = activation.get('activation') ?? [];
  const ratio = median(activated.map((run) => run.linesideMs)) / median(activated.map((run) => run.emptyMs));
  return [
    new Date().toISOString().slice(0, 10),
    commit,
    String(windows.get('floor')?.length ?? 0),
    shown(openMs('floor'), 0),
    shown(openMs('100') / openMs('floor'), 2),
    shown(openMs('10,000') / openMs('floor'), 2),
    shown(of('10,000', ({ page }) => page.appendMs) / frameMs, 2),
    shown(ratio, 2),
    shown(
      of('10,000', ({ page }) => page.heapMB),
      1,
    ),
    shown(sizeBytes / 1024, 0),
  ];
}

/** Adds lines to the table of history in docs/performance.md. */
export async function addToHistory(lines: readonly HistoryLine[]): Promise<void> {
  await writeBetweenMarkers('history', withLines(await readBetweenMarkers('history'), lines));
}

/** Adds lines to the end of a Markdown table, and removes earlier lines of the same commits. */
export function withLines(table: string, lines: readonly HistoryLine[]): string {
  const measured = new Set(lines.map((line) => line[commitColumn]));
  const kept = table
    .trim()
    .split('\n')
    .filter((line) => !measured.has(line.split('|')[commitColumn + 1]?.trim()));
  return [...kept, ...lines.map((line) => `| ${line.join(' | ')} |`)].join('\n');
}
