/**
 * What went wrong with a request (R20):
 * - `unreachable`: no connection, or it broke; `proxy`: the proxy refused or could not be reached;
 *   `certificate`: TLS was refused; `deadline`: no whole answer in time; `cancelled`: we gave up on purpose;
 * - `redirect`: the service answered 3xx, which is never followed (R17); `status`: any other status than 200;
 * - `notJson`: the body is not strict UTF-8 JSON; `wrongShape`: it is JSON that the spec does not describe;
 *   `tooLarge`: the body passed the size cap (R19);
 * - `invalidRequest`: refused here, nothing was sent (a bad base URL, a key that no header can carry, ...).
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

export interface ApiErrorDetails {
  /** `no`: surely no byte of the request reached the service, so it may be sent again (R31). */
  readonly sent: 'no' | 'maybe';
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** The service's own words: one line, at most 500 characters (R23). Untrusted text. */
  readonly detail?: string | undefined;
  /** How long the service asked to wait, in ms: a minimum (R24). */
  readonly retryAfterMs?: number | undefined;
  /** Where a redirect pointed: an origin, never a whole URL. */
  readonly redirectOrigin?: string | undefined;
  /** The system's error code, such as ECONNREFUSED. */
  readonly code?: string | undefined;
  readonly cause?: unknown;
}

/** The one error the API rooms throw. Its message is for the log: one line, without key, query or body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly sent: 'no' | 'maybe';
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly redirectOrigin: string | undefined;
  readonly code: string | undefined;

  constructor(kind: ApiErrorKind, message: string, details: ApiErrorDetails) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.sent = details.sent;
    this.status = details.status;
    this.detail = details.detail;
    this.retryAfterMs = details.retryAfterMs;
    this.redirectOrigin = details.redirectOrigin;
    this.code = details.code;
  }
}

/** True for an ApiError, also for one made by another bundle's copy of the class: the direct route is a chunk of its own. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof ApiError || (value instanceof Error && value.name === 'ApiError' && 'kind' in value);
}
