import * as vscode from 'vscode';
import type { TreeRow } from '../../state/sessions/tree.ts';

const uriList = 'text/uri-list';

/** Files dropped on a session, or on one of its messages, are attached to its draft. */
export class SessionDrop implements vscode.TreeDragAndDropController<TreeRow> {
  readonly dropMimeTypes = [uriList];
  readonly dragMimeTypes = [];

  async handleDrop(row: TreeRow | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const uris = readUris((await dropped.get(uriList)?.asString()) ?? '');
    if (!row || row.kind === 'section' || uris.length === 0) return;
    await vscode.commands.executeCommand('lineside.attachFile', row, uris);
  }
}

/** By RFC 2483: one URI a line, lines with `#` are comments. What is no URI is left out. */
function readUris(text: string): vscode.Uri[] {
  const lines = text.split(/\r?\n/).filter((line) => URL.canParse(line));
  return lines.map((line) => vscode.Uri.parse(line, true));
}
