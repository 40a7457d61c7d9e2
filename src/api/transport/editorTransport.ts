import { responseCapOf, responseDespite } from '../http/responseBody.ts';
import { ApiError, isApiError } from '../errors.ts';
import { type FailurePoint, cancelledError, failureOf, rejectOnAbort, tooLargeError } from '../http/requestFailure.ts';
import type { RequestBody, Transport, TransportResponse, TransportRequest } from '../http/transport.ts';

/** A function with the signature of the editor's `fetch`. */
type FetchFunction = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * Creates a transport over the global `fetch`, for which VS Code handles proxies, proxy authentication, and the
 * system's certificates. It passes no `dispatcher`, which VS Code would silently replace. The `sent` field of its
 * errors is conservative: `no` only if `fetch` hasn't been called yet, or if the error proves that no part of the
 * request was sent.
 */
export function createEditorTransport(fetchFunction: FetchFunction = globalFetch): Transport {
  const disposal = new AbortController();
  return {
    async send(request) {
      if (disposal.signal.aborted || request.signal.aborted) throw cancelledError({ sent: 'no' });
      return exchange(fetchFunction, request, AbortSignal.any([request.signal, disposal.signal]));
    },
    dispose: () => disposal.abort(),
  };
}

const fetchPolicy = { redirect: 'manual', cache: 'no-store', credentials: 'omit' } as const;

// Looks up `fetch` for each request, because the editor may replace it after this file is loaded.
const globalFetch: FetchFunction = (url, init) => globalThis.fetch(url, init);

async function exchange(
  fetchFunction: FetchFunction,
  request: TransportRequest,
  cancellation: AbortSignal,
): Promise<TransportResponse> {
  const { url, method, maxResponseBytes } = request;
  const oversize = new AbortController();
  const signal = AbortSignal.any([cancellation, oversize.signal]);
  const failed = (error: unknown, point: FailurePoint) =>
    cancellation.aborted && !isApiError(error) ? cancelledError(point) : failureOf(error, point);

  const body = request.body && (await rejectOnAbort(wholeBody(request.body, signal), signal));
  const init = { method, headers: request.headers, body: body ?? null, signal, ...fetchPolicy };
  const response = await fetchFunction(url, init).catch((error: unknown) => {
    throw failed(error, { service: url });
  });
  // A browser's fetch hides the target of a redirect.
  if (response.type === 'opaqueredirect')
    throw new ApiError('redirect', 'The service responded with a redirect.', { sent: 'maybe' });
  const { status } = response;
  const headers = new Map(response.headers);
  try {
    return { status, headers, body: await readCapped(response, responseCapOf(status, maxResponseBytes), oversize) };
  } catch (error) {
    const failure = failed(error, { status, sent: 'maybe' });
    const bodiless = responseDespite(failure, status, headers);
    if (bodiless) return bodiless;
    throw failure;
  }
}

/**
 * Reads the whole body into memory. A streamed body would have no `content-length`, would need HTTP/2 in a browser's
 * fetch, and couldn't be sent again after proxy authentication. Only the direct transport sends large attachments
 * without holding them in memory.
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

/** Reads the body. If it exceeds `maxBytes`, aborts the request and throws an ApiError of kind `tooLarge`. */
async function readCapped(response: Response, maxBytes: number, oversize: AbortController): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const stream: AsyncIterable<Uint8Array> | null = response.body;
  for await (const piece of stream ?? []) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxBytes) {
      oversize.abort();
      throw tooLargeError(maxBytes, response.status);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces, sizeBytes);
}
