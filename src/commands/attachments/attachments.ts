import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { pickBytes, pickFile, pickSelections } from '../../host/editors/documents.ts';
import { attachmentRisk } from '../../host/editors/attachmentRisk.ts';
import { confirm } from '../../host/prompts/notify.ts';
import { NotAttachable, type PickedContent } from '../../host/editors/pickedContent.ts';
import { readSettings } from '../../host/settings.ts';
import { activeUri } from '../../host/editors/openEditors.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import type { Blobs } from '../../sync/storage/blobStore.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';

const bytesPerMB = 1_000_000;

/** What the user picks, made ready to travel: judged, asked about where it is due, and its bytes put on disk. */
export class Attachments {
  readonly #blobs: Blobs;
  readonly #drafts: Drafts;
  readonly #t: Translate;

  constructor(blobs: Blobs, drafts: Drafts, t: Translate) {
    this.#blobs = blobs;
    this.#drafts = drafts;
    this.#t = t;
  }

  /**
   * The selections of an editor, by default the active one. Undefined where the person was asked and declined.
   * @throws NotAttachable where there is no selection, or one is too large.
   */
  async fromSelection(editor = vscode.window.activeTextEditor): Promise<StoredAttachment[] | undefined> {
    const picked = pickSelections(editor);
    if (editor && !(await this.#mayLeave(editor.document.uri))) return undefined;
    return this.keep(picked);
  }

  /**
   * A file, by default that of the active editor. Undefined where the person was asked and declined.
   * @throws NotAttachable where there is none, or it cannot be attached.
   */
  async fromFile(uri = activeUri()): Promise<StoredAttachment[] | undefined> {
    if (!uri) throw new NotAttachable('noEditor', '');
    return this.fromFiles([uri]);
  }

  /**
   * Several files; undefined where the person declined them all. All are judged before the first is asked about.
   * @throws NotAttachable where one of them cannot be attached; then none is.
   */
  async fromFiles(uris: readonly vscode.Uri[]): Promise<StoredAttachment[] | undefined> {
    const picked: PickedContent[] = [];
    for (const uri of uris) picked.push(await pickFile(uri, maxFileBytes()));
    const agreed: PickedContent[] = [];
    for (const [index, content] of picked.entries()) {
      const uri = uris[index];
      if (uri && (await this.#mayLeave(uri))) agreed.push(content);
    }
    return agreed.length > 0 ? this.keep(agreed) : undefined;
  }

  /**
   * Puts the bytes of what was picked on disk.
   * @throws NotAttachable where one is empty or too large, or all together are; then nothing is kept.
   */
  async keep(picked: readonly PickedContent[]): Promise<StoredAttachment[]> {
    assertFitTogether(picked);
    const kept: StoredAttachment[] = [];
    try {
      for (const content of picked) kept.push(await this.#keepOne(content));
    } catch (error) {
      await this.drop(kept);
      throw error;
    }
    return kept;
  }

  /**
   * Adds what was kept to a draft, but for what is in it already.
   * @throws NotAttachable where the draft's attachments would be too large together; nothing is added or kept then.
   */
  async addToDraft(key: SessionKey, kept: readonly StoredAttachment[]): Promise<void> {
    const there = this.#drafts.get(key).attachments;
    const added = kept.filter((attachment) => !there.some((other) => isSame(attachment, other)));
    try {
      assertFitTogether([...there, ...added]);
    } catch (error) {
      await this.drop(kept);
      throw error;
    }
    await this.drop(kept.filter((attachment) => !added.includes(attachment)));
    if (added.length > 0) this.#drafts.addAttachments(key, added);
  }

  /** Bytes that have no file. Undefined where the person was asked and declined. @throws NotAttachable */
  async fromBytes(name: string, bytes: Uint8Array): Promise<StoredAttachment[] | undefined> {
    const content = pickBytes(name, bytes);
    const place = vscode.Uri.from({ scheme: 'untitled', path: `/${name}` });
    return (await this.#mayLeave(place)) ? this.keep([content]) : undefined;
  }

  /** Lets go of attachments that nothing took over. */
  async drop(attachments: readonly StoredAttachment[]): Promise<void> {
    await this.#blobs.release(attachments);
  }

  /** Asks before something leaves that people mostly do not mean to send (R36). */
  async #mayLeave(uri: vscode.Uri): Promise<boolean> {
    const t = this.#t;
    const risk = await attachmentRisk(uri, readSettings().askBefore);
    if (!risk) return true;
    const reasons = {
      secret: t('Its name looks like that of a file with secrets.'),
      outside: t('It lies outside the folders of this workspace.'),
      link: t('It is a symbolic link, or lies behind one.'),
    };
    return confirm(t('Attach "{0}"?', plainLine(baseName(uri), 120)), reasons[risk], t('Attach'));
  }

  async #keepOne(content: PickedContent): Promise<StoredAttachment> {
    const { kind, name, path, mediaType, isUnsaved, sourceUri, sizeBytes } = content;
    if (sizeBytes > maxFileBytes()) throw new NotAttachable('tooLarge', name, sizeBytes);
    const blob = await this.#blobs.put(content.read(), maxFileBytes());
    return {
      attachmentId: randomUUID(),
      kind,
      name,
      mediaType,
      isUnsaved,
      ...blob,
      ...(path === undefined ? {} : { path }),
      ...(sourceUri === undefined ? {} : { sourceUri }),
    };
  }
}

/** The largest file that may be attached, in bytes. */
export function maxFileBytes(): number {
  return readSettings().maxAttachmentMB * bytesPerMB;
}

/** @throws NotAttachable where these are too large for one message. */
export function assertFitTogether(attachments: readonly { readonly sizeBytes: number }[]): void {
  const sizeBytes = attachments.reduce((total, attachment) => total + attachment.sizeBytes, 0);
  const { maxMessageMB } = readSettings();
  if (sizeBytes > maxMessageMB * bytesPerMB) throw new NotAttachable('tooLargeTogether', '', sizeBytes);
}

function isSame(one: StoredAttachment, other: StoredAttachment): boolean {
  return one.sha256 === other.sha256 && one.name === other.name && one.path === other.path && one.kind === other.kind;
}
