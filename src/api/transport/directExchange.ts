import { ResponseBody, responseCapOf, responseDespite } from '../http/responseBody.ts';
import type { ApiError } from '../errors.ts';
import { cancelledError, failureOf, tooLargeError } from '../http/requestFailure.ts';
import type { TransportResponse, TransportRequest } from '../http/transport.ts';

/** Callbacks for the end of an exchange: `release`, then either `resolve` or `reject`. Each is called at most once. */
interface ExchangeOutcome {
  release(): void;
  resolve(response: TransportResponse): void;
  reject(error: ApiError): void;
}

/**
 * One request of the direct transport; undici calls its `on...` methods. Records whether any byte of the request was
 * written to a socket, which distinguishes "not sent" from "unknown" (R31).
 */
export class DirectExchange {
  readonly #request: TransportRequest;
  readonly #outcome: ExchangeOutcome;
  #sent: 'no' | 'maybe' = 'no';
  #sentBytes = 0;
  #status: number | undefined;
  #headers: ReadonlyMap<string, string> = new Map();
  #body: ResponseBody | undefined;
  #abortConnection: ((error?: Error) => void) | undefined;
  #isSettled = false;

  constructor(request: TransportRequest, outcome: ExchangeOutcome) {
    this.#request = request;
    this.#outcome = outcome;
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#isSettled) {
      abort();
      return;
    }
    this.#abortConnection = abort;
  }

  // The request head is written with the first chunk or, without a body, just before `onRequestSent`.
  onBodySent(chunk: Uint8Array): void {
    this.#sent = 'maybe';
    this.#sentBytes += chunk.byteLength;
    if (!this.#isSettled) this.#request.onBytesSent?.(this.#sentBytes);
  }

  onRequestSent(): void {
    this.#sent = 'maybe';
  }

  onHeaders(status: number, rawHeaders: readonly Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    this.#status = status;
    this.#headers = readHeaders(rawHeaders);
    const capBytes = responseCapOf(status, this.#request.maxResponseBytes);
    this.#body = new ResponseBody(this.#headers.get('content-encoding'), capBytes, {
      onDone: (body) => this.#settle(() => this.#outcome.resolve({ status, headers: this.#headers, body })),
      onTooLarge: () => this.#fail(tooLargeError(capBytes, status)),
      onError: (error) => this.#fail(failureOf(error, { sent: this.#sent, status })),
      onDrain: resume,
    });
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    return this.#body?.write(chunk) ?? true;
  }

  onComplete(): void {
    this.#abortConnection = undefined;
    this.#body?.end();
  }

  onError(error: Error): void {
    this.#abortConnection = undefined;
    this.#fail(failureOf(error, { sent: this.#sent, status: this.#status }));
  }

  /**
   * Cancels the request and closes its connection. A request whose body was not completely written counts as unsent:
   * the service can't have processed it, because the body is shorter than its `content-length` and not valid JSON.
   */
  cancel(): void {
    const isBodyWhole = this.#sentBytes >= (this.#request.body?.sizeBytes ?? 0);
    this.#fail(cancelledError({ sent: isBodyWhole ? this.#sent : 'no', status: this.#status }));
  }

  #fail(error: ApiError): void {
    const response = responseDespite(error, this.#status, this.#headers);
    this.#settle(() => (response ? this.#outcome.resolve(response) : this.#outcome.reject(error)));
  }

  #settle(notify: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#body?.dispose();
    this.#outcome.release();
    notify();
    this.#abortConnection?.();
  }
}

function readHeaders(rawHeaders: readonly Buffer[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toString('latin1').toLowerCase() ?? '';
    const value = rawHeaders[index + 1]?.toString('latin1') ?? '';
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}
