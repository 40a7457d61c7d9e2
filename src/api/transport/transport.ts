/** A request body: its exact size, and its bytes, which are asked for at most once per attempt. */
export interface RequestBody {
  readonly sizeBytes: number;
  chunks(): AsyncIterable<Uint8Array>;
}

/** One HTTP request, as the client hands it to a route. */
export interface TransportRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** Always of the transport's own origin. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /** Aborts for whatever reason the caller has, the deadline included. */
  readonly signal: AbortSignal;
  /** The cap on the answer's body in bytes, counted after decompression (R19). */
  readonly maxAnswerBytes: number;
  /** Told the number of body bytes handed to the network so far, where the route can know it. */
  readonly onBytesSent?: ((sentBytes: number) => void) | undefined;
}

/**
 * A whole answer: the body has been read to its end and is within the cap. Of any other status than 200 the body at most
 * explains: it is empty where it could not be read or is over 64 KiB.
 */
export interface TransportAnswer {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/**
 * The one door to the network (design, section 7). Redirects are never followed: a 3xx is an answer like any other.
 * Throws {@link ApiError} of kind `unreachable`, `proxy`, `certificate`, `cancelled`, `tooLarge`, `notJson` (the content coding
 * is broken) or `invalidRequest`; `sent` is `no` only where surely no byte of the request was processed. (`deadline` is
 * the client's word for an abort by its own clock.)
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Closes every connection; requests under way end as `cancelled`. */
  dispose(): void;
}
