import type { ApiErrorKind } from '../../api/errors.ts';

/**
 * A failure as the store keeps it: facts only, sentences are made by `describeProblem`. `disk` is a failure to write or
 * read our own files.
 */
export interface Failure {
  readonly kind: ApiErrorKind | 'disk' | 'unexpected';
  readonly status?: number | undefined;
  /** The service's own words; untrusted, one line. */
  readonly detail?: string | undefined;
  readonly code?: string | undefined;
  readonly redirectOrigin?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** When it happened, Unix ms. */
  readonly at: number;
}
