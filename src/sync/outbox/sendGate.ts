import type { SendTime } from '../../shared/protocol/vocabulary.ts';
import type { SessionsApi } from '../../api/sessionsApi.ts';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { serviceOf } from '../../state/store/connection.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { backoffMs } from '../connection/backoff.ts';
import type { ServiceClocks, ServicePauses } from '../connection/serviceLimits.ts';
import { type Clock, PauseEnd } from '../storage/clock.ts';
import type { Agents } from './agents.ts';
import type { Scheduler } from './outboxFiles.ts';
import type { QueueEntries } from './queueEntries.ts';
import type { QueuedMessage } from './queuedMessage.ts';

/** Provides the outbox with API clients, settings, clocks, and pauses. */
export interface SendSource {
  readonly clock: Clock;
  readonly clocks: ServiceClocks;
  /** The pauses that services requested, shared by all windows; absent if windows don't share them. */
  readonly pauses?: ServicePauses | undefined;
  /** The client for a service; undefined while the service must not be contacted. */
  apiFor(origin: string): SessionsApi | undefined;
  /** The user's setting for messages that are sent while the agent is running. If absent, `now` applies. */
  whileRunning?(): SendTime;
}

/** State that this window learned about a service by sending to it. Shared by all queues of the service. */
export class ServiceSendState {
  readonly #origin: string;
  readonly #source: SendSource;
  readonly #pauseEnd = new PauseEnd();
  /** Whether the service rejected the API key. Nothing is sent until the connection is ready again (R12). */
  isKeyRejected = false;

  constructor(origin: string, source: SendSource) {
    this.#origin = origin;
    this.#source = source;
  }

  /** Undefined while the service must not be contacted. */
  get api(): SessionsApi | undefined {
    return this.#source.apiFor(this.#origin);
  }

  /** The service's clock minus ours, in ms; undefined if it is not known. */
  get clockOffsetMs(): number | undefined {
    return this.#source.clocks.offsetMs(this.#origin);
  }

  /** The scheduler of a message that is scheduled now on the computer `host`. */
  scheduler(host: string): Scheduler {
    return { host, serverOffsetMs: this.clockOffsetMs };
  }

  /** The remaining time of the pause that the service requested, in ms; 0 or less if there is none. */
  get remainingPauseMs(): number {
    const now = this.#source.clock.now();
    return Math.max(this.#pauseEnd.at(now), this.#source.pauses?.askedUntil(this.#origin) ?? 0) - now;
  }

  get sharesPauses(): boolean {
    return this.#source.pauses !== undefined;
  }

  /** When to send a message if the agent is running and the user made no choice for this message. */
  get whileRunning(): SendTime {
    return this.#source.whileRunning?.() ?? 'now';
  }

  /** Learns the service's clock from the time in a response, Unix ms; undefined is ignored. */
  learnClock(serverTimeMs: number | undefined): void {
    this.#source.clocks.learn(this.#origin, serverTimeMs, this.#source.clock.now());
  }

  /** Records that the service requested a pause. */
  pauseRequested(retryAfterMs: number): void {
    const now = this.#source.clock.now();
    this.#pauseEnd.extend(now + retryAfterMs, now);
    this.#source.pauses?.failed(this.#origin, retryAfterMs);
  }

  /** Reads the pauses that the service requested in its responses to other windows. Never rejects. */
  async refreshPauses(): Promise<void> {
    await this.#source.pauses?.refresh(this.#origin);
  }
}

/** The {@link ServiceSendState} of every service. */
export class ServiceSendStates {
  readonly #source: SendSource;
  readonly #states = new Map<string, ServiceSendState>();

  constructor(source: SendSource) {
    this.#source = source;
  }

  of(origin: string): ServiceSendState {
    const state = this.#states.get(origin) ?? new ServiceSendState(origin, this.#source);
    this.#states.set(origin, state);
    return state;
  }

  /** Allows sending again to every service that rejected the API key. */
  clearKeyRejections(): void {
    for (const state of this.#states.values()) state.isKeyRejected = false;
  }
}

/**
 * Decides whether the next message of a queue may be sent now. After a failed attempt, the queue pauses: on average
 * longer with each failure, up to a limit, and never for less time than the service requested.
 */
export class SendGate implements Disposable {
  readonly #key: SessionKey;
  readonly #entries: QueueEntries;
  readonly #agents: Agents;
  readonly #store: Store;
  readonly #service: ServiceSendState;
  readonly #clock: Clock;
  readonly #pauseEnd = new Emitter<undefined>();
  #pause: Disposable | undefined;
  #failures = 0;

