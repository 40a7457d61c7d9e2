import type { Message, Role } from '../../api/resources/message.ts';
import type { Session } from '../../api/resources/session.ts';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import type { Connection } from './connection.ts';
import {
  type SessionListEntry,
  type Draft,
  emptyDraft,
  type HistoryState,
  type SessionRecord,
} from './sessionRecord.ts';
import { type MessageHeader, summarizeMessage } from './messageHeader.ts';
import type { OutboxEntry } from './outboxEntry.ts';
import type { Failure } from './failure.ts';
import { type SessionKey, keyText, sameSession } from './sessionKey.ts';
import { Timeline } from './timeline.ts';

/** What changed, so that a view redraws only what it shows. `source` is who set a draft. */
export type StoreChange =
  | { readonly type: 'connection' | 'sessionList' | 'current' }
  | { readonly type: 'session' | 'messages' | 'outbox'; readonly key: SessionKey }
  | { readonly type: 'draft'; readonly key: SessionKey; readonly source: unknown };

/** Where the bodies of messages are; the store itself keeps headers only (R38). */
export interface MessageBodies {
  /** `arrival`: whether new ones among them, of a time that is known already, stand before or after the known ones. */
  put(key: SessionKey, messages: readonly Message[], arrival: 'before' | 'after'): void;
  /** The headers of these messages changed, their bodies did not. */
  changed(key: SessionKey, messageIds: readonly string[]): void;
  /** The bodies that are there, in the order asked for; for others see {@link Store.announceBodies}. */
  read(key: SessionKey, messageIds: readonly string[]): Promise<readonly Message[]>;
  /** The session left the deck or another service is shown: nothing of it is needed in memory. */
  forget(key: SessionKey): void;
}

/** Headers that came together; `arrival` as in {@link MessageBodies}. */
export interface HeaderBatch {
  readonly headers: readonly MessageHeader[];
  readonly arrival: 'before' | 'after';
}

interface Slot {
  record: SessionRecord;
  readonly timeline: Timeline;
}

/**
 * The one owner of what is known. Readonly outside; changed only by the named methods, each of which announces what it
 * changed. Methods naming a session that is not on the deck do nothing: an answer may come after the session was removed.
 */
export class Store implements Disposable {
  readonly #changes = new Emitter<StoreChange>();
  readonly #slots = new Map<string, Slot>();
  readonly #bodies: MessageBodies;
  #connection: Connection = { kind: 'starting' };
  #current: SessionKey | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(bodies: MessageBodies) {
    this.#bodies = bodies;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** The conversation last focused in this window. */
  get current(): SessionKey | undefined {
    return this.#current;
  }

  /** The deck in the order in which sessions were added. */
  get records(): readonly SessionRecord[] {
    return this.#recordsWhere((record) => record.listEntry.isTransient !== true);
  }

  /** The sessions that are shown below their parents without being on the deck. */
  get transientSessions(): readonly SessionRecord[] {
    return this.#recordsWhere((record) => record.listEntry.isTransient === true);
  }

  record(key: SessionKey): SessionRecord | undefined {
    return this.#slots.get(keyText(key))?.record;
  }

  readBodies(key: SessionKey, messageIds: readonly string[]): Promise<readonly Message[]> {
    return this.#bodies.read(key, messageIds);
  }

  setConnection(connection: Connection): void {
    this.#connection = connection;
    this.#changes.fire({ type: 'connection' });
  }

