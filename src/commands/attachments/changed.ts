import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { hasFileSystem, openDocument, pickFile } from '../../host/editors/documents.ts';
import { choose } from '../../host/prompts/notify.ts';
import { NotAttachable, type PickedContent } from '../../host/editors/pickedContent.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import type { Blobs } from '../../sync/storage/blobStore.ts';
import { type Attachments, maxFileBytes } from './attachments.ts';

const namedFiles = 8;

interface Change {
  readonly attachment: StoredAttachment;
  /** What it is now, where it can be attached again. */
  readonly now: PickedContent | undefined;
}

/**
 * Looks whether what was attached still is what its file holds, and asks where it is not (R36). Resolves to what to
 * send: the same list, or with the changed ones attached again; undefined where the person wants to send neither.
 * @throws NotAttachable where what is attached again is too large.
 */
export async function askAboutChanges(
  attached: readonly StoredAttachment[],
  { blobs, attachments, t }: { readonly blobs: Blobs; readonly attachments: Attachments; readonly t: Translate },
): Promise<readonly StoredAttachment[] | undefined> {
  const changes = await findChanges(attached, blobs);
  if (changes.length === 0) return attached;
  const asAttached = t('Send as Attached');
  const again = t('Attach Again and Send');
  const renewed = changes.flatMap(({ now }) => now ?? []);
  // Where the lines of a selection have gone cannot be known, so it is not taken anew by itself.
  const buttons = renewed.length === changes.length ? [asAttached, again] : [asAttached];
  const names = changes.slice(0, namedFiles).map(({ attachment }) => plainLine(attachment.name, 120));
  const answer = await choose(
    t('What you attached has changed since. What should be sent?'),
    changes.length > names.length ? [...names, '…'].join('\n') : names.join('\n'),
    buttons,
  );
  if (answer === asAttached) return attached;
  if (answer !== again) return undefined;
  const kept = await attachments.keep(renewed);
  return attached.map((attachment) => {
    const index = changes.findIndex((change) => change.attachment === attachment);
    return kept[index] ?? attachment;
  });
}

async function findChanges(attached: readonly StoredAttachment[], blobs: Blobs): Promise<Change[]> {
  const changes: Change[] = [];
  for (const attachment of attached) {
    if (attachment.sourceUri === undefined) continue;
    const uri = vscode.Uri.parse(attachment.sourceUri, true);
    // A document without a file behind it that was closed is gone, not changed.
    if (!openDocument(uri) && !hasFileSystem(uri)) continue;
    if (attachment.kind === 'selection') {
      if (!(await stillHolds(uri, attachment, blobs))) changes.push({ attachment, now: undefined });
      continue;
    }
    const now = await pickNow(uri);
    if (!now || (await sha256Of(now)) !== attachment.sha256) changes.push({ attachment, now });
  }
  return changes;
}

/** Whether the text that was selected still stands somewhere in its document; one that is closed counts as unchanged. */
async function stillHolds(uri: vscode.Uri, attachment: StoredAttachment, blobs: Blobs): Promise<boolean> {
  const document = openDocument(uri);
  if (!document) return true;
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.open(attachment.blobId, attachment.sizeBytes).read()) pieces.push(piece.slice());
  return document.getText().includes(Buffer.concat(pieces).toString('utf8'));
}

async function pickNow(uri: vscode.Uri): Promise<PickedContent | undefined> {
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
