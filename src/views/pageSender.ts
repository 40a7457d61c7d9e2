import type { HostMessage } from '../protocol.ts';
import { type ConversationRow, conversationRows } from '../state/conversationRows.ts';
import { describeComposer, describeHeader, describeOlder, describeScreen } from '../state/describeConversation.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { SessionRecord } from '../state/sessionRecord.ts';
import type { Store } from '../state/store.ts';
import type { Translate } from '../state/words.ts';
import { readRowBodies } from './rowBodies.ts';
import { RowStream } from './rowStream.ts';

export type PageSetup = Omit<Extract<HostMessage, { type: 'setup' }>, 'type'>;

export interface PageSenderOptions {
  readonly store: Store;
  readonly setup: () => PageSetup;
  /** A sentence under the composer, for example why something was not attached. */
  readonly composerProblem: (key: SessionKey) => string | undefined;
  readonly isWhenIdle?: () => boolean;
  /** Brings what is known of a session from earlier windows into the store, so that its first state has it. */
  readonly prepare?: (key: SessionKey) => Promise<void>;
  readonly t: Translate;
}

/** A part of the page that is sent by itself once the page has its first state. */
export type PagePart = 'rows' | 'header' | 'older' | 'composer' | 'draft';

/**
 * Knows what a page has and says what it needs next: its words, then a whole first state, then what changed, then the
 * remaining bodies. Whoever sends asks again after each delivery, so nothing overtakes and changes fold.
 */
export class PageSender {
  readonly #options: PageSenderOptions;
  readonly #changed = new Set<PagePart>();
  /** What was sent last of the parts that are sent whole, to send them only when they differ. */
  readonly #sent = new Map<string, string>();
  readonly #stream = new RowStream();
  #load = 0;
  #phase: 'silent' | 'new' | 'stale' | 'shown' = 'silent';
  #key: SessionKey | undefined;
  #revealMessageId: string | undefined;
  #isConversation = false;
  #wantsFocus = false;
  #wantedKeys: string[] = [];
  #extras: HostMessage[] = [];

  constructor(options: PageSenderOptions) {
    this.#options = options;
  }

  get key(): SessionKey | undefined {
    return this.#key;
  }

  /** Counts how often the page loaded: what is said of an earlier page says nothing of this one. */
  get load(): number {
    return this.#load;
  }

  /** The page has loaded and knows nothing. */
  start(): void {
    this.stop();
    this.#load++;
    this.#phase = 'new';
  }

  /** The page is gone or hidden: nothing is due until it has started again. */
  stop(): void {
    this.#phase = 'silent';
    this.#extras = [];
    this.#wantedKeys = [];
    this.#sent.clear();
    this.#changed.clear();
  }

  /** From now on the page shows this session. */
  setKey(key: SessionKey | undefined): void {
    this.#key = key;
    this.restart();
  }

