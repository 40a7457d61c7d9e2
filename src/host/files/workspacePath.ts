import * as vscode from 'vscode';

/** Where a file is inside its workspace folder, with forward slashes; undefined outside (R36: never absolute). */
export function workspacePath(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return undefined;
  const relative = uri.path.slice(folder.uri.path.length).replace(/^\/+/, '');
  return relative === '' ? undefined : relative;
}

/** The last part of a path, also of one that ends with a slash. */
export function baseName(uri: vscode.Uri): string {
  return uri.path.replace(/\/+$/, '').split('/').at(-1) ?? '';
}
