import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApiErrorKind } from '../../../../src/api/errors.ts';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import type { FaultRule } from '../../../fakes/faultServer.ts';
import type { Fault } from '../../../fakes/faults.ts';
import { type Rig, failureOf, messageJson, pageJson, routes, sessionJson, startRig } from '../rig.ts';

const read = (api: SessionsApi) => api.getSession('s1');
const list = (api: SessionsApi) => api.listMessages('s1');
const add = (api: SessionsApi) => api.addMessage('s1', { text: 'Hello' });
const update = (api: SessionsApi) => api.updateSession('s1', { model: 'm' });

/** The expected error kind for each fault, and whether the server has processed the request. */
const cases: readonly {
  name: string;
  fault: Fault;
  call?: (api: SessionsApi) => Promise<unknown>;
  kind: ApiErrorKind;
  processed: boolean;
}[] = [
  { name: 'reset at the head', fault: { kind: 'resetEarly' }, kind: 'unreachable', processed: false },
  { name: 'reset before processing', fault: { kind: 'reset', when: 'before' }, kind: 'unreachable', processed: false },
  { name: 'reset after processing', fault: { kind: 'reset', when: 'after' }, kind: 'unreachable', processed: true },
  {
    name: 'reset after a POST',
    call: add,
    fault: { kind: 'reset', when: 'after' },
    kind: 'unreachable',
    processed: true,
  },
  { name: 'truncated answer', fault: { kind: 'truncate', keepBytes: 20 }, kind: 'unreachable', processed: true },
  { name: 'hang before processing', fault: { kind: 'hang', when: 'before' }, kind: 'deadline', processed: false },
  { name: 'hang of a POST', call: add, fault: { kind: 'hang', when: 'after' }, kind: 'deadline', processed: true },
  {
    name: 'hang after the head',
    fault: { kind: 'hang', when: 'after', afterHead: true },
    kind: 'deadline',
    processed: true,
  },
  { name: 'drip', fault: { kind: 'drip', pieceBytes: 1, intervalMs: 20 }, kind: 'deadline', processed: true },
  { name: 'delay', fault: { kind: 'delay', when: 'after', delayMs: 60_000 }, kind: 'deadline', processed: true },
];

