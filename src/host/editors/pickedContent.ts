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
  /** Where it was read from; absent where that is no file or document that can be read again. */
  readonly sourceUri?: string | undefined;
  /** A piece is good until the next one is asked for. */
  read(): AsyncIterable<Uint8Array>;
}

/** Text as it travels: UTF-8, under the name it is given. */
export function contentOfText(
  text: string,
  named: Pick<PickedContent, 'name'> & Partial<Pick<PickedContent, 'kind' | 'path' | 'isUnsaved' | 'sourceUri'>>,
): PickedContent {
  const bytes = new TextEncoder().encode(text);
  return {
    kind: 'file',
    isUnsaved: false,
    ...named,
    mediaType: 'text/plain',
    sizeBytes: bytes.byteLength,
    read: () => inOnePiece(bytes),
  };
}

/** Bytes that are in memory anyway. */
export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

export type NotAttachableReason =
  | 'noEditor'
  | 'noSelection'
  | 'empty'
  | 'tooLarge'
  /** What is attached to one message is too large together. */
  | 'tooLargeTogether'
  | 'folder'
  | 'unreadable'
  /** It has changes that only its editor knows. */
  | 'unsaved';

/** Why something cannot be attached; the words are the caller's. */
export class NotAttachable extends Error {
  override readonly name = 'NotAttachable';
  readonly reason: NotAttachableReason;
  readonly fileName: string;
  readonly sizeBytes: number | undefined;

  constructor(reason: NotAttachable['reason'], fileName: string, sizeBytes?: number, cause?: unknown) {
    super(`cannot attach: ${reason}`, { cause });
    this.reason = reason;
    this.fileName = fileName;
    this.sizeBytes = sizeBytes;
  }
}
