import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { ReadOnlyFiles, textContent } from '../../host/readOnlyFiles/readOnlyFiles.ts';
import { outputsId, type StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { Services } from '../services.ts';
import { UserFacingError } from '../commandErrors.ts';

type PreviewServices = Pick<Services, 'store' | 'blobs' | 'lifecycle' | 't'>;

/** Shows the exact content of an attachment, or of the outputs sent with it, in a read-only editor. */
export class AttachmentPreview {
  readonly #services: PreviewServices;
  /** The attachments as a read-only file system. */
  readonly files: ReadOnlyFiles;

  constructor(services: PreviewServices) {
    this.#services = services;
    this.files = new ReadOnlyFiles(fileSchemes.attachment, async (attachmentId) => {
      await services.lifecycle.ensureStarted();
      const attachment = this.#attachment(attachmentId);
      if (attachment?.attachmentId === attachmentId) {
        return services.blobs.open(attachment.blobId, attachment.sizeBytes);
      }
      return attachment?.parsedData === undefined ? undefined : textContent(attachment.parsedData);
    });
  }

  /**
   * Opens the attachment with this ID, or the outputs with this ID, in a read-only editor.
   * @throws UserFacingError if the attachment was removed.
   */
  async show(attachmentId: string): Promise<void> {
    const attachment = this.#attachment(attachmentId);
    if (!attachment) throw new UserFacingError(this.#services.t('This attachment was removed.'));
    const isWhole = attachment.attachmentId === attachmentId;
    await this.files.show(attachmentId, isWhole ? attachment.name : `${attachment.name}.outputs.txt`);
  }

  /** The attachment with this ID, or the one whose outputs have it. */
  #attachment(attachmentId: string): StoredAttachment | undefined {
    for (const { draft, outbox } of this.#services.store.records) {
      for (const { attachments } of [draft, ...outbox]) {
        const found = attachments.find(
          (attachment) =>
            attachment.attachmentId === attachmentId ||
            (attachment.parsedData !== undefined && outputsId(attachment) === attachmentId),
        );
        if (found) return found;
      }
    }
    return undefined;
  }
}
