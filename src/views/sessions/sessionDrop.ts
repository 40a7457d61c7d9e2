import * as vscode from 'vscode';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { extensionId } from '../../host/editors/git.ts';
import { offeredParts } from '../../state/sessions/sessionLinks.ts';
import type { TreeRow } from '../../state/sessions/sessionTree.ts';
import { dropTypes } from './dropTypes.ts';

/** Port to the drafts and the session list, for what is dropped. Both functions show errors to the user. */
interface DropTarget {
  /** Attaches files to the draft of a session. */
  attach(key: SessionKey, uris: vscode.Uri[]): Promise<unknown>;
  /** Adds the sessions that these addresses and UUIDs name to the list. */
  addSessions(references: readonly string[]): Promise<unknown>;
}

/**
 * Attaches files that are dropped on a session, or on a row below it, to the draft of the session. Adds sessions whose
 * URLs or UUIDs are dropped anywhere in the tree.
 */
export class SessionDrop {
  readonly #target: DropTarget;

  constructor(target: DropTarget) {
    this.#target = target;
  }

  async handle(row: TreeRow | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const uris = readUris((await dropped.get(dropTypes.uriList)?.asString()) ?? '');
    const references = uris.length > 0 ? uris.filter(isReference) : await droppedReferences(dropped);
    if (references.length > 0) await this.#target.addSessions(references);
    const files = uris.filter((line) => !isReference(line)).map((line) => vscode.Uri.parse(line, true));
    if (!row || !('key' in row) || files.length === 0) return;
    await this.#target.attach(row.key, files);
  }
}

/** The URIs of a URI list (RFC 2483) with one URI per line. Skips comments, which start with `#`, and invalid lines. */
function readUris(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => URL.canParse(line));
}

/** Whether a URI is a web address or a Lineside link. Any other URI is that of a file. */
function isReference(uri: string): boolean {
  const { protocol, host } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' || host === extensionId;
}

/** The session URLs and UUIDs in the text, if it contains nothing else. Any other text isn't meant for the tree. */
async function droppedReferences(dropped: vscode.DataTransfer): Promise<readonly string[]> {
  const text = (await dropped.get(dropTypes.plainText)?.asString()) ?? '';
  return offeredParts(text);
}
