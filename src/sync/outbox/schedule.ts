import { sameValue } from '../../shared/equality.ts';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import type { SendCondition } from '../../shared/protocol/vocabulary.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { Clock } from '../storage/clock.ts';
import type { Agents } from './agents.ts';
import type { Scheduler } from './outboxFiles.ts';
import type { QueueEntries } from './queueEntries.ts';
import type { QueuedMessage } from './queuedMessage.ts';
import type { ServiceSendState } from './sendGate.ts';

/**
 * The clock is checked at least this often while a message waits for a time, because timers don't run while the
 * computer is asleep, and are late afterward.
 */
const checkMs = 30_000;
/**
 * A message joins the queue at most this long after its time. If no window could do that by then, because VS Code was
 * closed or the computer was asleep, the user decides.
 */
export const toleranceMs = 60_000;
/** The time for which an awaited session can be missing from the list, for example until the user selects Undo. */
export const missingMs = 10_000;
/** The HTTP statuses with which a service says that it won't show a session. */
const goneStatuses: ReadonlySet<number | undefined> = new Set([403, 404, 410]);

/** Whether a condition isn't met yet, is met, or can't be met anymore. The owner of the queue acts on the last two. */
type WaitState = 'waiting' | 'due' | 'missed';

/** What this window knows about the condition of a scheduled message. */
interface Wait {
  readonly after: SendCondition;
  /** The time until the condition has to be checked again, in ms; `Infinity` if only an event requires that. */
  readonly restMs: number;
  check(): WaitState;
}

/**
 * Waits for a time. The state follows the clock, which can be set back. The clocks of two computers may differ, so a
 * message is only sent by a window of the computer on which it was scheduled. If no such window does so in time, a
 * window of another computer lets the user decide.
 */
class TimeWait implements Wait {
  readonly after: SendCondition & { readonly kind: 'time' };
  /** The computer on which the message was scheduled; undefined if it is this one. */
  readonly #other: Scheduler | undefined;
  readonly #service: ServiceSendState;
  readonly #clock: Clock;

  constructor(after: TimeWait['after'], other: Scheduler | undefined, service: ServiceSendState, clock: Clock) {
    this.after = after;
    this.#other = other;
    this.#service = service;
    this.#clock = clock;
  }

  get restMs(): number {
    return this.#untilMs + (this.#other ? toleranceMs + 1 : 0);
  }

  check(): WaitState {
    if (this.restMs > 0) return 'waiting';
    return this.#untilMs >= -toleranceMs ? 'due' : 'missed';
  }

  /** The time until the message is due, in ms: by the clock of the other computer if both offsets are known. */
  get #untilMs(): number {
    const [ownMs, otherMs] = [this.#service.clockOffsetMs, this.#other?.serverOffsetMs];
    const differenceMs = ownMs === undefined || otherMs === undefined ? 0 : ownMs - otherMs;
    return this.after.at - this.#clock.now() - differenceMs;
  }
}

/**
 * Waits until a session is idle, or until it is missing from the list for too long or can't be read anymore. Once one
 * of these has been seen, the result no longer changes.
 */
class SessionWait implements Wait {
  readonly after: SendCondition & { readonly kind: 'sessionIdle' };
  readonly #agents: Agents;
  readonly #store: Store;
  readonly #clock: Clock;
  /** The awaited session when the wait began. Only a later refresh can meet the condition. */
  readonly #before: SessionRecord | undefined;
  #missingSince: number | undefined;
  #result: WaitState = 'waiting';

  constructor(after: SessionWait['after'], agents: Agents, store: Store, clock: Clock) {
    this.after = after;
    this.#agents = agents;
    this.#store = store;
    this.#clock = clock;
    this.#before = store.record(after.key);
  }

  get restMs(): number {
    return this.#missingSince === undefined ? Infinity : this.#missingSince + missingMs - this.#clock.now();
  }

