import type { ActivationFigures } from '../activation.ts';
import type { WindowFigures } from '../benchWindows.ts';
import { type Columns, type Figure, figureTable, frameMs, markdownTable, median, shown } from './figures.ts';

/** The rows with the layout of pages. All times are processor time. */
const layoutFigures = {
  openLayouts: { name: 'opening: forced layouts', of: ({ traced }) => traced.opening.forcedLayouts, digits: 0 },
  openLayout: { name: 'opening: layout, ms', of: ({ traced }) => traced.opening.layoutMs, digits: 1, isTime: true },
  openStyle: { name: 'opening: styles, ms', of: ({ traced }) => traced.opening.styleMs, digits: 1, isTime: true },
  dragLayouts: { name: 'scrollbar drag: forced layouts', of: ({ traced }) => traced.drag.forcedLayouts, digits: 0 },
  dragLayout: { name: 'scrollbar drag: layout, ms', of: ({ traced }) => traced.drag.layoutMs, digits: 1, isTime: true },
  dragStyle: { name: 'scrollbar drag: styles, ms', of: ({ traced }) => traced.drag.styleMs, digits: 1, isTime: true },
  appendLayouts: { name: 'new message: forced layouts', of: ({ traced }) => traced.append.forcedLayouts, digits: 1 },
  appendLayout: {
    name: 'new message: layout, ms',
    of: ({ traced }) => traced.append.layoutMs,
    digits: 2,
    isTime: true,
  },
  appendStyle: { name: 'new message: styles, ms', of: ({ traced }) => traced.append.styleMs, digits: 2, isTime: true },
} as const satisfies Readonly<Record<string, Figure<WindowFigures>>>;

/** The rows of the table of windows, by the names that goals use. */
const figures = {
  open: { name: 'open from the cache: command to picture, ms', of: ({ page }) => page.openMs, digits: 0, isTime: true },
  longestTask: {
    name: 'longest task of the page while opening, ms (0: none over 50)',
    of: ({ page }) => page.longestTaskMs,
    digits: 0,
    isTime: true,
  },
  longTasks: { name: 'tasks of the page over 50 ms while opening', of: ({ page }) => page.longTasks, digits: 0 },
  dragMean: {
    name: 'scrollbar drag: mean step, frames',
    of: ({ page }) => page.dragMeanMs / frameMs,
    digits: 2,
    isTime: true,
  },
  dragP95: {
    name: 'scrollbar drag: p95 step, frames',
    of: ({ page }) => page.dragP95Ms / frameMs,
    digits: 2,
    isTime: true,
  },
  blank: { name: 'scrollbar drag: blank, %', of: ({ page }) => page.dragBlankPercent, digits: 1 },
  dropped: {
    name: 'wheel: dropped of the frames of 120 notches, %',
    of: ({ page }) => page.wheelDroppedPercent,
    digits: 1,
  },
  append: {
    name: "new message: the service's answer to picture, ms (floor: host to picture)",
    of: ({ page }) => page.appendMs,
    digits: 0,
    isTime: true,
  },
  typing: { name: 'typing: p95, key to picture, ms', of: ({ page }) => page.keyP95Ms, digits: 1, isTime: true },
  ...layoutFigures,
  elements: { name: 'elements of the page', of: ({ page }) => page.elementCount, digits: 0 },
  heap: { name: 'heap of the page, MB', of: ({ page }) => page.heapMB, digits: 1 },
  host: { name: 'memory added to the extension host, MB', of: ({ hostMB }) => hostMB, digits: 1 },
} as const satisfies Readonly<Record<string, Figure<WindowFigures>>>;

/** The rows of the table of windows, in order. */
export const windowFigures: readonly Figure<WindowFigures>[] = Object.values(figures);

/** The rows of the comparison of activation. */
export const activationFigures: readonly Figure<ActivationFigures>[] = [
  { name: 'forced activation, ms', of: ({ linesideMs }) => linesideMs, digits: 1, isTime: true },
  { name: 'forced activation of an empty extension, ms', of: ({ emptyMs }) => emptyMs, digits: 1, isTime: true },
  { name: 'memory added when idle, MB', of: ({ addedMB }) => addedMB, digits: 2 },
];

/** How a value is computed, with its required limit (`must`) and its stricter target (`after`). */
export interface Goal {
  readonly name: string;
  /** Computes the value. `at` returns the median of a figure in the column with this title. */
  readonly of: (at: (figure: keyof typeof figures, column: string) => number) => number;
  readonly must: number;
  /** Omitted if the measurement can't show whether the target is met. */
  readonly after?: number;
  readonly unit?: string;
}

/** A goal with its measured value. */
export type GoalResult = Omit<Goal, 'of'> & { readonly value: number };

const commented = '10,000 with 200 comments';

