import { cancelledError } from './failure.ts';

/** `promise`, or as soon as `signal` aborts an ApiError of kind `cancelled` with nothing sent. */
export function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(cancelledError({ sent: 'no' }));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
