import { randomUUID } from 'node:crypto';
import type { SessionStatus } from '../../api/resources/session.ts';
import { type Disposable, Disposables, Emitter, onDispose } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import type { SendCondition, SendTime } from '../../shared/protocol/vocabulary.ts';
import type { Failure } from '../../state/store/failure.ts';
import type { OutboxEntry, StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { SentDraft } from '../drafts/draftSlot.ts';
import { SessionLeases } from '../lease/sessionLease.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { UnreadableFile } from '../storage/recordFormat.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { newWindowIdentity, type WindowIdentity } from '../storage/windowIdentity.ts';
import { Agents } from './agents.ts';
import { imageForms } from './imageForms.ts';
import { OutboxFiles, type SentDrafts } from './outboxFiles.ts';
import { QueuedMessage } from './queuedMessage.ts';
import { type SendSource, ServiceSendStates } from './sendGate.ts';
import type { SentFiles } from './sentFiles.ts';
import { type LocatedMessage, SessionQueues } from './sessionQueues.ts';

/** The known state of a message that was passed to the outbox. The commands that send messages resolve to it. */
export type Settlement =
  | { readonly messageId: string; readonly status: SessionStatus }
  /** Kept in the outbox; sent as soon as it no longer has to wait. */
  | { readonly queued: true }
  /** It may or may not have been sent; the user decides. */
  | { readonly unknown: true };

/**
 * Thrown if a message was definitely not sent. The message stays in the outbox, so that the user can send it again or
 * discard it. `failure` is undefined if the condition of a scheduled message can't be met anymore.
 */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
  readonly failure: Failure | undefined;

  constructor(failure: Failure | undefined) {
    super('The message was not sent.');
    this.failure = failure;
  }
}

/** A message as the user typed it. The bytes of its attachments are on disk. */
interface OutboxContent {
  readonly text: string;
  readonly attachments: readonly StoredAttachment[];
  /** The computer to route the message to; present only if the user chose one (spec 4.4). */
  readonly computerId?: string | undefined;
  /** When to send the message if the agent is running; if absent, the setting applies. */
  readonly when?: SendTime | undefined;
  /**
   * What the message takes from its draft. If this window ends before it removes this content from the draft, another
   * window removes it.
   */
  readonly draft?: SentDraft | undefined;
  /** What the message waits for before it joins the queue; if absent, it joins immediately. */
  readonly after?: SendCondition | undefined;
}

interface OutboxOptions extends SendSource {
  readonly records: RecordStores;
  readonly blobs: Blobs;
  readonly store: Store;
  readonly log: Log;
  /** The drafts from which messages are sent; absent if messages take nothing from drafts. */
  readonly drafts?: SentDrafts | undefined;
  /** Records the attachments of the messages that are accepted while this window owns their queues. */
  readonly sentFiles?: SentFiles | undefined;
  readonly window?: WindowIdentity | undefined;
}

/**
 * Outgoing messages: on disk before the first byte is sent, in order for each session, and never sent twice without
 * asking (R29-R34). Create it before anything that renders the store, so that the store is correct when listeners
 * render it. Entries aren't sent while their session is not in the list, or while their service must not be contacted.
 * Methods that carry out a decision of the user reject with the system's error if the disk fails.
 */