  constructor(
    key: SessionKey,
    entries: QueueEntries,
    agents: Agents,
    store: Store,
    service: ServiceSendState,
    clock: Clock,
  ) {
    this.#key = key;
    this.#entries = entries;
    this.#agents = agents;
    this.#store = store;
    this.#service = service;
    this.#clock = clock;
  }

  /** Fires when a pause is over. */
  readonly onDidEndPause = this.#pauseEnd.event;

  /**
   * The next message, if the user must be asked before it is sent: it was saved by an earlier version of the extension,
   * which sent only the messages of the current service, and the current service is another one.
   */
  get askedFirst(): QueuedMessage | undefined {
    const { next } = this.#entries;
    if (next?.state !== 'queued' || next.isHeld || next.stored.whileConnected) return undefined;
    const isListed = this.#store.record(this.#key) !== undefined;
    return isListed && serviceOf(this.#store.connection)?.origin !== this.#key.origin ? next : undefined;
  }

  /** The client for the next message, ignoring pauses; undefined if there is no message or it must wait. */
  get api(): SessionsApi | undefined {
    const { next } = this.#entries;
    if (next?.state !== 'queued' || next.isHeld || this.#entries.isSendingHere || this.askedFirst) return undefined;
    const record = this.#store.record(this.#key);
    if (!record || this.#service.isKeyRejected) return undefined;
    if (this.#waitsForIdleAgent && !this.#agents.isIdle(this.#key)) return undefined;
    return this.#service.api;
  }

  /**
   * The next message, if it waits until the agent is idle. During a pause, it also counts as waiting, because the agent
   * may be working again when the pause ends.
   */
  get awaitingAgent(): QueuedMessage | undefined {
    const { next } = this.#entries;
    if (next?.state !== 'queued' || next.isHeld || this.askedFirst || !this.#waitsForIdleAgent) return undefined;
    const isListed = this.#store.record(this.#key) !== undefined;
    return isListed && (this.#pause || !this.#agents.isIdle(this.#key)) ? next : undefined;
  }

  /** Whether the next message may be sent, ignoring pauses. */
  get isOpen(): boolean {
    return this.api !== undefined;
  }

  /**
   * Whether the queue is paused. Starts the pause that the service requested, if it isn't over. {@link onDidEndPause}
   * fires when the pause is over.
   */
  checkPause(): boolean {
    const remainingMs = this.#service.remainingPauseMs;
    if (!this.#pause && remainingMs > 0) this.#startPause(remainingMs);
    return this.#pause !== undefined;
  }

  /** Starts a pause after a failed attempt. `retryAfterMs`: the pause that the service requested. */
  attemptFailed(retryAfterMs: number | undefined): void {
    this.#failures++;
    if (retryAfterMs !== undefined) this.#service.pauseRequested(retryAfterMs);
    this.#startPause(backoffMs(this.#failures, this.#clock.random, retryAfterMs));
  }

  /** Ends the pause. If the service requested it, {@link checkPause} starts it again. */
  endPause(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
  }

  /** Resets the backoff, so that the pause after the next failed attempt is short. */
  resetFailures(): void {
    this.#failures = 0;
  }

  dispose(): void {
    this.endPause();
  }

  /**
   * Whether the next message waits until the agent is idle. Messages keep their order, so if the user chose to send a
   * later message now, this one doesn't wait either.
   */
  get #waitsForIdleAgent(): boolean {
    const { all, next } = this.#entries;
    const isNow = ({ state, isScheduled, stored }: QueuedMessage) =>
      state === 'queued' && !isScheduled && stored.when === 'now';
    if (all.some(isNow)) return false;
    return (next?.stored.when ?? this.#service.whileRunning) === 'whenIdle';
  }

  #startPause(delayMs: number): void {
    this.endPause();
    this.#pause = this.#clock.after(delayMs, () => {
      this.#pause = undefined;
      this.#pauseEnd.fire(undefined);
    });
  }
}
