import { Readable } from 'node:stream';
import Pool, { type WireHandler, type WireRequest } from 'undici/lib/dispatcher/pool.js';
import type { Disposable } from '../../shared/lifecycle.ts';
import { TlsKnowledge } from './tlsKnowledge.ts';
import { Connector } from './connector.ts';
import { DirectExchange } from './directExchange.ts';
import { ApiError } from '../errors.ts';
import { cancelledError } from '../http/requestFailure.ts';
import type { RequestBody, Transport, TransportResponse, TransportRequest } from '../http/transport.ts';

/**
 * Longer than the longest default polling interval (72 s), so that polls reuse a connection. The service can override
 * it.
 */
const keepAliveTimeoutMs = 75_000;
const bodyBufferBytes = 256 * 1024;

/**
 * Creates a transport that connects to one origin without a proxy. Reads reuse idle connections. POST and PATCH each
 * open a new connection: if the service closes a reused one, it is unknown whether the request was processed. The
 * `sent` field of an error is `no` if nothing was written to the connection, or if a canceled request's body was only
 * partly written. Apart from the connection timeout of 10 s, only the caller's signal limits the duration. Importing
 * this file changes no global state (R14).
 */
export function createDirectTransport(origin: string): Transport {
  const tls = new TlsKnowledge();
  const idleConnections: Connection[] = [];
  const exchanges = new Set<DirectExchange>();
  let isDisposed = false;

  function acquire(isRead: boolean): Connection {
    return (isRead ? idleConnections.pop() : undefined) ?? createConnection(origin, isRead, tls);
  }

  function release(connection: Connection, isReusable: boolean): void {
    if (isReusable && !isDisposed) idleConnections.push(connection);
    else connection.dispose();
  }

  return {
    async send(request) {
      if (isDisposed || request.signal.aborted) throw cancelledError({ sent: 'no' });
      if (request.url.origin !== new URL(origin).origin) {
        throw new ApiError('invalidRequest', 'The request is for another origin.', { sent: 'no' });
      }
      const isRead = request.method === 'GET';
      const connection = acquire(isRead);
      let isReusable = false;
      try {
        const response = await exchange(request, connection, exchanges);
        isReusable = isRead;
        return response;
      } finally {
        release(connection, isReusable);
      }
    },
    dispose() {
      isDisposed = true;
      for (const open of [...exchanges]) open.cancel();
      for (const connection of idleConnections.splice(0)) connection.dispose();
    },
  };
}

function exchange(
  request: TransportRequest,
  connection: Connection,
  exchanges: Set<DirectExchange>,
): Promise<TransportResponse> {
  const { signal, url, method } = request;
  const headers = { ...request.headers, 'accept-encoding': 'gzip, deflate, br', ...lengthOf(request.body) };
  return new Promise((resolve, reject) => {
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
    connection.dispatch({ method, path: url.pathname + url.search, headers, body }, handler);
  });
}

function lengthOf(body: RequestBody | undefined): Record<string, string> {
  return body ? { 'content-length': String(body.sizeBytes) } : {};
}

/**
 * Converts the body to a stream. undici destroys the stream together with the request, which stops reading from the
 * source.
 */
function streamOf(body: RequestBody): Readable {
  const stream = Readable.from(body.chunks(), { objectMode: false, highWaterMark: bodyBufferBytes });
  // undici removes its own error listener when the request ends. This listener handles any later error.
  stream.on('error', () => undefined);
  return stream;
}

/**
 * One connection for one request at a time, opened by the first request. It must be disposed after a request that
 * failed or was canceled, because undici would reconnect.
 */
interface Connection extends Disposable {
  dispatch(request: WireRequest, handler: WireHandler): void;
}

/** Without `keepAlive`, the connection closes after its first response. */
function createConnection(origin: string, keepAlive: boolean, tls: TlsKnowledge): Connection {
  const connector = new Connector(tls);
  const pool = new Pool(origin, {
    connections: 1,
    connect: connector.connect,
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(keepAlive ? { keepAliveTimeout: keepAliveTimeoutMs } : { pipelining: 0 }),
  });
  return {
    dispatch: (request, handler) => void pool.dispatch(request, handler),
    dispose() {
      connector.dispose();
      // The sockets close immediately, so an error from destroy() doesn't matter.
      pool.destroy(null).catch(() => undefined);
    },
  };
}
