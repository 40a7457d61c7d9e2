/**
 * Types for the deep import in src/api/transport/directTransport.ts. Importing undici's main module instead would
 * replace the global dispatcher that the `fetch` of every extension uses (R14).
 */
declare module 'undici/lib/dispatcher/pool.js' {
  // oxlint-disable-next-line house/rooms -- types for the one allowed deep import
  import type Dispatcher from 'undici/types/dispatcher.d.ts';
  // oxlint-disable-next-line house/rooms -- as above
  import type PoolTypes from 'undici/types/pool.d.ts';

  /** undici's low-level handler, the only one that reports what was written (`onBodySent`, `onRequestSent`). */
  export interface WireHandler {
    /** The connection is open. A request without a body is written when this returns, unless `abort` was called. */
    onConnect(abort: (error?: Error) => void): void;
    /** The chunk was written to the socket. The request head is written before the first chunk. */
    onBodySent(chunk: Uint8Array): void;
    onRequestSent(): void;
    /**
     * `rawHeaders` alternates names and values. Return false to pause until `resume` is called. Also called for 1xx
     * statuses.
     */
    onHeaders(status: number, rawHeaders: readonly Buffer[], resume: () => void): boolean;
    onData(chunk: Uint8Array): boolean;
    onComplete(): void;
    onError(error: Error): void;
  }

  export type WireRequest = Dispatcher.DispatchOptions;

  export default class Pool {
    constructor(origin: string | URL, options?: PoolTypes.Options);
    dispatch(request: WireRequest, handler: WireHandler): boolean;
    destroy(error: Error | null): Promise<void>;
  }
}
