import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { readResponse, serverTimeOf } from '../../../../src/api/http/readResponse.ts';
import type { TransportResponse } from '../../../../src/api/http/transport.ts';
import { failureOf } from '../rig.ts';

const json = { 'content-type': 'application/json' };
const nowMs = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT');

function answerOf(status: number, body: unknown, headers: Readonly<Record<string, string>> = json): TransportResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: new Map(Object.entries(headers)), body: Buffer.from(text) };
}

const schema = z.object({ items: z.array(z.object({ name: z.string() })) });
const read = (answer: TransportResponse) =>
  withoutPause(readResponse(answer, schema, new URL('https://service.test/a/b'), nowMs));
const failure = (answer: TransportResponse) => failureOf(Promise.resolve().then(() => read(answer)));

describe('a response with status 200', () => {
  it('is the value that the schema reads', () => {
    expect(read(answerOf(200, { items: [{ name: 'a' }], other: 1 }))).toEqual({ items: [{ name: 'a' }] });
  });

  it.each([
    [null, 'the whole body'],
    [{ items: 1 }, 'items'],
    [{ items: [{ name: 1 }, { name: 'a' }, {}] }, 'items.0.name, items.2.name'],
  ])('%j is rejected with the paths that do not fit: %s', async (body, paths) => {
    const { kind, message } = await failure(answerOf(200, body));
    expect({ kind, message }).toEqual({
      kind: 'wrongShape',
      message: `The response doesn't have the specified shape: ${paths}`,
    });
  });

  it('is rejected with at most 200 characters of paths', async () => {
    const { message } = await failure(answerOf(200, { items: Array.from({ length: 100 }, () => ({})) }));
    expect(message.replace(/^.*shape: /, '')).toHaveLength(200);
  });

  it.each(['x application/json', 'application/jsonp', 'application/x-json'])(
    'is not read as JSON if its type is %s',
    async (type) => {
      expect((await failure(answerOf(200, { items: [] }, { 'content-type': type }))).kind).toBe('notJson');
    },
  );
});

describe('a response with another status', () => {
  it.each([
    [299, 'status'],
    [300, 'redirect'],
    [399, 'redirect'],
    [400, 'status'],
    [407, 'proxy'],
  ])('%i is a failure of kind %s', async (status, kind) => {
    expect(await failure(answerOf(status, '', { location: 'https://other.test/' }))).toMatchObject({ kind, status });
  });

  it.each([
    ['https://other.test:8443/x?q=1', 'https://other.test:8443'],
    ['../x', 'https://service.test'],
    ['command:editor.open', 'command:'],
    ['http://[', undefined],
    [undefined, undefined],
  ])('that redirects to %s names only the origin: %s', async (location, redirectOrigin) => {
    const error = await failure(answerOf(302, '', location === undefined ? {} : { location }));
    expect(error.redirectOrigin).toBe(redirectOrigin);
  });
});

describe('the explanation of an error (R23)', () => {
  const detailOf = async (body: unknown, headers?: Readonly<Record<string, string>>) =>
    (await failure(answerOf(400, body, headers))).detail;

  it.each([
    [{ detail: ' ', error: 'first' }, 'first'],
    [{ detail: '', error: 'first' }, 'first'],
    [{ detail: 5, error: null, message: 'first' }, 'first'],
    ['"only text"', 'only text'],
    [{ detail: ['first', 'second'] }, 'first'],
    [{ detail: ['', {}, 'third'] }, 'third'],
    [{ detail: ['', {}, null, 'fourth'] }, undefined],
    [{ detail: { error: { message: { msg: 'deep' } } } }, 'deep'],
    [{ detail: { error: { message: { title: { msg: 'too deep' } } } } }, undefined],
    [{ field: 'text', message: 'too long' }, 'text: too long'],
    [{ field: 'text' }, undefined],
  ])('in %j is %s', async (body, detail) => {
    expect(await detailOf(body)).toBe(detail);
  });

  it('is text only if its type says so', async () => {
    expect(await detailOf('try later', { 'content-type': 'text/plain; charset=utf-8' })).toBe('try later');
    expect(await detailOf('try later', { 'content-type': 'x-text/plain' })).toBeUndefined();
    expect(await detailOf('try later', {})).toBeUndefined();
  });

  it('has at most 500 characters', async () => {
    expect(await detailOf({ detail: 'x'.repeat(500) })).toBe('x'.repeat(500));
    expect(await detailOf({ detail: 'x'.repeat(501) })).toBe(`${'x'.repeat(499)}…`);
  });
});

describe('the pause that a service requests (R43)', () => {
  const date = 'Sun, 06 Nov 1994 08:50:37 GMT';
  it.each([
    [{ 'retry-after': ' 7 ' }, 7_000],
    [{ 'retry-after': '3600' }, 3_600_000],
    [{ 'retry-after': '3601' }, 3_600_000],
    [{ 'retry-after': date }, 60_000],
    [{ 'retry-after': date, date: 'Sun, 06 Nov 1994 08:50:27 GMT' }, 10_000],
    [{ 'retry-after': date, date: '1' }, 60_000],
    [{ 'retry-after': 'Sun, never' }, undefined],
    [{ 'retry-after': `at ${date}` }, undefined],
    [{ 'retry-after': '5 s' }, undefined],
    [{ 'retry-after': 'in 5' }, undefined],
    [{}, undefined],
  ])('with %j is %s ms', async (headers, retryAfterMs) => {
    expect((await failure(answerOf(429, '', headers))).retryAfterMs).toBe(retryAfterMs);
  });
});

it("the service's time is unknown without a valid Date header", () => {
  expect(serverTimeOf(answerOf(200, '', { date: 'Sun, 06 Nov 1994 08:49:37 GMT' }))).toBe(nowMs);
  for (const headers of [{}, { date: '1' }, { date: 'Sun, never' }] as const) {
    expect(serverTimeOf(answerOf(200, '', headers))).toBeUndefined();
  }
});
