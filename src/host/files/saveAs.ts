import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { fileName } from './fileName.ts';

/** Asks where to, and writes the bytes there; nothing where the person changed their mind. `name` is made fit for a file. */
export async function saveAs(name: string, bytes: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, fileName(name)) });
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
}
