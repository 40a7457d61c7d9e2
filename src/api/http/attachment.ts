/**
 * Bytes that can be read more than once, in pieces, without holding them whole. A piece is good until the next one is
 * asked for: the buffer behind it may be filled anew.
 */
export interface ByteSource {
  readonly sizeBytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A file to send with a message (spec 4.4): `type: "base64"` and `data` are made from `bytes` while it is written. */
export interface OutgoingFile {
  readonly bytes: ByteSource;
  readonly mediaType: string;
  readonly name: string;
  /** Relative to the workspace folder, with forward slashes; absent outside it. Never absolute (R36). */
  readonly path?: string | undefined;
  /** Accepted by the spec, not filled by the interface: its meaning is not specified. */
  readonly parsedData?: string | undefined;
}

/** An image to send with a message (spec 4.4): the wire carries `type` and `data` only. */
export interface OutgoingImage {
  readonly bytes: ByteSource;
  /** Sent only to a service that was learned to ask for it. */
  readonly mediaType?: string | undefined;
}

/** A message to add to a session (spec 4.4). */
export interface OutgoingMessage {
  readonly text: string;
  readonly images?: readonly OutgoingImage[] | undefined;
  readonly files?: readonly OutgoingFile[] | undefined;
  readonly computerId?: string | undefined;
}