  /** What the page shows is to be sent as a whole again. */
  restart(): void {
    if (this.#phase === 'shown') this.#phase = 'stale';
  }

  /** Sessions came or went: a screen may have become a conversation, or the other way round. */
  restartIfOther(): void {
    const isThere = this.#key !== undefined && this.#options.store.record(this.#key) !== undefined;
    if (isThere !== this.#isConversation) this.restart();
  }

  /** Shows a message as soon as it is there. */
  reveal(messageId: string): void {
    this.#revealMessageId = messageId;
  }

  /** Puts the caret into the composer as soon as there is one. */
  focusComposer(): void {
    this.#wantsFocus = true;
  }

  change(...parts: PagePart[]): void {
    for (const part of parts) this.#changed.add(part);
  }

  want(rowKeys: readonly string[]): void {
    this.#wantedKeys.push(...rowKeys);
  }

  /** Something besides the state; dropped while there is no page. */
  tell(message: HostMessage): void {
    if (this.#phase !== 'silent') this.#extras.push(message);
  }

  /** What to send now; undefined while nothing is due, and where the page went or loaded anew meanwhile. */
  async next(): Promise<HostMessage | undefined> {
    const load = this.#load;
    const message = await this.#due();
    return load === this.#load && this.#phase !== 'silent' ? message : undefined;
  }

  async #due(): Promise<HostMessage | undefined> {
    if (this.#phase === 'silent') return undefined;
    if (this.#phase === 'new') {
      this.#phase = 'stale';
      return { type: 'setup', ...this.#options.setup() };
    }
    if (this.#phase === 'stale' && !(await this.#isPrepared())) return undefined;
    const record = this.#key && this.#options.store.record(this.#key);
    if (this.#phase === 'stale') {
      this.#phase = 'shown';
      this.#changed.clear();
      this.#sent.clear();
      this.#isConversation = record !== undefined;
      return record ? this.#conversation(record) : this.#screen();
    }
    const extra = this.#extras.shift();
    if (extra) return extra;
    if (this.#wantsFocus && record) {
      this.#wantsFocus = false;
      return { type: 'focusComposer' };
    }
    return record ? ((await this.#changedPart(record)) ?? this.#moreRows(record)) : this.#screenIfChanged();
  }

  /** Whether the page still waits for its state after what is known of its session was brought in. */
  async #isPrepared(): Promise<boolean> {
    const load = this.#load;
    if (this.#key) await this.#options.prepare?.(this.#key);
    return load === this.#load && this.#phase === 'stale';
  }

  async #conversation(record: SessionRecord): Promise<HostMessage> {
    const { key } = record.deck;
    const rows = conversationRows(record);
    const bodies = await this.#stream.start(rows, this.#reader(key));
    const { text, selectionStart, selectionEnd } = record.draft;
    const conversation = {
      ...key,
      header: this.#header(record),
      seeds: rows.map(({ key: rowKey, weightLines }) => ({ key: rowKey, weightLines })),
      rows: bodies,
      older: this.#older(record),
      composer: this.#composer(record),
      draft: { text, selectionStart, selectionEnd },
      ...this.#takeReveal(record),
    };
    for (const part of ['header', 'older', 'composer'] as const) this.#differs(part, conversation[part]);
    return { type: 'conversation', conversation };
  }

  /** The row to show, once it is there: a message may still have to be read. */
  #takeReveal(record: SessionRecord): { revealKey?: string } {
    const messageId = this.#revealMessageId;
    if (messageId === undefined || !record.headers.some((header) => header.messageId === messageId)) return {};
    this.#revealMessageId = undefined;
    return { revealKey: record.entryIdByMessageId.get(messageId) ?? messageId };
  }

  #screen(): HostMessage {
    const { store, t } = this.#options;
    const screen = describeScreen(store.connection, store.records.length, t);
    this.#differs('screen', screen);
    return { type: 'screen', screen };
  }

  #screenIfChanged(): HostMessage | undefined {
    const before = this.#sent.get('screen');
    const message = this.#screen();
    return this.#sent.get('screen') === before ? undefined : message;
  }

  async #changedPart(record: SessionRecord): Promise<HostMessage | undefined> {
    if (this.#changed.delete('rows')) {
      const patches = await this.#stream.update(conversationRows(record), this.#reader(record.deck.key));
      if (patches.length > 0) return { type: 'patch', patches };
    }
    const { revealKey } = this.#takeReveal(record);
    if (revealKey !== undefined) return { type: 'reveal', key: revealKey };
    if (this.#changed.delete('header')) {
      const header = this.#header(record);
      if (this.#differs('header', header)) return { type: 'header', header };
    }
    if (this.#changed.delete('older')) {
      const older = this.#older(record);
      if (this.#differs('older', older)) return { type: 'older', older };
    }
    if (this.#changed.delete('draft')) {
      const { text, selectionStart, selectionEnd } = record.draft;
      return { type: 'draft', draft: { text, selectionStart, selectionEnd } };
    }
    if (this.#changed.delete('composer')) {
      const composer = this.#composer(record);
      if (this.#differs('composer', composer)) return { type: 'composer', composer };
    }
    return undefined;
  }

  async #moreRows(record: SessionRecord): Promise<HostMessage | undefined> {
    const read = this.#reader(record.deck.key);
    const wanted = this.#wantedKeys.splice(0);
    const rows = await (wanted.length > 0 ? this.#stream.wanted(wanted, read) : this.#stream.next(read));
    return rows && { type: 'rows', rows };
  }

  #header(record: SessionRecord) {
    return describeHeader(record, this.#options.store.connection, this.#options.t);
  }

  #older(record: SessionRecord) {
    return describeOlder(record, this.#options.store.connection, this.#options.t);
  }

  #composer(record: SessionRecord) {
    const { store, composerProblem: problem, isWhenIdle, t } = this.#options;
    return describeComposer(record, store.connection, problem(record.deck.key), t, isWhenIdle?.());
  }

  #reader(key: SessionKey) {
    return (rows: readonly ConversationRow[]) => readRowBodies(this.#options.store, key, rows, this.#options.t);
  }

  /** Whether a part differs from what the page has of it; it has it from now on. */
  #differs(part: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    if (this.#sent.get(part) === text) return false;
    this.#sent.set(part, text);
    return true;
  }
}
