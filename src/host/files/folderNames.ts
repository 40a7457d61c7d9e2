import * as vscode from 'vscode';

/** The path of a file or folder as the user knows it: as on disk, or the URI if it isn't on disk. Untrusted. */
export function wholePath(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}

/** The name of a workspace folder, or its whole path if another folder has the same name. Untrusted. */
export function folderName({ uri, name }: vscode.WorkspaceFolder): string {
  const isUnique = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.name === name).length <= 1;
  return isUnique ? name : wholePath(uri);
}
