import { ApiError } from '../errors.ts';
import type { Transport } from './transport.ts';

/** Loads the direct route, a chunk of its own, and opens it to `origin`. */
export async function openDirectTransport(origin: string): Promise<Transport> {
  const { createDirectTransport } = await import('./directTransport.ts');
  return createDirectTransport(origin);
}

/**
 * A transport that is opened by its first request. Where opening fails, that request fails as `unreachable` with
 * nothing sent, and the next one tries again.
 */
export function lazyTransport(open: () => Promise<Transport>): Transport {
  let opening: Promise<Transport> | undefined;
  let isDisposed = false;

  async function opened(): Promise<Transport> {
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw new ApiError('unreachable', 'The network route could not be opened.', { sent: 'no', cause: error });
    }
  }

  return {
    async send(request) {
      const transport = isDisposed ? undefined : await opened();
      // Both may have happened while the chunk was loading.
      if (!transport || isDisposed || request.signal.aborted) {
        throw new ApiError('cancelled', 'The request was cancelled.', { sent: 'no' });
      }
      return transport.send(request);
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      opening?.then(
        (transport) => transport.dispose(),
        () => undefined,
      );
    },
  };
}
