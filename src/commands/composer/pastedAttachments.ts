import { sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import type { AttachmentServices } from '../attachments/attachments.ts';
import type { Attaching, PendingAttachments } from './pendingAttachments.ts';

/**
 * Attaches the bytes that were pasted or dropped on a page. The page determines the IDs of these attachments, so that
 * it can remove one that is still being stored.
 */
export class PastedAttachments {
  readonly #services: Pick<AttachmentServices, 'attachments' | 'drafts'>;
  readonly #pending: PendingAttachments;
  /** The attachments that are being stored, by their IDs. */
  readonly #storing = new Map<string, { readonly key: SessionKey; readonly name: string }>();
  /** The IDs of the attachments that were removed while they were being stored. */
  readonly #removed = new Set<string>();

  constructor(services: Pick<AttachmentServices, 'attachments' | 'drafts'>, pending: PendingAttachments) {
    this.#services = services;
    this.#pending = pending;
  }

  /**
   * Attaches bytes, once per `attachmentId`.
   * @throws NotAttachable if the bytes can't be attached.
   */
  add(key: SessionKey, attachmentId: string, name: string, bytes: Uint8Array): Promise<void> {
    const present = this.#services.drafts.get(key).attachments;
    const isStoring = this.#storing.has(attachmentId) && !this.#removed.has(attachmentId);
    if (isStoring || present.some((attachment) => attachment.attachmentId === attachmentId)) return Promise.resolve();
    const pending = [...this.#storing].flatMap(([storingId, other]) =>
      sameSession(other.key, key) && !this.#removed.has(storingId) ? [other] : [],
    );
    const freeName = uniqueName(name, new Set([...present, ...pending].map((attachment) => attachment.name)));
    this.#storing.set(attachmentId, { key, name: freeName });
    return this.#pending.add(key, () => this.#store(key, attachmentId, freeName, bytes));
  }

  /** Removes an attachment from a draft. One that is still being stored isn't attached. */
  remove(key: SessionKey, attachmentId: string): void {
    if (this.#storing.has(attachmentId)) this.#removed.add(attachmentId);
    this.#services.drafts.removeAttachment(key, attachmentId);
  }

  async #store(key: SessionKey, attachmentId: string, name: string, bytes: Uint8Array): Attaching {
    const { attachments, drafts } = this.#services;
    try {
      const stored = await attachments.fromBytes(name, bytes);
      if (!stored) return [];
      if (this.#removed.has(attachmentId)) {
        await attachments.drop(stored);
        return [];
      }
      const ids = await attachments.addToDraft(
        key,
        stored.map((attachment) => ({ ...attachment, attachmentId })),
      );
      if (this.#removed.has(attachmentId)) drafts.removeAttachment(key, attachmentId);
      return ids;
    } catch (error) {
      if (!this.#removed.has(attachmentId)) throw error;
      return [];
    } finally {
      this.#storing.delete(attachmentId);
      this.#removed.delete(attachmentId);
    }
  }
}

/** The name or, if it is taken, the first free one of the form `image-2.png`, `image-3.png`, and so on. */
function uniqueName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? [];
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${stem}-${count}${extension}`;
  return free;
}
