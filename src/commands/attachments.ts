import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { pickFile, pickSelections } from '../host/activeDocument.ts';
import { attachmentRisk } from '../host/attachmentRisk.ts';
import { confirm } from '../host/notify.ts';
import { NotAttachable, type PickedContent } from '../host/pickedContent.ts';
import { readSettings } from '../host/settings.ts';
import type { StoredAttachment } from '../state/outboxEntry.ts';
import type { Translate } from '../state/words.ts';
import { plainLine } from '../state/words.ts';
import type { Blobs } from '../sync/blobs.ts';

const bytesPerMB = 1_000_000;

/** What the user picks, made ready to travel: judged, asked about where it is due, and its bytes put on disk. */
export class Attachments {
  readonly #blobs: Blobs;
  readonly #t: Translate;

  constructor(blobs: Blobs, t: Translate) {
    this.#blobs = blobs;
    this.#t = t;
  }

  /**
   * The selections of an editor, by default the active one. Undefined where the person was asked and declined.
   * @throws NotAttachable where there is no selection, or one is too large.
   */
  async fromSelection(editor = vscode.window.activeTextEditor): Promise<StoredAttachment[] | undefined> {
    const picked = pickSelections(editor);
    if (editor && !(await this.#mayLeave(editor.document.uri))) return undefined;
    const stored: StoredAttachment[] = [];
    for (const content of picked) stored.push(await this.#keep(content));
    return stored;
  }

  /**
   * A file, by default that of the active editor. Undefined where the person was asked and declined.
   * @throws NotAttachable where there is none, or it cannot be attached.
   */
  async fromFile(
    uri = vscode.window.activeTextEditor?.document.uri ?? activeTabUri(),
  ): Promise<StoredAttachment[] | undefined> {
    if (!uri) throw new NotAttachable('noEditor', '');
    const content = await pickFile(uri, maxBytes());
    return (await this.#mayLeave(uri)) ? [await this.#keep(content)] : undefined;
  }

  /** Files chosen in a dialog; undefined where none was. */
  async fromDialog(): Promise<StoredAttachment[] | undefined> {
    const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: this.#t('Attach') });
    if (!uris) return undefined;
    const stored: StoredAttachment[] = [];
    for (const uri of uris) stored.push(...((await this.fromFile(uri)) ?? []));
    return stored;
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
    const name = plainLine(uri.path.split('/').at(-1) ?? '', 120);
    const reasons = {
      secret: t('Its name looks like that of a file with secrets.'),
      outside: t('It lies outside the folders of this workspace.'),
      link: t('It is a symbolic link, or lies behind one.'),
    };
    return confirm(t('Attach "{0}"?', name), reasons[risk], t('Attach'));
  }

  async #keep(content: PickedContent): Promise<StoredAttachment> {
    const { kind, name, path, mediaType, isUnsaved, sizeBytes } = content;
    if (sizeBytes > maxBytes()) throw new NotAttachable('tooLarge', name, sizeBytes);
    const blob = await this.#blobs.put(content.read(), maxBytes());
    return {
      attachmentId: randomUUID(),
      kind,
      name,
      mediaType,
      isUnsaved,
      ...blob,
      ...(path === undefined ? {} : { path }),
    };
  }
}

function maxBytes(): number {
  return readSettings().maxAttachmentMB * bytesPerMB;
}

/** The file of the active tab where it is no text editor: a picture, for example. */
function activeTabUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
}
