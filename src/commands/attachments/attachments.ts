import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { pickBytes, pickFile, pickRange, pickSelections } from '../../host/editors/documents.ts';
import { type AttachmentRisk, attachmentRisk, isAnyLikelySecret } from '../../host/editors/attachmentRisk.ts';
import { confirm } from '../../host/prompts/notify.ts';
import { NotAttachable, type PickedContent } from '../../host/editors/pickedContent.ts';
import { containsSecret } from '../../host/editors/secretContent.ts';
import { settings } from '../../host/settings.ts';
import { activeUri } from '../../host/editors/openEditors.ts';
import type { TerminalCommands } from '../../host/editors/terminalOutputs.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { defined } from '../../shared/defined.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { textSizeBytes } from '../../shared/text/textSize.ts';
import type { Blobs } from '../../sync/storage/blobs.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';

const bytesPerMB = 1_000_000;
import type { Services } from '../services.ts';

/** The services of a window, with the one that creates attachments. */
export interface AttachmentServices extends Services {
  /** Turns files, selections, and bytes into attachments. */
  readonly attachments: Attachments;
}

/** Turns files, selections, and bytes into stored attachments. Asks the user before attaching a risky file (R36). */
export class Attachments {
  readonly #blobs: Blobs;
  readonly #drafts: Drafts;
  readonly #t: Translate;
  /** The output of terminals, if the user wants it to be recorded. */
  readonly terminals: TerminalCommands;

  constructor(blobs: Blobs, drafts: Drafts, terminals: TerminalCommands, t: Translate) {
    this.#blobs = blobs;
    this.#drafts = drafts;
    this.terminals = terminals;
    this.#t = t;
  }

