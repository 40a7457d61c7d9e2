import { inOnePiece } from '../files/inOnePiece.ts';

/** Content that the user picked to send with a message. The bytes are read on demand. */
export interface PickedContent {
  readonly kind: 'file' | 'selection' | 'image';
  /** The name that is sent, for example `cart.ts#L10-L24`. */
  readonly name: string;
  /** Relative to the workspace folder, with forward slashes; absent for content from outside the folder. */
  readonly path?: string | undefined;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Whether the content includes unsaved changes. */
  readonly isUnsaved: boolean;
  /** The file or document that the content is from; absent if the content can't be read again. */
  readonly sourceUri?: string | undefined;
  /** The text that is sent with the file: the outputs of a notebook cell. */
  readonly parsedData?: string | undefined;
  /** Each chunk is only valid until the next one is requested. */
  read(): AsyncIterable<Uint8Array>;
}

/** Picks text as a UTF-8 file. */
export function contentOfText(
  text: string,
  named: Pick<PickedContent, 'name'> &
    Partial<Pick<PickedContent, 'kind' | 'path' | 'isUnsaved' | 'sourceUri' | 'parsedData'>>,
): PickedContent {
  const bytes = Buffer.from(text);
  return {
    kind: 'file',
    isUnsaved: false,
    ...named,
    mediaType: 'text/plain',
    sizeBytes: bytes.byteLength,
    read: () => inOnePiece(bytes),
  };
}

type NotAttachableReason =
  | 'noEditor'
  | 'noSelection'
  | 'empty'
  | 'tooLarge'
  /** The attachments of the message exceed the limit on their total size. */
  | 'tooLargeTogether'
  | 'folder'
  | 'unreadable'
  /** The file has unsaved changes that only its custom editor can access. */
  | 'unsaved';

/** Thrown if content can't be attached. The caller formats the message. */
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
