/** The messages between the host and the usage page, and the content that the page renders. */
import * as z from 'zod/mini';

/** Messages from the usage page to the host. */
export const usagePageMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('exportCsv') }),
  z.object({ type: z.literal('failed'), reason: z.string().check(z.maxLength(500)) }),
]);
export type UsagePageMessage = z.output<typeof usagePageMessageSchema>;

/** The only message from the host to the usage page. It always contains the complete content. */
export interface UsageHostMessage {
  readonly type: 'usage';
  readonly usage: UsageContent;
}

/** The content of the usage page for one session. The host formats all text and numbers. */
export interface UsageContent {
  readonly origin: string;
  readonly sessionId: string;
  readonly title: string;
  readonly heading: string;
  readonly exportLabel: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly charts: readonly UsageChart[];
  readonly tables: readonly UsageTable[];
  /** Explains why there is nothing to show. Absent if there is content. */
  readonly empty?: string;
}

export interface UsageTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Shown in place of the rows if there are none. */
  readonly empty?: string;
}

/** `bars` stacks the values of each point; `line` plots each value over the times of the points. */
export interface UsageChart {
  readonly kind: 'bars' | 'line';
  readonly caption: string;
  /** Describes the chart in words for screen readers. */
  readonly summary: string;
  /** The horizontal grid lines, from zero to the top of the chart. The unit is in the caption. */
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  /** The labels below the chart: its start and end time, or both as one range. */
  readonly times: readonly string[];
  /** The names of a point's values, in the same order. */
  readonly legend: readonly string[];
  readonly points: readonly { readonly label: string; readonly at?: number; readonly values: readonly number[] }[];
}
