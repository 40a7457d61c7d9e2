import type * as z from 'zod/mini';
import type { Disposable } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { redactSecrets } from '../../shared/secrets.ts';
import { inSlices } from '../../shared/slices.ts';
import { checkKey } from '../apiKey.ts';
import { ApiError, detailsOf, isApiError } from '../errors.ts';
import type { RequestBody, Transport, TransportResponse, TransportRequest } from './transport.ts';
import { cancelledError, failureOf, rejectOnAbort } from './requestFailure.ts';
import type { LongItems } from './longItems.ts';
import { readResponse } from './readResponse.ts';

/**
 * Returns the current API key, or undefined if there is none. Called for each request, so that a new key takes effect.
 */
export type KeySource = () => Promise<string | undefined> | string | undefined;

interface RequesterOptions {
  readonly key: KeySource;
  /** The requester disposes it. */
  readonly transport: Transport;
  readonly log: Log;
  /** Returns the current time in Unix ms. */
  readonly now: () => number;
  readonly onFailure?: FailureListener | undefined;
}

/** Called for each failed request for which a key was read, before the request rejects. Must not throw. */
export type FailureListener = (error: ApiError, key: string) => void;

/** A request and the schema of its response. */
export interface RequestPlan<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly url: URL;
  readonly body?: RequestBody | undefined;
  readonly schema: Schema;
  /** Reads the long items of the response. The value contains names in their place. */
  readonly longItems?: LongItems | undefined;
  /** The maximum duration in ms, from reading the key until the response is parsed (R18). */
  readonly deadlineMs: number;
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** As in `AddOptions`. */
  readonly mayStart?: (() => Promise<boolean>) | undefined;
  readonly onBytesSent?: ((sentBytes: number) => void) | undefined;
  /** The part of the query that may be logged. */
  readonly loggedQuery?: string | undefined;
}

interface RequestResult<Value> {
  readonly value: Value;
  readonly response: TransportResponse;
}

/** The abort reason of a request whose deadline has expired. */
const deadlineExpired = Symbol('deadline expired');

/**
 * Makes single requests: reads the key, enforces the deadline, checks the response, and writes one log line. Never
 * retries. Every rejection is an instance of this bundle's ApiError; neither the error nor its cause contains the key.
 */
export class Requester implements Disposable {
  readonly #options: RequesterOptions;
  readonly #disposal = new AbortController();
  #requestCount = 0;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  async request<Schema extends z.ZodMiniType>(plan: RequestPlan<Schema>): Promise<RequestResult<z.output<Schema>>> {
    const { transport, now } = this.#options;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(deadlineExpired), plan.deadlineMs);
    const callerSignals = plan.signal ? [plan.signal] : [];
    const signal = AbortSignal.any([...callerSignals, this.#disposal.signal, deadline.signal]);
    const logEntry = this.#startLogEntry(plan);
    let key: string | undefined;
    try {
      key = await this.#readKey(signal);
      // Reading the key can take a long time, for example while the system asks for a password.
      if (plan.mayStart && !(await rejectOnAbort(plan.mayStart(), signal))) throw cancelledError({ sent: 'no' });
      const response = await transport.send(transportRequest(plan, key, signal));
      const { schema, url, longItems } = plan;
      const value = await inSlices(readResponse(response, schema, url, now(), longItems), () => signal.aborted);
      if (value === undefined) throw cancelledError({ sent: 'maybe', status: response.status });
      logEntry.succeed(response);
      return { value, response };
    } catch (error) {
      const failure = finalError(error, signal.reason === deadlineExpired, key);
      logEntry.fail(failure);
      if (key !== undefined) this.#options.onFailure?.(failure, key);
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  dispose(): void {
    this.#disposal.abort();
    this.#options.transport.dispose();
  }

  async #readKey(signal: AbortSignal): Promise<string> {
    // The key source is called inside the promise chain, so that its exceptions and rejections are handled in the same
    // way.
    const reading = Promise.resolve()
      .then(() => this.#options.key())
      .catch((error: unknown) => {
        throw keyError('KEY_UNAVAILABLE', error);
      });
    const text = await rejectOnAbort(reading, signal);
    const checked = checkKey(text ?? '');
    if ('failure' in checked) throw keyError(text === undefined ? 'NO_KEY' : 'UNUSABLE_KEY');
    return checked.key;
  }

  #startLogEntry({ method, url, body, loggedQuery }: RequestPlan) {
    const { log, now } = this.#options;
    const startedAtMs = now();
    const name = `#${++this.#requestCount} ${method} ${url.pathname}${loggedQuery ? `?${loggedQuery}` : ''}`;
    const cost = () => `${now() - startedAtMs} ms, ${body?.sizeBytes ?? 0} B sent`;
    return {
      succeed: (response: TransportResponse) =>
        log.debug(`${name}: ${response.status}, ${cost()}, ${response.body.byteLength} B received`),
      fail: (error: ApiError) => log.debug(`${name}: ${error.status ?? 'no response'}, ${cost()}: ${reasonOf(error)}`),
    };
  }
}

function transportRequest(plan: RequestPlan, key: string, signal: AbortSignal): TransportRequest {
  const { method, url, body, maxResponseBytes, onBytesSent } = plan;
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  return { method, url, headers, body, signal, maxResponseBytes, onBytesSent };
}

function keyError(code: 'NO_KEY' | 'UNUSABLE_KEY' | 'KEY_UNAVAILABLE', cause?: unknown): ApiError {
  return new ApiError('invalidRequest', 'No usable API key.', { sent: 'no', code, cause });
}

/**
 * Creates the error to report. The cause is reduced to its message, and the key is redacted from all text, because a
 * proxy or a service may quote it.
 */
function finalError(error: unknown, hasExpired: boolean, key: string | undefined): ApiError {
  const failure = isApiError(error) ? error : failureOf(error, { sent: 'maybe' });
  const clean = (text: string) => redactSecrets(text, key === undefined ? [] : [key]);
  const { detail, redirectOrigin, cause } = failure;
  const isOverdue = failure.kind === 'cancelled' && hasExpired;
  return new ApiError(
    isOverdue ? 'deadline' : failure.kind,
    isOverdue ? 'The response was not complete in time.' : clean(failure.message),
    {
      ...detailsOf(failure),
      detail: detail && clean(detail),
      redirectOrigin: redirectOrigin && clean(redirectOrigin),
      cause: cause === undefined ? undefined : new Error(clean(reasonOf(cause))),
    },
  );
}
