import type { ActivationFigures } from './activation.ts';
import type { WindowFigures } from './benchWindows.ts';
import { markdownTable, median } from './figures.ts';

/** All measurements of one benchmark run. */
export interface Measured {
  readonly floor: readonly WindowFigures[];
  /** Keyed by number of messages; 0 is the conversation with a single message. */
  readonly sessionList: ReadonlyMap<number, readonly WindowFigures[]>;
  readonly activation: readonly ActivationFigures[];
  readonly vsixBytes: number;
}

interface Row {
  readonly name: string;
  readonly of: (figures: WindowFigures) => number;
  readonly digits: number;
  readonly goals?: readonly Goal[];
}

/** A measured value with its required limit (`must`) and its stricter target (`after`). */
interface Goal {
  readonly name: string;
  readonly of: (row: (count: number | 'floor') => number) => number;
  readonly must: number;
  /** Omitted if the measurement can't show whether the target is met. */
  readonly after?: number;
  readonly unit?: string;
}

const frameMs = 1000 / 60;

const rows: readonly Row[] = [
  {
    name: 'open from the cache: command to picture, ms',
    of: ({ page }) => page.openMs,
    digits: 0,
    goals: [
      { name: 'open 100 / floor', of: (at) => at(100) / at('floor'), must: 2, after: 1.25 },
      { name: 'open 1,000 / floor', of: (at) => at(1_000) / at('floor'), must: 2, after: 1.25 },
      { name: 'open 10,000 / 100', of: (at) => at(10_000) / at(100), must: 1.3, after: 1.1 },
    ],
  },
  {
    name: 'longest task of the page while opening, ms (0: none over 50)',
    of: ({ page }) => page.longestTaskMs,
    digits: 0,
    // Chromium reports only tasks longer than 50 ms, so a stricter target could not be checked.
    goals: [{ name: 'longest task, 10,000', of: (at) => at(10_000), must: 50, unit: ' ms' }],
  },
  {
    name: 'scrollbar drag: mean step, frames',
    of: ({ page }) => page.dragMeanMs / frameMs,
    digits: 2,
    goals: [{ name: 'mean step, 10,000', of: (at) => at(10_000), must: 1.2, after: 1.05, unit: ' frames' }],
  },
  {
    name: 'scrollbar drag: p95 step, frames',
    of: ({ page }) => page.dragP95Ms / frameMs,
    digits: 2,
    goals: [{ name: 'p95 step, 10,000', of: (at) => at(10_000), must: 2, after: 1.2, unit: ' frames' }],
  },
  {
    name: 'scrollbar drag: blank, %',
    of: ({ page }) => page.dragBlankPercent,
    digits: 1,
    goals: [{ name: 'blank, 10,000', of: (at) => at(10_000), must: 2, after: 0, unit: ' %' }],
  },
  {
    name: 'wheel: dropped of the frames of 120 notches, %',
    of: ({ page }) => page.wheelDroppedPercent,
    digits: 1,
    goals: [{ name: 'dropped, 10,000', of: (at) => at(10_000), must: 2, after: 0, unit: ' %' }],
  },
  {
    name: "new message: the service's answer to picture, ms (floor: host to picture)",
    of: ({ page }) => page.appendMs,
    digits: 0,
    goals: [
      { name: 'new message, 10,000', of: (at) => at(10_000) / frameMs, must: 4, after: 3, unit: ' frames' },
      { name: 'new message, 10,000 / 100', of: (at) => at(10_000) / at(100), must: 1.1, after: 1.1 },
    ],
  },
  {
    name: 'typing: p95, key to picture, ms',
    of: ({ page }) => page.keyP95Ms,
    digits: 1,
    goals: [{ name: 'typing, 10,000 / one message', of: (at) => at(10_000) / at(0), must: 1.1, after: 1.1 }],
  },
  {
    name: 'elements of the page',
    of: ({ page }) => page.elementCount,
    digits: 0,
    goals: [{ name: 'elements, 10,000', of: (at) => at(10_000), must: 3_000, after: 1_000 }],
  },
  {
    name: 'heap of the page, MB',
    of: ({ page }) => page.heapMB,
    digits: 1,
    goals: [
      { name: 'heap, 10,000', of: (at) => at(10_000), must: 36, after: 16, unit: ' MB' },
      { name: 'heap, 100,000', of: (at) => at(100_000), must: 80, after: 36, unit: ' MB' },
    ],
  },
  { name: 'memory added to the extension host, MB', of: ({ hostMB }) => hostMB, digits: 1 },
];

/** Two Markdown tables: the medians, and the goals with their results. */
export function describeMeasured(measured: Measured): string {
  const counts = [...measured.sessionList.keys()];
  const valueOf = (row: Row) => (at: number | 'floor') =>
    median((at === 'floor' ? measured.floor : (measured.sessionList.get(at) ?? [])).map(row.of));
  const head = ['', 'floor', ...counts.map((count) => (count === 0 ? '1' : count.toLocaleString('en')))];
  const lines = rows.map((row) => {
    const value = valueOf(row);
    return [row.name, ...(['floor', ...counts] as const).map((at) => shown(value(at), row.digits))];
  });
  const goals = rows.flatMap((row) =>
    (row.goals ?? []).flatMap((goal) => {
      const value = goal.of(valueOf(row));
      // Not every run measures every length.
      return Number.isNaN(value) ? [] : [judged(goal, value)];
    }),
  );
  return `${markdownTable(head, lines)}\n\n${markdownTable(
    ['goal', 'measured', 'must', 'after', 'met'],
    [...hostGoals(measured), ...goals],
  )}`;
}

function hostGoals({ activation, vsixBytes }: Measured): string[][] {
  const emptyMs = median(activation.map((run) => run.emptyMs));
  const linesideMs = median(activation.map((run) => run.linesideMs));
  const ratio = { name: `forced activation / empty extension (${shown(linesideMs, 1)} / ${shown(emptyMs, 1)} ms)` };
  return [
    judged({ ...ratio, must: 3, after: 2 }, linesideMs / emptyMs),
    judged(
      { name: 'extension host, added when idle', must: 20, after: 8, unit: ' MB' },
      median(activation.map((run) => run.addedMB)),
    ),
    judged({ name: 'VSIX', must: 560, after: 480, unit: ' KB' }, vsixBytes / 1024),
  ];
}

function judged({ name, must, after, unit = '' }: Omit<Goal, 'of'>, value: number): string[] {
  const isAfter = after !== undefined && value <= after;
  const verdict = isAfter ? 'yes, both' : value <= must ? 'yes' : '**no**';
  const limit = (most?: number): string => (most === undefined ? '–' : `<= ${most.toLocaleString('en')}${unit}`);
  return [name, `${shown(value, value < 10 ? 2 : 0)}${unit}`, limit(must), limit(after), verdict];
}

function shown(value: number, digits: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
