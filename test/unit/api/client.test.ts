import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SessionsClientOptions, createSessionsClient } from '../../../src/api/client.ts';
import type { SessionsApi } from '../../../src/api/sessionsApi.ts';
import type { Transport, TransportRequest } from '../../../src/api/http/transport.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { failureOf, messageJson, pageJson, sessionJson } from './rig.ts';

/** A client whose transport records each request and responds with `body`, or never if `body` is undefined. */
function startClient(body: unknown, options: Partial<SessionsClientOptions> = {}) {
  const requests: TransportRequest[] = [];
  const headers = new Map([
    ['content-type', 'application/json'],
    ['date', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ]);
  const transport: Transport = {
    send(request) {
      requests.push(request);
      if (body === undefined) return new Promise(() => undefined);
      return Promise.resolve({ status: 200, headers, body: Buffer.from(JSON.stringify(body)) });
    },
    dispose: () => undefined,
  };
  const api = createSessionsClient({ baseUrl: 'https://service.test', key: () => 'k', transport, ...options });
  return { api, requests };
}

const megabyte = 1024 * 1024;
const added = { messageId: 'm2', status: 'pending' };
const operations: readonly [string, unknown, (api: SessionsApi) => Promise<unknown>, number, number][] = [
  ['getSession', sessionJson, (api) => api.getSession('s'), 8, 30_000],
  ['updateSession', sessionJson, (api) => api.updateSession('s', {}), 8, 120_000],
  ['listMessages', pageJson, (api) => api.listMessages('s'), 32, 30_000],
  ['getMessage', messageJson, (api) => api.getMessage('s', 'm1'), 32, 30_000],
  ['addMessage', added, (api) => api.addMessage('s', { text: 'x'.repeat(6389) }), 8, 120_100],
];

describe('the client', () => {
  afterEach(() => vi.useRealTimers());

  it.each(operations)('limits the response of %s', async (_name, body, call, megabytes) => {
    const { api, requests } = startClient(body);
    await call(api);
    expect(requests.map(({ maxResponseBytes }) => maxResponseBytes)).toEqual([megabytes * megabyte]);
  });

  it.each(operations)('ends %s at its deadline', async (_name, _body, call, _megabytes, deadlineMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { api, requests } = startClient(undefined);
    void call(api);
    await vi.waitFor(() => expect(requests).toHaveLength(1), { interval: 0 });
    vi.advanceTimersByTime(deadlineMs - 1);
    expect(requests[0]?.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  it('names the field that a message lacks', async () => {
    const { message } = await failureOf(startClient({ content: [] }).api.getMessage('s', 'm1'));
    expect(message).toBe("The response doesn't have the specified shape: id");
  });

  it('names the fields that a session lacks', async () => {
    const session = { ...sessionJson, messageCount: undefined, createdAt: 'now' };
    const { message } = await failureOf(startClient(session).api.getSession('s'));
    expect(message).toBe("The response doesn't have the specified shape: messageCount, createdAt");
  });

  it("returns the service's time, and the size of a page", async () => {
    const serverTimeMs = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT');
    expect(await startClient(added).api.addMessage('s', { text: '' })).toEqual({ ...added, serverTimeMs });
    expect(await startClient(pageJson).api.listMessages('s', { limit: 1 })).toMatchObject({
      serverTimeMs,
      sizeBytes: JSON.stringify(pageJson).length,
      reducedLimit: undefined,
    });
  });

  it('logs the limit and the role of a list', async () => {
    const lines: string[] = [];
    const log = { ...silentLog, debug: (line: string) => void lines.push(line) };
    const { api } = startClient(pageJson, { log, now: () => 0 });
    await api.listMessages('s');
    await api.listMessages('s', { limit: 3 });
    await api.listMessages('s', { role: 'tool', cursor: 'c' });
    const cost = `: 200, 0 ms, 0 B sent, ${JSON.stringify(pageJson).length} B received`;
    expect(lines).toEqual([
      `#1 GET /api/v0/sessions/s/messages${cost}`,
      `#2 GET /api/v0/sessions/s/messages?limit=3${cost}`,
      `#3 GET /api/v0/sessions/s/messages?role=tool${cost}`,
    ]);
  });
});
