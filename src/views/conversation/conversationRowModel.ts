import { defined } from '../../shared/defined.ts';
import { sameValue } from '../../shared/equality.ts';
import type { PageState } from '../../shared/protocol/pageMessages.ts';
import type { PageFilter, PagePatch } from '../../shared/protocol/pageModel.ts';
import type { PageRow, PageTarget, StepId } from '../../shared/protocol/rowTypes.ts';
import { isStepsOnly } from '../../state/conversation/arrangeWork.ts';
import { CalendarDays } from '../../state/conversation/calendarDays.ts';
import type { ConversationRow, RowsView } from '../../state/conversation/row.ts';
import { isSameView, type ShownConversation, type TurnRows } from '../../state/conversation/turnRows.ts';
import { findSteps } from '../../state/conversation/stepRows.ts';
import type { Step } from '../../state/conversation/turnSteps.ts';
import { firstNewRow, withDivider } from '../../state/conversation/newRows.ts';
import { isPrompt } from '../../state/store/turns.ts';
import { showConversation } from '../../state/conversation/rows.ts';
import { describeFilter } from '../../state/presentation/describeFilter.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { keyText } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { PageContext } from './pageContext.ts';
import type { PageMessages } from './pageMessages.ts';
import { SessionRowBodies } from './sessionRowBodies.ts';
import { type EarlierRows, type FirstRows, RowTransfer } from './rowTransfer.ts';

/** The rows of a session, the first of them that is new to the user, and what they were made from. */
interface ShownRows {
  readonly record: SessionRecord;
  readonly view: RowsView;
  readonly shown: ShownConversation;
  readonly rows: readonly ConversationRow[];
  readonly newKey: string | undefined;
}

/** A row of a page, as other pages of its session can find it. */
export interface RowPlace {
  readonly rowKey: string;
  /**
   * The message to show if there is no such row, for example because its run of steps is collapsed in the other page.
   */
  readonly messageId: string | undefined;
}

/** A message, or a step of it, to go to. */
export interface MessagePlace {
  readonly messageId: string;
  /**
   * The position of the step's call or result in the message. With `any`, if the message consists only of steps, all of
   * them; otherwise, and if it is absent, the whole message.
   */
  readonly step?: number | 'any';
}

/** The row of a message or a step, or the row with a key, to find. */
interface RowTarget {
  readonly rowKey?: string;
  readonly messageId?: string | undefined;
  readonly step?: number | 'any';
  /** Whether the row contains a match of a search. */
  readonly isMatch?: boolean;
}

/** The rows of the session that a page shows, with the filter applied. Tracks which of them the page has received. */
export class ConversationRowModel {
  readonly #context: PageContext;
  readonly #messages: PageMessages;
  readonly #transfer = new RowTransfer();
  /** Messages that are shown as a whole even though the filter hides them. Each change replaces the set. */
  #openedIds: ReadonlySet<string> = new Set();
  /** The opened message that contains the current match of a search. */
  #matchId: string | undefined;
  /** The runs of steps that the user expanded. Each change replaces the set. */
  #openRuns: ReadonlySet<string> = new Set();
  /** See {@link RowsView}; undefined until the session has messages. */
  #collapseUntil: number | undefined;
  #days = new CalendarDays();
  #isFilterChange = false;
  /** The key of a row. The bodies of the new rows from this one on are sent first. */
  #nearKey: string | undefined;
  #last: ShownRows | undefined;

  constructor(context: PageContext, messages: PageMessages) {
    this.#context = context;
    this.#messages = messages;
  }

  /** Resets the model for another session. */
  reset(): void {
    this.#isFilterChange = false;
    this.#openedIds = new Set();
    this.#matchId = undefined;
    this.#openRuns = new Set();
    this.#collapseUntil = undefined;
    this.#last = undefined;
  }

  /** Sets the time zone in which days begin; undefined for the time zone of this computer. */
  setTimeZone(timeZone: string | undefined): void {
    this.#days = new CalendarDays(timeZone);
    this.#last = undefined;
  }

  /** Starts the transfer of the rows again. Resolves to the first ones to send, which are at the end. */
  start(record: SessionRecord): Promise<FirstRows> {
    this.#isFilterChange = false;
    const laterCount = this.#messages.earlierCount(record);
    return this.#transfer.start(this.#show(record).rows, this.#bodies(record), laterCount);
  }

