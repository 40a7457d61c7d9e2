import { ApiError, type ApiErrorKind, isApiError } from '../errors.ts';

/** Error codes for a rejected certificate. They occur before the first byte of the request is written. */
const certificateCodes =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|ERR_TLS_CERT_ALTNAME_|ERR_CERT_)/;
/** Error codes of other TLS failures, which can also occur after the request was written. */
const tlsCodes = /^(EPROTO$|ERR_SSL_|ERR_TLS_)/;
const proxyCodes = /^(ERR_PROXY_|ERR_TUNNEL_|UND_ERR_PRX_|ERR_MANDATORY_PROXY_|ERR_SOCKS_)/;
const proxyWords = /\bproxy\b.*\b(response|authentication|tunnel)|\btunnel/i;
const decompressionCodes = /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_CONTENT_DECODING_)/;
const invalidRequestCodes = new Set(['UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR', 'ERR_INVALID_ARG_TYPE']);
/** Error codes that prove that no connection was made (R31). */
const neverConnectedCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_NAME_NOT_RESOLVED',
  'ERR_CONNECTION_REFUSED',
  'ERR_CONNECTION_TIMED_OUT',
  'ERR_ADDRESS_UNREACHABLE',
  'ERR_INTERNET_DISCONNECTED',
]);

/** A network failure, classified as in R20. */
interface NetworkFailure {
  readonly kind: ApiErrorKind;
  /** Whether the code proves that no connection was made. */
  readonly neverConnected: boolean;
  readonly code: string | undefined;
}

/**
 * Classifies an error thrown by a transport, based on the system's error code or on Chromium's code in a `net::ERR_...`
 * message. Looks for the code in the error, its causes, and the first error of each AggregateError. Never throws.
 */
function classifyFailure(error: unknown): NetworkFailure {
  const chain = causesOf(error);
  const code = chain.map(codeOf).find((found) => found !== undefined);
  const isProxy = chain.some((cause) => proxyCodes.test(codeOf(cause) ?? '') || proxyWords.test(cause.message));
  if (isProxy) return { kind: 'proxy', neverConnected: true, code };
  if (code === undefined) return { kind: 'unreachable', neverConnected: false, code };
  if (certificateCodes.test(code)) return { kind: 'certificate', neverConnected: true, code };
  if (tlsCodes.test(code)) return { kind: 'certificate', neverConnected: false, code };
  if (decompressionCodes.test(code)) return { kind: 'notJson', neverConnected: false, code };
  if (invalidRequestCodes.has(code)) return { kind: 'invalidRequest', neverConnected: true, code };
  const neverConnected = neverConnectedCodes.has(code) || chain.some(isConnectCall);
  return { kind: 'unreachable', neverConnected, code };
}

/** The progress of a request when it failed. */
export interface FailurePoint {
  /**
   * Whether the service may have received the request. Absent if the transport can't tell; the error code then
   * decides.
   */
  readonly sent?: 'no' | 'maybe' | undefined;
  /** The status of the response, if it had begun. */
  readonly status?: number | undefined;
}

/**
 * Converts an error thrown by a transport to an ApiError. An ApiError, for example from a request body, keeps its kind.
 */
export function failureOf(error: unknown, point: FailurePoint): ApiError {
  if (isApiError(error)) {
    const { kind, message, code, cause } = error;
    const { sent = error.sent, status = error.status } = point;
    return new ApiError(kind, message, { sent, status, code, cause });
  }
  const { kind, neverConnected, code } = classifyFailure(error);
  const begun = point.status !== undefined;
  const sent = point.sent ?? (neverConnected && !begun ? 'no' : 'maybe');
  return new ApiError(kind, code ? `${kind} (${code})` : kind, { sent, code, status: point.status, cause: error });
}

/** The ApiError for an aborted request. The requester changes its kind to `deadline` if the deadline was the reason. */
export function cancelledError(point: FailurePoint): ApiError {
  return new ApiError('cancelled', 'The request was canceled.', { sent: point.sent ?? 'maybe', status: point.status });
}

/** The ApiError for a response that exceeds the size limit (R19). */
export function tooLargeError(maxAnswerBytes: number, status: number | undefined): ApiError {
  return new ApiError('tooLarge', `The response is larger than ${maxAnswerBytes} bytes.`, { sent: 'maybe', status });
}

/**
 * Settles like `promise`, but rejects with an ApiError of kind `cancelled` and `sent: 'no'` as soon as `signal` aborts.
 */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(cancelledError({ sent: 'no' }));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}

const maxCauses = 6;

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let current = error; current instanceof Error && chain.length < maxCauses; current = nextCause(current)) {
    chain.push(current);
  }
  return chain;
}

function nextCause(error: Error): unknown {
  if (error.cause !== undefined) return error.cause;
  return error instanceof AggregateError ? error.errors[0] : undefined;
}

function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /\bnet::(ERR_[A-Z0-9_]+)/.exec(error.message)?.[1];
}

/** Whether the system call `connect` failed, for example with EHOSTUNREACH, ENETUNREACH, or ETIMEDOUT. */
function isConnectCall(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect';
}
