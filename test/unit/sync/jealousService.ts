import { expect } from 'vitest';
import { type FaultServer, type LoggedRequest, jsonAnswer, startFaultServer } from '../../fakes/faultServer.ts';

interface JealousState {
  status: 'idle' | 'running';
  readonly texts: string[];
}

/**
 * A service that knows only its own key and its own sessions, whose IDs begin with its name, and notes every request
 * that it shouldn't have received: with another key, for another session, or with any trace of another service.
 */
export class JealousService {
  readonly name: string;
  readonly key: string;
  readonly server: FaultServer;
  readonly sessionIds: readonly string[];
  /** The requests that this service shouldn't have received, one line each. */
  readonly intrusions: string[] = [];
  /** Whether the key is rejected. */
  isClosed = false;
  readonly #states: ReadonlyMap<string, JealousState>;
  #others: readonly JealousService[] = [];

  private constructor(name: string, server: FaultServer, states: ReadonlyMap<string, JealousState>) {
    this.name = name;
    this.key = keyOf(name);
    this.server = server;
    this.#states = states;
    this.sessionIds = [...states.keys()];
  }

  /** Starts services with these names and `count` idle sessions each, none of which may learn of another one. */
  static async startAll(names: readonly string[], count: number): Promise<JealousService[]> {
    const services = await Promise.all(names.map((name) => JealousService.#start(name, count)));
    for (const service of services) service.#others = services.filter((other) => other !== service);
    return services;
  }

  static async #start(name: string, count: number): Promise<JealousService> {
    const ids = Array.from({ length: count }, (_, place) => `${name}-session-${place}`);
    const states = new Map(
      ids.map((id): [string, JealousState] => [id, { status: 'idle', texts: [`Hello of ${id}`] }]),
    );
    const own: { service?: JealousService } = {};
    const server = await startFaultServer({
      service: (request) => own.service?.answer(request) ?? jsonAnswer({ detail: 'starting' }, 503),
    });
    own.service = new JealousService(name, server, states);
    return own.service;
  }

  get origin(): string {
    return this.server.origin;
  }

  setStatus(sessionId: string, status: JealousState['status']): void {
    this.#state(sessionId).status = status;
  }

  texts(sessionId: string): readonly string[] {
    return this.#state(sessionId).texts;
  }

  /** @throws if a request had the key, an ID, or the address of another service, or a key or session that is unknown */
  expectNoIntrusion(): void {
    expect(this.intrusions).toEqual([]);
  }

  private answer(request: LoggedRequest) {
    const { method, url, headers, body } = request;
    const [, sessionId = '', rest = ''] = /\/sessions\/([^/?]+)(.*)/.exec(url) ?? [];
    const whole = `${method} ${url} ${JSON.stringify(headers)} ${body.toString()}`;
    const isOwn = headers.authorization === `Bearer ${this.key}` && headers.host === new URL(this.origin).host;
    const isTraced = this.#others.some(({ name, key, origin }) =>
      [`${name}-session-`, key, new URL(origin).host].some((trace) => whole.includes(trace)),
    );
    if (!isOwn || !this.#states.has(sessionId) || isTraced) this.intrusions.push(whole);
    if (this.isClosed) return jsonAnswer({ detail: 'This key was revoked.' }, 401);
    const { status, texts } = this.#state(sessionId);
    const at = 1_700_000_000_000;
    if (method === 'POST') {
      texts.push(String((JSON.parse(body.toString()) as { text?: unknown }).text));
      return jsonAnswer({ messageId: `m${texts.length - 1}`, status: 'pending' });
    }
    if (!rest.startsWith('/messages')) {
      const times = { createdAt: at, updatedAt: at + texts.length };
      return jsonAnswer({ sessionId, status, messageCount: texts.length, title: sessionId, ...times });
    }
    const messages = texts.map((text, place) => ({
      id: `m${place}`,
      role: place % 2 === 0 ? 'assistant' : 'user',
      content: [{ type: 'text', text }],
      createdAt: at + place,
      updatedAt: at + place,
    }));
    return jsonAnswer({ messages: messages.reverse(), pagination: { hasMore: false } });
  }

  #state(sessionId: string): JealousState {
    return this.#states.get(sessionId) ?? { status: 'idle', texts: [] };
  }
}

function keyOf(name: string): string {
  return `key-of-${name}-7c41`;
}
