import type { RowStub } from '../../shared/protocol/rowTypes.ts';
import type { Asked } from './asked.ts';
import type { BranchPlace } from './branches.ts';
import type { CalendarDays } from './calendarDays.ts';
import type { ConversationFilter } from './filter.ts';
import type { StepsPart, TurnSteps } from './turnSteps.ts';

/**
 * The message that a row shows. `isTextOnly`: the row doesn't include the tool calls and results of the message, which
 * are shown as steps or not at all, except for `asked`: what the message asks the user. `contextIds`: the messages
 * after it that the row shows too, because the agent's tooling wrote all of them.
 */
export interface MessageSource {
  readonly messageId: string;
  readonly isTextOnly?: boolean;
  readonly asked?: readonly Asked[];
  readonly contextIds?: readonly string[];
}

type RowSource = MessageSource | { readonly entryId: string } | { readonly steps: StepsPart };

/** One row of a conversation: a message listed by the service, an outgoing message, or steps of the agent's work. */
export interface ConversationRow extends RowStub {
  /** Changes exactly when the row must be rendered again; see rowVersion.ts. */
  readonly version: string;
  readonly source: RowSource;
  /** Unix ms. */
  readonly createdAt: number;
  /** Whether this is the first row of its calendar day. */
  readonly startsDay?: boolean;
  /** See `newSince` of `SessionRecord`. Set only for the first row that is newer. */
  readonly newSince?: number;
  /** Duration of the turn that ends with this row, in ms. Absent in the last turn. */
  readonly tookMs?: number | undefined;
  readonly branch?: BranchPlace | undefined;
  /** Whether this is the answer of a turn that is over. */
  readonly isAnswer?: boolean;
  /** The turn that ends with this row, if it changed files. Absent in the last turn. */
  readonly endedTurn?: TurnSteps | undefined;
}

/** Determines how a page shows a conversation. */
export interface RowsView {
  readonly filter: ConversationFilter;
  /**
   * The IDs of messages that the user went to, for example in a search, although they were hidden or shown in part.
   * These messages are always shown as a whole.
   */
  readonly openedIds: ReadonlySet<string>;
  /** The keys of the runs of steps that the user expanded. */
  readonly openRuns: ReadonlySet<string>;
  /** In Unix ms. Turns that ended by this time are collapsed. */
  readonly collapseUntil: number;
  /** If absent, there are no day separators. */
  readonly days?: CalendarDays;
  /** The titles of the sessions for which scheduled messages wait, by `keyText`. */
  readonly awaitedTitles?: Readonly<Record<string, string>>;
}
