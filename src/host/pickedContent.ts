/** Something the user picked to travel with a message: exactly these bytes, read when asked for. */
export interface PickedContent {
  readonly kind: 'file' | 'selection' | 'image';
  /** As it goes on the wire, for example `cart.ts#L10-L24`. */
  readonly name: string;
  /** Relative to the workspace folder, forward slashes; absent outside it. */
  readonly path?: string | undefined;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Unsaved changes are included. */
  readonly isUnsaved: boolean;
  read(): AsyncIterable<Uint8Array>;
}

/** Why something cannot be attached; the words are the caller's. */
export class NotAttachable extends Error {
  override readonly name = 'NotAttachable';
  readonly reason: 'noEditor' | 'noSelection' | 'empty' | 'tooLarge' | 'folder' | 'unreadable';
  readonly fileName: string;
  readonly sizeBytes: number | undefined;

  constructor(reason: NotAttachable['reason'], fileName: string, sizeBytes?: number, cause?: unknown) {
    super(`cannot attach: ${reason}`, { cause });
    this.reason = reason;
    this.fileName = fileName;
    this.sizeBytes = sizeBytes;
  }
}
