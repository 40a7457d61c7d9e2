import type { ApiErrorKind, FixedRoute, NetworkReason } from '../../api/errors.ts';

/**
 * A failure as it is stored. It contains only facts; `describeFailure` turns them into a sentence. `disk` means that
 * the extension failed to read or write its own files.
 */
export interface Failure {
  readonly kind: ApiErrorKind | 'disk' | 'unexpected';
  readonly status?: number | undefined;
  /** The service's own error message; untrusted, one line. */
  readonly detail?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: NetworkReason | undefined;
  /** The host and port of a proxy; untrusted. */
  readonly proxy?: string | undefined;
  readonly fixedRoute?: FixedRoute | undefined;
  readonly redirectOrigin?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The time of the failure, in Unix ms. */
  readonly at: number;
}

const networkFailures: ReadonlySet<Failure['kind']> = new Set(['unreachable', 'deadline', 'proxy', 'certificate']);

/**
 * Whether a request got no complete response from the service: because of the network, a proxy, a certificate, or the
 * deadline.
 */
export function isNetworkFailure(failure: Failure | undefined): boolean {
  return failure !== undefined && networkFailures.has(failure.kind);
}
