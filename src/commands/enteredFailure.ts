import { CanceledWork } from '../host/prompts/progress.ts';

/** The rejection of {@link takingEntered}. `cause` is the failure, and `retry` takes the same input again. */
class EnteredFailure extends Error {
  override readonly name = 'EnteredFailure';
  readonly retry: () => Promise<unknown>;

  constructor(cause: unknown, retry: () => Promise<unknown>) {
    super("What was entered couldn't be used.", { cause });
    this.retry = retry;
  }
}

/**
 * Runs the part of a command that uses what the user entered. If this part fails, Retry repeats only this part, so the
 * user doesn't have to enter the same thing again. If `run` contains another such part, and that one fails, Retry
 * repeats only the inner part.
 * @throws CanceledWork if `run` throws it. For other errors, see {@link failureOf}.
 */
export async function takingEntered<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CanceledWork || error instanceof EnteredFailure) throw error;
    throw new EnteredFailure(error, () => takingEntered(run));
  }
}

/** The failure to report if `run` rejects with `error`, and what Retry runs: `run`, or its part that failed. */
export function failureOf(
  error: unknown,
  run: () => unknown,
): { readonly cause?: unknown; readonly retry: () => unknown } {
  return error instanceof EnteredFailure ? error : { cause: error, retry: run };
}
