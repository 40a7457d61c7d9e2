import { request } from 'node:http';
import { afterEach } from 'vitest';
import { startDemoService } from '../../../src/demoService/service.ts';
import type { Message, Session } from '../../../src/demoService/resources.ts';
import type { DemoService, DemoServiceOptions } from '../../../src/demoService/options.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

export interface Call {
  readonly method?: string;
  /** Strings and buffers are sent unchanged; anything else is sent as JSON. */
  readonly body?: unknown;
  /** Headers that replace the default ones; `undefined` removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface ListBody {
  readonly messages: readonly Message[];
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor?: string | null };
}

/**
 * Returns a function that starts a demo service and stops it after the test. Call this at the top level of a test file.
 */
export function demoServices(): (options?: Partial<DemoServiceOptions>) => Promise<DemoService> {
  const started: DemoService[] = [];
  afterEach(async () => {
    for (const demoService of started.splice(0)) await demoService.dispose();
  });
  return async (options) => {
    const demoService = await startDemoService({ agentDelayMs: 20, failOneIn: 0, ...options });
    started.push(demoService);
    return demoService;
  };
}

/** Sends one request over its own connection. The path isn't encoded, and the request isn't retried. */
export function call(
  demoService: DemoService,
  path: string,
  { method = 'GET', body, headers = {} }: Call = {},
): Promise<Answer> {
  const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const merged: Record<string, string | undefined> = {
    Authorization: `Bearer ${demoService.token}`,
    ...(payload === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(payload)}` }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  const { hostname, port } = new URL(demoService.baseUrl);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, path: `/api/v0${path}`, method, headers: sent, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

export const sessionPath = (sessionId: string) => `/sessions/${encodeURIComponent(sessionId)}`;
export const messagesPath = (sessionId: string) => `${sessionPath(sessionId)}/messages`;

export async function readSession(demoService: DemoService, sessionId: string): Promise<Session> {
  return (await call(demoService, sessionPath(sessionId))).body as unknown as Session;
}

export async function listPage(
  demoService: DemoService,
  sessionId: string,
  query: Record<string, string> = {},
): Promise<ListBody> {
  const answer = await call(demoService, `${messagesPath(sessionId)}?${new URLSearchParams(query).toString()}`);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${String(answer.body['detail'])}`);
  return answer.body as unknown as ListBody;
}

/** All messages of a session, oldest first. Calls `between` before each further page. */
export async function listAll(
  demoService: DemoService,
  sessionId: string,
  query: Record<string, string> = {},
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Message[]> {
  const all: Message[] = [];
  let cursor: string | null | undefined;
  for (let hasMore = true; hasMore;) {
    const page = await listPage(demoService, sessionId, { limit: '100', ...query, ...(cursor ? { cursor } : {}) });
    all.push(...page.messages);
    ({ hasMore, nextCursor: cursor } = page.pagination);
    if (hasMore) await between();
  }
  return all.sort((one, other) => one.createdAt - other.createdAt);
}

export async function post(
  demoService: DemoService,
  sessionId: string,
  body: unknown,
): Promise<{ messageId: string; status: string }> {
  const answer = await call(demoService, messagesPath(sessionId), { method: 'POST', body });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${String(answer.body['detail'])}`);
  return answer.body as unknown as { messageId: string; status: string };
}

/** The texts of the blocks of a message, joined with line breaks. Blocks of other types count as empty texts. */
export function textOf(message: Message | undefined): string {
  return (message?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
