import { Readable } from 'node:stream';
import Pool from 'undici/lib/dispatcher/pool.js';
import { Connector } from './connector.ts';
import { DirectExchange } from './directExchange.ts';
import { ApiError } from './errors.ts';
import type { RequestBody, Transport, TransportAnswer, TransportRequest } from './transport.ts';

/** Longer than the slowest poll (30 s), or each poll would shake hands anew. A service's own hint goes before it. */
const keepAliveTimeoutMs = 75_000;
const bodyBufferBytes = 256 * 1024;

/**
 * The direct route to one origin (design, section 7): undici's pool, without proxies. Reads share kept-alive
 * connections; POST and PATCH use each a connection of their own, or a service closing an idle one would turn a send
 * into an unknown. `sent` in its errors is knowledge, not a guess. There are no time-outs but the 10 s for connecting:
 * the deadline is the caller's signal. Importing this file touches nothing global (R14).
 */
export function createDirectTransport(origin: string): Transport {
  const connector = new Connector();
  const shared = { connect: connector.connect, headersTimeout: 0, bodyTimeout: 0 };
  const reads = new Pool(origin, { ...shared, keepAliveTimeout: keepAliveTimeoutMs });
  const writes = new Pool(origin, { ...shared, pipelining: 0 });
  const exchanges = new Set<DirectExchange>();
  let isDisposed = false;

  return {
    async send(request) {
      if (isDisposed) throw new ApiError('cancelled', 'The transport is closed.', { sent: 'no' });
      if (request.url.origin !== new URL(origin).origin) {
        throw new ApiError('invalidRequest', 'The request is for another origin.', { sent: 'no' });
      }
      return exchange(request, request.method === 'GET' ? reads : writes, exchanges);
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      for (const open of [...exchanges]) open.cancel();
      connector.dispose();
      // What is still to be closed is closed at once; nothing waits for it, and it cannot fail in a way that matters.
      for (const pool of [reads, writes]) pool.destroy(null).catch(() => undefined);
    },
  };
}

function exchange(request: TransportRequest, pool: Pool, exchanges: Set<DirectExchange>): Promise<TransportAnswer> {
  const { signal, url, method } = request;
  const headers = { ...request.headers, 'accept-encoding': 'gzip, deflate, br', ...lengthOf(request.body) };
  const options = { method, path: url.pathname + url.search, headers };
  return new Promise<TransportAnswer>((resolve, reject) => {
    const body = request.body ? streamOf(request.body) : null;
    const release = () => {
      exchanges.delete(handler);
      signal.removeEventListener('abort', cancel);
      body?.destroy();
    };
    const handler = new DirectExchange(request, { resolve, reject, release });
    const cancel = () => handler.cancel();
    exchanges.add(handler);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    else pool.dispatch({ ...options, body }, handler);
  });
}

function lengthOf(body: RequestBody | undefined): Record<string, string> {
  return body ? { 'content-length': String(body.sizeBytes) } : {};
}

/** A stream, because undici destroys it with the request: the source is then let go of, wherever it stood. */
function streamOf(body: RequestBody): Readable {
  const stream = Readable.from(body.chunks(), { objectMode: false, highWaterMark: bodyBufferBytes });
  // The dispatcher hears of a failing source by a listener of its own, which it takes away when the request ends.
  stream.on('error', () => undefined);
  return stream;
}
