/**
 * Types for the deep import that src/api/directTransport.ts makes, onto those undici publishes. Importing undici's main
 * module instead would replace the process-wide dispatcher that every extension's `fetch` uses (R14).
 */
declare module 'undici/lib/dispatcher/pool.js' {
  // eslint-disable-next-line @typescript-eslint/no-restricted-imports -- types for the one allowed deep import
  import type Dispatcher from 'undici/types/dispatcher.d.ts';
  // eslint-disable-next-line @typescript-eslint/no-restricted-imports -- as above
  import type PoolTypes from 'undici/types/pool.d.ts';

  /** The raw handler: the only one that is told what was written (`onBodySent`, `onRequestSent`). */
  export interface WireHandler {
    /** A connection is there; a request without a body is written as soon as this returns, unless `abort` was called. */
    onConnect(abort: (error?: Error) => void): void;
    /** This chunk, and the head before the first one, was handed to the socket. */
    onBodySent(chunk: Uint8Array): void;
    onRequestSent(): void;
    /** Names and values in turn. False pauses until `resume`. Also told of 1xx answers. */
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
