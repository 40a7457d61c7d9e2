import type { PageReading, PageRow, RowPatch } from '../../shared/protocol/pageModel.ts';
import { CalendarDays } from '../../state/conversation/calendarDays.ts';
import { type ConversationRow, type ShownConversation, showConversation } from '../../state/conversation/rows.ts';
import { describeReading } from '../../state/presentation/filter.ts';
import type { ConversationFilter } from '../../state/conversation/filter.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import { readRowBodies } from './rowBodies.ts';
import { type FirstRows, RowTransfer } from './rowTransfer.ts';

export interface ShownRowsOptions {
  readonly store: Store;
  readonly readingOf: (key: SessionKey) => ConversationFilter;
  readonly t: Translate;
}

/** What rows a page shows of its session, as the person reads it, and what it was given of them. */
export class ConversationRowModel {
  readonly #options: ShownRowsOptions;
  readonly #stream = new RowTransfer();
  /** What the person opened or asked to see; see RowsView. Only grows by one id at a time. */
  #openedIds: ReadonlySet<string> = new Set();
  #days = new CalendarDays();
  #isReread = false;
  /** Where bodies of new rows are wanted first. */
  #nearKey: string | undefined;
  #last:
    { record: SessionRecord; reading: ConversationFilter; openedIds: unknown; shown: ShownConversation } | undefined;

  constructor(options: ShownRowsOptions) {
    this.#options = options;
  }

  /** The page shows another session. */
  forget(): void {
    this.#isReread = false;
    this.#openedIds = new Set();
    this.#last = undefined;
  }

  /** Days begin where the person's clock says. */
  setTimeZone(timeZone: string | undefined): void {
    this.#days = new CalendarDays(timeZone);
    this.#last = undefined;
  }

  /** Begins anew, at the end of the conversation. */
  start(record: SessionRecord): Promise<FirstRows> {
    return this.#stream.start(this.#show(record).rows, this.#reader(record.listEntry.key));
  }

  /** The next seeds of rows before those, which come before all that tells of rows; undefined when there are none. */
  earlier(): string | undefined {
    return this.#stream.earlier();
  }

  /** What to patch, and whether it is for the way the person reads, so that nothing may have come in. */
  async update(record: SessionRecord): Promise<{ patches: readonly RowPatch[]; isReread?: boolean }> {
    const near = this.#nearKey;
    this.#nearKey = undefined;
    const isReread = this.#isReread;
    this.#isReread = false;
    const patches = await this.#stream.update(this.#show(record).rows, this.#reader(record.listEntry.key), near);
    return { patches, ...(isReread ? { isReread } : {}) };
  }

  /** The next update is for the way the person reads. */
  reread(): void {
    this.#isReread = true;
  }

  /** The bodies of the rows named, or without any the next piece in the background. */
  more(record: SessionRecord, wantedKeys: readonly string[]): Promise<PageRow[] | undefined> {
    const read = this.#reader(record.listEntry.key);
    return wantedKeys.length > 0 ? this.#stream.wanted(wantedKeys, read) : this.#stream.next(read);
  }

  reading(record: SessionRecord): PageReading {
    const { readingOf, t } = this.#options;
    return describeReading(readingOf(record.listEntry.key), this.#show(record), t);
  }

  /** New rows come with their bodies after this one first. */
  lookAt(rowKey: string | undefined): void {
    this.#nearKey = rowKey;
  }

  /** Opens or closes a group of tool messages by its row. */
  toggle(record: SessionRecord, rowKey: string): void {
    const row = this.#show(record).rows.find(({ key }) => key === rowKey);
    if (!row || !('group' in row.source)) return;
    const { messageIds, isOpen } = row.source.group;
    const openedIds = new Set(this.#openedIds);
    if (!isOpen) for (const messageId of messageIds.slice(0, 1)) openedIds.add(messageId);
    else for (const messageId of messageIds) openedIds.delete(messageId);
    this.#openedIds = openedIds;
    this.#isReread = true;
    this.#nearKey = rowKey;
  }

  /** The row of a message; a message that is left out or folded away is shown from now on. Undefined if not here. */
  open(record: SessionRecord, messageId: string): string | undefined {
    const here = this.#rowOf(record, messageId);
    if (here) return here.key;
    if (!record.headers.some((header) => header.messageId === messageId)) return undefined;
    this.#openedIds = new Set([...this.#openedIds, messageId]);
    this.#isReread = true;
    const row = this.#rowOf(record, messageId);
    this.#nearKey = row?.key;
    return row?.key;
  }

  /** The message a row stands for, or the first one of a group. */
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
    const reading = this.#options.readingOf(record.listEntry.key);
    const openedIds = this.#openedIds;
    const last = this.#last;
    const isSame = last && isSameConversation(last.record, record);
    if (isSame && last.reading === reading && last.openedIds === openedIds) return last.shown;
    const shown = showConversation(record, { filter: reading, openedIds, days: this.#days }, last?.shown);
    this.#last = { record, reading, openedIds, shown };
    return shown;
  }

  #reader(key: SessionKey) {
    const { store, t } = this.#options;
    return (rows: readonly ConversationRow[]) => readRowBodies(store, key, rows, t);
  }
}

/** Whether two states of a session have the same rows: most changes are of its status, its draft or how it was read. */
function isSameConversation(one: SessionRecord, other: SessionRecord): boolean {
  return (
    one.headers === other.headers &&
    one.outbox === other.outbox &&
    one.entryIdByMessageId === other.entryIdByMessageId &&
    one.session?.status === other.session?.status
  );
}
