import type { PausableWork } from '../../shared/slices.ts';
import type { Message, Role } from '../../api/resources/message.ts';
import type { Session } from '../../api/resources/session.ts';
import { defined } from '../../shared/defined.ts';
import { sameValue } from '../../shared/equality.ts';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import type { Connection, OtherConnection } from './connection.ts';
import {
  type SessionListEntry,
  type Draft,
  type HistoryState,
  newRecord,
  type SessionRecord,
  type Tail,
  turnStart,
  withDerived,
} from './sessionRecord.ts';
import { waitingOf } from './waiting.ts';
import { type MessageHeader, messageHeaderSteps, summarizeMessage } from './messageHeader.ts';
import type { OutboxEntry } from './outboxEntry.ts';
import { ownHeader } from './ownHeader.ts';
import type { Failure } from './failure.ts';
import { ServiceConnections } from './serviceConnections.ts';
import { type SessionKey, keyText, sameSession } from './sessionKey.ts';
import { Timeline } from './timeline.ts';

/**
 * Describes a change to the store, so that views can update only the affected parts. `source` identifies where a
 * draft change came from.
 */
export type StoreChange =
  | { readonly type: 'sessionList' | 'current' }
  /** `origins`: the services whose connections changed. Empty if only another service became the current one. */
  | { readonly type: 'connection'; readonly origins: ReadonlySet<string> }
  | { readonly type: 'session' | 'messages' | 'outbox'; readonly key: SessionKey }
  | { readonly type: 'draft'; readonly key: SessionKey; readonly source: unknown };

/** Storage for message bodies; the store itself holds only headers (R38). */
export interface MessageBodies {
  /** `arrival` specifies whether new messages are sorted before or after known messages with the same creation time. */
  put(key: SessionKey, messages: readonly Message[], arrival: 'before' | 'after'): void;
  /** Called when the headers of these messages have changed, but not their bodies. */
  changed(key: SessionKey, messageIds: readonly string[]): void;
  /**
   * Resolves to the available bodies, in the requested order. Missing ones are loaded later; see
   * {@link Store.announceBodies}.
   */
  read(key: SessionKey, messageIds: readonly string[]): Promise<readonly Message[]>;
  /** Frees the memory of a session that was removed from the list or belongs to a service that isn't connected. */
  forget(key: SessionKey): void;
}

/** Headers that arrived together; `arrival` as in {@link MessageBodies}. */
export interface HeaderBatch {
  readonly headers: readonly MessageHeader[];
  readonly arrival: 'before' | 'after';
}

/** The state of a session from its last refresh in an earlier window. */
export interface RememberedSession {
  readonly session: Session;
  /** Unix ms. */
  readonly asOf: number;
  readonly tail?: Tail | undefined;
}

interface Slot {
  record: SessionRecord;
  readonly timeline: Timeline;
}

/**
 * Owns the state of all sessions. Only its methods change the state, and each change fires an event. Methods that
 * update a session do nothing if it isn't known, because a response can arrive after its session was removed.
 */