  setCurrent(key: SessionKey | undefined): void {
    if (sameSession(key, this.#current)) return;
    this.#current = key;
    this.#changes.fire({ type: 'current' });
  }

  /** Puts a session on the deck; one that is already there keeps what is known of it and takes the new entry. */
  addSession(listEntry: SessionListEntry): void {
    const known = this.#slots.get(keyText(listEntry.key));
    if (!known) {
      this.#slots.set(keyText(listEntry.key), { record: newRecord(listEntry), timeline: new Timeline() });
      this.#changes.fire({ type: 'sessionList' });
    } else if (JSON.stringify(known.record.listEntry) !== JSON.stringify(listEntry)) {
      const isNew = known.record.listEntry.isTransient === true && listEntry.isTransient !== true;
      const hasMoved = known.record.listEntry.computerId !== listEntry.computerId;
      known.record = { ...known.record, listEntry };
      this.#changes.fire(isNew || hasMoved ? { type: 'sessionList' } : { type: 'session', key: listEntry.key });
    }
  }

  removeSession(key: SessionKey): void {
    if (!this.#slots.delete(keyText(key))) return;
    this.#bodies.forget(key);
    if (sameSession(key, this.#current)) this.setCurrent(undefined);
    this.#changes.fire({ type: 'sessionList' });
  }

  /** A session was read at `asOf` (Unix ms). */
  takeSession(key: SessionKey, session: Session, asOf: number): void {
    this.#update(key, { session, asOf, failure: undefined, isRemembered: false }, { type: 'session', key });
  }

  /** A session as it was when it was last read, in an earlier window; nothing where it was read in this one. */
  rememberSession(key: SessionKey, session: Session, asOf: number): void {
    if (this.record(key)?.session) return;
    this.#update(key, { session, asOf, isRemembered: true }, { type: 'session', key });
  }

  /** Messages known from an earlier window, whose bodies are where they were put then. */
  rememberMessages(key: SessionKey, batches: readonly HeaderBatch[], history: HistoryState): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    for (const { headers, arrival } of batches) slot.timeline.merge(headers, arrival);
    this.#update(key, { headers: slot.timeline.headers, history }, { type: 'messages', key });
  }

  /** The header of one message, where it is known. */
  header(key: SessionKey, messageId: string): MessageHeader | undefined {
    return this.#slots.get(keyText(key))?.timeline.get(messageId);
  }

  /** Reading a session failed; what was known stays. */
  takeFailure(key: SessionKey, failure: Failure): void {
    this.#update(key, { failure }, { type: 'session', key });
  }

  /** Messages were read, oldest first; `knownRole` is the filter they were listed by, where they carry none. */
  takeMessages(key: SessionKey, messages: readonly Message[], knownRole?: Role): void {
    this.#takeMessages(key, messages, knownRole, 'after');
  }

  /** Messages before all that are here were read, oldest first: of one time, they stand before the others. */
  takeOlderMessages(key: SessionKey, messages: readonly Message[]): void {
    this.#takeMessages(key, messages, undefined, 'before');
  }

  /** A message was read by its id: it stands at its time, apart, until it comes with its neighbours. */
  takeDetached(key: SessionKey, message: Message): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    this.#bodies.put(key, [message], 'after');
    this.#merge(slot, [{ ...summarizeMessage(message), isDetached: true }], 'after');
  }

  /** The service does not list these messages any more. They stay, marked, until it lists them again. */
  markGone(key: SessionKey, messageIds: ReadonlySet<string>): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot?.timeline.markGone(messageIds)) return;
    this.#bodies.changed(key, [...messageIds]);
    this.#update(key, { headers: slot.timeline.headers }, { type: 'messages', key });
  }

  /** Bodies that were asked for and missing have come; the headers are as they were. */
  announceBodies(key: SessionKey): void {
    this.#update(key, {}, { type: 'messages', key });
  }

  setHistory(key: SessionKey, history: HistoryState): void {
    this.#update(key, { history }, { type: 'messages', key });
  }

  /** The outgoing messages of a session in the order typed. Message ids they name are remembered (R33). */
  setOutbox(key: SessionKey, outbox: readonly OutboxEntry[]): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    const entryIdByMessageId = new Map(slot.record.entryIdByMessageId);
    for (const entry of outbox)
      if (entry.messageId !== undefined) entryIdByMessageId.set(entry.messageId, entry.entryId);
    this.#update(key, { outbox, entryIdByMessageId }, { type: 'outbox', key });
  }

  /** `source` is handed to listeners, so that the page that typed it is not told its own words. */
  setDraft(key: SessionKey, draft: Draft, source?: unknown): void {
    this.#update(key, { draft }, { type: 'draft', key, source });
  }

  dispose(): void {
    this.#changes.dispose();
    this.#slots.clear();
  }

  #recordsWhere(isMeant: (record: SessionRecord) => boolean): readonly SessionRecord[] {
    return [...this.#slots.values()].map((slot) => slot.record).filter(isMeant);
  }

  #takeMessages(
    key: SessionKey,
    messages: readonly Message[],
    knownRole: Role | undefined,
    arrival: 'before' | 'after',
  ): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    this.#bodies.put(key, messages, arrival);
    const headers = messages.map((message) => summarizeMessage(message, knownRole));
    this.#merge(slot, headers, arrival);
  }

  #merge(slot: Slot, headers: readonly MessageHeader[], arrival: 'before' | 'after'): void {
    if (!slot.timeline.merge(headers, arrival)) return;
    slot.record = { ...slot.record, headers: slot.timeline.headers };
    this.#changes.fire({ type: 'messages', key: slot.record.listEntry.key });
  }

  #update(key: SessionKey, part: Partial<SessionRecord>, change: StoreChange): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    slot.record = { ...slot.record, ...part };
    this.#changes.fire(change);
  }
}

function newRecord(listEntry: SessionListEntry): SessionRecord {
  return {
    listEntry,
    history: { completeness: 'unread', isLoading: false },
    headers: [],
    outbox: [],
    draft: emptyDraft,
    entryIdByMessageId: new Map(),
  };
}
