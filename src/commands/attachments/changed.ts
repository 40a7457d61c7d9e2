import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { hasFileSystem, openDocument, pickFile } from '../../host/editors/documents.ts';
import { choose } from '../../host/prompts/notify.ts';
import { NotAttachable, type PickedContent } from '../../host/editors/pickedContent.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import { plainLine } from '../../shared/text.ts';
import type { Blobs } from '../../sync/storage/blobs.ts';
import type { AttachmentServices } from './attachments.ts';
import { maxFileBytes } from './attachments.ts';

const maxListedNames = 8;

interface Change {
  readonly attachment: StoredAttachment;
  readonly uri: vscode.Uri;
  /** The current content; undefined for a selection, and for a file that can't be attached again. */
  readonly current: PickedContent | undefined;
}

/**
 * Checks whether files have changed since they were attached and, if so, asks which version to send (R36). Resolves to
 * the attachments to send: the same list, or one with updated attachments. Resolves to undefined if the user cancels,
 * or declines to attach the current content of a file.
 * @throws NotAttachable if an updated attachment, or the message with it, is too large.
 */
export async function confirmChanged(
  attached: readonly StoredAttachment[],
  { blobs, attachments, t }: Pick<AttachmentServices, 'blobs' | 'attachments' | 't'>,
): Promise<readonly StoredAttachment[] | undefined> {
  const changes = await findChanges(attached, blobs);
  if (changes.length === 0) return attached;
  const asAttached = t('Send Attached Version');
  const update = t('Update and Send');
  const updated = changes.flatMap(({ uri, current }) => (current ? { uri, content: current } : []));
  // The lines of a selection may have moved, so a selection can't be updated.
  const buttons = updated.length === changes.length ? [asAttached, update] : [asAttached];
  const names = changes.slice(0, maxListedNames).map(({ attachment }) => plainLine(attachment.name, 120));
  const answer = await choose(
    t('Some attachments have changed since you attached them. Which version do you want to send?'),
    changes.length > names.length ? [...names, '…'].join('\n') : names.join('\n'),
    buttons,
  );
  if (answer === asAttached) return attached;
  if (answer !== update) return undefined;
  const unchanged = attached.filter((attachment) => !changes.some((change) => change.attachment === attachment));
  const stored = await attachments.fromChanged(updated, unchanged);
  if (!stored) return undefined;
  return attached.map((attachment) => {
    const index = changes.findIndex((change) => change.attachment === attachment);
    return stored[index] ?? attachment;
  });
}

async function findChanges(attached: readonly StoredAttachment[], blobs: Blobs): Promise<Change[]> {
  const changes: Change[] = [];
  for (const attachment of attached) {
    if (attachment.sourceUri === undefined) continue;
    const uri = vscode.Uri.parse(attachment.sourceUri, true);
    // Without a file or an open document, there is nothing to compare with.
    if (!openDocument(uri) && !hasFileSystem(uri)) continue;
    if (attachment.kind === 'selection') {
      if (!(await stillContains(uri, attachment, blobs))) changes.push({ attachment, uri, current: undefined });
      continue;
    }
    const current = await pickCurrent(uri);
    if (!current || (await sha256Of(current)) !== attachment.sha256) changes.push({ attachment, uri, current });
  }
  return changes;
}

/** Whether the selected text is still somewhere in its document. A closed document counts as unchanged. */
async function stillContains(uri: vscode.Uri, attachment: StoredAttachment, blobs: Blobs): Promise<boolean> {
  const document = openDocument(uri);
  if (!document) return true;
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.open(attachment.blobId, attachment.sizeBytes).read()) pieces.push(piece.slice());
  return document.getText().includes(Buffer.concat(pieces).toString('utf8'));
}

async function pickCurrent(uri: vscode.Uri): Promise<PickedContent | undefined> {
  try {
    return await pickFile(uri, maxFileBytes());
  } catch (error) {
    if (error instanceof NotAttachable) return undefined;
    throw error;
  }
}

async function sha256Of(content: PickedContent): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of content.read()) hash.update(piece);
  return hash.digest('hex');
}
