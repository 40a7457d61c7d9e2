import {
  type Message,
  messagePageSchema,
  readMessage,
  readMessagePage,
} from '../../../../src/api/resources/message.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import type { CallOptions, ListOptions, SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { sessionSchema } from '../../../../src/api/resources/session.ts';
import { ScriptedAgent } from '../../../../src/demoService/agent/scriptedAgent.ts';
import { SessionEndpoints, type ServiceHabits } from '../../../../src/demoService/http/sessionEndpoints.ts';
import type { Message as ServedMessage } from '../../../../src/demoService/resources.ts';
import { SessionStore } from '../../../../src/demoService/sessionStore.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { ServiceClocks } from '../../../../src/sync/connection/serviceLimits.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { HistoryLoader } from '../../../../src/sync/history/historyLoader.ts';
import { FakeClock } from '../../../fakes/clock.ts';

const pageOf = (answer: unknown) => withoutPause(readMessagePage(messagePageSchema.parse(answer)));

export const key: SessionKey = { origin: 'https://service.test', sessionId: 's1' };
export const never = new AbortController().signal;

export const orders = ['asc', 'desc'] as const;
export const lastCursors = ['null', 'absent', 'empty', 'repeat'] as const;

/** A read by the client, which is recorded before it is passed on. */
export type Call =
  | { readonly kind: 'session' }
  | { readonly kind: 'list'; readonly options: ListOptions }
  | { readonly kind: 'message'; readonly messageId: string };

/** Wraps another client, counts its reads, and runs a hook before each of them. */
export class CountedApi implements SessionsApi {
  readonly calls: Call[] = [];
  /** May add messages, or throw an error that the call then rejects with. */
  before: ((call: Call) => void | Promise<void>) | undefined;
  readonly #api: SessionsApi;

  constructor(api: SessionsApi) {
    this.#api = api;
  }

  /** Returns the number of reads since the last `takeCount`. */
  takeCount(): number {
    return this.calls.splice(0).length;
  }

  async getSession(sessionId: string, options?: CallOptions) {
    await this.#note({ kind: 'session' });
    return this.#api.getSession(sessionId, options);
  }

  async listMessages(sessionId: string, options: ListOptions = {}) {
    await this.#note({ kind: 'list', options });
    return this.#api.listMessages(sessionId, options);
  }

  async getMessage(sessionId: string, messageId: string, options?: CallOptions) {
    await this.#note({ kind: 'message', messageId });
    return this.#api.getMessage(sessionId, messageId, options);
  }

  updateSession: SessionsApi['updateSession'] = (...given) => this.#api.updateSession(...given);
  addMessage: SessionsApi['addMessage'] = (...given) => this.#api.addMessage(...given);

  dispose(): void {
    this.#api.dispose();
  }

  async #note(call: Call): Promise<void> {
    this.calls.push(call);
    await this.before?.(call);
  }
}

/** A client that answers list requests with `listMessages`, and passes on all others. */
export function withLists(api: SessionsApi, listMessages: SessionsApi['listMessages']): SessionsApi {
  return {
    getSession: (...given) => api.getSession(...given),
    getMessage: (...given) => api.getMessage(...given),
    updateSession: (...given) => api.updateSession(...given),
    addMessage: (...given) => api.addMessage(...given),
    listMessages,
    dispose: () => undefined,
  };
}

export const defaultHabits: ServiceHabits = {
  order: 'desc',
  patch: 'merge',
  lastCursor: 'null',
  listRoles: true,
  imageMediaType: 'rejected',
  listLagMs: 0,
};

const firstMessageAt = 1_700_000_000_000;
const roles = ['user', 'assistant', 'tool'] as const;

/**
 * The demo service without a network. Uses its store, paging, and checks, and parses responses with the client's
 * schemas.
 */
export class LocalService {
  readonly store: SessionStore;
  readonly api: CountedApi;

