import { ApiError } from '../../api/errors.ts';
import type { Problem } from '../../state/store/failure.ts';
import type { Store } from '../../state/store/store.ts';
import { errorCode } from '../storage/atomicFile.ts';
import { problemOf } from '../connection/problems.ts';
import type { SendOutcome } from './sendOutcome.ts';

/** The facts of a failed attempt. What stopped it before the first byte, and is not the API's, was our own disk. */
export function failureProblem({ kind, error }: Exclude<SendOutcome, { kind: 'accepted' }>, at: number): Problem {
  if (kind === 'notSent' && !(error instanceof ApiError)) return { kind: 'disk', code: errorCode(error), at };
  return problemOf(error, at);
}

/** The service refused the key (R12): everything that uses it stops. */
export function takeKeyRefusal(store: Store, origin: string, problem: Problem): void {
  const { connection } = store;
  if (connection.kind === 'ready' && connection.service.origin === origin) {
    store.setConnection({ kind: 'keyRefused', service: connection.service, problem });
  }
}
