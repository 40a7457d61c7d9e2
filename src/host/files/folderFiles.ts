import picomatch from 'picomatch';
import * as vscode from 'vscode';
import { type FolderRules, gitIgnoreRules, isIgnored } from './gitignore.ts';

/** What is in a folder and meant to be seen. */
export interface FolderFiles {
  readonly uris: readonly vscode.Uri[];
  /** Files and folders that ignore rules left out. */
  readonly ignoredCount: number;
  /** Symbolic links, which are not followed. */
  readonly linkCount: number;
  /** There are more files than were asked for; then the rest was not looked at. */
  readonly isCut: boolean;
}

interface Walk {
  readonly maxFiles: number;
  readonly signal: AbortSignal;
  readonly isExcluded: (uri: vscode.Uri) => boolean;
  readonly uris: vscode.Uri[];
  ignoredCount: number;
  linkCount: number;
}

/**
 * The files below a folder, through the editor's file system, but for what `files.exclude`, `search.exclude` and the
 * `.gitignore` files in it leave out. Stops after `maxFiles`.
 * Rejects where the folder cannot be read, and with the signal's reason.
 */
export async function listFolder(folder: vscode.Uri, maxFiles: number, signal: AbortSignal): Promise<FolderFiles> {
  const isExcluded = excludedBySettings(folder);
  const walk: Walk = { maxFiles, signal, isExcluded, uris: [], ignoredCount: 0, linkCount: 0 };
  const isWhole = await walkFolder(folder, await rulesAbove(folder), walk);
  const { uris, ignoredCount, linkCount } = walk;
  return { uris, ignoredCount, linkCount, isCut: !isWhole };
}

/** Whether this is a folder; false also for what is not there. */
export async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    // Untitled and virtual documents have no file; what cannot be read is said when it is read.
    return false;
  }
}

/** @returns whether everything was looked at. */
async function walkFolder(folder: vscode.Uri, rulesAbove: readonly FolderRules[], walk: Walk): Promise<boolean> {
  walk.signal.throwIfAborted();
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const rules = [...rulesAbove, ...(await rulesIn(folder, entries))];
  for (const [name, type] of entries.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const uri = vscode.Uri.joinPath(folder, name);
    const isFolder = (type & vscode.FileType.Directory) !== 0;
    if (name === '.git' || walk.isExcluded(uri) || isIgnored(uri.path, isFolder, rules)) walk.ignoredCount++;
    else if (type & vscode.FileType.SymbolicLink) walk.linkCount++;
    else if (isFolder) {
      if (!(await walkFolder(uri, rules, walk))) return false;
    } else if (walk.uris.length === walk.maxFiles) return false;
    else walk.uris.push(uri);
  }
  return true;
}

/** The rules of the workspace's folders above this one. */
async function rulesAbove(folder: vscode.Uri): Promise<FolderRules[]> {
  const top = vscode.workspace.getWorkspaceFolder(folder)?.uri;
  if (!top || top.path === folder.path) return [];
  const names = folder.path.slice(top.path.length).split('/').filter(Boolean);
  const folders = names.map((_, index) => vscode.Uri.joinPath(top, ...names.slice(0, index)));
  return (await Promise.all(folders.map((above) => readFolderRules(above)))).flat();
}

async function rulesIn(folder: vscode.Uri, entries: readonly [string, vscode.FileType][]): Promise<FolderRules[]> {
  return entries.some(([name]) => name === '.gitignore') ? readFolderRules(folder) : [];
}

/** What the `.gitignore` of a folder says: nothing where there is none, or it cannot be read. */
export async function readFolderRules(folder: vscode.Uri): Promise<FolderRules[]> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, '.gitignore'));
    const folderPath = folder.path.replace(/\/+$/, '');
    return [{ folderPath, rules: gitIgnoreRules(new TextDecoder().decode(bytes)) }];
  } catch {
    return [];
  }
}

/** By the settings that hide files in the Explorer and in search; patterns that depend on siblings are left aside. */
function excludedBySettings(folder: vscode.Uri): (uri: vscode.Uri) => boolean {
  const base = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const globs = ['files', 'search'].flatMap((section) => {
    const exclude = vscode.workspace
      .getConfiguration(section, folder)
      .get<Readonly<Record<string, unknown>>>('exclude');
    return Object.entries(exclude ?? {}).flatMap(([glob, value]) => (value === true ? [glob] : []));
  });
  const isMatch = picomatch(globs, { dot: true });
  return (uri) => isMatch(uri.path.slice(base.path.length).replace(/^\/+/, ''));
}
