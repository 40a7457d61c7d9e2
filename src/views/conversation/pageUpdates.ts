import type { HostMessage } from '../../shared/protocol/pageMessages.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { PageLifecycle } from './pageLifecycle.ts';
import { type PageSection, PageSections, type PagePartsOptions } from './pageSections.ts';
import { ConversationRowModel, type ShownRowsOptions } from './rowModel.ts';

export type PageSetup = Omit<Extract<HostMessage, { type: 'setup' }>, 'type'>;

export interface PageSenderOptions extends ShownRowsOptions, PagePartsOptions {
  readonly setup: () => PageSetup;
  /** Brings what is known of a session from earlier windows into the store, so that its first state has it. */
  readonly prepare?: (key: SessionKey) => Promise<void>;
}

/** A message to be shown. */
interface Target {
  readonly messageId: string;
  readonly say: (rowKey: string) => HostMessage;
}

/**
 * Knows what a page has and says what it needs next: its words, then a whole first state, then what changed, then the
 * remaining bodies. Whoever sends asks again after each delivery, so nothing overtakes and changes fold.
 */
export class PageUpdateQueue {
  readonly #options: PageSenderOptions;
  readonly #changed = new Set<PageSection>();
  readonly #parts: PageSections;
  /** How far the page is. */
  readonly load = new PageLifecycle();
  /** Which rows the page shows. */
  readonly rows: ConversationRowModel;
  #key: SessionKey | undefined;
  #target: Target | undefined;
  #isConversation = false;
  #wantsFocus = false;
  #wantedKeys: string[] = [];
  #extras: HostMessage[] = [];

  constructor(options: PageSenderOptions) {
    this.#options = options;
    this.rows = new ConversationRowModel(options);
    this.#parts = new PageSections(options);
  }

  get key(): SessionKey | undefined {
    return this.#key;
  }

  /** What is known of the session, if it is on the deck. */
  get record(): SessionRecord | undefined {
    return this.#key && this.#options.store.record(this.#key);
  }

  /** The page is being loaded: its first state is sent ahead and waits for it there. All else waits for `start`. */
  startAhead(): void {
    this.stop();
    this.rows.setTimeZone(this.load.startAhead());
  }

  /** The page has loaded and knows nothing but what was sent ahead; its clock is in this time zone. */
  start(timeZone?: string): void {
    if (this.load.start(timeZone)) {
      this.#forget();
      this.rows.setTimeZone(timeZone);
    } else this.#extras.unshift({ type: 'sentAhead' });
  }

  /** The page is gone or hidden: nothing is due until it has started again. */
  stop(): void {
    this.load.stop();
    this.#forget();
  }

