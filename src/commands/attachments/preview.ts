import { fileSchemes } from '../../host/readOnlyFiles/fileSystem.ts';
import { ReadOnlyFiles } from '../../host/readOnlyFiles/files.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import type { Blobs } from '../../sync/storage/blobStore.ts';
import { UserFacingError } from '../errors.ts';

export interface AttachmentPreviewParts {
  readonly store: Store;
  readonly blobs: Blobs;
  /** Reads what is kept: an editor may have come back before anything else was looked at. */
  readonly wake: () => Promise<void>;
  readonly t: Translate;
}

/** Shows exactly what will be sent of an attachment, in an editor. */
export class AttachmentPreview {
  readonly #parts: AttachmentPreviewParts;
  /** Attachments as files of the editor. */
  readonly files: ReadOnlyFiles;

  constructor(parts: AttachmentPreviewParts) {
    this.#parts = parts;
    this.files = new ReadOnlyFiles(fileSchemes.attachment, async (attachmentId) => {
      await parts.wake();
      const attachment = this.#attachment(attachmentId);
      return attachment && parts.blobs.open(attachment.blobId, attachment.sizeBytes);
    });
  }

  /** @throws ToldError where it is not attached any more. */
  async show(attachmentId: string): Promise<void> {
    const attachment = this.#attachment(attachmentId);
    if (!attachment) throw new UserFacingError(this.#parts.t('It is not attached any more.'));
    await this.files.show(attachmentId, attachment.name);
  }

  #attachment(attachmentId: string): StoredAttachment | undefined {
    for (const { draft, outbox } of this.#parts.store.records) {
      for (const { attachments } of [draft, ...outbox]) {
        const found = attachments.find((attachment) => attachment.attachmentId === attachmentId);
        if (found) return found;
      }
    }
    return undefined;
  }
}
