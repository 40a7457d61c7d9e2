import { lstat, realpath } from 'node:fs/promises';
import picomatch from 'picomatch';
import * as vscode from 'vscode';
import { hasFileSystem } from './documents.ts';
import { isBelow, isLinked, workspacePath } from '../files/workspacePaths.ts';

/** The reason why a file needs a confirmation before it is attached (R36). */
export type AttachmentRisk = 'secret' | 'outside' | 'link';

/**
 * The first risk that applies: the file might contain secrets (it matches `patterns`), is outside the workspace, or is
 * reached through a symbolic link. Resolves to undefined if none applies.
 */
export async function attachmentRisk(
  uri: vscode.Uri,
  patterns: readonly string[],
): Promise<AttachmentRisk | undefined> {
  const relative = workspacePath(uri);
  if (isLikelySecret(uri, patterns)) return 'secret';
  // A document without a file has no location to check.
  if (!hasFileSystem(uri)) return undefined;
  if (relative === undefined) return 'outside';
  return (await isLink(uri)) ? 'link' : undefined;
}

/** Whether a file's path matches a pattern for files that might contain secrets. */
export function isLikelySecret(uri: vscode.Uri, patterns: readonly string[]): boolean {
  return isAnyLikelySecret([workspacePath(uri) ?? uri.path.slice(1), uri.path.slice(1)], patterns);
}

/**
 * Whether one of the paths, which must not begin with a slash, matches a pattern for files that might contain secrets.
 */
export function isAnyLikelySecret(paths: readonly string[], patterns: readonly string[]): boolean {
  const isSecret = picomatch([...patterns], { dot: true, nocase: true });
  return paths.some((path) => isSecret(path));
}

/**
 * Whether the file or folder of the workspace is a symbolic link, or is reached through a linked folder. For a local
 * file, a linked folder counts only if the file is then outside the workspace folder. False for a workspace folder
 * itself, for files outside the workspace, and if the file can't be read.
 */
export async function isLink(uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder || workspacePath(uri) === undefined) return false;
  try {
    if (uri.scheme !== 'file') return await isLinked(uri);
    if ((await lstat(uri.fsPath)).isSymbolicLink()) return true;
    const [real, realFolder] = await Promise.all([realpath(uri.fsPath), realpath(folder.uri.fsPath)]);
    return !isBelow(real, realFolder);
  } catch {
    // Ignore the error here. If the file is unreadable, reading it later reports that.
    return false;
  }
}
