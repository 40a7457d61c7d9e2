import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { jsonBody } from '../../../../src/api/http/requestBody.ts';
import { createEditorTransport } from '../../../../src/api/transport/editorTransport.ts';
import type { TransportRequest } from '../../../../src/api/http/transport.ts';
import { failureOf } from '../rig.ts';

const url = new URL('https://service.test/x');

function requestOf(part: Partial<TransportRequest> = {}): TransportRequest {
  return {
    method: 'GET',
    url,
    headers: { a: 'b' },
    signal: new AbortController().signal,
    maxResponseBytes: 10,
    ...part,
  };
}

/** A response whose body is `pieces`, followed by an error if there is one. */
function streamed(pieces: readonly string[], status = 200, error?: Error): Response {
  const waiting = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = waiting.shift();
      if (piece !== undefined) controller.enqueue(Buffer.from(piece));
      else if (error) controller.error(error);
      else controller.close();
    },
  });
  return new Response(body, { status, headers: { 'X-Part': '1' } });
}

/** A transport over a `fetch` that responds with the result of `answer`. */
function startTransport(answer: (init: RequestInit) => Response | Promise<Response>) {
  const fetchFunction = vi.fn((_url: URL, init: RequestInit) => Promise.resolve(answer(init)));
  return { transport: createEditorTransport(fetchFunction), fetchFunction };
}

describe('a request of the editor route', () => {
  it('follows no redirect, uses no cache, and sends no cookies', async () => {
    const { transport, fetchFunction } = startTransport(() => streamed(['{', '}']));
    const answer = await transport.send(requestOf());
    expect(answer).toEqual({ status: 200, headers: new Map([['x-part', '1']]), body: Buffer.from('{}') });
    await transport.send(requestOf({ method: 'POST', body: jsonBody({ a: 1 }) }));
    const policy = { redirect: 'manual', cache: 'no-store', credentials: 'omit', headers: { a: 'b' } };
    expect(fetchFunction.mock.calls).toEqual([
      [url, { ...policy, method: 'GET', body: null, signal: expect.any(AbortSignal) as AbortSignal }],
      [
        url,
        {
          ...policy,
          method: 'POST',
          body: new Uint8Array(Buffer.from('{"a":1}')),
          signal: expect.any(AbortSignal) as AbortSignal,
        },
      ],
    ]);
  });

  it('is not made if it was canceled before, or the transport disposed', async () => {
    const { transport, fetchFunction } = startTransport(() => streamed([]));
    const expected = { kind: 'cancelled', sent: 'no' };
    expect(await failureOf(transport.send(requestOf({ signal: AbortSignal.abort() })))).toMatchObject(expected);
    transport.dispose();
    expect(await failureOf(transport.send(requestOf()))).toMatchObject(expected);
    expect(fetchFunction).not.toHaveBeenCalled();
  });

  it.each(['caller', 'transport'])('that is canceled by its %s may have been sent', async (by) => {
    const controller = new AbortController();
    const { transport } = startTransport((init) => {
      if (by === 'caller') controller.abort();
      else transport.dispose();
      return init.signal?.aborted ? Promise.reject(new Error('AbortError')) : streamed([]);
    });
    const error = await failureOf(transport.send(requestOf({ signal: controller.signal })));
    expect(error).toMatchObject({ kind: 'cancelled', sent: 'maybe', status: undefined });
  });

  it('whose body fails keeps the kind of that error, even if it is canceled then', async () => {
    const controller = new AbortController();
    const { transport, fetchFunction } = startTransport(() => streamed([]));
    const body = {
      sizeBytes: 1,
      // oxlint-disable-next-line require-yield, typescript/require-await -- it fails before its first chunk
      async *chunks(): AsyncGenerator<Uint8Array> {
        throw new ApiError('invalidRequest', 'It changed.', { sent: 'maybe', code: 'SIZE_CHANGED' });
      },
    };
    const call = failureOf(transport.send(requestOf({ method: 'POST', body, signal: controller.signal })));
    expect(await call).toMatchObject({ kind: 'invalidRequest', sent: 'no', code: 'SIZE_CHANGED' });
    expect(fetchFunction).not.toHaveBeenCalled();
  });

  it('names the proxy that it could not reach', async () => {
    const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address: '192.0.2.1', port: 8080 });
    const { transport } = startTransport(() => Promise.reject(error));
    expect(await failureOf(transport.send(requestOf()))).toMatchObject({
      kind: 'proxy',
      sent: 'no',
      proxy: '192.0.2.1:8080',
    });
  });
});

describe('a response of the editor route', () => {
  it('may have no body', async () => {
    const { transport } = startTransport(() => new Response(null, { status: 204 }));
    const { status, body } = await transport.send(requestOf());
    expect([status, body.byteLength]).toEqual([204, 0]);
  });

  it('may have the maximum size, and ends its request if it is larger', async () => {
    const { transport, fetchFunction } = startTransport(() => streamed(['12345', '67890']));
    expect((await transport.send(requestOf())).body).toHaveLength(10);
    expect(fetchFunction.mock.calls[0]?.[1].signal?.aborted).toBe(false);
    const error = await failureOf(transport.send(requestOf({ maxResponseBytes: 9 })));
    expect(error).toMatchObject({ kind: 'tooLarge', sent: 'maybe', status: 200 });
    expect(fetchFunction.mock.calls[1]?.[1].signal?.aborted).toBe(true);
  });

  it('that breaks off is a failure, or a response without a body if its status is not 200', async () => {
    const lost = Object.assign(new Error('lost'), { code: 'ECONNREFUSED' });
    const broken = (status: number) => startTransport(() => streamed(['123'], status, lost)).transport;
    expect(await failureOf(broken(200).send(requestOf()))).toMatchObject({
      kind: 'unreachable',
      sent: 'maybe',
      status: 200,
    });
    expect(await broken(500).send(requestOf())).toMatchObject({ status: 500, body: new Uint8Array() });
  });

  it('that is canceled while it arrives is no response', async () => {
    const controller = new AbortController();
    const { transport } = startTransport(() => {
      const response = streamed(['123'], 500, new Error('AbortError'));
      controller.abort();
      return response;
    });
    const error = await failureOf(transport.send(requestOf({ signal: controller.signal })));
    expect(error).toMatchObject({ kind: 'cancelled', sent: 'maybe', status: 500 });
  });

  it('can be a redirect whose target is hidden', async () => {
    const redirect = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    const { transport } = startTransport(() => redirect);
    expect(await failureOf(transport.send(requestOf()))).toMatchObject({ kind: 'redirect', sent: 'maybe' });
  });
});