  /**
   * Stores the selections of an editor, by default the active one. Resolves to undefined if the user declines.
   * @throws NotAttachable if there is no editor, nothing is selected, or the selections are too large.
   */
  async fromSelection(editor = vscode.window.activeTextEditor): Promise<StoredAttachment[] | undefined> {
    const picked = pickSelections(editor);
    if (editor && !(await this.#confirmRisk(editor.document.uri, picked))) return undefined;
    return this.store(picked);
  }

  /**
   * Stores a part of a document like a selection. Resolves to undefined if the user declines.
   * @throws NotAttachable if it contains no text or is too large.
   */
  async fromRange(document: vscode.TextDocument, range: vscode.Range): Promise<StoredAttachment[] | undefined> {
    const picked = pickRange(document, range);
    return (await this.#confirmRisk(document.uri, [picked])) ? this.store([picked]) : undefined;
  }

  /**
   * Stores a file, by default the one in the active editor. Resolves to undefined if the user declines.
   * @throws NotAttachable if no file is open, or the file can't be attached.
   */
  async fromFile(uri = activeUri()): Promise<StoredAttachment[] | undefined> {
    if (!uri) throw new NotAttachable('noEditor', '');
    return this.fromFiles([uri]);
  }

  /**
   * Stores several files. Resolves to undefined if the user declines all of them. Checks every file before asking the
   * user.
   * @throws NotAttachable if one of them can't be attached, or if they are too large together; then none is attached.
   */
  async fromFiles(uris: readonly vscode.Uri[]): Promise<StoredAttachment[] | undefined> {
    const picked: PickedContent[] = [];
    for (const uri of uris) picked.push(await pickFile(uri, maxFileBytes()));
    const confirmed: PickedContent[] = [];
    for (const [index, content] of picked.entries()) {
      const uri = uris[index];
      if (uri && (await this.#confirmRisk(uri, [content]))) confirmed.push(content);
    }
    return confirmed.length > 0 ? this.store(confirmed) : undefined;
  }

  /**
   * Stores content that isn't a file of its own, such as a diff or the output of a command. `uris` are those of the
   * files that it shows. Resolves to undefined if the user declines all of it.
   * @throws NotAttachable if it is too large; then nothing is stored.
   */
  async fromContents(
    picked: readonly PickedContent[],
    uris: readonly vscode.Uri[] = [],
  ): Promise<StoredAttachment[] | undefined> {
    const askBefore = settings.askBefore.read();
    const risky = await riskyFiles(uris, askBefore);
    const worst = risky.find(({ risk }) => risk === 'secret') ?? risky[0];
    if (worst) {
      const name = picked.length === 1 && picked[0] ? picked[0].name : baseName(worst.uri);
      if (!(await this.#ask(name, worst.risk, worst.uri))) return undefined;
      if (worst.risk === 'secret') return this.store(picked);
    }
    const confirmed: PickedContent[] = [];
    for (const content of picked) {
      const places = content.path === undefined ? [] : [content.path];
      const isRisky = isAnyLikelySecret(places, askBefore) || (await containsSecret(content));
      if (!isRisky || (await this.#ask(content.name, 'secret'))) confirmed.push(content);
    }
    return confirmed.length > 0 ? this.store(confirmed) : undefined;
  }

  /**
   * Stores the current content of attached files, which may be riskier than what the user attached. Resolves to
   * undefined if the user declines one of them. `others` are the other attachments of the message.
   * @throws NotAttachable if a file, or the whole message, is too large; then nothing is stored.
   */
  async fromChanged(
    files: readonly { readonly uri: vscode.Uri; readonly content: PickedContent }[],
    others: readonly StoredAttachment[],
  ): Promise<StoredAttachment[] | undefined> {
    assertFitTogether([...others, ...files.map(({ content }) => content)]);
    for (const { uri, content } of files) {
      if (!(await this.#confirmRisk(uri, [content]))) return undefined;
    }
    return this.store(files.map(({ content }) => content));
  }

  /**
   * Writes picked content to disk, without asking.
   * @throws NotAttachable if a file is too large, or if all files together are too large; then nothing is stored.
   */
  async store(picked: readonly PickedContent[]): Promise<StoredAttachment[]> {
    assertFitTogether(picked);
    const stored: StoredAttachment[] = [];
    try {
      for (const content of picked) stored.push(await this.#storeOne(content));
    } catch (error) {
      await this.drop(stored);
      throw error;
    }
    return stored;
  }

  /**
   * Adds stored attachments to a draft, except those that it already contains. Resolves to the IDs that the attachments
   * have in the draft.
   * @throws NotAttachable if the draft's attachments would be too large together; then all attachments in `stored` are
   * deleted.
   */
  async addToDraft(key: SessionKey, stored: readonly StoredAttachment[]): Promise<readonly string[]> {
    const present = this.#drafts.get(key).attachments;
    const inDraft = stored.map((attachment) => present.find((other) => isSame(attachment, other)) ?? attachment);
    const added = stored.filter((attachment) => inDraft.includes(attachment));
    try {
      assertFitTogether([...present, ...added]);
    } catch (error) {
      await this.drop(stored);
      throw error;
    }
    await this.drop(stored.filter((attachment) => !added.includes(attachment)));
    if (added.length > 0) this.#drafts.addAttachments(key, added);
    return inDraft.map(({ attachmentId }) => attachmentId);
  }

  /**
   * Stores bytes that were pasted or dropped. Resolves to undefined if the user declines.
   * @throws NotAttachable if the bytes can't be attached.
   */
  async fromBytes(name: string, bytes: Uint8Array): Promise<StoredAttachment[] | undefined> {
    const content = pickBytes(name, bytes);
    const place = vscode.Uri.from({ scheme: 'untitled', path: `/${name}` });
    return (await this.#confirmRisk(place, [content])) ? this.store([content]) : undefined;
  }

  /** Releases stored attachments, and deletes those that nothing else uses. */
  async drop(attachments: readonly StoredAttachment[]): Promise<void> {
    await this.#blobs.release(attachments);
  }

  /**
   * Asks before attaching content of a file that the user probably doesn't mean to send (R36). Resolves to whether to
   * attach it.
   */
  async #confirmRisk(uri: vscode.Uri, contents: readonly PickedContent[]): Promise<boolean> {
    let risk = await attachmentRisk(uri, settings.askBefore.read());
    for (const content of risk === 'secret' ? [] : contents) {
      if (await containsSecret(content)) risk = 'secret';
    }
    return !risk || this.#ask(baseName(uri), risk);
  }

  /** Asks about content. `shown` is the risky file that the content shows, if the content isn't a file itself. */
  #ask(name: string, risk: AttachmentRisk, shown?: vscode.Uri): Promise<boolean> {
    const t = this.#t;
    const detail = shown ? ` ${t('File: {0}', plainLine(shown.path, 200))}` : '';
    const reasons = {
      secret: t('This file might contain secrets.'),
      outside: t('This file is outside your workspace.'),
      link: t('This file is a symbolic link or is inside a linked folder.'),
    };
    return confirm(t('Attach "{0}"?', plainLine(name, 120)), `${reasons[risk]}${detail}`, t('Attach'));
  }

  async #storeOne(content: PickedContent): Promise<StoredAttachment> {
    const { kind, name, path, mediaType, isUnsaved, sourceUri, sizeBytes, parsedData } = content;
    if (sizeBytes > maxFileBytes()) throw new NotAttachable('tooLarge', name, sizeBytes);
    const blob = await this.#blobs.put(content.read(), maxFileBytes());
    return {
      attachmentId: randomUUID(),
      kind,
      name,
      mediaType,
      isUnsaved,
      ...blob,
      ...defined({ path, sourceUri, parsedData }),
    };
  }
}

/** The files that need a confirmation, with the reasons. */
async function riskyFiles(
  uris: readonly vscode.Uri[],
  patterns: readonly string[],
): Promise<readonly { readonly uri: vscode.Uri; readonly risk: AttachmentRisk }[]> {
  const risks = await Promise.all(uris.map((uri) => attachmentRisk(uri, patterns)));
  return uris.flatMap((uri, index) => {
    const risk = risks[index];
    return risk ? [{ uri, risk }] : [];
  });
}

/** The maximum size of an attachment, in bytes. */
export function maxFileBytes(): number {
  return settings.maxAttachmentMB.read() * bytesPerMB;
}

/** @throws NotAttachable if the attachments are too large for one message. */
export function assertFitTogether(attachments: readonly Pick<PickedContent, 'sizeBytes' | 'parsedData'>[]): void {
  const sizeBytes = attachments.reduce(
    (total, attachment) => total + attachment.sizeBytes + textSizeBytes(attachment.parsedData ?? ''),
    0,
  );
  if (sizeBytes > settings.maxMessageMB.read() * bytesPerMB) throw new NotAttachable('tooLargeTogether', '', sizeBytes);
}

function isSame(one: StoredAttachment, other: StoredAttachment): boolean {
  const isSameContent = one.sha256 === other.sha256 && one.parsedData === other.parsedData;
  return isSameContent && one.name === other.name && one.path === other.path && one.kind === other.kind;
}
