import type { ApiError } from '../../src/api/errors.ts';
import type { Message } from '../../src/api/resources/message.ts';
import type { Session } from '../../src/api/resources/session.ts';
import type { ListOptions, MessagePage, SessionsApi } from '../../src/api/sessionsApi.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { SessionKey } from '../../src/state/store/sessionKey.ts';
import { Store } from '../../src/state/store/store.ts';
import { HistoryLoader } from '../../src/sync/history/historyLoader.ts';
import { Poller } from '../../src/sync/polling/poller.ts';
import { FakeClock } from './clock.ts';
import { memoryBodies } from './memoryBodies.ts';
import { untilNothingIsDue } from './until.ts';

export const laggingKey: SessionKey = { origin: 'https://service.test', sessionId: 's1' };
const pageSize = 100;
const refuse = () => Promise.reject(new Error('not part of these tests'));

/**
 * A service whose messages can lag behind the session: the list can lack some, have holes, or come from an older copy.
 */
export class LaggingService {
  readonly clock = new FakeClock();
  readonly store = new Store(memoryBodies());
  readonly poller: Poller;
  /** Whether the list has a message at the time of the request. */
  isListed: (message: Message) => boolean = () => true;
  /** The age in ms of the copy from which requests for the session are answered. */
  sessionLagMs = 0;
  /** The age in ms of the copy from which the content of messages comes, whether they are listed or requested by ID. */
  contentLagMs = 0;
  listCalls = 0;
  messageCalls = 0;
  /** The error of all requests for a single message. */
  messageError: ApiError | undefined;
  readonly #order: 'newestFirst' | 'oldestFirst';
  readonly #messages: Message[] = [];
  /** The states of each message that has grown, oldest first. */
  readonly #versions = new Map<string, Message[]>();
  readonly #states: Session[] = [];

  private constructor(order: 'newestFirst' | 'oldestFirst', count: number) {
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
    this.store.setConnection({ kind: 'ready', service: { origin: laggingKey.origin, baseUrl: laggingKey.origin } });
    this.store.addSession({ key: laggingKey, addedAt: 1 });
  }

  /** Starts a window that watches a session with `count` messages. */
  static async open(order: 'newestFirst' | 'oldestFirst', count: number): Promise<LaggingService> {
    const service = new LaggingService(order, count);
    service.poller.watch(laggingKey, true);
    await service.pass(1_000);
    return service;
  }

  get ids(): string[] {
    return this.#messages.map(({ id }) => id);
  }

  get shownIds(): string[] {
    return this.store.record(laggingKey)!.headers.map(({ messageId }) => messageId);
  }

  get shownNewestAt(): number | undefined {
    return this.store.record(laggingKey)!.headers.at(-1)?.updatedAt;
  }

  get failure(): unknown {
    return this.store.record(laggingKey)!.failure;
  }

  get missingCount(): number {
    return this.store.record(laggingKey)!.history.missingCount ?? 0;
  }

  get status(): string | undefined {
    return this.store.record(laggingKey)?.session?.status;
  }

  add(count: number): void {
    for (let index = 0; index < count; index++) this.#push(this.clock.now() + index);
    this.setStatus('idle');
  }

  /** Starts the agent, and waits until the window has seen that. */
  async run(): Promise<void> {
    this.setStatus('running');
    await this.poller.refresh(laggingKey);
    await this.pass(10_000);
  }

  /** Adds text to the newest message, as an agent does while it writes an answer. */
  grow(): void {
    const grown = this.#messages.at(-1)!;
    const text = `${grown.id} at ${this.clock.now()}`;
    const version = { ...grown, content: [{ type: 'text', text }] as const, updatedAt: this.clock.now() };
    this.#versions.set(grown.id, [...(this.#versions.get(grown.id) ?? [grown]), version]);
    this.#messages.splice(-1, 1, version);
  }

  /** When the newest message last changed, in Unix ms; undefined if there are no messages. */
  get newestAt(): number | undefined {
    return this.#messages.at(-1)?.updatedAt;
  }

  setStatus(status: Session['status'], at = this.clock.now()): void {
    const times = { createdAt: 1, updatedAt: at };
    this.#states.push({ sessionId: laggingKey.sessionId, status, messageCount: this.#messages.length, ...times });
  }

  /** Lets time pass, and waits for the requests that become due. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      this.clock.advance(500);
      await untilNothingIsDue();
    }
  }

  #push(createdAt: number): void {
    const id = `m${this.#messages.length}`;
    const role = this.#messages.length % 2 === 0 ? 'user' : 'assistant';
    this.#messages.push({ id, role, content: [{ type: 'text', text: id }], createdAt, updatedAt: createdAt });
  }

  #copyOf(message: Message): Message {
    const until = this.clock.now() - this.contentLagMs;
    const versions = this.#versions.get(message.id) ?? [message];
    return versions.findLast(({ updatedAt }) => updatedAt <= until) ?? versions[0]!;
  }

  readonly #api: SessionsApi = {
    getSession: () => {
      const until = this.clock.now() - this.sessionLagMs;
      return Promise.resolve(this.#states.findLast(({ updatedAt }) => updatedAt <= until) ?? this.#states[0]!);
    },
    listMessages: (_sessionId, { cursor, limit = pageSize }: ListOptions = {}): Promise<MessagePage> => {
      this.listCalls += 1;
      const all = this.#messages.filter((message) => this.isListed(message));
      if (this.#order === 'newestFirst') all.reverse();
      // A cursor names the message before the page, as real cursors do, so that new messages don't move the pages.
      const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
      const messages = all.slice(start, start + limit).map((message) => this.#copyOf(message));
      const hasMore = start + limit < all.length;
      const nextCursor = hasMore ? messages.at(-1)?.id : undefined;
      return Promise.resolve({
        messages,
        listed: messages,
        skippedCount: 0,
        hasMore,
        ...(nextCursor && { nextCursor }),
      });
    },
    getMessage: (_sessionId, messageId) => {
      this.messageCalls += 1;
      if (this.messageError) return Promise.reject(this.messageError);
      const found = this.#messages.find(({ id }) => id === messageId);
      return found ? Promise.resolve(this.#copyOf(found)) : refuse();
    },
    updateSession: refuse,
    addMessage: refuse,
    dispose: () => undefined,
  };
}