export class Outbox implements Disposable {
  readonly #blobs: Blobs;
  readonly #store: Store;
  readonly #window: WindowIdentity;
  readonly #options: OutboxOptions;
  readonly #files: OutboxFiles;
  readonly #leases: SessionLeases;
  readonly #sendStates: ServiceSendStates;
  readonly #queues: SessionQueues;
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<undefined>());
  #isDisposed = false;

  constructor(options: OutboxOptions) {
    const { records, blobs, store, clock, log, drafts, sentFiles, window = newWindowIdentity() } = options;
    this.#options = options;
    this.#blobs = blobs;
    this.#store = store;
    this.#window = window;
    this.#files = new OutboxFiles({ records, blobs, drafts, clock, log, window });
    this.#leases = new SessionLeases(records.disk, window, clock, log);
    this.#sendStates = new ServiceSendStates(options);
    this.#queues = new SessionQueues({
      store,
      blobs,
      clock,
      log,
      files: this.#files,
      leases: this.#leases,
      sendStates: this.#sendStates,
      agents: new Agents(store, clock),
      imageForms: imageForms(records, log),
      sentFiles,
      changes: this.#changes,
    });
    this.#disposables.add(
      store.onDidChange((change) => {
        if (change.type === 'messages') this.#queues.get(change.key)?.matchMessages();
        if (change.type === 'session') this.#queues.get(change.key)?.advance();
        if (change.type === 'sessionList') this.#queues.handleSessionListChange();
        if (change.type === 'session' || change.type === 'sessionList') this.#queues.checkAwaited();
        if (change.type === 'connection') this.#handleConnectionChange(change.origins);
      }),
    );
  }

  /**
   * Reads all entries, and follows changes made by other windows from then on. If a window ended while it was sending
   * an entry, the entry becomes unknown as soon as this window owns its queue. Resolves to the files that are damaged
   * or of a newer version; rejects with the system's error.
   */
  async load(): Promise<UnreadableFile[]> {
    this.#disposables.add(this.#leases.watch());
    const unreadable = await this.#queues.load();
    this.#queues.wake();
    return unreadable;
  }

  /**
   * Adds a message to the queue of its session. Resolves when it is on disk; the outbox then holds its attachments, so
   * that the draft can be cleared. Rejects, and keeps nothing, if the session is not in the session list or the message
   * could not be saved.
   */
  async enqueue(key: SessionKey, content: OutboxContent): Promise<OutboxEntry> {
    const { text, attachments, computerId, draft, when, after } = content;
    if (this.#isDisposed || !this.#store.record(key)) throw new Error('The session is not in the session list.');
    const createdAt = this.#options.clock.now();
    const message = new QueuedMessage({
      entryId: randomUUID(),
      key: { ...key },
      order: this.#queues.nextOrder(createdAt),
      text,
      attachments: [...attachments],
      computerId,
      draft: draft && { ...draft, comments: [...draft.comments] },
      when,
      after,
      whileConnected: true,
      scheduledBy: after && this.#sendStates.of(key.origin).scheduler(this.#window.host),
      createdAt,
      window: this.#window,
      state: 'queued',
    });
    const queue = this.#queues.getOrCreate(key);
    message.hold();
    this.#blobs.hold(attachments);
    queue.add(message);
    try {
      await this.#files.save(message.stored);
      message.noteWritten(message.stored);
    } catch (error) {
      queue.withdraw(message);
      // The file may exist even though the write failed, for example if only its folder could not be synced.
      await this.#files.remove(message.entryId).catch(() => undefined);
      await this.#blobs.release(attachments);
      throw error;
    }
    const entry = message.toEntry();
    message.endHold();
    queue.advance();
    return entry;
  }

  /**
   * Resolves when a message is accepted, can't be sent for now, or is unknown after a search; to undefined if the user
   * removed it or there is no such entry. If `signal` aborts or the outbox is disposed, resolves to the current state.
   * @throws NotSentError if it was definitely not sent.
   */
  settled(entryId: string, signal?: AbortSignal): Promise<Settlement | undefined> {
    const located = this.#queues.find(entryId);
    if (!located) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const waits = new Disposables();
      const check = () => {
        const isOver = signal?.aborted === true || this.#isDisposed;
        const result = settlementOf(located) ?? (isOver ? preliminarySettlementOf(located) : undefined);
        if (result === undefined) return;
        waits.dispose();
        if (result instanceof NotSentError) reject(result);
        else resolve(result === 'removed' ? undefined : result);
      };
      waits.add(this.#changes.event(check));
      waits.add(onDispose(() => signal?.removeEventListener('abort', check)));
      signal?.addEventListener('abort', check);
      check();
    });
  }

  /**
   * Queues a message again if it was not sent, or if it is unknown and hasn't been found so far. A scheduled message
   * whose condition can't be met anymore is sent now. Resolves to whether that was possible.
   */
  sendAgain(entryId: string): Promise<boolean> {
    return this.#runDecision(entryId, isDecidable, ({ queue, message }) => {
      queue.sendAgain(message);
      return true;
    });
  }

  /** The session of a message; undefined if the message isn't in the outbox. */
  sessionOf(entryId: string): SessionKey | undefined {
    return this.#queues.find(entryId)?.queue.key;
  }

  /**
   * Sends a queued or scheduled message now, even if the agent may be working, or if the condition of a scheduled
   * message can't be met anymore. Resolves to whether that was possible.
   */
  sendNow(entryId: string): Promise<boolean> {
    return this.#runDecision(entryId, canBeSentNow, ({ queue, message }) => {
      queue.sendNow(message);
      return true;
    });
  }

  /**
   * Changes what a scheduled message waits for, even if its condition can't be met anymore. Resolves to whether that
   * was possible.
   */
  reschedule(entryId: string, after: SendCondition): Promise<boolean> {
    return this.#runDecision(entryId, isReschedulable, ({ queue, message }) => {
      queue.reschedule(message, after);
      return true;
    });
  }

  /**
   * Lets later messages of the session be sent although this message was not sent, or is unknown and hasn't been found
   * so far. This message stays in the outbox, and the user still decides about it. Resolves to whether that was
   * possible.
   */
  sendOthers(entryId: string): Promise<boolean> {
    return this.#runDecision(entryId, isDecidable, ({ queue, message }) => {
      queue.letOthersPass(message);
      return true;
    });
  }

  /**
   * Discards a message that is queued, was not sent, or is unknown and hasn't been found so far. Resolves to whether
   * that was possible. Rejects if the entry couldn't be removed; it then stays.
   */
  discard(entryId: string): Promise<boolean> {
    return this.#remove(entryId, () => Promise.resolve(() => undefined));
  }

  /**
   * Removes a message that {@link discard} could remove, so that the user can edit it. First, `keep` saves the content
   * elsewhere, and resolves to a function that undoes this. Then the entry is removed; if that fails, the function is
   * called. Resolves to whether that was possible. Rejects if the entry couldn't be removed or `keep` rejects; the
   * entry then stays.
   */
  edit(entryId: string, keep: (key: SessionKey, content: OutboxContent) => Promise<() => void>): Promise<boolean> {
    return this.#remove(entryId, ({ stored }) => keep(stored.key, stored));
  }

  /**
   * Stops a message. A queued message is discarded. If the message is being sent, the request is aborted; the message
   * becomes not sent if it was definitely not processed, otherwise unknown. If another window is sending it, that
   * window is asked to abort the request. Resolves to false if there was nothing to stop, or if the other window didn't
   * yield the queue in time.
   */
  async cancel(entryId: string): Promise<boolean> {
    const located = this.#queues.find(entryId);
    if (located?.message.state === 'queued') return this.discard(entryId);
    if (located?.message.state !== 'sending') return false;
    const { queue, message } = located;
    if (!message.isSendingHere) return (await queue.runDecision({ cancelEntryId: entryId }, () => true)) ?? false;
    message.cancelRequest();
    return true;
  }

  /**
   * Retries all waiting messages, for example after a change of network or settings. Pauses requested by a service
   * still apply.
   */
  wake(): void {
    this.#sendStates.clearKeyRejections();
    this.#queues.wake();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#queues.dispose();
    this.#changes.fire(undefined);
    this.#disposables.dispose();
  }

  /** Call this after `dispose`. Resolves when other windows can see that this window has stopped sending. */
  released(): Promise<void> {
    return this.#queues.released();
  }

  #remove(entryId: string, keep: (message: QueuedMessage) => Promise<() => void>): Promise<boolean> {
    return this.#runDecision(entryId, isRemovable, async ({ queue, message }) => {
      await queue.remove(message, () => keep(message));
      return true;
    });
  }

  /**
   * Runs a user's decision while no other window can make a different one. Resolves to false if the message changed
   * meanwhile, because a decision about one attempt does not apply to a later one, or if this window couldn't own the
   * queue in time.
   */
  async #runDecision(
    entryId: string,
    isPossible: (message: QueuedMessage) => boolean,
    decision: (located: LocatedMessage) => boolean | Promise<boolean>,
  ): Promise<boolean> {
    const located = this.#queues.find(entryId);
    if (!located || !isPossible(located.message)) return false;
    const { queue, message } = located;
    const { state, attempt } = message.stored;
    const isUnchanged = () => message.state === state && message.stored.attempt?.startedAt === attempt?.startedAt;
    const isDone = await queue.runDecision({}, () => {
      return !message.isGone && isUnchanged() && isPossible(message) && decision(located);
    });
    return isDone ?? false;
  }

  #handleConnectionChange(origins: ReadonlySet<string>): void {
    for (const origin of origins)
      if (this.#store.connectionOf(origin).kind === 'ready') this.#sendStates.of(origin).isKeyRejected = false;
    this.#queues.handleConnectionChange(origins);
  }
}

