import { Readable } from 'node:stream';
import Pool, { type WireHandler, type WireRequest } from 'undici/lib/dispatcher/pool.js';
import type { Disposable } from '../../shared/lifecycle.ts';
import { Connector, type TlsSessions } from './connector.ts';
import { DirectExchange } from './directExchange.ts';
import { ApiError } from '../errors.ts';
import { cancelledError } from '../http/failure.ts';
import type { RequestBody, Transport, TransportAnswer, TransportRequest } from './transport.ts';

/** Longer than the slowest poll (30 s), or each poll would shake hands anew. A service's own hint goes before it. */
const keepAliveTimeoutMs = 75_000;
const bodyBufferBytes = 256 * 1024;

/**
 * The direct route to one origin (design, section 7), without proxies. Reads take a lane whose connection was kept
 * alive, if one is free. POST and PATCH use each a connection of their own, or a service closing an idle one would turn
 * a send into an unknown. `sent` in its errors is knowledge, not a guess. There are no time-outs but the 10 s for
 * connecting: the deadline is the caller's signal. Importing this file touches nothing global (R14).
 */
export function createDirectTransport(origin: string): Transport {
  const tlsSessions: TlsSessions = {};
  const freeLanes: Lane[] = [];
  const exchanges = new Set<DirectExchange>();
  let isDisposed = false;

  function takeLane(isRead: boolean): Lane {
    return (isRead ? freeLanes.pop() : undefined) ?? openLane(origin, { keepAlive: isRead, tlsSessions });
  }

  function giveBack(lane: Lane, isReusable: boolean): void {
    if (isReusable && !isDisposed) freeLanes.push(lane);
    else lane.dispose();
  }

  return {
    async send(request) {
      if (isDisposed || request.signal.aborted) throw cancelledError({ sent: 'no' });
      if (request.url.origin !== new URL(origin).origin) {
        throw new ApiError('invalidRequest', 'The request is for another origin.', { sent: 'no' });
      }
      const isRead = request.method === 'GET';
      const lane = takeLane(isRead);
      let isReusable = false;
      try {
        const answer = await exchange(request, lane, exchanges);
        isReusable = isRead;
        return answer;
      } finally {
        giveBack(lane, isReusable);
      }
    },
    dispose() {
      isDisposed = true;
      for (const open of [...exchanges]) open.cancel();
      while (freeLanes.length > 0) freeLanes.pop()?.dispose();
    },
  };
}

function exchange(request: TransportRequest, lane: Lane, exchanges: Set<DirectExchange>): Promise<TransportAnswer> {
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
    lane.dispatch({ method, path: url.pathname + url.search, headers, body }, handler);
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

/**
 * One connection for one request at a time, opened with the first. A lane is disposed after a request that failed or was
 * given up: undici itself would connect once more, for nothing.
 */
interface Lane extends Disposable {
  dispatch(request: WireRequest, handler: WireHandler): void;
}

/** Opens a lane to `origin`. Without `keepAlive` the connection ends with its first answer. */
function openLane(
  origin: string,
  { keepAlive, tlsSessions }: { readonly keepAlive: boolean; readonly tlsSessions: TlsSessions },
): Lane {
  const connector = new Connector(tlsSessions);
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
      // What is open closes at once; nobody waits for it, and how it ends does not matter any more.
      pool.destroy(null).catch(() => undefined);
    },
  };
}
