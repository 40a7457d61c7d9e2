/** The messages between the host and the usage page, and the content that it renders. */
import * as z from 'zod/mini';

/** Messages from the usage page to the host. */
export const usagePageMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('exportCsv') }),
  z.object({ type: z.literal('failed'), reason: z.string().check(z.maxLength(500)) }),
]);
export type UsagePageMessage = z.output<typeof usagePageMessageSchema>;

/** The one message from the host to the usage page. It always carries the whole content. */
export interface UsageHostMessage {
  readonly type: 'usage';
  readonly usage: UsageContent;
}

/** What the usage page shows of a session; every word and number is written by the host. */
export interface UsageContent {
  readonly origin: string;
  readonly sessionId: string;
  readonly title: string;
  readonly heading: string;
  readonly exportLabel: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly charts: readonly UsageChart[];
  readonly tables: readonly UsageTable[];
  /** Why there is nothing to show. */
  readonly empty?: string;
}

export interface UsageTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What stands there where there are no rows. */
  readonly empty?: string;
}

/** `bars` stacks the values of each point; `line` draws each value of the points over their times. */
export interface UsageChart {
  readonly kind: 'bars' | 'line';
  readonly caption: string;
  /** The chart in a sentence, for who does not see it. */
  readonly summary: string;
  /** The lines across it from zero up, the last of them at its top; the caption names the unit. */
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  /** What stands below: when it begins and ends, or both in one. */
  readonly times: readonly string[];
  /** What the values of a point are, in their order. */
  readonly legend: readonly string[];
  readonly points: readonly { readonly label: string; readonly at?: number; readonly values: readonly number[] }[];
}