/** The result to report for a message; undefined while its outcome is pending. */
function settlementOf({ queue, message }: LocatedMessage): Settlement | NotSentError | 'removed' | undefined {
  const { messageId, problem: failure } = message.stored;
  if (messageId !== undefined) return { messageId, status: message.status ?? 'unknown' };
  if (message.isGone) return 'removed';
  if (message.state === 'notSent') return new NotSentError(failure);
  if (message.state === 'unknown' && !message.isSearching) return { unknown: true };
  return message.state === 'queued' && (message.isScheduled || queue.isStalled) ? { queued: true } : undefined;
}

/** The result to report for a message whose outcome is still pending. */
function preliminarySettlementOf({ message }: LocatedMessage): Settlement {
  return message.state === 'queued' ? { queued: true } : { unknown: true };
}

/** Whether the user can decide about a message: it was not sent, or it hasn't been found so far. */
function isDecidable({ isHeld, needsDecision }: QueuedMessage): boolean {
  return !isHeld && needsDecision;
}

/** Whether a message is outside the delivery order: it waits for a condition, or the condition can't be met anymore. */
function isReschedulable({ isHeld, isScheduled }: QueuedMessage): boolean {
  return !isHeld && isScheduled;
}

function canBeSentNow(message: QueuedMessage): boolean {
  return isReschedulable(message) || (message.state === 'queued' && !message.isHeld);
}

function isRemovable(message: QueuedMessage): boolean {
  return (message.state === 'queued' && !message.isHeld) || isDecidable(message);
}
