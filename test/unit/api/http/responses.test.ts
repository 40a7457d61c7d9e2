import { readFileSync } from 'node:fs';
import { gzipSync, brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { type Rig, failureOf, messageJson, pageJson, routes, sessionJson, startRig } from '../rig.ts';

const json = { 'content-type': 'application/json' };
const corpus = JSON.parse(
  readFileSync(new URL('../../../fixtures/json-test-suite/files.json', import.meta.url), 'utf8'),
) as { files: Record<string, string> };

/** A service that responds to every request with its current `state`, regardless of the request. */
function answering() {
  const state: { status: number; headers: Record<string, string>; body: Uint8Array } = {
    status: 200,
    headers: json,
    body: Buffer.from('{}'),
  };
  return { state, service: () => state };
}

describe.each(routes)('the client on the $route route', ({ open }) => {
  let rig: Rig;
  afterEach(() => rig.dispose());

  async function startAnswering(): Promise<{
    api: SessionsApi;
    give(body: string | Uint8Array, headers?: Record<string, string>, status?: number): void;
  }> {
    const { state, service } = answering();
    rig = await startRig(open, [], { service });
    return {
      api: rig.api,
      give(body, headers = json, status = 200) {
        Object.assign(state, { status, headers, body: Buffer.from(body) });
      },
    };
  }

  const session = JSON.stringify(sessionJson);

  it.each([
    ['html', '<html></html>', { 'content-type': 'text/html' }, 'notJson'],
    ['JSON labelled as text', session, { 'content-type': 'text/plain' }, 'notJson'],
    ['JSON without a label', session, {}, 'notJson'],
    ['html labelled as JSON', '<html></html>', json, 'notJson'],
    ['nothing', '', json, 'notJson'],
    ['half of the JSON', session.slice(0, 30), json, 'notJson'],
    ['broken UTF-8', Buffer.from(session.replace('s1', '\xff'), 'latin1'), json, 'notJson'],
    ['broken gzip', 'no gzip at all', { ...json, 'content-encoding': 'gzip' }, 'notJson'],
    ['an unknown coding', session, { ...json, 'content-encoding': 'gzip, rot13' }, 'notJson'],
    ['null', 'null', json, 'wrongShape'],
    ['an array', '[]', json, 'wrongShape'],
    ['a number for an ID', session.replace('"s1"', '1'), json, 'wrongShape'],
  ])('reports a specific error for %s with status 200', async (name, body, headers, kind) => {
    const { api, give } = await startAnswering();
    give(body, headers);
    // For an unknown content coding, Node's fetch returns the bytes unchanged.
    if (name === 'an unknown coding') give(gzipSync(body), headers);
    expect(await failureOf(api.getSession('s1'))).toMatchObject({ kind, sent: 'maybe', status: 200 });
  });

  it.each([
    ['gzip', gzipSync(session)],
    ['deflate', deflateSync(session)],
    ['deflate', deflateRawSync(session)],
    ['br', brotliCompressSync(session)],
    ['identity', Buffer.from(session)],
  ])('decodes %s, with any JSON media type', async (coding, body) => {
    const { api, give } = await startAnswering();
    for (const label of ['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.x+json']) {
      give(body, { 'content-type': label, 'content-encoding': coding });
      await expect(api.getSession('s1')).resolves.toMatchObject({ sessionId: 's1', status: 'idle' });
    }
  });

  it('reports a specific error for every file of the JSON test suite (R20)', async () => {
    const { api, give } = await startAnswering();
    const prototypeBefore = Object.getOwnPropertyNames(Object.prototype);
    const files = Object.entries(corpus.files);
    expect(files).toHaveLength(340);
    for (const [name, base64] of files) {
      give(Buffer.from(base64, 'base64'));
      const kind = name.includes('/n_')
        ? /^notJson$/
        : name.includes('/y_')
          ? /^wrongShape$/
          : /^(notJson|wrongShape)$/;
      expect((await failureOf(api.listMessages('s1'))).kind, name).toMatch(kind);
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore);
  });

  it('is not affected by __proto__ keys', async () => {
    const { api, give } = await startAnswering();
    const poison = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const settings = `{"childInclusiveTokenUsageBySessionId":${poison},"tags":[{"name":"t","metadata":${poison}}]}`;
    give(`{${session.slice(1, -1)},"__proto__":{"polluted":true},"sessionSettings":${settings}}`);
    const read = await api.getSession('s1');
    const objects = [
      {},
      read,
      read.sessionSettings?.childInclusiveTokenUsageBySessionId,
      read.sessionSettings?.tags?.[0]?.metadata,
    ];
    for (const object of objects) expect(object).not.toHaveProperty('polluted');
  });

  it.each([
    [400, json, '{"detail":"no such model"}', 'no such model'],
    [400, json, '{"error":"no such model"}', 'no such model'],
    [400, json, '{"error":{"code":1,"message":"no such model"}}', 'no such model'],
    [422, json, '{"detail":[{"loc":["body"],"msg":"field required"}]}', 'field required'],
    [422, json, '{"detail":[{"loc":["body","images",0,"mediaType"],"msg":"missing"}]}', 'images.0.mediaType: missing'],
    [400, json, '{"error":{"path":["text"],"message":"too long"}}', 'text: too long'],
    [400, json, '{"error":{"param":"images","message":"too many"}}', 'images: too many'],
    [400, json, '{"path":"/api/v0","loc":[{}],"error":"Bad Request"}', 'Bad Request'],
    [400, json, '{"message":"no such\\n\\u0000model"}', 'no such model'],
    [400, { 'content-type': 'application/problem+json' }, '{"title":"no such model","status":400}', 'no such model'],
    [400, json, '{"title":"t","message":"m","error":"e","detail":"d"}', 'd'],
    [503, { 'content-type': 'text/plain' }, 'try again\r\nlater', 'try again later'],
    [502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>', undefined],
    [500, json, '', undefined],
    [500, json, '{"detail":""}', undefined],
    [404, {}, '', undefined],
    [500, json, JSON.stringify({ detail: 'x'.repeat(2000) }), `${'x'.repeat(499)}…`],
  ])('extracts the error detail from a %i response', async (status, headers, body, detail) => {
    const { api, give } = await startAnswering();
    give(body, headers, status);
    const error = await failureOf(api.getSession('s1'));
    expect(error).toMatchObject({ kind: 'status', status, sent: 'maybe' });
    expect(error.detail).toBe(detail);
  });

  it('does not create a decoder for each of ten thousand content encodings', async () => {
    const { api, give } = await startAnswering();
    const codings = Array.from({ length: 10_000 }, () => 'gzip').join(',');
    give(gzipSync(JSON.stringify(sessionJson)), {
      'content-type': 'application/json',
      'content-encoding': codings.slice(0, 8_000),
    });
    // Node's fetch has its own limit for the number of content codings.
    expect((await failureOf(api.getSession('s1'))).kind).toMatch(/^(notJson|unreachable)$/);
  });

  it('does not take an empty message ID for the ID of a message', async () => {
    const { api, give } = await startAnswering();
    give(JSON.stringify({ messageId: '', status: 'running' }), { 'content-type': 'application/json' });
    expect(await failureOf(api.addMessage('s1', { text: 'Hello' }))).toMatchObject({
      kind: 'wrongShape',
      sent: 'maybe',
    });
  });

  it.each([
    ['120', undefined, 120_000],
    ['Sun, 06 Nov 1994 08:50:37 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT', 60_000],
    ['Sun, 06 Nov 1994 08:40:00 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['251606984776', undefined, 3_600_000],
    ['9'.repeat(400), undefined, 3_600_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT', 3_600_000],
    ['soon', undefined, undefined],
    ['-1', undefined, undefined],
  ])('reads Retry-After: %s', async (value, date, retryAfterMs) => {
    const { api, give } = await startAnswering();
    give('', { 'retry-after': value, ...(date && { date }) }, 429);
    expect((await failureOf(api.getSession('s1'))).retryAfterMs).toBe(retryAfterMs);
  });

  it('accepts every form of the cursor on the last page', async () => {
    const { api, give } = await startAnswering();
    for (const [pagination, hasMore, nextCursor] of [
      [{ hasMore: false }, false, undefined],
      [{ hasMore: false, nextCursor: null }, false, undefined],
      [{ hasMore: false, nextCursor: '' }, false, undefined],
      [{ hasMore: false, nextCursor: 'again' }, false, 'again'],
      [{ hasMore: true, nextCursor: 'next' }, true, 'next'],
      [{ nextCursor: 'next' }, true, 'next'],
      [{}, false, undefined],
    ] as const) {
      give(JSON.stringify({ ...pageJson, pagination }));
      const page = await api.listMessages('s1');
      expect([page.hasMore, page.nextCursor]).toEqual([hasMore, nextCursor]);
    }
  });

  it('reads the other messages of a page if some are invalid', async () => {
    const { api, give } = await startAnswering();
    const { role, ...roleless } = messageJson;
    const messages = [
      messageJson,
      { id: 'm2', content: 'plain' },
      { role },
      null,
      { ...roleless, id: 'm3', visibility: 'x' },
    ];
    give(JSON.stringify({ messages, pagination: { hasMore: false } }));
    const page = await api.listMessages('s1');
    expect(page.skippedCount).toBe(2);
    expect(page.messages.map((message) => [message.id, message.role, message.visibility])).toEqual([
      ['m1', 'user', undefined],
      ['m2', undefined, undefined],
      ['m3', undefined, 'unknown'],
    ]);
    expect(page.messages[1]).toMatchObject({ unreadable: 'createdAt, updatedAt', createdAt: messageJson.createdAt });
  });
});

describe('mutated responses (R21)', () => {
  it('are read or rejected with a specific error, and never cause a crash', async () => {
    const { state, service } = answering();
    const rig = await startRig(routes[0]!.open, [], { service });
    const calls = [
      [sessionJson, () => rig.api.getSession('s1')],
      [pageJson, () => rig.api.listMessages('s1')],
      [messageJson, () => rig.api.getMessage('s1', 'm1')],
      [{ messageId: 'm', status: 'idle' }, () => rig.api.addMessage('s1', { text: 'Hello' })],
    ] as const;
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...calls),
          fc.infiniteStream(fc.nat()),
          fc.jsonValue(),
          async ([value, call], at, other) => {
            state.body = Buffer.from(JSON.stringify(mutated(value, other, at[Symbol.iterator]())));
            const outcome = await call().catch((error: unknown) => error);
            if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'ApiError', kind: 'wrongShape' });
          },
        ),
        { numRuns: 1500 },
      );
    } finally {
      await rig.dispose();
    }
  });
});

/** `value` with one part dropped, replaced with `other`, or combined with it. */
function mutated(value: unknown, other: unknown, at: Iterator<number>): unknown {
  const pick = (count: number) => Number(at.next().value) % count;
  if (typeof value !== 'object' || value === null || pick(6) === 0) return other;
  if (Array.isArray(value)) {
    if (pick(4) === 0) return [...(value as unknown[]), other];
    const index = pick(Math.max(value.length, 1));
    return value.map((item: unknown, position) => (position === index ? mutated(item, other, at) : item));
  }
  const entries = Object.entries(value);
  const index = pick(entries.length);
  if (pick(5) === 0) return Object.fromEntries(entries.filter((_entry, position) => position !== index));
  return Object.fromEntries(
    entries.map(([name, item], position) => [name, position === index ? mutated(item, other, at) : item]),
  );
}