describe.each(routes)('faults on the $route route', ({ open }) => {
  let rig: Rig;
  afterEach(async () => {
    vi.useRealTimers();
    await rig.dispose();
  });

  it.each(cases)('$name is reported as $kind (R18, R20)', async ({ fault, call = read, kind, processed }) => {
    rig = await startRig(open, [{ fault }], { deadlines: { readMs: 5_000, writeMs: 5_000 } });
    // A slow machine must not reach the deadline before the request has reached the service.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failure = failureOf(call(rig.api));
    if (kind === 'deadline') {
      await expect.poll(() => rig.server.requests.map((request) => request.processed)).toEqual([processed]);
      vi.advanceTimersByTime(5_000);
    }
    expect(await failure).toMatchObject({ kind, sent: 'maybe' });
    expect(rig.server.requests.some((request) => request.processed)).toBe(processed);
    await expect.poll(() => rig.server.openSocketCount).toBe(0);
  });

  it.each([
    ['read', read],
    ['POST', add],
    ['PATCH', update],
  ])('a %s on a refused connection is reported as not sent', async (_name, call) => {
    rig = await startRig(open);
    await rig.server.refuseConnections();
    expect(await failureOf(call(rig.api))).toMatchObject({ kind: 'unreachable', sent: 'no', code: 'ECONNREFUSED' });
    await rig.server.acceptConnections();
    await expect(call(rig.api)).resolves.toBeDefined();
  });

  it('an unresolvable host name is reported as not sent', async () => {
    rig = await startRig(() => open('http://nowhere.invalid'), [], { baseUrl: 'http://nowhere.invalid' });
    const error = await failureOf(add(rig.api));
    expect(error).toMatchObject({ kind: 'unreachable', sent: 'no' });
    expect(error.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  });

  it("a request is canceled by the caller's signal, before and during the request", async () => {
    rig = await startRig(open, [{ fault: { kind: 'hang', when: 'before' } }]);
    const before = await failureOf(rig.api.getSession('s1', { signal: AbortSignal.abort() }));
    expect(before).toMatchObject({ kind: 'cancelled', sent: 'no' });
    expect(rig.server.requests).toHaveLength(0);
    const controller = new AbortController();
    const call = failureOf(rig.api.addMessage('s1', { text: 'Hello' }, { signal: controller.signal }));
    await expect.poll(() => rig.server.requests).toHaveLength(1);
    controller.abort();
    expect(await call).toMatchObject({ kind: 'cancelled', sent: 'maybe' });
    await expect.poll(() => rig.server.openSocketCount).toBe(0);
  });

  it('a request canceled before its body is complete is reported as not sent', async () => {
    rig = await startRig(open);
    const controller = new AbortController();
    const bytes = {
      sizeBytes: 1_000_000,
      async *read() {
        yield new Uint8Array(600_000);
        controller.abort();
        await new Promise(() => undefined);
      },
    };
    const message = { text: 'Large', files: [{ bytes, mediaType: 'text/plain', name: 'large.txt' }] };
    const call = failureOf(rig.api.addMessage('s1', message, { signal: controller.signal }));
    expect(await call).toMatchObject({ kind: 'cancelled', sent: 'no' });
    await expect.poll(() => rig.server.openSocketCount).toBe(0);
  });

  it('dispose cancels pending requests and closes every socket', async () => {
    rig = await startRig(open, [{ method: 'POST', fault: { kind: 'hang', when: 'before' } }]);
    await read(rig.api);
    const call = failureOf(add(rig.api));
    await expect.poll(() => rig.server.requests).toHaveLength(2);
    rig.api.dispose();
    expect((await call).kind).toBe('cancelled');
    expect(await failureOf(read(rig.api))).toMatchObject({ kind: 'cancelled', sent: 'no' });
    expect(rig.server.requests).toHaveLength(2);
  });

  const redirects = [301, 302, 303, 307, 308].flatMap((status) =>
    [read, add, update].flatMap((call) => [true, false].map((isSame) => ({ status, call, isSame }))),
  );

  it('a redirect is not followed, and the error names its target (R17)', async () => {
    rig = await startRig(open);
    const trap = await startRig(open);
    try {
      for (const { status, call, isSame } of redirects) {
        const origin = isSame ? rig.server.origin : trap.server.origin;
        rig.server.clearFaults();
        const location = isSame ? '/elsewhere' : `${origin}/elsewhere?q=1`;
        rig.server.addFault({ fault: { kind: 'answer', status, headers: { location } } });
        expect(await failureOf(call(rig.api))).toMatchObject({ kind: 'redirect', status, redirectOrigin: origin });
      }
      expect(rig.server.requests).toHaveLength(redirects.length);
      expect(rig.server.requests.filter(({ url }) => url.includes('elsewhere'))).toEqual([]);
      expect(trap.server.connectionCount).toBe(0);
    } finally {
      await trap.dispose();
    }
  });

  it('a 200 MB gzip bomb is stopped at the size limit, with little memory (R19)', async () => {
    const bomb: FaultRule = { fault: { kind: 'gzipBomb', sizeBytes: 200 * 1024 * 1024 } };
    rig = await startRig(open, [bomb], { deadlines: { readMs: 20_000 } });
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    try {
      expect(await failureOf(rig.api.listMessages('s1', { limit: 1 }))).toMatchObject({
        kind: 'tooLarge',
        status: 200,
      });
      expect(await failureOf(read(rig.api))).toMatchObject({ kind: 'tooLarge' });
    } finally {
      clearInterval(timer);
    }
    expect(peak - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('a page that is larger than requested is not requested again', async () => {
    rig = await startRig(open, [], {
      service: () => {
        const messages = [{ ...pageJson.messages[0], content: [{ type: 'text', text: 'x'.repeat(2_000) }] }];
        const body = Buffer.from(JSON.stringify({ messages, pagination: { hasMore: false } }));
        return { status: 200, headers: { 'content-type': 'application/json' }, body };
      },
    });
    expect(await failureOf(rig.api.listMessages('s1', { limit: 4, maxBytes: 1_000 }))).toMatchObject({
      kind: 'tooLarge',
    });
    expect(rig.server.requests).toHaveLength(1);
    expect((await rig.api.listMessages('s1', { limit: 4, maxBytes: 4_000 })).messages).toHaveLength(1);
  });

  it('a page that is too large is requested again with half the limit, down to one message (R19)', async () => {
    const hugeText = 'x'.repeat(12 * 1024 * 1024);
    rig = await startRig(open, [], {
      service: ({ url }) => {
        const limit = Number(new URL(url, 'http://h').searchParams.get('limit') ?? 20);
        const item = { ...pageJson.messages[0], content: [{ type: 'text', text: hugeText }] };
        const messages = Array.from({ length: Math.min(limit, 5) }, (_, index) => ({ ...item, id: `m${index}` }));
        const body = Buffer.from(JSON.stringify({ messages, pagination: { hasMore: true, nextCursor: 'c' } }));
        const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
        return { status: 200, headers, body: gzipSync(body, { level: 1 }) };
      },
    });
    const page = await rig.api.listMessages('s1', { cursor: 'from', role: 'user' });
    expect(page.messages).toHaveLength(2);
    expect(page).toMatchObject({ reducedLimit: 2, nextCursor: 'c', hasMore: true });
    const asked = rig.server.requests.map(({ url }) => new URL(url, 'http://h').searchParams);
    expect(asked.map((query) => query.get('limit'))).toEqual([null, '10', '5', '2']);
    expect(asked.every((query) => query.get('cursor') === 'from' && query.get('role') === 'user')).toBe(true);
  });

  it('a message is read by its ID up to the size limit of a list (R19)', async () => {
    const text = 'x'.repeat(12 * 1024 * 1024);
    rig = await startRig(open, [], {
      service: () => {
        const body = Buffer.from(JSON.stringify({ ...messageJson, content: [{ type: 'text', text }] }));
        return { status: 200, headers: { 'content-type': 'application/json' }, body };
      },
    });
    expect((await rig.api.getMessage('s1', 'm1')).content[0]).toMatchObject({ type: 'text', text });
  });

  it('a single message that is too large is reported', async () => {
    rig = await startRig(open, [{ fault: { kind: 'gzipBomb', sizeBytes: 34 * 1024 * 1024 } }]);
    expect(await failureOf(rig.api.listMessages('s1', { limit: 4 }))).toMatchObject({ kind: 'tooLarge' });
    const limits = rig.server.requests.map(({ url }) => new URL(url, 'http://h').searchParams.get('limit'));
    expect(limits).toEqual(['4', '2', '1']);
  });

  it('an error response with a truncated or very long body keeps its status and headers', async () => {
    rig = await startRig(
      open,
      [
        { nth: 1, fault: { kind: 'answer', status: 429, headers: { 'retry-after': '7' }, body: 'x'.repeat(200_000) } },
        { nth: 2, fault: { kind: 'truncate', keepBytes: 3 } },
      ],
      {
        service: () => ({
          status: 401,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from('{"detail":"no"}'),
        }),
      },
    );
    expect(await failureOf(list(rig.api))).toMatchObject({ kind: 'status', status: 429, retryAfterMs: 7000 });
    expect(await failureOf(list(rig.api))).toMatchObject({ kind: 'status', status: 401 });
  });

  it("the service's clock is read from its responses", async () => {
    rig = await startRig(open, [{ fault: { kind: 'clock', offsetMs: 3_600_000 } }]);
    const { serverTimeMs } = await list(rig.api).then((page) => page);
    expect(Math.abs((serverTimeMs ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(sessionJson.sessionId).toBe((await read(rig.api)).sessionId);
  });
});
