import { defined } from '../../shared/defined.ts';
import type { PageFilter } from '../../shared/protocol/pageModel.ts';
import type { PageRow, RowPatch } from '../../shared/protocol/rowTypes.ts';
import { CalendarDays } from '../../state/conversation/calendarDays.ts';
import type { ConversationRow } from '../../state/conversation/row.ts';
import type { ShownConversation } from '../../state/conversation/turnRows.ts';
import { showConversation } from '../../state/conversation/rows.ts';
import { describeFilter } from '../../state/presentation/filter.ts';
import type { ConversationFilter } from '../../state/conversation/filter.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { PageContext } from './pageContext.ts';
import { SessionRowBodies } from './rowBodies.ts';
import { type FirstRows, RowTransfer } from './rowTransfer.ts';

/** The rows of the session that a page shows, with the filter applied. Tracks which of them the page has received. */
export class ConversationRowModel {
  readonly #context: PageContext;
  readonly #transfer = new RowTransfer();
  /**
   * Messages that are shown even though the filter hides them or a group contains them. Each change replaces the set.
   */
  #openedIds: ReadonlySet<string> = new Set();
  #days = new CalendarDays();
  #isFilterChange = false;
  /** The bodies of new rows after this one are sent first. */
  #nearKey: string | undefined;
  #last:
    { record: SessionRecord; filter: ConversationFilter; openedIds: unknown; shown: ShownConversation } | undefined;

  constructor(context: PageContext) {
    this.#context = context;
  }

  /** Resets the model for another session. */
  reset(): void {
    this.#isFilterChange = false;
    this.#openedIds = new Set();
    this.#last = undefined;
  }

  /** Sets the time zone in which days begin; undefined for the time zone of this computer. */
  setTimeZone(timeZone: string | undefined): void {
    this.#days = new CalendarDays(timeZone);
    this.#last = undefined;
  }

  /** Starts again, beginning with the end of the conversation. */
  start(record: SessionRecord): Promise<FirstRows> {
    return this.#transfer.start(this.#show(record).rows, this.#bodies(record));
  }

  /** The next chunk of row stubs above the ones sent; must be delivered before any row update. */
  earlierStubs(): string | undefined {
    return this.#transfer.earlierStubs();
  }

  /** Row patches, and whether they result only from a filter change (then nothing is announced as new). */
  async update(record: SessionRecord): Promise<{ patches: readonly RowPatch[]; isReread?: boolean }> {
    const near = this.#nearKey;
    this.#nearKey = undefined;
    const isReread = this.#isFilterChange || undefined;
    this.#isFilterChange = false;
    const patches = await this.#transfer.update(this.#show(record).rows, this.#bodies(record), near);
    return { patches, ...defined({ isReread }) };
  }

  /** Marks the next update as the result of a filter change. */
  filterChanged(): void {
    this.#isFilterChange = true;
  }

  /** The bodies of these rows or, without keys, the next chunk of the background transfer. */
  more(record: SessionRecord, requestedKeys: readonly string[]): Promise<PageRow[] | undefined> {
    const bodies = this.#bodies(record);
    return requestedKeys.length > 0 ? this.#transfer.requested(requestedKeys, bodies) : this.#transfer.next(bodies);
  }

  /** The filter of the conversation. Includes the number of shown messages if some are hidden. */
  filter(record: SessionRecord): PageFilter {
    const { filters, t } = this.#context;
    return describeFilter(filters.get(record.listEntry.key), this.#show(record), t);
  }

  /** Sends the bodies of new rows after this one first. */
  preferRowsAfter(rowKey: string | undefined): void {
    this.#nearKey = rowKey;
  }

  /** Expands or collapses a group of tool messages. */
  toggle(record: SessionRecord, rowKey: string): void {
    const row = this.#show(record).rows.find(({ key }) => key === rowKey);
    if (!row || !('group' in row.source)) return;
    const { messageIds, isOpen } = row.source.group;
    const openedIds = new Set(this.#openedIds);
    if (!isOpen) for (const messageId of messageIds.slice(0, 1)) openedIds.add(messageId);
    else for (const messageId of messageIds) openedIds.delete(messageId);
    this.#openedIds = openedIds;
    this.#isFilterChange = true;
    this.#nearKey = rowKey;
  }

  /** The key of a message's row. Shows the message if it is hidden. Undefined if the message is not loaded. */
  open(record: SessionRecord, messageId: string): string | undefined {
    const visible = this.#rowOf(record, messageId);
    if (visible) return visible.key;
    if (!record.headers.some((header) => header.messageId === messageId)) return undefined;
    this.#openedIds = new Set([...this.#openedIds, messageId]);
    this.#isFilterChange = true;
    const row = this.#rowOf(record, messageId);
    this.#nearKey = row?.key;
    return row?.key;
  }

  /** The ID of a row's message, or of the first message of a group. Undefined for queued messages and unknown rows. */
  messageIdOf(record: SessionRecord, rowKey: string): string | undefined {
    const source = this.#show(record).rows.find(({ key }) => key === rowKey)?.source;
    if (!source || 'entryId' in source) return undefined;
    return 'group' in source ? source.group.messageIds[0] : source.messageId;
  }

  #rowOf(record: SessionRecord, messageId: string): ConversationRow | undefined {
    const isIt = ({ source }: ConversationRow) => 'messageId' in source && source.messageId === messageId;
    return this.#show(record).rows.find(isIt);
  }

  #show(record: SessionRecord): ShownConversation {
    const filter = this.#context.filters.get(record.listEntry.key);
    const openedIds = this.#openedIds;
    const last = this.#last;
    const isSame = last && hasSameRows(last.record, record);
    if (isSame && last.filter === filter && last.openedIds === openedIds) return last.shown;
    const shown = showConversation(record, { filter, openedIds, days: this.#days }, last?.shown);
    this.#last = { record, filter, openedIds, shown };
    return shown;
  }

  #bodies(record: SessionRecord): SessionRowBodies {
    return new SessionRowBodies(this.#context.store, record.listEntry.key, this.#context.t);
  }
}

/** Whether two states of a session have the same rows. Most changes, such as those to the draft, don't affect rows. */
function hasSameRows(one: SessionRecord, other: SessionRecord): boolean {
  return (
    one.headers === other.headers &&
    one.outbox === other.outbox &&
    one.entryIdByMessageId === other.entryIdByMessageId &&
    one.session?.status === other.session?.status
  );
}
