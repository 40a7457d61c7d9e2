import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
// Imported here, because `settle` couldn't detect that the first request is still loading this module.
import '../../../../src/api/transport/directTransport.ts';
import type { ServiceHabits } from '../../../../src/demoService/http/sessionEndpoints.ts';
import type { Message, MessageDraft } from '../../../../src/demoService/resources.ts';
import type { SeededSession } from '../../../../src/demoService/sessionStore.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { attentionOf } from '../../../../src/state/sessions/attention.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { MessageCache } from '../../../../src/sync/cache/messageCache.ts';
import { cacheFolder } from '../../../../src/sync/cache/cacheRecord.ts';
import { SyncEngine } from '../../../../src/sync/syncEngine.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { isWorkDue } from '../../../fakes/until.ts';
import { type FaultServer, type LoggedRequest, forwardTo, startFaultServer } from '../../../fakes/faultServer.ts';
import { type SilentService, startSilentService } from '../../../fakes/silentService.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const token = 'key-of-tails';
const patienceMs = 60_000;
/** The number of idle turns of the event loop after which nothing is on its way between the client and the service. */
const settledTurns = 20;

export const says = (text: string): MessageDraft => ({ role: 'assistant', content: [{ type: 'text', text }] });
export const prompt: MessageDraft = { role: 'user', content: [{ type: 'text', text: 'Please move the basket.' }] };
export const asks = says('The basket is moved.\n\nShall I delete the old table?');
export const fails: MessageDraft = { ...says('The build failed: no space left on device'), isError: true };
export const finishes = says('All tests pass.');

/** A session on the service. Its last message was written at `endedAt` (Unix ms). */
export function sessionWith(
  sessionId: string,
  drafts: readonly MessageDraft[],
  endedAt: number,
  status: 'idle' | 'running' = 'idle',
): SeededSession {
  const startAt = endedAt - (drafts.length - 1) * 1_000;
  const messages = drafts.map((draft, place): Message => {
    const at = startAt + place * 1_000;
    return { ...draft, id: `${sessionId}-${place}`, createdAt: at, updatedAt: at };
  });
  const session = { sessionId, status, messageCount: drafts.length, createdAt: startAt, updatedAt: endedAt };
  return { session: { ...session, title: sessionId }, messages };
}

/** `count` prompts, each with an answer. */
export function turns(count: number): MessageDraft[] {
  return Array.from({ length: count }, (_, place) => [prompt, says(`Answer ${place}.`)]).flat();
}

/** A window with the real sync engine on the folder that all windows share. Only the clock is fake. */
export class TailWindow {
  readonly store: Store;
  readonly messages: MessageCache;
  readonly sync: SyncEngine;
  readonly #changes = new Emitter<void>();
  isEnabled = true;
  isCacheEnabled = true;

  constructor(folder: string, baseUrl: string, clock: FakeClock) {
    const messages = new MessageCache({ folder: join(folder, cacheFolder), clock, log: silentLog });
    const store = new Store(messages);
    this.store = store;
    this.messages = messages;
    this.sync = new SyncEngine({
      ...{ store, messages, folder, clock },
      settings: {
        baseUrl: () => baseUrl,
        services: () => ({}),
        network: () => ({ route: 'direct', httpProxy: '' }),
        readKey: () => Promise.resolve(token),
        onDidChange: this.#changes.event,
        pace: () => ({ runningMs: 2_000, idleMs: 30_000 }),
        whileRunning: () => 'now',
        isCacheEnabled: () => this.isCacheEnabled,
        readsInBackground: () => this.isEnabled,
      },
      syncedMemory: { read: () => undefined, write: () => Promise.resolve() },
      log: silentLog,
    });
  }

  setEnabled(isEnabled: boolean): void {
    this.isEnabled = isEnabled;
    this.#changes.fire();
  }

  setCacheEnabled(isEnabled: boolean): void {
    this.isCacheEnabled = isEnabled;
    this.#changes.fire();
  }

  /** The IDs of the sessions that need the user, with the reason. */
  needs(): Record<string, string> {
    const reasons = this.store.records.map((record) => [record.listEntry.key.sessionId, attentionOf(record)] as const);
    return Object.fromEntries(
      reasons.flatMap(([id, reason]) => (reason === 'failed' || reason === 'waiting' ? [[id, reason]] : [])),
    );
  }

  record(key: SessionKey): SessionRecord {
    const record = this.store.record(key);
    if (!record) throw new Error(`no session ${key.sessionId}`);
    return record;
  }
}

/**
 * A strict service with the sessions of a test, the requests that it received, and windows that follow these sessions.
 */
export class TailRig {
  readonly clock: FakeClock;
  readonly service: SilentService;
  readonly server: FaultServer;
  readonly #folder: Awaited<ReturnType<typeof temporaryFolder>>;
  readonly #windows: TailWindow[] = [];
  /** The number of requests that the service is answering, and the largest number so far. */
  readonly #underWay: { readonly count: number; readonly mostCount: number };
  /** The time on the fake clock of each request that the service received. */
  readonly times: ReadonlyMap<LoggedRequest, number>;

