import type { Disposable } from '../../shared/lifecycle.ts';

/** The time a request has: until its deadline, its caller's abort, or the end of all. */
export interface RequestScope extends Disposable {
  readonly signal: AbortSignal;
  /** Why the signal aborted, if it did. */
  readonly reason: () => 'deadline' | 'cancelled' | undefined;
}

/** Opens and ends scopes; disposing it cancels those that are open. */
export class RequestScopes implements Disposable {
  readonly #cancels = new Set<() => void>();
  #isDisposed = false;

  /** Opens a scope of `deadlineMs`. Who opens it disposes it, whatever came of the request. */
  open(deadlineMs: number, callerSignal: AbortSignal | undefined): RequestScope {
    const controller = new AbortController();
    let reason: 'deadline' | 'cancelled' | undefined;
    const end = (why: 'deadline' | 'cancelled') => {
      reason ??= why;
      controller.abort();
    };
    const cancel = () => end('cancelled');
    const timer = setTimeout(() => end('deadline'), deadlineMs);
    callerSignal?.addEventListener('abort', cancel, { once: true });
    this.#cancels.add(cancel);
    if (this.#isDisposed || callerSignal?.aborted) cancel();
    return {
      signal: controller.signal,
      reason: () => reason,
      dispose: () => {
        clearTimeout(timer);
        callerSignal?.removeEventListener('abort', cancel);
        this.#cancels.delete(cancel);
      },
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const cancel of [...this.#cancels]) cancel();
  }
}
