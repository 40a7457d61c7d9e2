/** A request body. {@link Transport.send} calls `chunks` at most once for each route that it tries. */
export interface RequestBody {
  /** The exact size in bytes. */
  readonly sizeBytes: number;
  chunks(): AsyncIterable<Uint8Array>;
}

/** One HTTP request. */
export interface TransportRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** Must have the same origin as the transport. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /** Aborts the request, for example when its deadline expires. */
  readonly signal: AbortSignal;
  /** The size limit of the response body in bytes after decompression (R19). */
  readonly maxResponseBytes: number;
  /** Called with the number of body bytes handed to the network so far. Not every transport reports it. */
  readonly onBytesSent?: ((sentBytes: number) => void) | undefined;
}

/**
 * A complete response within the size limit. If the status is not 200, the body is only an explanation: it is empty if
 * it could not be read or exceeds 64 KB.
 */
export interface TransportResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Sends requests to one origin. Redirects are not followed (R17): a 3xx response is returned. */
export interface Transport {
  /**
   * @throws ApiError of kind `unreachable`, `proxy`, `certificate`, `cancelled`, `tooLarge`, `notJson` (invalid content
   * encoding), `redirect` (only if `fetch` hides the response), or `invalidRequest`. `sent` is `no` only if the service
   * has certainly not processed the request.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes all connections. Pending requests reject with `cancelled`. */
  dispose(): void;
}
