import type * as z from 'zod/mini';
import type { Disposable } from '../../shared/lifecycle.ts';
import { type Log, reasonOf, redactSecrets } from '../../shared/log.ts';
import { checkKey } from '../apiKey.ts';
import { ApiError, isApiError } from '../errors.ts';
import type { RequestBody, Transport, TransportAnswer, TransportRequest } from '../transport/transport.ts';
import { cancelledError, failureOf } from './failure.ts';
import { judgeAnswer } from './response.ts';

/** `promise`, or as soon as `signal` aborts an ApiError of kind `cancelled` with nothing sent. */
export function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(cancelledError({ sent: 'no' }));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}

/** The time a request has: until its deadline, its caller's abort, or the end of all. */
export interface RequestScope extends Disposable {
  readonly signal: AbortSignal;
  /** Why the signal aborted, if it did. */
  readonly reason: () => 'deadline' | 'cancelled' | undefined;
}

/** Opens and ends scopes; disposing it cancels those that are open. */
export class RequestScopes implements Disposable {
  readonly #cancels = new Set<() => void>();
  #isDisposed = false;

  /** Opens a scope of `deadlineMs`. Who opens it disposes it, whatever came of the request. */
  open(deadlineMs: number, callerSignal: AbortSignal | undefined): RequestScope {
    const controller = new AbortController();
    let reason: 'deadline' | 'cancelled' | undefined;
    const end = (why: 'deadline' | 'cancelled') => {
      reason ??= why;
      controller.abort();
    };
    const cancel = () => end('cancelled');
    const timer = setTimeout(() => end('deadline'), deadlineMs);
    callerSignal?.addEventListener('abort', cancel, { once: true });
    this.#cancels.add(cancel);
    if (this.#isDisposed || callerSignal?.aborted) cancel();
    return {
      signal: controller.signal,
      reason: () => reason,
      dispose: () => {
        clearTimeout(timer);
        callerSignal?.removeEventListener('abort', cancel);
        this.#cancels.delete(cancel);
      },
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const cancel of [...this.#cancels]) cancel();
  }
}

/** Gives the key at each request, so that a changed or removed one counts at once; undefined where there is none. */
export type KeySource = () => Promise<string | undefined> | string | undefined;

export interface RequesterOptions {
  readonly key: KeySource;
  /** Owned from here on: disposed with the requester. */
  readonly transport: Transport;
  readonly log: Log;
  /** The clock, Unix ms. */
  readonly now: () => number;
}

/** One request to make, and what its answer has to be. */
export interface RequestPlan<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly url: URL;
  readonly body?: RequestBody | undefined;
  readonly schema: Schema;
  /** For the whole exchange, the key's arrival and the answer's last byte included (R18). */
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly onBytesSent?: ((sentBytes: number) => void) | undefined;
  /** The part of the query that may stand in the log. */
  readonly loggedQuery?: string | undefined;
}

export interface RequestResult<Value> {
  readonly value: Value;
  readonly answer: TransportAnswer;
}

/**
 * Makes single requests: key, deadline, transport, judgement, and one line of log each. Retries nothing. Every
 * rejection is an ApiError of this bundle; neither it nor its cause holds the key.
 */
export class Requester implements Disposable {
  readonly #options: RequesterOptions;
  readonly #scopes = new RequestScopes();
  #requestCount = 0;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  async request<Schema extends z.ZodMiniType>(plan: RequestPlan<Schema>): Promise<RequestResult<z.output<Schema>>> {
    const { transport, now } = this.#options;
    const scope = this.#scopes.open(plan.deadlineMs, plan.signal);
    const entry = this.#startEntry(plan);
    let key: string | undefined;
    try {
      key = await this.#readKey(scope.signal);
      const answer = await transport.send(transportRequest(plan, key, scope.signal));
      const value = judgeAnswer(answer, plan.schema, plan.url, now());
      entry.succeed(answer);
      return { value, answer };
    } catch (error) {
      const failure = finalError(error, scope.reason() === 'deadline', key);
      entry.fail(failure);
      throw failure;
    } finally {
      scope.dispose();
    }
  }

  dispose(): void {
    this.#scopes.dispose();
    this.#options.transport.dispose();
  }

  async #readKey(signal: AbortSignal): Promise<string> {
    // Inside a promise chain, so that a source that throws and one that rejects are the same.
    const reading = Promise.resolve()
      .then(() => this.#options.key())
      .catch((error: unknown) => {
        throw keyError('KEY_UNAVAILABLE', error);
      });
    const text = await orCancelled(reading, signal);
    const checked = checkKey(text ?? '');
    if ('problem' in checked) throw keyError(text === undefined ? 'NO_KEY' : 'UNUSABLE_KEY');
    return checked.key;
  }

  #startEntry({ method, url, body, loggedQuery }: RequestPlan) {
    const { log, now } = this.#options;
    const startedAtMs = now();
    const name = `#${++this.#requestCount} ${method} ${url.pathname}${loggedQuery ? `?${loggedQuery}` : ''}`;
    const spent = () => `${now() - startedAtMs} ms, ${body?.sizeBytes ?? 0} B out`;
    return {
      succeed: (answer: TransportAnswer) =>
        log.debug(`${name}: ${answer.status}, ${spent()}, ${answer.body.byteLength} B in`),
      fail: (error: ApiError) => log.debug(`${name}: ${error.status ?? 'no answer'}, ${spent()}: ${reasonOf(error)}`),
    };
  }
}

function transportRequest(plan: RequestPlan, key: string, signal: AbortSignal): TransportRequest {
  const { method, url, body, maxAnswerBytes, onBytesSent } = plan;
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  return { method, url, headers, body, signal, maxAnswerBytes, onBytesSent };
}

function keyError(code: 'NO_KEY' | 'UNUSABLE_KEY' | 'KEY_UNAVAILABLE', cause?: unknown): ApiError {
  return new ApiError('invalidRequest', 'There is no usable key.', { sent: 'no', code, cause });
}

/**
 * The error as it leaves: foreign errors become a cause of words only, and the key is taken out of all that came from
 * outside (a proxy or a service may quote it).
 */
function finalError(error: unknown, isOverdue: boolean, key: string | undefined): ApiError {
  const failure = isApiError(error) ? error : failureOf(error, { sent: 'maybe' });
  const clean = (text: string) => redactSecrets(text, key === undefined ? [] : [key]);
  const { sent, status, detail, retryAfterMs, redirectOrigin, code, cause } = failure;
  return new ApiError(
    failure.kind === 'cancelled' && isOverdue ? 'deadline' : failure.kind,
    failure.kind === 'cancelled' && isOverdue ? 'The answer did not come in time.' : clean(failure.message),
    {
      sent,
      status,
      retryAfterMs,
      code,
      detail: detail && clean(detail),
      redirectOrigin: redirectOrigin && clean(redirectOrigin),
      cause: cause === undefined ? undefined : new Error(clean(reasonOf(cause))),
    },
  );
}
