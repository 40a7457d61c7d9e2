import { answerCapOf, answerDespite } from '../http/responseBody.ts';
import { ApiError, isApiError } from '../errors.ts';
import { type FailurePoint, cancelledError, failureOf, tooLargeError } from '../http/failure.ts';
import { orCancelled } from '../http/requester.ts';
import type { RequestBody, Transport, TransportAnswer, TransportRequest } from './transport.ts';

/** The editor's `fetch`, or one of the same shape. */
export type FetchFunction = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * The editor's own route: the global `fetch`, to which VS Code gives proxies, their log-in and the system's
 * certificates. It is never given a `dispatcher`, which VS Code would silently replace (R14). `sent` is a guess on the
 * safe side: `no` only where the failure's code says that the connection was never made.
 */
export function createEditorTransport(fetchFunction: FetchFunction = globalFetch): Transport {
  const disposal = new AbortController();
  return {
    async send(request) {
      if (disposal.signal.aborted || request.signal.aborted) throw cancelledError({ sent: 'no' });
      const controller = new AbortController();
      const abort = () => controller.abort();
      const signals = [request.signal, disposal.signal];
      for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
      try {
        return await exchange(fetchFunction, request, controller);
      } finally {
        for (const signal of signals) signal.removeEventListener('abort', abort);
      }
    },
    dispose: () => disposal.abort(),
  };
}

const fetchPolicy = { redirect: 'manual', cache: 'no-store', credentials: 'omit' } as const;

// Looked up at each request: the editor may replace it after this file was loaded.
const globalFetch: FetchFunction = (url, init) => globalThis.fetch(url, init);

async function exchange(
  fetchFunction: FetchFunction,
  request: TransportRequest,
  controller: AbortController,
): Promise<TransportAnswer> {
  const { url, method, maxAnswerBytes } = request;
  const failed = (error: unknown, point: FailurePoint) =>
    controller.signal.aborted && !isApiError(error) ? cancelledError(point) : failureOf(error, point);

  const body = request.body && (await orCancelled(wholeBody(request.body, controller.signal), controller.signal));
  const init = { method, headers: request.headers, body: body ?? null, signal: controller.signal, ...fetchPolicy };
  const response = await fetchFunction(url, init).catch((error: unknown) => {
    throw failed(error, {});
  });
  // A browser's fetch hides where a redirect points.
  if (response.type === 'opaqueredirect') throw new ApiError('redirect', 'A redirect.', { sent: 'maybe' });
  const { status } = response;
  const headers = new Map(response.headers);
  try {
    return { status, headers, body: await readCapped(response, answerCapOf(status, maxAnswerBytes), controller) };
  } catch (error) {
    const failure = failed(error, { status, sent: 'maybe' });
    const answer = answerDespite(failure, status, headers);
    if (answer) return answer;
    throw failure;
  }
}

/**
 * The whole body in memory. A streamed one would need HTTP/2 in a browser's fetch, goes out chunked without its length,
 * and cannot be sent a second time after a proxy's log-in; large attachments go by the direct route.
 */
async function wholeBody(body: RequestBody, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(body.sizeBytes);
  let offset = 0;
  try {
    for await (const chunk of body.chunks()) {
      signal.throwIfAborted();
      whole.set(chunk, offset);
      offset += chunk.byteLength;
    }
  } catch (error) {
    throw failureOf(error, { sent: 'no' });
  }
  return whole;
}

async function readCapped(response: Response, maxBytes: number, controller: AbortController): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const stream: AsyncIterable<Uint8Array> | null = response.body;
  for await (const piece of stream ?? []) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxBytes) {
      controller.abort();
      throw tooLargeError(maxBytes, response.status);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces, sizeBytes);
}