  constructor(messages: number | readonly ServedMessage[], habits: Partial<ServiceHabits> = {}) {
    const list = typeof messages === 'number' ? numbered(messages) : messages;
    const session = { sessionId: key.sessionId, status: 'idle', messageCount: list.length } as const;
    const times = { createdAt: firstMessageAt, updatedAt: firstMessageAt };
    this.store = new SessionStore([{ session: { ...session, ...times }, messages: list }], () => firstMessageAt);
    const agent = new ScriptedAgent(this.store, { stepDelayMs: 1, seed: 1, failOneIn: 0 });
    this.api = new CountedApi(localApi(new SessionEndpoints(this.store, agent, { ...defaultHabits, ...habits })));
  }

  get messages(): readonly ServedMessage[] {
    return this.store.messages(key.sessionId);
  }

  get ids(): string[] {
    return this.messages.map((message) => message.id);
  }

  /** Appends messages whose roles are user, assistant, and tool in turn. */
  add(count: number): void {
    for (let i = 0; i < count; i++) {
      const place = this.messages.length;
      const content = [{ type: 'text', text: `added ${place}` }] as const;
      this.store.append(key.sessionId, { role: roles[place % 3]!, content: [...content] });
    }
  }

  revise(messageId: string, text: string): void {
    this.store.revise(key.sessionId, messageId, { content: [{ type: 'text', text }] });
  }
}

/** Creates `count` messages, one second apart, whose roles are user, assistant, and tool in turn. */
export function numbered(count: number): ServedMessage[] {
  return Array.from({ length: count }, (_, place) => served(`m${place}`, firstMessageAt + place * 1_000, place));
}

export function served(id: string, createdAt: number, place = 0): ServedMessage {
  const content = [{ type: 'text' as const, text: `message ${id}` }];
  return { id, role: roles[place % 3]!, content, createdAt, updatedAt: createdAt };
}

/** Returns a value as it arrives after a JSON round trip over the network. */
function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function localApi(endpoints: SessionEndpoints): SessionsApi {
  const query = ({ limit, cursor, role, computerId }: ListOptions) => {
    const given = { limit: limit?.toString(), cursor, role, computerId };
    return new URLSearchParams(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  };
  const refuse = () => Promise.reject(new Error('not part of these tests'));
  return {
    getSession: (sessionId) =>
      Promise.resolve(sessionSchema.parse(overTheWire(endpoints.getSession(sessionId, query({}))))),
    listMessages: (sessionId, options = {}) =>
      Promise.resolve(pageOf(overTheWire(endpoints.listMessages(sessionId, query(options))))),
    getMessage(sessionId, messageId) {
      const message = readMessage(overTheWire(endpoints.getMessage(sessionId, messageId, query({}))));
      return message ? Promise.resolve(message) : refuse();
    },
    updateSession: refuse,
    addMessage: refuse,
    dispose: () => undefined,
  };
}

/** A store with one session in the session list, and the history loader that fills it. */
export class Reader {
  readonly clock = new FakeClock();
  readonly store = new Store(memoryBodies());
  readonly clocks = new ServiceClocks();
  readonly history = new HistoryLoader(this.store, this.clock, undefined, this.clocks);
  readonly #key: SessionKey;

  constructor(sessionKey: SessionKey = key) {
    this.#key = sessionKey;
    this.store.addSession({ key: sessionKey, addedAt: 1 });
  }

  /** The known offset of the service's clock in ms, or undefined. */
  get offsetMs(): number | undefined {
    return this.clocks.offsetMs(this.#key.origin);
  }

  get headers(): readonly MessageHeader[] {
    return this.store.record(this.#key)!.headers;
  }

  get ids(): string[] {
    return this.headers.map((header) => header.messageId);
  }

  get state() {
    return this.store.record(this.#key)!.history;
  }

  refresh(api: SessionsApi, signal: AbortSignal = never): Promise<void> {
    return this.history.refresh(api, this.#key, signal);
  }

  loadOlder(api: SessionsApi): Promise<void> {
    return this.history.loadOlder(api, this.#key, never);
  }

  refreshNewest(api: SessionsApi): Promise<void> {
    return this.history.refreshNewest(api, this.#key, never);
  }

  /** Reads all messages. */
  async readAll(api: SessionsApi): Promise<void> {
    await this.refresh(api);
    while (this.state.completeness === 'partial') await this.loadOlder(api);
  }

  async body(messageId: string): Promise<Message | undefined> {
    const [message] = await this.store.readBodies(this.#key, [messageId]);
    return message;
  }
}