  check(): WaitState {
    if (this.#result === 'waiting') this.#result = this.#look();
    return this.#result;
  }

  #look(): WaitState {
    const record = this.#store.record(this.after.key);
    if (!record) {
      // Until the keys are read, the sessions of the other services aren't listed.
      if (this.#store.connection.kind === 'starting') return 'waiting';
      const now = this.#clock.now();
      // The clock may have been set back since the session was first missing.
      this.#missingSince = Math.min(this.#missingSince ?? now, now);
      return this.restMs <= 0 ? 'missed' : 'waiting';
    }
    this.#missingSince = undefined;
    const { session, failure } = record;
    if (failure && failure !== this.#before?.failure && goneStatuses.has(failure.status)) return 'missed';
    const isRefreshed = !failure && session !== this.#before?.session;
    return isRefreshed && this.#agents.isAvailable(this.after.key) ? 'due' : 'waiting';
  }
}

/**
 * Watches the conditions of the scheduled messages of a queue. Every window does, but only the owner of the queue acts:
 * a message whose condition is met joins the queue, and one whose condition can't be met anymore waits for the user.
 */
export class Schedule implements Disposable {
  readonly #entries: QueueEntries;
  readonly #agents: Agents;
  readonly #store: Store;
  readonly #service: ServiceSendState;
  readonly #host: string;
  readonly #clock: Clock;
  readonly #due = new Emitter<undefined>();
  readonly #waits = new Map<QueuedMessage, Wait>();
  /** The messages whose wait was over at the last check, for which the owner of the queue has to act. */
  readonly #over = new Map<QueuedMessage, 'due' | 'missed'>();
  #timer: Disposable | undefined;

  /** `host`: the name of this computer. */
  constructor(
    entries: QueueEntries,
    agents: Agents,
    store: Store,
    service: ServiceSendState,
    host: string,
    clock: Clock,
  ) {
    this.#entries = entries;
    this.#agents = agents;
    this.#store = store;
    this.#service = service;
    this.#host = host;
    this.#clock = clock;
  }

  /** Fires when the conditions have to be checked. */
  readonly onDue = this.#due.event;

  /** Whether the wait of any message is over, so that {@link apply} has work. */
  get hasWork(): boolean {
    return this.#over.size > 0;
  }

  /** Whether a message waits for another session. */
  get awaitsSession(): boolean {
    return [...this.#waits.values()].some(({ after }) => after.kind === 'sessionIdle');
  }

  /** Checks the conditions. While the session of the queue isn't in the list, nothing is watched. */
  check(isListed: boolean): void {
    const waiting = new Set(isListed ? this.#entries.all.filter(isWaiting) : []);
    for (const message of this.#waits.keys()) if (!waiting.has(message)) this.#forget(message);
    for (const message of waiting) this.#check(message);
    this.#timer?.dispose();
    const open = [...this.#waits].filter(([message]) => !this.#over.has(message));
    const restMs = open.reduce((least, [, wait]) => Math.min(least, wait.restMs), Infinity);
    this.#timer = Number.isFinite(restMs)
      ? this.#clock.after(Math.min(Math.max(restMs, 0), checkMs), () => this.#due.fire(undefined))
      : undefined;
  }

  /** Acts on the messages whose wait is over. Call this only while this window owns the queue. */
  apply(): void {
    for (const message of this.#entries.all) {
      const result = this.#over.get(message);
      if (!result) continue;
      this.#forget(message);
      if (result === 'due') this.#entries.join(message);
      else this.#entries.miss(message);
    }
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #check(message: QueuedMessage): void {
    const { after } = message.stored;
    let wait = this.#waits.get(message);
    if (after && !(wait && sameValue(wait.after, after))) {
      this.#forget(message);
      wait = this.#waitFor(after, message.stored.scheduledBy);
      this.#waits.set(message, wait);
    }
    const state = wait?.check() ?? 'waiting';
    if (state === 'waiting') this.#over.delete(message);
    else this.#over.set(message, state);
  }

  #waitFor(after: SendCondition, scheduledBy: Scheduler | undefined): Wait {
    if (after.kind === 'sessionIdle') return new SessionWait(after, this.#agents, this.#store, this.#clock);
    const isHere = scheduledBy && computerOf(scheduledBy.host) === computerOf(this.#host);
    return new TimeWait(after, isHere ? undefined : scheduledBy, this.#service, this.#clock);
  }

  #forget(message: QueuedMessage): void {
    this.#waits.delete(message);
    this.#over.delete(message);
  }
}

/** The part of a host name that stays the same in other networks: some computers add the domain of the network. */
function computerOf(host: string): string {
  return host.replace(/\..*/, '').toLowerCase();
}

function isWaiting({ state, isScheduled, isHeld }: QueuedMessage): boolean {
  return state === 'queued' && isScheduled && !isHeld;
}
