import * as vscode from 'vscode';

/** The path of a file or folder for people: as on disk, or the URI if it is elsewhere. Not in the form for one line. */
export function wholePath(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}

/** The name of a workspace folder, or its whole path if another folder has the same name. Not in the form for one line. */
export function folderName({ uri, name }: vscode.WorkspaceFolder): string {
  const isUnique = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.name === name).length <= 1;
  return isUnique ? name : wholePath(uri);
}
