import { ApiError } from '../../../../src/api/errors.ts';
import type { Session, SessionStatus } from '../../../../src/api/resources/session.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { OutgoingMessage } from '../../../../src/api/http/requestBody.ts';
import type {
  AddOptions,
  AddedMessage,
  CallOptions,
  ListOptions,
  MessagePage,
  SessionsApi,
} from '../../../../src/api/sessionsApi.ts';
import type { Clock } from '../../../../src/sync/storage/clock.ts';

/** A POST that has arrived and waits for the test to complete it. */
export interface HeldPost {
  readonly sessionId: string;
  readonly message: OutgoingMessage;
  readonly options: AddOptions;
  /** Creates the message without responding to the client. */
  process(): Message;
  answer(): void;
  fail(error: unknown): void;
  readonly isOpen: boolean;
  readonly created: Message | undefined;
}

export interface MemoryServiceHabits {
  readonly order: 'asc' | 'desc';
  /** The service's clock minus the client's, in ms. */
  readonly skewMs: number;
  readonly hasDateHeader: boolean;
  readonly listsRoles: boolean;
  readonly changeText: (text: string) => string;
  /** How far the list of each replica lags behind, in ms. The replicas respond in turn. */
  readonly replicaLagsMs: readonly number[];
}

const defaultHabits: MemoryServiceHabits = {
  order: 'desc',
  skewMs: 0,
  hasDateHeader: true,
  listsRoles: true,
  changeText: (text) => text,
  replicaLagsMs: [0],
};

/** An in-memory service for tests that control when each step happens. */
export class MemoryService implements SessionsApi {
  readonly habits: MemoryServiceHabits;
  readonly posts: HeldPost[] = [];
  /** Every posted text, in order of arrival. */
  readonly arrivals: string[] = [];
  readonly created = new Map<string, Message[]>();
  listCalls: (ListOptions & { readonly sessionId: string })[] = [];
  /** The sessions that were read, in order. */
  readonly probedIds: string[] = [];
  /** The status of all sessions. */
  status: SessionStatus = 'idle';
  /** If set, reads fail with this error. */
  listError: ApiError | undefined;
  /** Handles each POST. If not set, POSTs are held. */
  onPost: ((post: HeldPost) => void) | undefined;
  readonly #clock: Clock;
  #lastCreatedAt = 0;
  #nextId = 1;
  #listings = 0;

  constructor(clock: Clock, habits: Partial<MemoryServiceHabits> = {}) {
    this.#clock = clock;
    this.habits = { ...defaultHabits, ...habits };
  }

  messages(sessionId: string): readonly Message[] {
    return this.created.get(sessionId) ?? [];
  }

  /** The messages that the next replica lists, oldest first. */
  listed(sessionId: string): readonly Message[] {
    const lags = this.habits.replicaLagsMs;
    const lagMs = lags[this.#listings++ % lags.length] ?? 0;
    // Creation times are unique, so some are later than the clock.
    if (lagMs === 0) return this.messages(sessionId);
    return this.messages(sessionId).filter(({ createdAt }) => createdAt <= this.#serverNow() - lagMs);
  }

  texts(sessionId: string): string[] {
    return this.messages(sessionId).map((message) => (message.content[0] as { text: string }).text);
  }

  /** Creates a message that didn't come from a POST. */
  create(sessionId: string, text: string, role: Message['role'] = 'user', ageMs = 0): Message {
    this.#lastCreatedAt = Math.max(this.#lastCreatedAt + 1, this.#serverNow() - ageMs);
    const message: Message = {
      id: `m${this.#nextId++}`,
      role: this.habits.listsRoles ? role : undefined,
      createdAt: this.#lastCreatedAt,
      updatedAt: this.#lastCreatedAt,
      content: [{ type: 'text', text: this.habits.changeText(text) }],
    };
    this.created.set(sessionId, [...this.messages(sessionId), message]);
    return message;
  }

  addMessage(sessionId: string, message: OutgoingMessage, options: AddOptions = {}): Promise<AddedMessage> {
    this.arrivals.push(message.text);
    return new Promise((resolve, reject) => {
      const post = this.#hold(sessionId, message, options, resolve, reject);
      this.posts.push(post);
      options.signal?.addEventListener('abort', () =>
        post.fail(new ApiError('cancelled', 'cancelled', { sent: 'maybe' })),
      );
      this.onPost?.(post);
    });
  }

  listMessages(sessionId: string, options: ListOptions = {}): Promise<MessagePage> {
    this.listCalls.push({ ...options, sessionId });
    if (this.listError) return Promise.reject(this.listError);
    const wanted = this.listed(sessionId).filter(
      ({ role }) => !options.role || role === undefined || role === options.role,
    );
    const ordered = this.habits.order === 'asc' ? wanted : wanted.toReversed();
    const start = options.cursor === undefined ? 0 : Number(options.cursor);
    const end = start + (options.limit ?? 20);
    const messages = ordered.slice(start, end);
    return Promise.resolve({
      messages,
      listed: messages,
      skippedCount: 0,
      hasMore: end < ordered.length,
      nextCursor: end < ordered.length ? String(end) : undefined,
      serverTimeMs: this.dateHeaderMs,
    });
  }

  getSession(sessionId: string, { signal }: CallOptions = {}): Promise<Session> {
    this.probedIds.push(sessionId);
    if (signal?.aborted) return Promise.reject(new ApiError('cancelled', 'aborted', { sent: 'maybe' }));
    const at = this.#serverNow();
    const messageCount = this.messages(sessionId).length;
    const session = { sessionId, status: this.status, messageCount, createdAt: at, updatedAt: at };
    return this.listError ? Promise.reject(this.listError) : Promise.resolve(session);
  }

  updateSession(): never {
    throw new Error('not used in these tests');
  }

  getMessage(): never {
    throw new Error('not used in these tests');
  }

  dispose(): void {
    for (const post of this.posts) post.fail(new ApiError('cancelled', 'closed', { sent: 'maybe' }));
  }

  /** The Date header of a response, in Unix ms; undefined if responses have none. */
  get dateHeaderMs(): number | undefined {
    return this.habits.hasDateHeader ? Math.floor(this.#serverNow() / 1000) * 1000 : undefined;
  }

  #serverNow(): number {
    return this.#clock.now() + this.habits.skewMs;
  }

  #hold(
    sessionId: string,
    message: OutgoingMessage,
    options: AddOptions,
    resolve: (added: AddedMessage) => void,
    reject: (error: unknown) => void,
  ): HeldPost {
    const create = () => this.create(sessionId, message.text);
    let created: Message | undefined;
    let isOpen = true;
    const serverTimeMs = this.dateHeaderMs;
    return {
      sessionId,
      message,
      options,
      get isOpen() {
        return isOpen;
      },
      get created() {
        return created;
      },
      process() {
        created ??= create();
        return created;
      },
      answer() {
        isOpen = false;
        resolve({ messageId: this.process().id, status: 'running', serverTimeMs });
      },
      fail(error) {
        isOpen = false;
        reject(error);
      },
    };
  }
}
