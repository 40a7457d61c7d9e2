import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { fileName } from './fileName.ts';

/**
 * Asks for a location and writes the bytes there, unless the user cancels. `name` may contain invalid characters.
 * Rejects if the file can't be written.
 */
export async function saveAs(name: string, bytes: Uint8Array): Promise<void> {
  const target = await vscode.window.showSaveDialog({ defaultUri: suggestedFile(fileName(name)) });
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
}

/** The location that a save dialog suggests: in the first workspace folder, or else in the home folder. */
export function suggestedFile(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.Uri.joinPath(folder, name);
}
