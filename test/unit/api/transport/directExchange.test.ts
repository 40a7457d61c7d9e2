import { describe, expect, it, vi } from 'vitest';
import { jsonBody } from '../../../../src/api/http/requestBody.ts';
import { DirectExchange } from '../../../../src/api/transport/directExchange.ts';
import type { TransportRequest } from '../../../../src/api/http/transport.ts';

const body = jsonBody({ text: 'Hello' });
const bytes = Buffer.from('{"text":"Hello"}');

/** An exchange, its outcome, the order in which it reports its end, and the callbacks that undici passes to it. */
function startExchange(part: Partial<TransportRequest> = {}) {
  const ends: string[] = [];
  const outcome = {
    release: vi.fn(() => void ends.push('release')),
    resolve: vi.fn(() => void ends.push('resolve')),
    reject: vi.fn(() => void ends.push('reject')),
  };
  const url = new URL('https://service.test/x');
  const signal = new AbortController().signal;
  const request = { method: 'POST', url, headers: {}, body, signal, maxResponseBytes: 100, ...part } as const;
  return { exchange: new DirectExchange(request, outcome), outcome, ends, abort: vi.fn(), resume: vi.fn() };
}

const head = (...pairs: string[]) => pairs.map((text) => Buffer.from(text));

describe('an exchange of the direct route', () => {
  it('closes its connection when it is canceled, and reports that once', () => {
    const { exchange, abort, ends } = startExchange();
    exchange.onConnect(abort);
    expect(abort).not.toHaveBeenCalled();
    exchange.cancel();
    exchange.onError(new Error('aborted'));
    exchange.cancel();
    expect(ends).toEqual(['release', 'reject']);
    expect(abort).toHaveBeenCalledOnce();
  });

  it('sends nothing if it is canceled before it is connected', () => {
    const { exchange, abort, outcome } = startExchange();
    exchange.cancel();
    exchange.onConnect(abort);
    expect(abort).toHaveBeenCalledOnce();
    expect(outcome.reject).toHaveBeenCalledWith(expect.objectContaining({ kind: 'cancelled', sent: 'no' }));
  });

  it.each([
    ['no byte', 0, 'no'],
    ['all but one byte', bytes.byteLength - 1, 'no'],
    ['the last byte', bytes.byteLength, 'maybe'],
  ])('canceled after %s of the body counts as sent: %s, %s', (_name, sentBytes, sent) => {
    const { exchange, abort, outcome } = startExchange();
    exchange.onConnect(abort);
    if (sentBytes > 0) exchange.onBodySent(bytes.subarray(0, sentBytes));
    exchange.cancel();
    expect(outcome.reject).toHaveBeenCalledWith(expect.objectContaining({ sent }));
  });

  it('without a body counts as sent when it is written', () => {
    for (const [isWritten, sent] of [
      [false, 'no'],
      [true, 'maybe'],
    ] as const) {
      const { exchange, abort, outcome } = startExchange({ method: 'GET', body: undefined });
      exchange.onConnect(abort);
      if (isWritten) exchange.onRequestSent();
      exchange.cancel();
      expect(outcome.reject).toHaveBeenCalledWith(expect.objectContaining({ sent }));
    }
  });

  it('that fails counts as sent after the first byte, and reports the status if there was one', () => {
    const { exchange, abort, outcome, resume } = startExchange();
    exchange.onConnect(abort);
    exchange.onBodySent(bytes.subarray(0, 1));
    exchange.onHeaders(200, [], resume);
    exchange.onError(Object.assign(new Error('reset'), { code: 'ECONNREFUSED' }));
    expect(outcome.reject).toHaveBeenCalledWith(expect.objectContaining({ sent: 'maybe', status: 200 }));
    expect(abort).not.toHaveBeenCalled();
  });

  it.each([
    ['before the first byte', 0, 'ECONNRESET', 'no'],
    ['after the first byte', 1, 'ECONNREFUSED', 'maybe'],
  ])('that fails %s is judged by what was written, not by the code', (_name, sentBytes, code, sent) => {
    const { exchange, outcome, resume } = startExchange();
    if (sentBytes > 0) exchange.onBodySent(bytes.subarray(0, sentBytes));
    // An interim response doesn't count as the response.
    exchange.onHeaders(103, [], resume);
    exchange.onError(Object.assign(new Error(code), { code }));
    expect(outcome.reject).toHaveBeenCalledWith(expect.objectContaining({ sent, code, status: undefined }));
  });

  it('has the status of the response if it is canceled while that arrives', () => {
    const { exchange, outcome, resume } = startExchange();
    exchange.onBodySent(bytes);
    exchange.onHeaders(200, [], resume);
    exchange.cancel();
    const expected = { kind: 'cancelled', sent: 'maybe', status: 200 };
    expect(outcome.reject).toHaveBeenCalledWith(expect.objectContaining(expected));
  });

  it('reports progress until its end', () => {
    const onBytesSent = vi.fn();
    const { exchange } = startExchange({ onBytesSent });
    exchange.onBodySent(bytes.subarray(0, 3));
    exchange.onBodySent(bytes.subarray(3, 5));
    exchange.cancel();
    exchange.onBodySent(bytes.subarray(5));
    expect(onBytesSent.mock.calls).toEqual([[3], [5]]);
  });

  it('resolves to the response, without interim ones, and leaves its connection open', () => {
    const { exchange, abort, outcome, ends, resume } = startExchange();
    exchange.onConnect(abort);
    expect(exchange.onHeaders(103, head('Link', 'x'), resume)).toBe(true);
    expect(exchange.onHeaders(200, head('Content-Type', 'a/b', 'X-Part', '1', 'x-part', '2'), resume)).toBe(true);
    expect(exchange.onData(Buffer.from('{'))).toBe(true);
    exchange.onData(Buffer.from('}'));
    exchange.onComplete();
    const headers = new Map([
      ['content-type', 'a/b'],
      ['x-part', '1, 2'],
    ]);
    expect(outcome.resolve).toHaveBeenCalledWith({ status: 200, headers, body: Buffer.from('{}') });
    expect(ends).toEqual(['release', 'resolve']);
    expect(abort).not.toHaveBeenCalled();
  });

  it('ignores data and an end without a response', () => {
    const { exchange, abort, ends } = startExchange();
    exchange.onConnect(abort);
    expect(exchange.onData(bytes)).toBe(true);
    exchange.onComplete();
    expect(ends).toEqual([]);
  });

  it('closes its connection if the response is too large', () => {
    const { exchange, abort, outcome, resume } = startExchange();
    exchange.onConnect(abort);
    exchange.onHeaders(200, [], resume);
    exchange.onData(Buffer.alloc(101));
    expect(outcome.reject).toHaveBeenCalledWith(expect.objectContaining({ kind: 'tooLarge', status: 200 }));
    expect(abort).toHaveBeenCalledOnce();
  });

  it('resolves to the status of a rejection whose explanation is cut off', () => {
    const { exchange, abort, outcome, resume } = startExchange();
    exchange.onConnect(abort);
    exchange.onHeaders(413, [], resume);
    exchange.onError(new Error('other side closed'));
    expect(outcome.resolve).toHaveBeenCalledWith({ status: 413, headers: new Map(), body: new Uint8Array() });
  });

  it('pauses a compressed response that arrives faster than it is unpacked', async () => {
    const { exchange, abort, resume, outcome } = startExchange();
    exchange.onConnect(abort);
    exchange.onBodySent(bytes);
    exchange.onHeaders(200, head('content-encoding', 'gzip'), resume);
    expect(exchange.onData(Buffer.alloc(1_000_000))).toBe(false);
    // These bytes aren't gzip data, so the exchange fails with an error that has the status and `sent`.
    await expect.poll(() => outcome.reject).toHaveBeenCalled();
    expect(outcome.reject).toHaveBeenCalledWith(
      expect.objectContaining({ kind: 'notJson', status: 200, sent: 'maybe' }),
    );
  });
});