/** The goals for conversations of different lengths. */
export const lengthGoals: readonly Goal[] = [
  { name: 'open 100 / floor', of: (at) => at('open', '100') / at('open', 'floor'), must: 2, after: 1.25 },
  { name: 'open 1,000 / floor', of: (at) => at('open', '1,000') / at('open', 'floor'), must: 2, after: 1.25 },
  { name: 'open 10,000 / 100', of: (at) => at('open', '10,000') / at('open', '100'), must: 1.3, after: 1.1 },
  // Chromium reports only tasks longer than 50 ms, so a stricter target couldn't be checked.
  { name: 'longest task, 10,000', of: (at) => at('longestTask', '10,000'), must: 50, unit: ' ms' },
  { name: 'mean step, 10,000', of: (at) => at('dragMean', '10,000'), must: 1.2, after: 1.05, unit: ' frames' },
  { name: 'p95 step, 10,000', of: (at) => at('dragP95', '10,000'), must: 2, after: 1.2, unit: ' frames' },
  { name: 'blank, 10,000', of: (at) => at('blank', '10,000'), must: 2, after: 0, unit: ' %' },
  { name: 'dropped, 10,000', of: (at) => at('dropped', '10,000'), must: 2, after: 0, unit: ' %' },
  { name: 'new message, 10,000', of: (at) => at('append', '10,000') / frameMs, must: 4, after: 3, unit: ' frames' },
  {
    name: 'new message, 10,000 / 100',
    of: (at) => at('append', '10,000') / at('append', '100'),
    must: 1.1,
    after: 1.1,
  },
  { name: 'forced layouts while dragging, 10,000', of: (at) => at('dragLayouts', '10,000'), must: 0 },
  { name: 'forced layouts of a new message, 10,000', of: (at) => at('appendLayouts', '10,000'), must: 1 },
  {
    name: 'typing, 10,000 / one message',
    of: (at) => at('typing', '10,000') / at('typing', '1'),
    must: 1.1,
    after: 1.1,
  },
  { name: 'open, 200 comments / none', of: (at) => at('open', commented) / at('open', '10,000'), must: 1.1 },
  { name: 'new message, 200 comments / none', of: (at) => at('append', commented) / at('append', '10,000'), must: 1.1 },
  { name: 'typing, 200 comments / none', of: (at) => at('typing', commented) / at('typing', '10,000'), must: 1.1 },
  { name: 'elements, 10,000', of: (at) => at('elements', '10,000'), must: 3_000, after: 1_000 },
  { name: 'heap, 10,000', of: (at) => at('heap', '10,000'), must: 36, after: 16, unit: ' MB' },
  { name: 'heap, 100,000', of: (at) => at('heap', '100,000'), must: 80, after: 36, unit: ' MB' },
];

/** Two Markdown tables: the medians, and the goals with their results. With `activation`, also its goals. */
export function describeMeasured(
  columns: Columns<WindowFigures>,
  goals: readonly Goal[],
  activation?: readonly ActivationFigures[],
): string {
  const at = (figure: keyof typeof figures, column: string) =>
    median((columns.get(column) ?? []).map(figures[figure].of));
  const results = goals.flatMap((goal) => {
    const value = goal.of(at);
    // Not every run measures every column.
    return Number.isNaN(value) ? [] : [{ ...goal, value }];
  });
  return `${figureTable(windowFigures, columns)}\n\n${goalTable([...(activation ? activationGoals(activation) : []), ...results])}`;
}

/** A Markdown table of goals with their measured values. */
export function goalTable(results: readonly GoalResult[]): string {
  return markdownTable(['goal', 'measured', 'must', 'after', 'met'], results.map(judged));
}

function activationGoals(activation: readonly ActivationFigures[]): GoalResult[] {
  const emptyMs = median(activation.map((run) => run.emptyMs));
  const linesideMs = median(activation.map((run) => run.linesideMs));
  const ratio = { name: `forced activation / empty extension (${shown(linesideMs, 1)} / ${shown(emptyMs, 1)} ms)` };
  return [
    { ...ratio, must: 3, after: 2, value: linesideMs / emptyMs },
    {
      name: 'extension host, added when idle',
      must: 20,
      after: 8,
      unit: ' MB',
      value: median(activation.map((run) => run.addedMB)),
    },
  ];
}

function judged({ name, must, after, unit = '', value }: GoalResult): string[] {
  const isAfter = after !== undefined && value <= after;
  const verdict = isAfter ? 'yes, both' : value <= must ? 'yes' : '**no**';
  const limit = (most?: number): string => (most === undefined ? '–' : `<= ${most.toLocaleString('en')}${unit}`);
  return [name, `${shown(value, value < 10 ? 2 : 0)}${unit}`, limit(must), limit(after), verdict];
}