export class Store implements Disposable {
  readonly #changes = new Emitter<StoreChange>();
  readonly #slots = new Map<string, Slot>();
  readonly #bodies: MessageBodies;
  /** The headers of messages that aren't stored yet. */
  readonly #prepared = new WeakMap<Message, MessageHeader>();
  readonly #connections = new ServiceConnections();
  #detectsWaiting = true;
  #requestCount = 0;
  #current: SessionKey | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(bodies: MessageBodies) {
    this.#bodies = bodies;
  }

  /** The connection to the current service, to which new sessions are added. */
  get connection(): Connection {
    return this.#connections.current;
  }

  /** The connections to all services whose sessions are in the list; the current one comes first. */
  get connections(): readonly Connection[] {
    return this.#connections.all;
  }

  /** The connection to the service with this origin; `noService` if none of its sessions can be in the list. */
  connectionOf(origin: string): Connection {
    return this.#connections.of(origin);
  }

  /** The session that was last opened or focused in this window, or else the one remembered for the workspace. */
  get current(): SessionKey | undefined {
    return this.#current;
  }

  /** The sessions in the list, in the order in which they were added. */
  get records(): readonly SessionRecord[] {
    return this.#recordsWhere((record) => record.listEntry.isTransient !== true);
  }

  /** The sessions that are shown below their parents but aren't in the list. */
  get transientSessions(): readonly SessionRecord[] {
    return this.#recordsWhere((record) => record.listEntry.isTransient === true);
  }

  /** The sessions of a service that are in the list. */
  recordsOf(origin: string): readonly SessionRecord[] {
    return this.records.filter(({ listEntry }) => listEntry.key.origin === origin);
  }

  record(key: SessionKey): SessionRecord | undefined {
    return this.#slots.get(keyText(key))?.record;
  }

  readBodies(key: SessionKey, messageIds: readonly string[]): Promise<readonly Message[]> {
    return this.#bodies.read(key, messageIds);
  }

  /** Sets the connection to the current service. */
  setConnection(connection: Connection): void {
    this.setConnections(connection, this.#connections.others);
  }

  /** Sets all connections. A connection that is the same object as before counts as unchanged. */
  setConnections(current: Connection, others: readonly OtherConnection[]): void {
    this.#changes.fire({ type: 'connection', origins: this.#connections.set(current, others) });
  }

  /** Records that a service rejected its API key, so that everything that uses the key stops (R12). */
  rejectKey(origin: string, failure: Failure): void {
    const origins = this.#connections.rejectKey(origin, failure);
    if (origins.size > 0) this.#changes.fire({ type: 'connection', origins });
  }

  /** Sets whether `waiting` of each record is determined (see {@link waitingOf}). */
  setDetectsWaiting(detectsWaiting: boolean): void {
    this.#detectsWaiting = detectsWaiting;
    for (const slot of this.#slots.values()) this.#put(slot, slot.record);
  }

  setCurrent(key: SessionKey | undefined): void {
    if (sameSession(key, this.#current)) return;
    this.#current = key;
    this.#changes.fire({ type: 'current' });
  }

  /** Adds a session, which can be a transient one, or replaces the entry of a session that is already known. */
  addSession(listEntry: SessionListEntry): void {
    this.addSessions([listEntry]);
  }

  /**
   * Like {@link addSession} for several sessions, with a single event for the list. `remembered` has what an earlier
   * window knew of them, by `keyText`.
   */
  addSessions(
    listEntries: readonly SessionListEntry[],
    remembered: ReadonlyMap<string, RememberedSession> = new Map(),
  ): void {
    let isListChanged = false;
    for (const listEntry of listEntries) {
      const text = keyText(listEntry.key);
      const known = this.#slots.get(text);
      if (!known) {
        const slot = { record: newRecord(listEntry), timeline: new Timeline() };
        this.#slots.set(text, slot);
        const state = remembered.get(text);
        if (state) this.#put(slot, { ...slot.record, ...rememberedState(state) });
        isListChanged = true;
      } else if (!sameValue(known.record.listEntry, listEntry)) {
        const isNew = known.record.listEntry.isTransient === true && listEntry.isTransient !== true;
        const hasMoved = known.record.listEntry.computerId !== listEntry.computerId;
        this.#put(known, { ...known.record, listEntry });
        if (isNew || hasMoved) isListChanged = true;
        else this.#changes.fire({ type: 'session', key: listEntry.key });
      }
    }
    if (isListChanged) this.#changes.fire({ type: 'sessionList' });
  }

  removeSession(key: SessionKey): void {
    this.removeSessions([key]);
  }

  /** Like {@link removeSession} for several sessions, with a single event for the list. */
  removeSessions(keys: readonly SessionKey[]): void {
    const removed = keys.filter((key) => this.#slots.delete(keyText(key)));
    for (const key of removed) this.#bodies.forget(key);
    if (removed.some((key) => sameSession(key, this.#current))) this.setCurrent(undefined);
    if (removed.length > 0) this.#changes.fire({ type: 'sessionList' });
  }

  /** The number of requests that this window has sent for the state of any session. */
  get requestCount(): number {
    return this.#requestCount;
  }

  /** Counts a request that is about to be sent for the state of a session. Returns its number. */
  countRequest(): number {
    return ++this.#requestCount;
  }

  /**
   * Stores a session that was refreshed at `asOf` (Unix ms). `requestNumber` is the number of the request whose
   * response it is, or 0 if it is the state of an earlier window.
   */
  takeSession(key: SessionKey, session: Session, asOf: number, requestNumber: number): void {
    const record = this.record(key);
    const turnStartedAt = record && turnStart(record, session);
    const part = { session, asOf, requestNumber, turnStartedAt, failure: undefined, isRemembered: false };
    this.#update(key, part, { type: 'session', key });
  }

  /** Stores what an earlier window knew of a session. Does nothing if its state is already known. */
  rememberSession(key: SessionKey, remembered: RememberedSession): void {
    if (this.record(key)?.session) return;
    this.#update(key, rememberedState(remembered), { type: 'session', key });
  }

  /** Stores what the newest messages say, unless only the known tail is about the current message count. */
  takeTail(key: SessionKey, tail: Tail): void {
    const { session, tail: known } = this.record(key) ?? {};
    const isOlder = known?.messageCount === session?.messageCount && tail.messageCount !== session?.messageCount;
    if (isOlder || sameValue(known, tail)) return;
    this.#update(key, { tail }, { type: 'session', key });
  }

  /** Sets the time (Unix ms, service's clock) after which messages are new to the user; undefined if none are. */
  setNewSince(key: SessionKey, newSince: number | undefined): void {
    if (this.record(key)?.newSince !== newSince) this.#update(key, { newSince }, { type: 'messages', key });
  }

  /** Stores messages known from an earlier window; their bodies are already stored. */
  rememberMessages(key: SessionKey, batches: readonly HeaderBatch[], history: HistoryState): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    for (const { headers, arrival } of batches) slot.timeline.merge(headers, arrival);
    this.#update(key, { headers: slot.timeline.headers, history }, { type: 'messages', key });
  }

  /** The header of a message; undefined if unknown. */
  header(key: SessionKey, messageId: string): MessageHeader | undefined {
    return this.#slots.get(keyText(key))?.timeline.get(messageId);
  }

  /** Stores a failure to refresh a session, and when the next try is due (Unix ms). Preserves the last known state. */
  takeFailure(key: SessionKey, failure: Failure, retryAt?: number): void {
    this.#update(key, { failure, retryAt }, { type: 'session', key });
  }

  /** Computes the headers of messages that will be stored, with pauses for `inSlices`. */
  *prepareMessages(messages: readonly Message[]): PausableWork<void> {
    for (const message of messages) {
      this.#prepared.set(message, yield* messageHeaderSteps(message));
      yield;
    }
  }

  /**
   * Stores messages, oldest first. `knownRole` is the role that the list was filtered by. It is used for messages
   * without a role.
   */
  takeMessages(key: SessionKey, messages: readonly Message[], knownRole?: Role): void {
    this.#takeMessages(key, messages, knownRole, 'after');
  }

  /**
   * Stores messages older than all known ones, oldest first; sorts them before known messages with the same creation
   * time.
   */
  takeOlderMessages(key: SessionKey, messages: readonly Message[]): void {
    this.#takeMessages(key, messages, undefined, 'before');
  }

  /** Stores a message fetched by ID. It is marked as detached until a list of messages contains it. */
  takeDetached(key: SessionKey, message: Message): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    this.#bodies.put(key, [message], 'after');
    this.#merge(slot, [{ ...this.#headerOf(slot, message, undefined), isDetached: true }], 'after');
  }

  /** Marks messages that the service no longer lists. They keep the mark until they are listed again. */
  markGone(key: SessionKey, messageIds: ReadonlySet<string>): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot?.timeline.markGone(messageIds)) return;
    this.#bodies.changed(key, [...messageIds]);
    this.#update(key, { headers: slot.timeline.headers }, { type: 'messages', key });
  }

  /** Notifies views that missing bodies have become available. Doesn't change the headers. */
  announceBodies(key: SessionKey): void {
    this.#update(key, {}, { type: 'messages', key });
  }

  setHistory(key: SessionKey, history: HistoryState): void {
    this.#update(key, { history }, { type: 'messages', key });
  }

  /** Sets the outgoing messages of a session, oldest first. Remembers which entry each message was sent from (R33). */
  setOutbox(key: SessionKey, outbox: readonly OutboxEntry[]): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    const entryIdByMessageId = new Map(slot.record.entryIdByMessageId);
    for (const entry of outbox)
      if (entry.messageId !== undefined) entryIdByMessageId.set(entry.messageId, entry.entryId);
    this.#update(key, { outbox, entryIdByMessageId }, { type: 'outbox', key });
    this.#merge(
      slot,
      outbox.flatMap((entry) => ownHeader(entry, slot.timeline) ?? []),
      'after',
    );
  }

  /** Sets a session's draft. `source` lets listeners avoid sending the draft back to the page that it came from. */
  setDraft(key: SessionKey, draft: Draft, source?: unknown): void {
    this.#update(key, { draft }, { type: 'draft', key, source });
  }

  /** Stores a failure to save a session's draft; undefined if it was saved. */
  setDraftFailure(key: SessionKey, draftFailure: Failure | undefined): void {
    const known = this.record(key)?.draftFailure;
    if (known?.kind === draftFailure?.kind && known?.code === draftFailure?.code) return;
    this.#update(key, { draftFailure }, { type: 'draft', key, source: undefined });
  }

  dispose(): void {
    this.#changes.dispose();
    this.#slots.clear();
  }

  #recordsWhere(isMeant: (record: SessionRecord) => boolean): readonly SessionRecord[] {
    return Array.from(this.#slots.values(), ({ record }) => record).filter(isMeant);
  }

  #headerOf(slot: Slot, message: Message, knownRole: Role | undefined): MessageHeader {
    const isOwn = slot.record.entryIdByMessageId.has(message.id);
    const prepared = this.#prepared.get(message);
    const isMarked = prepared?.hasAddedText === true || prepared?.expansion !== undefined;
    const isDoubtful = isMarked && (isOwn || (knownRole !== undefined && prepared.role === undefined));
    if (!prepared || isDoubtful) return summarizeMessage(message, knownRole, isOwn);
    return prepared.role === undefined && knownRole !== undefined ? { ...prepared, role: knownRole } : prepared;
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
    const headers = messages.map((message) => this.#headerOf(slot, message, knownRole));
    this.#merge(slot, headers, arrival);
  }

  #merge(slot: Slot, headers: readonly MessageHeader[], arrival: 'before' | 'after'): void {
    if (!slot.timeline.merge(headers, arrival)) return;
    this.#put(slot, { ...slot.record, headers: slot.timeline.headers });
    this.#changes.fire({ type: 'messages', key: slot.record.listEntry.key });
  }

  #update(key: SessionKey, part: Partial<SessionRecord>, change: StoreChange): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    this.#put(slot, { ...slot.record, ...part });
    this.#changes.fire(change);
  }

  /** Replaces a record and sets the fields that follow from others. Announces the session if `waiting` changes. */
  #put(slot: Slot, record: SessionRecord): void {
    const before = slot.record.waiting;
    const found = this.#detectsWaiting ? waitingOf(record) : undefined;
    const waiting = sameValue(before, found) ? before : found;
    slot.record = withDerived(record, waiting);
    if (waiting !== before) this.#changes.fire({ type: 'session', key: record.listEntry.key });
  }
}

function rememberedState({ session, asOf, tail }: RememberedSession): Partial<SessionRecord> {
  return { session, asOf, isRemembered: true, ...defined({ tail }) };
}