  #forget(): void {
    this.#extras = [];
    this.#wantedKeys = [];
    this.#parts.clear();
    this.#changed.clear();
  }

  /** From now on the page shows this session. */
  setKey(key: SessionKey | undefined): void {
    this.#key = key;
    this.rows.forget();
    this.restart();
  }

  /** What the page shows is to be sent as a whole again. */
  restart(): void {
    this.load.restart();
  }

  /** Sessions came or went: a screen may have become a conversation, or the other way round. */
  restartIfOther(): void {
    if ((this.record !== undefined) !== this.#isConversation) this.restart();
  }

  /** Shows a message as soon as it is there; `say` is what the page is told then of the message's row. */
  reveal(messageId: string, say: Target['say'] = (key) => ({ type: 'reveal', key })): void {
    this.#target = { messageId, say };
  }

  /** The session is read in another way. */
  reread(): void {
    this.rows.reread();
    this.change('header', 'rows');
  }

  /** Puts the caret into the composer as soon as there is one. */
  focusComposer(): void {
    this.#wantsFocus = true;
  }

  /** What the page told of its draft, up to this, is in the store. */
  tookDraft(revision: number): void {
    this.#parts.tookDraft(revision);
  }

  change(...parts: PageSection[]): void {
    for (const part of parts) this.#changed.add(part);
  }

  want(rowKeys: readonly string[]): void {
    this.#wantedKeys.push(...rowKeys);
  }

  /** Something besides the state; dropped while there is no page. */
  tell(message: HostMessage): void {
    if (this.load.phase !== 'silent') this.#extras.push(message);
  }

  /** What to send now; undefined while nothing is due, and where the page went or loaded anew meanwhile. */
  async next(): Promise<HostMessage | undefined> {
    const { count } = this.load;
    const message = await this.#due();
    return count === this.load.count && this.load.phase !== 'silent' ? message : undefined;
  }

  async #due(): Promise<HostMessage | undefined> {
    if (this.load.phase === 'silent') return undefined;
    if (this.load.phase === 'new') {
      this.load.wordsAreSent();
      return { type: 'setup', ...this.#options.setup() };
    }
    if (this.load.phase === 'stale' && !(await this.#isPrepared())) return undefined;
    const { record } = this;
    if (this.load.phase === 'stale') {
      this.load.stateIsSent();
      this.#changed.clear();
      this.#parts.clear();
      this.#isConversation = record !== undefined;
      return record ? this.#conversation(record) : this.#screenIfChanged();
    }
    if (this.load.isAhead) return undefined;
    const seeds = record && this.rows.earlier();
    if (seeds !== undefined) return { type: 'earlier', seeds };
    const extra = this.#extras.shift();
    if (extra) return extra;
    if (this.#wantsFocus && record) {
      this.#wantsFocus = false;
      return { type: 'focusComposer' };
    }
    if (!record) return this.#screenIfChanged();
    return (await this.#changedPart(record)) ?? this.#moreRows(record);
  }

  /** Whether the page still waits for its state after what is known of its session was brought in. */
  async #isPrepared(): Promise<boolean> {
    const { count } = this.load;
    if (this.#key) await this.#options.prepare?.(this.#key);
    return count === this.load.count && this.load.phase === 'stale';
  }

  async #conversation(record: SessionRecord): Promise<HostMessage> {
    const revealKey = this.#takeTarget(record)?.key;
    const parts = this.#parts.whole(record, this.rows.reading(record));
    const draft = this.#parts.draft(record);
    const rows = await this.rows.start(record);
    const reveal = revealKey === undefined ? {} : { revealKey };
    return { type: 'conversation', conversation: { ...record.listEntry.key, ...parts, ...rows, draft, ...reveal } };
  }

  /** The row to show, once it is there: a message may still have to be read. */
  #takeTarget(record: SessionRecord): { readonly key: string; readonly target: Target } | undefined {
    const target = this.#target;
    const key = target && this.rows.open(record, target.messageId);
    if (!target || key === undefined) return undefined;
    this.#target = undefined;
    return { key, target };
  }

  #screenIfChanged(): HostMessage | undefined {
    const screen = this.#parts.screen(this.#key);
    return this.#parts.differs('screen', screen) ? { type: 'screen', screen } : undefined;
  }

  async #changedPart(record: SessionRecord): Promise<HostMessage | undefined> {
    const found = this.#takeTarget(record);
    if (found) {
      // The row may have to be brought in before it can be shown.
      this.#extras.push(found.target.say(found.key));
      this.change('rows', 'header');
    }
    if (this.#changed.delete('rows')) {
      const patch = await this.rows.update(record);
      if (patch.patches.length > 0) return { type: 'patch', ...patch };
    }
    if (found) return this.#extras.shift();
    // Bodies may have been read meanwhile: an older draft must not be told under a revision that was heard since.
    const now = this.#options.store.record(record.listEntry.key);
    return now && this.#parts.changed(this.#changed, now, () => this.rows.reading(now));
  }

  async #moreRows(record: SessionRecord): Promise<HostMessage | undefined> {
    const rows = await this.rows.more(record, this.#wantedKeys.splice(0));
    return rows && { type: 'rows', rows };
  }
}
