import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { Session } from '../../../../src/api/resources/session.ts';
import type { ListOptions, MessagePage, SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { HistoryLoader } from '../../../../src/sync/history/historyLoader.ts';
import { Poller } from '../../../../src/sync/polling/poller.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';

const key: SessionKey = { origin: 'https://service.test', sessionId: 's1' };
const pageSize = 100;
const refuse = () => Promise.reject(new Error('not part of these tests'));

/** A service whose list of messages can lag behind the session, have holes, or come from an older copy. */
class LaggingService {
  readonly clock = new FakeClock();
  readonly store = new Store(memoryBodies());
  readonly poller: Poller;
  /** Whether the list has a message at the time of the request. */
  isListed: (message: Message) => boolean = () => true;
  /** How old the copy is that answers requests for the session, in ms. */
  sessionLagMs = 0;
  listCalls = 0;
  readonly #order: 'newestFirst' | 'oldestFirst';
  readonly #messages: Message[] = [];
  readonly #states: Session[] = [];

  constructor(order: 'newestFirst' | 'oldestFirst', count: number) {
    this.#order = order;
    for (let index = 0; index < count; index++) this.#push(this.clock.now() - 3_600_000 + index * 1_000);
    this.setStatus('idle', this.clock.now() - 1_800_000);
    this.poller = new Poller({
      store: this.store,
      history: new HistoryLoader(this.store, this.clock),
      apiFor: () => this.#api,
      intervals: () => ({ runningMs: 2_000, idleMs: 30_000 }),
      clock: this.clock,
      log: silentLog,
    });
    this.store.setConnection({ kind: 'ready', service: { origin: key.origin, baseUrl: key.origin } });
    this.store.addSession({ key, addedAt: 1 });
  }

  get ids(): string[] {
    return this.#messages.map(({ id }) => id);
  }

  get shownIds(): string[] {
    return this.store.record(key)!.headers.map(({ messageId }) => messageId);
  }

  get missingCount(): number {
    return this.store.record(key)!.history.missingCount ?? 0;
  }

  get status(): string | undefined {
    return this.store.record(key)?.session?.status;
  }

  add(count: number): void {
    for (let index = 0; index < count; index++) this.#push(this.clock.now() + index);
    this.setStatus('idle');
  }

  setStatus(status: Session['status'], at = this.clock.now()): void {
    const times = { createdAt: 1, updatedAt: at };
    this.#states.push({ sessionId: key.sessionId, status, messageCount: this.#messages.length, ...times });
  }

  /** Lets time pass, and waits for the requests that become due. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      this.clock.advance(500);
      for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #push(createdAt: number): void {
    const id = `m${this.#messages.length}`;
    const role = this.#messages.length % 2 === 0 ? 'user' : 'assistant';
    this.#messages.push({ id, role, content: [{ type: 'text', text: id }], createdAt, updatedAt: createdAt });
  }

  readonly #api: SessionsApi = {
    getSession: () => {
      const until = this.clock.now() - this.sessionLagMs;
      return Promise.resolve(this.#states.findLast(({ updatedAt }) => updatedAt <= until) ?? this.#states[0]!);
    },
    listMessages: (_sessionId, { cursor, limit = pageSize }: ListOptions = {}): Promise<MessagePage> => {
      this.listCalls += 1;
      const listed = this.#messages.filter((message) => this.isListed(message));
      if (this.#order === 'newestFirst') listed.reverse();
      // A cursor names the message before the page, as real cursors do, so that new messages don't move the pages.
      const start = cursor === undefined ? 0 : listed.findIndex(({ id }) => id === cursor) + 1;
      const messages = listed.slice(start, start + limit);
      const hasMore = start + limit < listed.length;
      const nextCursor = hasMore ? messages.at(-1)?.id : undefined;
      return Promise.resolve({ messages, skippedCount: 0, hasMore, ...(nextCursor && { nextCursor }) });
    },
    getMessage: (_sessionId, messageId) => {
      const found = this.#messages.find(({ id }) => id === messageId);
      return found ? Promise.resolve(found) : refuse();
    },
    updateSession: refuse,
    addMessage: refuse,
    dispose: () => undefined,
  };
}

async function open(order: 'newestFirst' | 'oldestFirst', count: number): Promise<LaggingService> {
  const service = new LaggingService(order, count);
  service.poller.watch(key, true);
  await service.pass(1_000);
  return service;
}

describe.each(['newestFirst', 'oldestFirst'] as const)('a list that lags behind its session, %s', (order) => {
  it.each([
    [5_000, 4],
    [60_000, 4],
    [60_000, 250],
  ])(
    'by %i ms, after %i messages: every message appears by itself, and the panel reports it until then',
    async (lagMs, count) => {
      const service = await open(order, count);
      const known = service.shownIds.length;
      service.isListed = ({ createdAt }) => createdAt <= service.clock.now() - lagMs;
      service.add(2);
      await service.poller.refresh(key);
      expect(service.shownIds).toHaveLength(known);
      expect(service.missingCount).toBe(2);
      await service.pass(lagMs * 2 + 2_000);
      expect(service.shownIds).toEqual(service.ids.slice(-known - 2));
      expect(service.missingCount).toBe(0);
      // Nothing is missing, so the list isn't read again.
      service.listCalls = 0;
      await service.pass(120_000);
      expect(service.listCalls).toBe(0);
    },
  );

  it('with a hole between loaded messages is completed', async () => {
    const service = await open(order, 150);
    const filledAt = service.clock.now() + 20_000;
    service.isListed = ({ id }) => id !== 'm151' || service.clock.now() >= filledAt;
    service.add(4);
    await service.poller.refresh(key);
    expect(service.shownIds).not.toContain('m151');
    expect(service.missingCount).toBe(1);
    await service.pass(60_000);
    expect(service.shownIds.slice(-4)).toEqual(['m150', 'm151', 'm152', 'm153']);
    expect(service.missingCount).toBe(0);
  });

  it('is read less and less often, and not forever if the service counts differently', async () => {
    const service = await open(order, 4);
    service.isListed = ({ id }) => id !== 'm5';
    service.add(2);
    await service.poller.refresh(key);
    service.listCalls = 0;
    await service.pass(600_000);
    expect(service.listCalls).toBeLessThan(60);
    expect(service.missingCount).toBe(0);
    service.listCalls = 0;
    await service.pass(120_000);
    expect(service.listCalls).toBe(0);
    service.add(1);
    await service.poller.refresh(key);
    expect(service.shownIds.at(-1)).toBe('m6');
    expect(service.missingCount).toBe(0);
  });

  it('does not mark a message as removed that an older copy of the list lacks', async () => {
    const service = await open(order, 6);
    service.isListed = ({ id }) => id !== 'm5' && id !== 'm4';
    service.setStatus('idle');
    await service.poller.refresh(key);
    expect(service.store.record(key)?.headers.filter(({ isGone }) => isGone)).toEqual([]);
  });
});

it('an older state of the session does not replace a newer one, unless the service went back for good', async () => {
  const service = await open('newestFirst', 4);
  service.setStatus('running');
  await service.poller.refresh(key);
  expect(service.status).toBe('running');
  service.sessionLagMs = 3_600_000;
  await service.poller.refresh(key);
  expect(service.status).toBe('running');
  await service.pass(60_000);
  expect(service.status).toBe('idle');
});

it('a refresh by the user reads the newest page even if the session is unchanged', async () => {
  const service = await open('newestFirst', 4);
  service.listCalls = 0;
  await service.poller.refresh(key);
  expect(service.listCalls).toBe(1);
});

it('shows every message in the end, whatever lags and whichever copy answers', async () => {
  const step = fc.record({
    added: fc.integer({ min: 0, max: 3 }),
    lagMs: fc.integer({ min: 0, max: 60_000 }),
    sessionLagMs: fc.constantFrom(0, 0, 0, 3_000),
    holeAt: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    waitMs: fc.integer({ min: 500, max: 20_000 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('newestFirst' as const, 'oldestFirst' as const),
      fc.array(step, { minLength: 1, maxLength: 5 }),
      async (order, steps) => {
        const service = await open(order, 5);
        let shown = new Set<string>(service.shownIds);
        for (const { added, lagMs, sessionLagMs, holeAt, waitMs } of steps) {
          service.add(added);
          service.sessionLagMs = sessionLagMs;
          service.isListed = ({ id, createdAt }) => id !== `m${holeAt}` && createdAt <= service.clock.now() - lagMs;
          await service.pass(waitMs);
          // What was shown stays.
          for (const id of shown) expect(service.shownIds).toContain(id);
          shown = new Set(service.shownIds);
        }
        service.isListed = () => true;
        service.sessionLagMs = 0;
        await service.pass(130_000);
        expect(service.shownIds).toEqual(service.ids);
        expect(service.missingCount).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
}, 120_000);
