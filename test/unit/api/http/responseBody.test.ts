import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { ResponseBody, responseCapOf, responseDespite } from '../../../../src/api/http/responseBody.ts';

const text = Buffer.from('The service sends this.');
const coders = { gzip: gzipSync, 'x-gzip': gzipSync, br: brotliCompressSync, deflate: deflateSync };

/** A body with the calls that it makes. `ended` resolves at the first call that reports its end. */
function startBody(contentEncoding: string | undefined, maxBytes = 1_000_000) {
  const calls: string[] = [];
  let report: (end: string) => void = () => undefined;
  let drain: () => void = () => undefined;
  const ended = new Promise<string>((resolve) => (report = resolve));
  const drained = new Promise<void>((resolve) => (drain = resolve));
  const end = (name: string) => {
    calls.push(name);
    report(name);
  };
  const body = new ResponseBody(contentEncoding, maxBytes, {
    onDone: (whole) => end(Buffer.from(whole).toString()),
    onTooLarge: () => end('too large'),
    onError: () => end('error'),
    onDrain: () => drain(),
  });
  return { body, calls, ended, drained };
}

async function decoded(contentEncoding: string | undefined, bytes: Uint8Array): Promise<string> {
  const { body, ended } = startBody(contentEncoding);
  body.write(bytes);
  body.end();
  return ended;
}

describe('the body of a response', () => {
  it.each([
    [undefined, text],
    ['', text],
    ['identity', text],
    ['X-GZip', gzipSync(text)],
    ['gzip, identity', gzipSync(text)],
    [', gzip', gzipSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['deflate,gzip', gzipSync(deflateRawSync(text))],
  ])('with the encoding %s is decoded', async (contentEncoding, bytes) => {
    expect(await decoded(contentEncoding, bytes)).toBe(text.toString());
  });

  it('is decoded up to four times, and otherwise left as it is', async () => {
    const encoded = (times: number): Buffer => (times === 0 ? text : gzipSync(encoded(times - 1)));
    const codings = (times: number) => Array.from({ length: times }, () => 'gzip').join(', ');
    expect(await decoded(codings(4), encoded(4))).toBe(text.toString());
    expect(await decoded(codings(5), encoded(5))).toBe(encoded(5).toString());
    expect(await decoded('gzip, rot13', encoded(1))).toBe(encoded(1).toString());
  });

  it.each([undefined, 'deflate'])('with the encoding %s can be empty', async (contentEncoding) => {
    const { body, ended } = startBody(contentEncoding);
    body.end();
    expect(await ended).toBe('');
  });

  it.each(Object.keys(coders))('that is not in the encoding %s is an error', async (contentEncoding) => {
    expect(await decoded(contentEncoding, Buffer.from('no encoded data'))).toBe('error');
  });

  it.each(Object.entries(coders))(
    'with the encoding %s that arrives in single bytes is complete',
    async (name, encode) => {
      const { body, calls, ended } = startBody(name);
      for (const byte of encode(text)) body.write(Uint8Array.of(byte));
      body.end();
      expect(await ended).toBe(text.toString());
      expect(calls).toEqual([text.toString()]);
    },
  );

  it.each([undefined, ...Object.keys(coders)])('in the encoding %s may have the maximum size', async (name) => {
    const bytes = Object.entries(coders).find(([coding]) => coding === name)?.[1](text) ?? text;
    for (const [maxBytes, end] of [
      [text.byteLength, text.toString()],
      [text.byteLength - 1, 'too large'],
    ] as const) {
      const { body, ended } = startBody(name, maxBytes);
      body.write(bytes);
      body.end();
      expect(await ended).toBe(end);
    }
  });

  it('reports once that it is too large, and takes no more', () => {
    const { body, calls } = startBody(undefined, 3);
    expect([body.write(text), body.write(text)]).toEqual([true, true]);
    body.end();
    expect(calls).toEqual(['too large']);
  });

  it('is read on after a pause', async () => {
    const { body, ended, drained } = startBody('gzip');
    const bytes = gzipSync(Buffer.alloc(1_000_000), { level: 0 });
    expect(body.write(bytes)).toBe(false);
    await drained;
    body.end();
    expect(await ended).toHaveLength(1_000_000);
  });

  it.each([undefined, ...Object.keys(coders)])('in the encoding %s reports nothing after it is disposed', (name) => {
    const { body, calls } = startBody(name);
    body.dispose();
    expect(body.write(text)).toBe(true);
    body.end();
    expect(calls).toEqual([]);
  });
});

describe('the size limit of a response', () => {
  it.each([
    [200, 1_000_000, 1_000_000],
    [500, 1_000_000, 65_536],
    [500, 1_000, 1_000],
  ])('of status %i is, of %i bytes, %i', (status, maxResponseBytes, capBytes) => {
    expect(responseCapOf(status, maxResponseBytes)).toBe(capBytes);
  });
});

describe('a response whose body could not be read', () => {
  const headers = new Map([['retry-after', '7']]);
  const error = (kind: ApiError['kind']) => new ApiError(kind, 'failed', { sent: 'maybe' });

  it('is still a response if its status is a failure', () => {
    expect(responseDespite(error('unreachable'), 500, headers)).toEqual({
      status: 500,
      headers,
      body: new Uint8Array(),
    });
  });

  it.each([
    ['unreachable', undefined],
    ['unreachable', 200],
    ['cancelled', 500],
  ] as const)('is none if it is %s with the status %s', (kind, status) => {
    expect(responseDespite(error(kind), status, headers)).toBeUndefined();
  });
});
