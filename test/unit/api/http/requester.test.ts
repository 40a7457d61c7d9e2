import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from '../../../../src/api/errors.ts';
import { jsonBody } from '../../../../src/api/http/requestBody.ts';
import { type RequestPlan, Requester } from '../../../../src/api/http/requester.ts';
import type { Transport, TransportResponse, TransportRequest } from '../../../../src/api/http/transport.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { failureOf } from '../rig.ts';

const answer: TransportResponse = {
  status: 200,
  headers: new Map([['content-type', 'application/json']]),
  body: Buffer.from('{}'),
};
const plan: RequestPlan = {
  method: 'GET',
  url: new URL('https://service.test/a?secret=1'),
  schema: z.unknown(),
  deadlineMs: 1_000,
  maxResponseBytes: 1_000,
};

/** A requester over a transport, on a clock that advances by 5 ms whenever it is read. */
function startRequester(send: Transport['send'], key = 'k') {
  const lines: string[] = [];
  const dispose = vi.fn();
  let nowMs = 0;
  const requester = new Requester({
    key: () => key,
    transport: { send, dispose },
    log: { ...silentLog, debug: (line) => void lines.push(line) },
    now: () => (nowMs += 5),
  });
  return { requester, lines, dispose };
}

/** Settles when the signal of a request aborts. */
const abortOf = ({ signal }: TransportRequest) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

describe('a request', () => {
  afterEach(() => vi.useRealTimers());

  it('is logged with its number, its result, its duration, and its sizes', async () => {
    const results = [Promise.resolve(answer), Promise.resolve(answer), Promise.resolve({ ...answer, status: 500 })];
    const { requester, lines } = startRequester(() => results.shift() ?? Promise.reject(new Error('lost')));
    await requester.request(plan);
    await requester.request({ ...plan, method: 'POST', body: jsonBody('four'), loggedQuery: 'limit=1' });
    await failureOf(requester.request(plan));
    await failureOf(requester.request(plan));
    expect(lines).toEqual([
      '#1 GET /a: 200, 10 ms, 0 B sent, 2 B received',
      '#2 POST /a?limit=1: 200, 10 ms, 6 B sent, 2 B received',
      expect.stringMatching(/^#3 GET \/a: 500, 10 ms, 0 B sent: /),
      expect.stringMatching(/^#4 GET \/a: no response, 5 ms, 0 B sent: /),
    ]);
  });

  it('has a content type only with a body', async () => {
    const requests: TransportRequest[] = [];
    const { requester } = startRequester((request) => {
      requests.push(request);
      return Promise.resolve(answer);
    });
    await requester.request(plan);
    await requester.request({ ...plan, method: 'PATCH', body: jsonBody({}) });
    const headers = { accept: 'application/json', authorization: 'Bearer k' };
    expect(requests.map((request) => request.headers)).toEqual([
      headers,
      { ...headers, 'content-type': 'application/json' },
    ]);
  });

  it('is sent only if its sender still agrees after the key was read', async () => {
    const steps: string[] = [];
    const requester = new Requester({
      key: () => (steps.push('key'), 'k'),
      transport: { send: () => (steps.push('send'), Promise.resolve(answer)), dispose: () => undefined },
      log: silentLog,
      now: () => 0,
    });
    const mayStart = (isAllowed: boolean) => () => (steps.push('ask'), Promise.resolve(isAllowed));
    await requester.request({ ...plan, mayStart: mayStart(true) });
    expect(steps.splice(0)).toEqual(['key', 'ask', 'send']);
    const refused = await failureOf(requester.request({ ...plan, mayStart: mayStart(false) }));
    expect(refused).toMatchObject({ kind: 'cancelled', sent: 'no' });
    const never = () => new Promise<boolean>(() => undefined);
    const overdue = await failureOf(requester.request({ ...plan, deadlineMs: 20, mayStart: never }));
    expect(overdue).toMatchObject({ kind: 'deadline', sent: 'no' });
    expect(steps).toEqual(['key', 'ask', 'key']);
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { requester } = startRequester(() => Promise.resolve(answer));
    await requester.request(plan);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['cancelled', 'deadline', 'The response was not complete in time.'],
    ['unreachable', 'unreachable', 'ended'],
  ] as const)('that fails as %s after its deadline is reported as %s (R18)', async (kind, reported, message) => {
    const { requester } = startRequester(async (request) => {
      await abortOf(request);
      throw new ApiError(kind, 'ended', { sent: 'maybe' });
    });
    const error = await failureOf(requester.request({ ...plan, deadlineMs: 0 }));
    expect(error).toMatchObject({ kind: reported, message });
  });

  it('that the caller cancels has not missed its deadline', async () => {
    const caller = new AbortController();
    const { requester } = startRequester(async (request) => {
      const aborted = abortOf(request);
      caller.abort();
      await aborted;
      throw new ApiError('cancelled', 'ended', { sent: 'maybe' });
    });
    const error = await failureOf(requester.request({ ...plan, signal: caller.signal }));
    expect(error).toMatchObject({ kind: 'cancelled', message: 'ended' });
  });

  it('that fails in an unexpected way may have been sent, and its error hides the key', async () => {
    const { requester } = startRequester(() => Promise.reject(new Error('no secret-key here')), 'secret-key');
    const error = await failureOf(requester.request(plan));
    expect(error).toMatchObject({ kind: 'unreachable', sent: 'maybe' });
    expect(error.cause).toMatchObject({ message: expect.stringContaining('[redacted]') as string });
  });

  it('is canceled, and the transport disposed, when the requester is disposed', async () => {
    const { requester, dispose } = startRequester(async (request) => {
      const aborted = abortOf(request);
      requester.dispose();
      await aborted;
      throw new ApiError('cancelled', 'ended', { sent: 'maybe' });
    });
    expect(await failureOf(requester.request(plan))).toMatchObject({ kind: 'cancelled', sent: 'maybe' });
    expect(dispose).toHaveBeenCalledOnce();
    expect(await failureOf(requester.request(plan))).toMatchObject({ kind: 'cancelled', sent: 'no' });
  });

  it('is canceled while its long answer is read', async () => {
    const body = Buffer.from(`[${'{},'.repeat(1_000_000)}{}]`);
    const { requester } = startRequester(() => {
      setImmediate(() => requester.dispose());
      return Promise.resolve({ ...answer, body });
    });
    expect(await failureOf(requester.request(plan))).toMatchObject({ kind: 'cancelled', sent: 'maybe', status: 200 });
  });
});
