import * as vscode from 'vscode';
import type { TreeRow } from '../../state/sessions/tree.ts';

const uriList = 'text/uri-list';

/** Attaches files that are dropped on a session or one of its messages to the draft of the session. */
export class SessionDrop implements vscode.TreeDragAndDropController<TreeRow> {
  readonly dropMimeTypes = [uriList];
  readonly dragMimeTypes = [];

  async handleDrop(row: TreeRow | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const uris = readUris((await dropped.get(uriList)?.asString()) ?? '');
    if (!row || !('key' in row) || uris.length === 0) return;
    await vscode.commands.executeCommand('lineside.attachFile', row, uris);
  }
}

/** Parses a URI list (RFC 2483) with one URI per line. Skips comments, which start with `#`, and invalid lines. */
function readUris(text: string): vscode.Uri[] {
  const lines = text.split(/\r?\n/).filter((line) => URL.canParse(line));
  return lines.map((line) => vscode.Uri.parse(line, true));
}