  /**
   * The next chunk of row stubs above the ones sent; undefined if the page has all stubs. Must be delivered before any
   * row update.
   */
  earlierStubs(record: SessionRecord): EarlierRows | undefined {
    if (this.#transfer.isJoinExpected && this.#messages.earlierCount(record) === 0)
      this.#transfer.join(this.#show(record).rows);
    return this.#transfer.earlierStubs();
  }

  /** The changes to the rows since the page received them. */
  async update(record: SessionRecord): Promise<PagePatch> {
    const near = this.#nearKey;
    this.#nearKey = undefined;
    const isReread = this.#isFilterChange || undefined;
    this.#isFilterChange = false;
    const { rows, newKey } = this.#show(record);
    const patches = await this.#transfer.update(rows, this.#bodies(record), near);
    return { patches, ...defined({ isReread, newKey }) };
  }

  /** Marks the next update as the result of a filter change. */
  filterChanged(): void {
    this.#isFilterChange = true;
  }

  /**
   * The bodies of these rows or, without keys, the next chunk of the background transfer. Resolves to undefined if that
   * transfer has nothing to send.
   */
  more(record: SessionRecord, requestedKeys: readonly string[]): Promise<PageRow[] | undefined> {
    const bodies = this.#bodies(record);
    return requestedKeys.length > 0 ? this.#transfer.requested(requestedKeys, bodies) : this.#transfer.next(bodies);
  }

  /**
   * The filter of the conversation, as {@link describeFilter} describes it. A summary has no numbers while earlier
   * messages are about to be read.
   */
  filter(record: SessionRecord): PageFilter {
    const { filters, t } = this.#context;
    const isPart = this.#messages.earlierCount(record) > 0;
    const messageCount = isPart ? undefined : (record.session?.messageCount ?? 0);
    return describeFilter(filters.get(record.listEntry.key), this.#show(record).shown, messageCount, t);
  }

  /** The last turn of the conversation; undefined without messages. */
  lastTurn(record: SessionRecord): TurnRows | undefined {
    return this.#show(record).shown.inputs.turns.at(-1);
  }

  /** Whether there is a row at the position that the page saved. True if it saved none, or that of another session. */
  hasSaved(record: SessionRecord, { origin, sessionId, anchorKey, atEnd }: PageState): boolean {
    const { key } = record.listEntry;
    if (atEnd === true || origin !== key.origin || sessionId !== key.sessionId) return true;
    return anchorKey === undefined || this.#has(record, anchorKey);
  }

  /** The estimated height of all rows, in lines of text. */
  lineCount(record: SessionRecord): number {
    return this.#show(record).rows.reduce((sum, { estimatedLines }) => sum + estimatedLines, 0);
  }

  /** The key of the first row that is new to the user; undefined if there is none. */
  newKey(record: SessionRecord): string | undefined {
    return this.#show(record).newKey;
  }

  /** In the next update, the bodies of the new rows from this one on are sent first. */
  preferRowsAfter(rowKey: string | undefined): void {
    this.#nearKey = rowKey;
  }

  /** Expands or collapses a run of steps. */
  toggle(record: SessionRecord, rowKey: string): void {
    const row = this.#show(record).rows.find(({ key }) => key === rowKey);
    if (!row || !('steps' in row.source)) return;
    this.#toggleRun(row.source.steps.runKey);
    this.#nearKey = rowKey;
  }

  #toggleRun(runKey: string): void {
    const openRuns = new Set(this.#openRuns);
    if (!openRuns.delete(runKey)) openRuns.add(runKey);
    this.#openRuns = openRuns;
    this.#isFilterChange = true;
  }

  /**
   * The target's row: the one with `rowKey` if it exists, or else the row of the step or the message. Shows the step or
   * the message if it is hidden. Undefined if it isn't loaded. If the row contains a match of a search, the message
   * with the previous match is hidden again.
   */
  find(record: SessionRecord, target: RowTarget): PageTarget | undefined {
    const { rowKey, messageId, step = rowKey === undefined ? undefined : 'any', isMatch = false } = target;
    if (rowKey !== undefined && this.#has(record, rowKey)) return { key: rowKey };
    if (messageId === undefined) return undefined;
    const shown = step === undefined ? undefined : this.#showSteps(record, messageId, step);
    if (shown) return shown;
    const key = this.#open(record, messageId, isMatch);
    return key === undefined ? undefined : { key };
  }

  #open(record: SessionRecord, messageId: string, isMatch: boolean): string | undefined {
    if (isMatch) this.#hideMatch(messageId);
    const visible = this.#rowOf(record, messageId);
    if (visible) return visible.key;
    if (!record.headers.some((header) => header.messageId === messageId)) return undefined;
    this.#openedIds = new Set([...this.#openedIds, messageId]);
    if (isMatch) this.#matchId = messageId;
    this.#isFilterChange = true;
    const row = this.#rowOf(record, messageId);
    this.#nearKey = row?.key;
    return row?.key;
  }

  /**
   * The row with the step or, for `any`, with the steps that show a call or a result of the message. Expands the runs
   * that hide them. Undefined if no row shows them as steps.
   */
  #showSteps(record: SessionRecord, messageId: string, index: number | 'any'): PageTarget | undefined {
    const header = record.headers.find((other) => other.messageId === messageId);
    if (!header || this.#openedIds.has(messageId) || (index === 'any' && !isStepsOnly(header))) return undefined;
    const isWanted = (step: Step) =>
      step.messageId === messageId
        ? index === 'any' || step.index === index
        : index === 'any' && step.result?.messageId === messageId;
    const find = () => {
      const turn = this.#show(record).shown.inputs.turns.find(({ headers }) => headers.includes(header));
      return findSteps(turn?.rows ?? [], isWanted);
    };
    let found = find();
    // A collapsed run can be in a turn that is collapsed itself.
    while (found?.steps.length === 0) {
      this.#toggleRun(found.runKey);
      found = find();
    }
    if (!found) return undefined;
    this.#nearKey = found.key;
    const { key, steps } = found;
    return { key, steps: steps.map((step): StepId => ({ messageId: step.messageId, index: step.index })) };
  }

  #hideMatch(nextId: string): void {
    if (this.#matchId === undefined || this.#matchId === nextId) return;
    const openedIds = new Set(this.#openedIds);
    openedIds.delete(this.#matchId);
    this.#openedIds = openedIds;
    this.#matchId = undefined;
    this.#isFilterChange = true;
  }

  /**
   * The ID of a row's message, or of the first message of its steps. Undefined for messages in the outbox and for
   * unknown rows.
   */
  messageIdOf(record: SessionRecord, rowKey: string | undefined): string | undefined {
    const source = this.#show(record).rows.find(({ key }) => key === rowKey)?.source;
    if (!source || 'entryId' in source) return undefined;
    return 'steps' in source ? source.steps.messageId : source.messageId;
  }

  #has(record: SessionRecord, rowKey: string): boolean {
    return this.#show(record).rows.some(({ key }) => key === rowKey);
  }

  /** The row that shows all of a message. */
  #rowOf(record: SessionRecord, messageId: string): ConversationRow | undefined {
    const isIt = ({ source }: ConversationRow) =>
      'messageId' in source && source.messageId === messageId && source.isTextOnly !== true;
    return this.#show(record).rows.find(isIt);
  }

  #show(record: SessionRecord): ShownRows {
    if (record.headers.length > 0) this.#collapseUntil ??= lastEndedAt(record);
    const view: RowsView = {
      filter: this.#context.filters.get(record.listEntry.key),
      openedIds: this.#openedIds,
      openRuns: this.#openRuns,
      collapseUntil: this.#collapseUntil ?? 0,
      days: this.#days,
      awaitedTitles: awaitedTitles(record, this.#messages),
    };
    const last = this.#last;
    const isSame = last && hasSameRows(last.record, record) && isSameView(last.view, view);
    if (isSame && sameValue(last.view.awaitedTitles, view.awaitedTitles)) return last;
    const shown = showConversation(record, view, last?.shown);
    const firstNew = firstNewRow(shown.rows, record);
    const rows = withDivider(shown.rows, firstNew, record.newSince);
    this.#last = { record, view, shown, rows, newKey: rows[firstNew]?.key };
    return this.#last;
  }

  #bodies(record: SessionRecord): SessionRowBodies {
    return new SessionRowBodies(this.#messages, record.listEntry.key, this.#context.t);
  }
}

/**
 * The time of the last message of a completed turn, in Unix ms; 0 if there is none. For an idle session, at least the
 * time of its last change, because no message that isn't loaded yet is newer.
 */
function lastEndedAt({ headers, session }: SessionRecord): number {
  if (session?.status === 'idle') return Math.max(headers.at(-1)?.createdAt ?? 0, session.updatedAt);
  const promptAt = headers.findLastIndex(isPrompt);
  return headers[promptAt - 1]?.createdAt ?? 0;
}

/** The titles of the known sessions for which the session's scheduled messages wait, by `keyText`. */
function awaitedTitles(
  { outbox }: SessionRecord,
  messages: Pick<PageMessages, 'record'>,
): Readonly<Record<string, string>> {
  const titles = outbox.flatMap(({ after }): [string, string][] => {
    const awaited = after?.kind === 'sessionIdle' ? messages.record(after.key) : undefined;
    return awaited ? [[keyText(awaited.listEntry.key), sessionTitle(awaited)]] : [];
  });
  return Object.fromEntries(titles);
}

/** Whether two states of a session have the same rows. Most changes, such as those to the draft, don't affect rows. */
function hasSameRows(one: SessionRecord, other: SessionRecord): boolean {
  return (
    one.headers === other.headers &&
    one.newSince === other.newSince &&
    one.history.completeness === other.history.completeness &&
    one.outbox === other.outbox &&
    one.entryIdByMessageId === other.entryIdByMessageId &&
    one.session?.status === other.session?.status
  );
}
