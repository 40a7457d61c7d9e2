import { Lazy } from '../../shared/lazy.ts';
import { ApiError } from '../errors.ts';
import { cancelledError } from '../http/requestFailure.ts';
import type { Transport } from '../http/transport.ts';

/** Loads the bundle with the direct transport, and creates a transport to `origin`. */
export async function openDirectTransport(origin: string): Promise<Transport> {
  const { createDirectTransport } = await import('./directTransport.ts');
  return createDirectTransport(origin);
}

/**
 * Creates a transport that is opened by its first request. If `open` rejects, the request rejects with `unreachable`
 * and `sent: 'no'`, and the next request tries again.
 */
export function lazyTransport(open: () => Promise<Transport>): Transport {
  const opened = new Lazy(open);
  let isDisposed = false;

  async function transport(): Promise<Transport> {
    try {
      return await opened.get();
    } catch (error) {
      throw new ApiError('unreachable', 'The transport could not be opened.', { sent: 'no', cause: error });
    }
  }

  return {
    async send(request) {
      const opening = isDisposed ? undefined : await transport();
      // The transport may have been disposed, or the request aborted, in the meantime.
      if (!opening || isDisposed || request.signal.aborted) throw cancelledError({ sent: 'no' });
      return opening.send(request);
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      opened.started?.then(
        (started) => started.dispose(),
        () => undefined,
      );
    },
  };
}
