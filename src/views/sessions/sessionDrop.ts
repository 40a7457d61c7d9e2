import * as vscode from 'vscode';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { TreeRow } from '../../state/sessions/tree.ts';

const uriList = 'text/uri-list';

/** Port to the drafts, for dropped files. */
export interface DroppedFiles {
  /** Attaches files to the draft of a session. Shows an error to the user. */
  attach(key: SessionKey, uris: vscode.Uri[]): Promise<unknown>;
}

/** Attaches files that are dropped on a session or one of its messages to the draft of the session. */
export class SessionDrop implements vscode.TreeDragAndDropController<TreeRow> {
  readonly #files: () => Promise<DroppedFiles>;
  readonly dropMimeTypes = [uriList];
  readonly dragMimeTypes = [];

  constructor(files: () => Promise<DroppedFiles>) {
    this.#files = files;
  }

  async handleDrop(row: TreeRow | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const uris = readUris((await dropped.get(uriList)?.asString()) ?? '');
    if (!row || !('key' in row) || uris.length === 0) return;
    await (await this.#files()).attach(row.key, uris);
  }
}

/** Parses a URI list (RFC 2483) with one URI per line. Skips comments, which start with `#`, and invalid lines. */
function readUris(text: string): vscode.Uri[] {
  const lines = text.split(/\r?\n/).filter((line) => URL.canParse(line));
  return lines.map((line) => vscode.Uri.parse(line, true));
}
