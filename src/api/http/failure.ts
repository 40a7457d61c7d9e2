import { ApiError, type ApiErrorKind, isApiError } from '../errors.ts';

/** What Node and OpenSSL call a certificate that was refused; it happens before a byte of the request is written. */
const certificateCodes =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|ERR_TLS_CERT_ALTNAME_|ERR_CERT_)/;
/** TLS itself failed; it can also happen after the request was written. */
const tlsCodes = /^(EPROTO$|ERR_SSL_|ERR_TLS_)/;
const proxyCodes = /^(ERR_PROXY_|ERR_TUNNEL_|UND_ERR_PRX_|ERR_MANDATORY_PROXY_|ERR_SOCKS_)/;
const proxyWords = /\bproxy\b.*\b(response|authentication|tunnel)|\btunnel/i;
const decompressionCodes = /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_CONTENT_DECODING_)/;
const invalidRequestCodes = new Set(['UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR', 'ERR_INVALID_ARG_TYPE']);
/** The connection was never made (R31). */
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

/** A failure of the network in the words of R20. */
export interface NetworkFailure {
  readonly kind: ApiErrorKind;
  /** True where the code alone says that the connection was never made. */
  readonly neverConnected: boolean;
  readonly code: string | undefined;
}

/**
 * Names the failure behind what a route threw: follows `cause` and the first of an AggregateError's errors, takes the
 * system's code (or Chromium's, from a `net::ERR_...` message), and judges by it. Never throws.
 */
export function nameFailure(error: unknown): NetworkFailure {
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

/** Where a request stood when it failed. */
export interface FailurePoint {
  /** What the route knows of its own; without it the failure's code decides. */
  readonly sent?: 'no' | 'maybe' | undefined;
  /** The answer's status, where it had begun. */
  readonly status?: number | undefined;
}

/** The ApiError for what a route threw. An ApiError thrown on the way (by a request body, say) keeps its own kind. */
export function failureOf(error: unknown, point: FailurePoint): ApiError {
  if (isApiError(error)) {
    const { kind, message, code, cause } = error;
    const { sent = error.sent, status = error.status } = point;
    return new ApiError(kind, message, { sent, status, code, cause });
  }
  const { kind, neverConnected, code } = nameFailure(error);
  const begun = point.status !== undefined;
  const sent = point.sent ?? (neverConnected && !begun ? 'no' : 'maybe');
  return new ApiError(kind, code ? `${kind} (${code})` : kind, { sent, code, status: point.status, cause: error });
}

/** The ApiError for a request that was given up; the client says `deadline` where its own clock was the reason. */
export function cancelledError(point: FailurePoint): ApiError {
  return new ApiError('cancelled', 'The request was cancelled.', { sent: point.sent ?? 'maybe', status: point.status });
}

/** The ApiError for an answer over the cap (R19). */
export function tooLargeError(maxAnswerBytes: number, status: number | undefined): ApiError {
  return new ApiError('tooLarge', `The answer is larger than ${maxAnswerBytes} bytes.`, { sent: 'maybe', status });
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

/** True for an error of the system call `connect`: EHOSTUNREACH, ENETUNREACH, ETIMEDOUT and the like. */
function isConnectCall(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect';
}