  private constructor(
    clock: FakeClock,
    service: SilentService,
    folder: Awaited<ReturnType<typeof temporaryFolder>>,
    server: FaultServer,
    times: ReadonlyMap<LoggedRequest, number>,
    underWay: { readonly count: number; readonly mostCount: number },
  ) {
    this.clock = clock;
    this.service = service;
    this.#folder = folder;
    this.server = server;
    this.times = times;
    this.#underWay = underWay;
  }

  static async start(
    seeds: (now: number) => readonly SeededSession[],
    habits: Partial<ServiceHabits> = {},
  ): Promise<TailRig> {
    const clock = new FakeClock(Date.now());
    const service = await startSilentService(seeds(clock.now()), token, habits, () => clock.now());
    const folder = await temporaryFolder();
    const times = new Map<LoggedRequest, number>();
    const underWay = { count: 0, mostCount: 0 };
    const forward = async (request: LoggedRequest) => forwardTo(service.baseUrl)(request);
    const server = await startFaultServer({
      service: async (request) => {
        times.set(request, clock.now());
        underWay.count += 1;
        underWay.mostCount = Math.max(underWay.mostCount, underWay.count);
        return forward(request).finally(() => (underWay.count -= 1));
      },
    });
    return new TailRig(clock, service, folder, server, times, underWay);
  }

  /** The largest number of requests that the service was answering at the same time. */
  get mostAtOnce(): number {
    return this.#underWay.mostCount;
  }

  keyOf(sessionId: string): SessionKey {
    return { origin: this.server.origin, sessionId };
  }

  /** Opens a window, and adds sessions to its list, which contains the sessions that earlier windows added. */
  async open(sessionIds: readonly string[] = [], isTreeVisible = true): Promise<TailWindow> {
    const window = new TailWindow(join(this.#folder.path, 'data'), this.server.origin, this.clock);
    this.#windows.push(window);
    await window.sync.start(undefined, () => undefined);
    for (const sessionId of sessionIds) await window.sync.sessionList.add(this.keyOf(sessionId));
    if (isTreeVisible) for (const { listEntry } of window.store.records) window.sync.watch(listEntry.key, false);
    return window;
  }

  async close(window: TailWindow): Promise<void> {
    this.#windows.splice(this.#windows.indexOf(window), 1);
    await window.sync.stopWriting();
  }

  /** The files of the claims that windows hold. */
  async claimFiles(): Promise<string[]> {
    return readdir(join(this.#folder.path, 'data', 'leases')).catch(() => []);
  }

  /** Requests for message lists and single messages, as `<session ID> <rest of the URL>`. */
  messageRequests(): string[] {
    return this.server.requests.flatMap(({ url }) => {
      const match = /\/sessions\/([^/?]+)\/messages(.*)/.exec(url);
      return match ? [`${match[1]} ${match[2]}`] : [];
    });
  }

  /** The times of all message requests, in order. */
  messageTimes(): number[] {
    return this.server.requests.filter(({ url }) => url.includes('/messages')).map((one) => this.times.get(one) ?? 0);
  }

  /** Ends the turn of a session with these messages. */
  finish(sessionId: string, ...drafts: readonly MessageDraft[]): void {
    for (const draft of drafts) this.service.store.append(sessionId, draft);
    this.service.store.setStatus(sessionId, 'idle');
  }

  /** Lets time pass on the fake clock, slowly enough for requests and files. */
  async pass(ms: number, stepMs = 100): Promise<void> {
    await this.settle();
    for (let passed = 0; passed < ms; passed += stepMs) await this.#step(stepMs);
  }

  /**
   * Lets time pass until the condition holds. Resolves to the time that it took on the fake clock, in ms.
   * @throws Error after `withinMs` on the fake clock, or after a minute of real time
   */
  async passUntil(condition: () => boolean, withinMs: number, stepMs = 100): Promise<number> {
    const [startedAt, realEnd] = [this.clock.now(), Date.now() + patienceMs];
    await this.settle();
    while (!condition()) {
      if (this.clock.now() - startedAt >= withinMs) throw new Error(`not within ${withinMs} ms`);
      if (Date.now() > realEnd) throw new Error('waited in vain');
      await this.#step(stepMs);
    }
    return this.clock.now() - startedAt;
  }

  /** Advances the clock. Nothing can happen in a step in which no timer is due, so only other steps are awaited. */
  async #step(stepMs: number): Promise<void> {
    const isDue = (this.clock.nextTimerMs ?? Number.POSITIVE_INFINITY) <= stepMs;
    this.clock.advance(stepMs);
    if (isDue) await this.settle();
  }

  /**
   * Waits until no request is running and no file is being accessed, so that the fake clock doesn't advance before they
   * are done.
   * @throws Error after a minute of real time
   */
  async settle(): Promise<void> {
    const realEnd = Date.now() + patienceMs;
    for (let idleTurns = 0; idleTurns < settledTurns;) {
      if (Date.now() > realEnd) throw new Error('waited in vain');
      const isBusy = this.#underWay.count > 0 || isWorkDue();
      idleTurns = isBusy ? 0 : idleTurns + 1;
      await new Promise<void>((resolve) => void (isBusy ? setTimeout(resolve, 1) : setImmediate(resolve)));
    }
  }

  async dispose(): Promise<void> {
    for (const window of this.#windows.splice(0)) await window.sync.stopWriting();
    await this.server.dispose();
    await this.service.dispose();
    await this.#folder.remove();
  }
}
