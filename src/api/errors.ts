/**
 * Why a request failed (R20):
 *
 * | kind | meaning |
 * | --- | --- |
 * | `unreachable` | No connection could be made, or the connection was lost. |
 * | `proxy` | The proxy rejected the request or could not be reached. |
 * | `certificate` | The certificate was rejected, or TLS failed in another way. |
 * | `deadline` | The response was not completed in time. |
 * | `cancelled` | The caller aborted the request or didn't let it start, or the client was disposed. |
 * | `redirect` | The service responded with a 3xx status. Redirects are never followed (R17). |
 * | `status` | The service responded with a status other than 200, 3xx (`redirect`), and 407 (`proxy`). |
 * | `notJson` | The content type or the body is not JSON, or the body is not valid UTF-8 or can't be decompressed. |
 * | `wrongShape` | The body is JSON, but not of the specified shape. |
 * | `tooLarge` | The body exceeds the size limit (R19). |
 * | `invalidRequest` | The client can't send the request, for example because of an invalid key or unreadable file. |
 */
export type ApiErrorKind =
  | 'unreachable'
  | 'proxy'
  | 'certificate'
  | 'deadline'
  | 'cancelled'
  | 'redirect'
  | 'status'
  | 'notJson'
  | 'wrongShape'
  | 'tooLarge'
  | 'invalidRequest';

/** The reason for a failure of kind `certificate` (the first three) or `proxy`. */
export const networkReasons = [
  'expired',
  'wrongHost',
  'unknownAuthority',
  'proxyUnreachable',
  'proxyLogin',
  'proxyRefused',
] as const;
export type NetworkReason = (typeof networkReasons)[number];

/** A network route: direct, or through the editor. The user's setting can enforce one; `auto` can use both. */
export const fixedRoutes = ['direct', 'editor'] as const;
export type FixedRoute = (typeof fixedRoutes)[number];

export interface ApiErrorDetails {
  /** `no`: the service has certainly not processed the request, so it is safe to send it again (R31). */
  readonly sent: 'no' | 'maybe';
  /** The HTTP status; undefined if there was no response. */
  readonly status?: number | undefined;
  /** The service's explanation: one line of at most 500 characters (R23). The text is untrusted. */
  readonly detail?: string | undefined;
  /** The minimum delay in ms that the service requested (R24). */
  readonly retryAfterMs?: number | undefined;
  /** The origin that a redirect points to, or its scheme if it has no origin; never a full URL. */
  readonly redirectOrigin?: string | undefined;
  /**
   * The system's error code (for example `ECONNREFUSED`), the status with which a proxy rejected the connection, or a
   * code of the client (for example `NO_KEY`).
   */
  readonly code?: string | undefined;
  readonly reason?: NetworkReason | undefined;
  /**
   * The proxy that couldn't be reached, if the error names it: `host:port`, or only the host. Never contains a user
   * name or password.
   */
  readonly proxy?: string | undefined;
  /** Set if another route, which `auto` would use, might have worked. */
  readonly fixedRoute?: FixedRoute | undefined;
  readonly cause?: unknown;
}

/** The only error that the API client throws. Its message is for the log: one line, without the key, query, or body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly sent: 'no' | 'maybe';
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly redirectOrigin: string | undefined;
  readonly code: string | undefined;
  readonly reason: NetworkReason | undefined;
  readonly proxy: string | undefined;
  readonly fixedRoute: FixedRoute | undefined;

  constructor(kind: ApiErrorKind, message: string, details: ApiErrorDetails) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.sent = details.sent;
    this.status = details.status;
    this.detail = details.detail;
    this.retryAfterMs = details.retryAfterMs;
    this.redirectOrigin = details.redirectOrigin;
    this.code = details.code;
    this.reason = details.reason;
    this.proxy = details.proxy;
    this.fixedRoute = details.fixedRoute;
  }
}

/** Returns the details of an ApiError, to create a similar one. The error may be from another copy of the class. */
export function detailsOf(error: ApiError): ApiErrorDetails {
  const { sent, status, detail, retryAfterMs, redirectOrigin, code, reason, proxy, fixedRoute, cause } = error;
  return { sent, status, detail, retryAfterMs, redirectOrigin, code, reason, proxy, fixedRoute, cause };
}

/**
 * Whether `value` is an ApiError. Also recognizes other copies of the class, because the direct transport is a separate
 * bundle.
 */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof ApiError || (value instanceof Error && value.name === 'ApiError' && 'kind' in value);
}
