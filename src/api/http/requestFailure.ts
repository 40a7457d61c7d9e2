import { ApiError, type ApiErrorKind, type NetworkReason, detailsOf, isApiError } from '../errors.ts';

/** Error codes for a rejected certificate. They occur before the first byte of the request is written. */
const certificateCodes =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|ERR_TLS_CERT_ALTNAME_|ERR_CERT_)/;
/** Error codes of other TLS failures, which can also occur after the request was written. */
const tlsCodes = /^(EPROTO$|ERR_SSL_|ERR_TLS_)/;
/** Error codes of Node and Chromium that say why a certificate was rejected. */
const certificateReasons: ReadonlyMap<string, NetworkReason> = new Map([
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'expired'],
  ['ERR_CERT_DATE_INVALID', 'expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrongHost'],
  ['HOSTNAME_MISMATCH', 'wrongHost'],
  ['ERR_CERT_COMMON_NAME_INVALID', 'wrongHost'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknownAuthority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknownAuthority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknownAuthority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknownAuthority'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unknownAuthority'],
  ['CERT_UNTRUSTED', 'unknownAuthority'],
  ['ERR_CERT_AUTHORITY_INVALID', 'unknownAuthority'],
]);
const proxyCodes = /^(ERR_PROXY_|ERR_TUNNEL_|UND_ERR_PRX_|ERR_MANDATORY_PROXY_|ERR_SOCKS_)/;
/** The form in which undici and VS Code report a proxy's status for a CONNECT request. */
const proxyStatus = /\bproxy response \((\d{3})\)/i;
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
  /** Whether the error proves that no trusted connection was made, so that no part of the request was sent. */
  readonly neverConnected: boolean;
  readonly code: string | undefined;
  readonly reason?: NetworkReason | undefined;
  readonly proxy?: string | undefined;
}

/**
 * Classifies an error thrown by a transport, based on the system's error code, on Chromium's code in a `net::ERR_...`
 * message, or on a message about a proxy. Looks for these in the error, its causes, and the first error of each
 * AggregateError. Never throws. `service` is given if the transport may use a proxy: a failed connection to an address
 * other than the service's is then a proxy failure.
 */
function classifyFailure(error: unknown, service: URL | undefined): NetworkFailure {
  const chain = causesOf(error);
  const codes = chain.map(codeOf).filter((found) => found !== undefined);
  const [code] = codes;
  const isProxy = codes.some((found) => proxyCodes.test(found)) || chain.some(({ message }) => namesProxy(message));
  if (isProxy) return { kind: 'proxy', neverConnected: true, ...proxyRejection(chain, code) };
  if (code === undefined) return { kind: 'unreachable', neverConnected: false, code };
  if (certificateCodes.test(code)) {
    return { kind: 'certificate', neverConnected: true, code, reason: certificateReasons.get(code) };
  }
  if (tlsCodes.test(code)) return { kind: 'certificate', neverConnected: false, code };
  if (decompressionCodes.test(code)) return { kind: 'notJson', neverConnected: false, code };
  if (invalidRequestCodes.has(code)) return { kind: 'invalidRequest', neverConnected: true, code };
  const neverConnected = neverConnectedCodes.has(code) || chain.some(isConnectCall);
  const proxy = neverConnected && service ? otherPeer(chain, service) : undefined;
  if (proxy !== undefined) return { kind: 'proxy', neverConnected, code, reason: 'proxyUnreachable', proxy };
  return { kind: 'unreachable', neverConnected, code };
}

/** Whether an error message is about a proxy's response or a tunnel through a proxy. */
function namesProxy(message: string): boolean {
  return message.split('\n').some((line) => {
    const proxy = line.search(/\bproxy\b/i);
    return /\btunnel/i.test(line) || (proxy >= 0 && /\b(?:response|authentication)/i.test(line.slice(proxy)));
  });
}

/** Whether a TLS handshake failed because none of the known authorities signed the certificate. */
export function isUnknownAuthority(error: unknown): boolean {
  return classifyFailure(error, undefined).reason === 'unknownAuthority';
}

function proxyRejection(chain: readonly Error[], code: string | undefined): Pick<NetworkFailure, 'code' | 'reason'> {
  const status = chain.map(({ message }) => proxyStatus.exec(message)?.[1]).find((found) => found !== undefined);
  if (status === '407' || code?.startsWith('ERR_PROXY_AUTH_')) return { code: status ?? code, reason: 'proxyLogin' };
  if (code === 'ERR_PROXY_CONNECTION_FAILED') return { code, reason: 'proxyUnreachable' };
  return { code: status ?? code, reason: 'proxyRefused' };
}

/**
 * The `host:port` of a failed connection, if the port isn't the service's. If the port is unknown, only the host, if
 * that isn't the service's. Otherwise undefined.
 */
function otherPeer(chain: readonly Error[], service: URL): string | undefined {
  const servicePort = service.port || (service.protocol === 'https:' ? '443' : '80');
  for (const cause of chain) {
    const { host, port } = peerOf(cause);
    if (port !== undefined && port !== servicePort) return `${host}:${port}`;
    if (port === undefined && host !== undefined && host !== service.hostname) return host;
  }
  return undefined;
}

/** The peer in an error of a system call, or in the message of undici's timeout. */
function peerOf(error: Error): { readonly host?: string | undefined; readonly port?: string | undefined } {
  if ('hostname' in error && typeof error.hostname === 'string') return { host: error.hostname };
  if ('address' in error && 'port' in error) return { host: String(error.address), port: String(error.port) };
  const [, host, port] = /\(attempted address(?:es)?: ([^\s,]+):(\d+)[,)]/.exec(error.message) ?? [];
  return { host, port };
}

/** The progress of a request when it failed. */
export interface FailurePoint {
  /**
   * Whether the service may have received the request. Absent if the transport can't tell; the error code then decides.
   */
  readonly sent?: 'no' | 'maybe' | undefined;
  /** The status of the response, if it had begun. */
  readonly status?: number | undefined;
  /** The URL of the request, if the transport may use a proxy. */
  readonly service?: URL | undefined;
}

/**
 * Converts an error thrown by a transport to an ApiError. An ApiError, for example from a request body, keeps its kind.
 */
export function failureOf(error: unknown, point: FailurePoint): ApiError {
  if (isApiError(error)) {
    const { sent = error.sent, status = error.status } = point;
    return new ApiError(error.kind, error.message, { ...detailsOf(error), sent, status });
  }
  const { kind, neverConnected, code, reason, proxy } = classifyFailure(error, point.service);
  const { status } = point;
  const sent = point.sent ?? (neverConnected && status === undefined ? 'no' : 'maybe');
  return new ApiError(kind, code ? `${kind} (${code})` : kind, { sent, code, reason, proxy, status, cause: error });
}

/** The ApiError for an aborted request. The requester changes its kind to `deadline` if the deadline was the reason. */
export function cancelledError(point: FailurePoint): ApiError {
  return new ApiError('cancelled', 'The request was canceled.', { sent: point.sent ?? 'maybe', status: point.status });
}

/** The ApiError for a response that exceeds the size limit (R19). */
export function tooLargeError(maxResponseBytes: number, status: number | undefined): ApiError {
  return new ApiError('tooLarge', `The response is larger than ${maxResponseBytes} bytes.`, { sent: 'maybe', status });
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
