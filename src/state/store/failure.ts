import type { ApiErrorKind } from '../../api/errors.ts';

/**
 * A failure as stored: facts only; `describeFailure` turns it into a sentence. `disk` is a failure to read or write our
 * own files.
 */
export interface Failure {
  readonly kind: ApiErrorKind | 'disk' | 'unexpected';
  readonly status?: number | undefined;
  /** The service's own error message; untrusted, one line. */
  readonly detail?: string | undefined;
  readonly code?: string | undefined;
  readonly redirectOrigin?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** When it happened, Unix ms. */
  readonly at: number;
}
