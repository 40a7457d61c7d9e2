import { ApiError, type ApiErrorDetails } from '../../../../src/api/errors.ts';
import type { SessionStatus } from '../../../../src/api/resources/session.ts';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import type { RecordStore } from '../../../../src/sync/storage/recordStore.ts';
import { HistoryLoader } from '../../../../src/sync/history/historyLoader.ts';
import { isKeyRejected, toFailure } from '../../../../src/sync/connection/probe.ts';
import { Poller } from '../../../../src/sync/polling/poller.ts';
import { ServiceClocks, type ServicePauses } from '../../../../src/sync/connection/serviceLimits.ts';
import { FakeClock } from '../../../fakes/clock.ts';

export const origin = 'https://service.test';
export const keyOf = (sessionId: string): SessionKey => ({ origin, sessionId });
export const pace = { runningMs: 2_000, idleMs: 30_000 };

export interface PolledCall {
  readonly name: 'session' | 'list' | 'message';
  readonly sessionId: string;
  /** The start time of the call on the fake clock. */
  readonly at: number;
}

export function statusError(status: number, details: Partial<ApiErrorDetails> = {}): ApiError {
  return new ApiError('status', `status ${status}`, { sent: 'maybe', status, ...details });
}

/** Returns a random source that produces the same sequence in every run. */
export function seededRandom(seed = 1): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** A history loader that knows whether it is reading. */
class WatchedHistory extends HistoryLoader {
  #count = 0;

  get isReading(): boolean {
    return this.#count > 0;
  }

  override refresh(...given: Parameters<HistoryLoader['refresh']>): Promise<void> {
    return this.#watch(super.refresh(...given));
  }

  override refreshNewest(...given: Parameters<HistoryLoader['refreshNewest']>): Promise<void> {
    return this.#watch(super.refreshNewest(...given));
  }

  #watch(reading: Promise<void>): Promise<void> {
    this.#count++;
    return reading.finally(() => this.#count--);
  }
}

/** A poller with a service that the test controls. Each session has one message. */
export class PollerRig {
  readonly clock: FakeClock;
  readonly store = new Store(memoryBodies());
  readonly clocks = new ServiceClocks();
  readonly poller: Poller;
  readonly calls: PolledCall[] = [];
  status: SessionStatus = 'idle';
  updatedAt = 1;
  intervals = pace;
  readonly archivedIds = new Set<string>();
  /** Returns the error with which calls for a session reject, if any. */
  failure: (sessionId: string, name: PolledCall['name']) => Error | undefined = () => undefined;
  /** If set, calls wait for this promise. An abort ends the wait, as it would end a request. */
  gate: Promise<void> | undefined;
  /** The highest number of concurrent calls of the same kind for the same session. */
  mostAtOnce = 0;
  readonly #underWay = new Map<string, number>();
  #client: SessionsApi | undefined;
  readonly #history: WatchedHistory;

  constructor(
    sessionIds: readonly string[] = ['s1'],
    pauses?: ServicePauses,
    clock = new FakeClock(1_760_000_000_000, seededRandom()),
  ) {
    this.clock = clock;
    const { store } = this;
    const apiFor = () => (store.connection.kind === 'ready' ? (this.#client ??= { ...this.#api }) : undefined);
    this.#history = new WatchedHistory(store, clock);
    this.poller = new Poller({
      store,
      history: this.#history,
      apiFor,
      intervals: () => this.intervals,
      ...(pauses ? { pauses } : {}),
      clocks: this.clocks,
      clock,
      log: silentLog,
    });
    this.connect();
    for (const sessionId of sessionIds) store.addSession({ key: keyOf(sessionId), addedAt: 1 });
  }

  connect(): void {
    this.store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
  }

  /** Replaces the client, as a change of the proxy does. */
  replaceClient(): void {
    this.#client = undefined;
  }

  /** Returns the number of calls since the last `take`, optionally for one session only. */
  take(sessionId?: string): number {
    const taken = this.calls.splice(0);
    return taken.filter((call) => sessionId === undefined || call.sessionId === sessionId).length;
  }

  /** Waits for all follow-up work. On a busy machine, reading messages pauses, and goes on in a later turn. */
  async settle(): Promise<void> {
    do {
      await new Promise<void>((resolve) => void setImmediate(() => setImmediate(resolve)));
    } while (this.#history.isReading && !this.gate);
  }

  /** Waits for all follow-up work, including disk reads. */
  async quiet(disk: RecordStore): Promise<void> {
    for (let turn = 0; turn < 4; turn++) {
      await disk.flush();
      await this.settle();
    }
  }

  /** Advances the clock step by step and waits for all follow-up work. */
  async pass(ms: number, stepMs = 50): Promise<void> {
    await this.settle();
    for (let passed = 0; passed < ms; passed += stepMs) {
      const before = this.calls.length;
      this.clock.advance(Math.min(stepMs, ms - passed));
      if (this.calls.length > before) await this.settle();
    }
    await this.settle();
  }

  readonly #api: SessionsApi = {
    getSession: (sessionId, options) =>
      this.#answer('session', sessionId, options?.signal, () => ({
        sessionId,
        status: this.status,
        messageCount: 1,
        createdAt: 1,
        updatedAt: this.updatedAt,
        ...(this.archivedIds.has(sessionId) ? { sessionSettings: { archivedAt: '2026-01-01T00:00:00Z' } } : {}),
      })),
    listMessages: (sessionId, options) =>
      this.#answer('list', sessionId, options?.signal, () => ({
        messages: [this.#message()],
        listed: [this.#message()],
        skippedCount: 0,
        hasMore: false,
      })),
    getMessage: (sessionId, _messageId, options) =>
      this.#answer('message', sessionId, options?.signal, () => this.#message()),
    updateSession: () => Promise.reject(new Error('not part of these tests')),
    addMessage: () => Promise.reject(new Error('not part of these tests')),
    dispose: () => undefined,
  };

  #message() {
    const content = [{ type: 'text', text: `at ${this.updatedAt}` }] as const;
    return { id: 'm1', role: 'user' as const, createdAt: 1, updatedAt: this.updatedAt, content };
  }

  async #answer<T>(
    name: PolledCall['name'],
    sessionId: string,
    signal: AbortSignal | undefined,
    answer: () => T,
  ): Promise<T> {
    this.calls.push({ name, sessionId, at: this.clock.now() });
    const own = `${name} ${sessionId}`;
    const count = (this.#underWay.get(own) ?? 0) + 1;
    this.#underWay.set(own, count);
    this.mostAtOnce = Math.max(this.mostAtOnce, count);
    try {
      if (this.gate) await Promise.race([this.gate, aborted(signal)]);
      else await Promise.resolve();
      if (signal?.aborted) throw new ApiError('cancelled', 'cancelled', { sent: 'maybe' });
      const failure = this.failure(sessionId, name);
      // As the client's failure listener does.
      if (isKeyRejected(failure) && this.store.record(keyOf(sessionId)))
        this.store.rejectKey(origin, toFailure(failure, this.clock.now()));
      if (failure) throw failure;
      return answer();
    } finally {
      this.#underWay.set(own, (this.#underWay.get(own) ?? 1) - 1);
    }
  }
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()));
}
