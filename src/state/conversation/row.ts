import type { RowStub } from '../../shared/protocol/rowTypes.ts';
import type { BranchPlace } from './branches.ts';
import type { CalendarDays } from './calendarDays.ts';
import type { ConversationFilter } from './filter.ts';
import type { ToolGroup } from './toolGroups.ts';

/** One row of a conversation: a message listed by the service, an outgoing message, or a group of tool messages. */
export interface ConversationRow extends RowStub {
  /** Changes exactly when the row must be rendered again; see rowVersion.ts. */
  readonly version: string;
  readonly source: { readonly messageId: string } | { readonly entryId: string } | { readonly group: ToolGroup };
  /** Unix ms. */
  readonly createdAt: number;
  /** Whether this is the first row of its calendar day. */
  readonly startsDay?: boolean;
  /** Duration of the turn that ends with this row, in ms. */
  readonly tookMs?: number | undefined;
  readonly branch?: BranchPlace | undefined;
}

/** Determines how a page shows a conversation. */
export interface RowsView {
  readonly filter: ConversationFilter;
  /** The messages that the user opened. They are always shown, with their groups expanded. */
  readonly openedIds: ReadonlySet<string>;
  /** If absent, there are no day separators. */
  readonly days?: CalendarDays;
}
