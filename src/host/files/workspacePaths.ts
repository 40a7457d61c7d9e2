import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { meantPaths, readWrittenPlace, type WrittenPlace } from '../../shared/text/filePaths.ts';

/** A location in a file; lines and characters are zero-based. */
export interface FilePlace {
  readonly uri: vscode.Uri;
  readonly selection: vscode.Range | undefined;
}

/**
 * Finds the workspace file for a path such as `src/a.ts:10:5`, `./a.py#L3`, or the target of a Markdown link. Several
 * workspace folders can contain it, and only the user can tell which of these files is meant. Never resolves to a file
 * outside the workspace folders, even for absolute paths, paths with `..`, or symbolic links (R5). Rejects if a file is
 * deleted during the search.
 */
export async function findInWorkspace(text: string): Promise<readonly FilePlace[]> {
  const place = readWrittenPlace(text);
  for (const path of meantPaths(place)) {
    const found: FilePlace[] = [];
    for (const uri of await workspaceFiles(path)) {
      if (await staysInside(uri)) found.push({ uri, selection: selectionOf(place) });
    }
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The file at the path `relative` in a workspace folder, with the selection that the written `place` names; undefined
 * if there is no such file in the folder. Rejects if the file is deleted meanwhile.
 */
export async function fileInFolder(
  folder: vscode.WorkspaceFolder,
  relative: string,
  place?: WrittenPlace,
): Promise<FilePlace | undefined> {
  if (!isPlainPath(relative, folder)) return undefined;
  const uri = vscode.Uri.joinPath(folder.uri, relative);
  const exists = (await isFile(uri)) && (await staysInside(uri));
  return exists ? { uri, selection: place && selectionOf(place) } : undefined;
}

/** Whether a path with forward slashes names something inside a folder, and has no empty, `.`, or `..` segments. */
export function isPlainPath(path: string, { uri }: vscode.WorkspaceFolder): boolean {
  return insideOf(path, rootOf(uri)) === path;
}

/**
 * The workspace files that a path without a line number can mean. Empty if one of them is reached through a symbolic
 * link, because the link could lead out of the workspace. Rejects if a file is deleted meanwhile.
 */
export async function unlinkedFiles(path: string): Promise<readonly vscode.Uri[]> {
  const found = await workspaceFiles(path);
  for (const uri of found) if (await isLinked(uri)) return [];
  return found;
}

/**
 * Whether a workspace file, or a folder between it and the workspace folder, is a symbolic link. Also true for a
 * workspace folder itself, and for files outside the workspace folders. Rejects if the file doesn't exist.
 */
export async function isLinked(uri: vscode.Uri): Promise<boolean> {
  const relative = workspacePath(uri);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (relative === undefined || !folder) return true;
  const parts = relative.split('/');
  for (const index of parts.keys()) {
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder.uri, ...parts.slice(0, index + 1)));
    if ((type & vscode.FileType.SymbolicLink) !== 0) return true;
  }
  return false;
}

/**
 * The files that a path can mean. In a single workspace folder, a path that starts with the name of the folder means
 * the file with the path as written, if there is one.
 */
async function workspaceFiles(path: string): Promise<readonly vscode.Uri[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = new Map<string, vscode.Uri>();
  for (const folder of folders) {
    for (const relative of relativePaths(path, folder)) {
      const uri = vscode.Uri.joinPath(folder.uri, relative);
      if (!(await isFile(uri))) continue;
      found.set(uri.toString(), uri);
      if (folders.length === 1) break;
    }
  }
  return [...found.values()];
}

/**
 * Whether a workspace file is in its folder after all symbolic links are followed. For a file that isn't on a local
 * disk, false if there is a link, because it can't be followed. Rejects if the file doesn't exist.
 */
export async function staysInside(uri: vscode.Uri): Promise<boolean> {
  if (!(await isLinked(uri))) return true;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder || uri.scheme !== 'file') return false;
  try {
    const [file, root] = await Promise.all([realpath(uri.fsPath), realpath(folder.uri.fsPath)]);
    return isBelow(file, root);
  } catch {
    return false;
  }
}

/** Whether a path on this machine is inside a folder, which can be a root such as `/` or `D:\`. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * The selection of a written place. Without an end, it is empty, at the start of the line or at the column. With a
 * later end line but no end column, it ends at the end of that line. Undefined if the place has no line.
 */
function selectionOf({ line, column, endLine, endColumn }: WrittenPlace): vscode.Range | undefined {
  if (line === undefined) return undefined;
  const first = Math.max(0, line - 1);
  const start = new vscode.Position(first, Math.max(0, (column ?? 1) - 1));
  const last = endLine === undefined ? first : Math.max(0, endLine - 1);
  const hasEnd = last > first || (last === first && endColumn !== undefined && endColumn > (column ?? 1));
  // VS Code clips the character to the length of the line.
  const end = hasEnd ? new vscode.Position(last, endColumn === undefined ? 1_000_000 : endColumn - 1) : start;
  return new vscode.Range(start, end);
}

/**
 * The paths that `path` may refer to, relative to the workspace folder; empty if it refers to a file outside the
 * folder.
 */
function relativePaths(path: string, folder: vscode.WorkspaceFolder): string[] {
  const written = path.replaceAll('\\', '/');
  const root = rootOf(folder.uri);
  const isAbsolute = /^(?:[A-Za-z]:)?\//.test(written);
  if (!isAbsolute) {
    return [written, withoutFolderName(written, folder.name)].flatMap((one) => insideOf(one, root) ?? []);
  }
  const absolute = /^[A-Za-z]:/.test(written) ? `/${written}` : written;
  if (!comparable(absolute, root).startsWith(`${comparable(root, root)}/`)) return [];
  return [insideOf(absolute.slice(root.length + 1), root) ?? []].flat();
}

/** A file of a workspace folder, which can be compared with the paths that an agent uses. */
export class WorkspaceFile {
  readonly #folder: vscode.WorkspaceFolder;
  readonly #relative: string;
  readonly #root: string;
  readonly #nameInJson: string;

  private constructor(folder: vscode.WorkspaceFolder, relative: string) {
    this.#folder = folder;
    this.#relative = relative;
    this.#root = rootOf(folder.uri);
    const name = relative.slice(relative.lastIndexOf('/') + 1);
    this.#nameInJson = comparable(JSON.stringify(name).slice(1, -1), this.#root);
  }

  /** The file with a URI; undefined if it isn't in a workspace folder. It doesn't have to exist. */
  static of(uri: vscode.Uri): WorkspaceFile | undefined {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const relative = workspacePath(uri);
    return folder && relative !== undefined ? new WorkspaceFile(folder, relative) : undefined;
  }

  /** Whether a JSON text contains the name of the file. */
  isNamedIn(json: string): boolean {
    return comparable(json, this.#root).includes(this.#nameInJson);
  }

  /** Whether this is the file at `relative` in the workspace folder with the URI `folder`. */
  isAt(folder: string, relative: string): boolean {
    const root = this.#root;
    return this.#folder.uri.toString() === folder && comparable(relative, root) === comparable(this.#relative, root);
  }

  /** Whether a path leads to this file, by the rules of {@link findInWorkspace}. */
  matches(path: string): boolean {
    const root = this.#root;
    const own = comparable(this.#relative, root);
    return relativePaths(path, this.#folder).some((relative) => comparable(relative, root) === own);
  }
}

/** The start of absolute paths in a workspace folder: `/home/a`, `/c:/a`, or `//server/share` for a UNC path. */
function rootOf(uri: vscode.Uri): string {
  const server = uri.scheme === 'file' && uri.authority !== '' ? `//${uri.authority}` : '';
  return `${server}${uri.path}`.replace(/\/$/, '');
}

/** A path to compare with `root`: Windows paths, which start with a drive or server, are case-insensitive. */
function comparable(path: string, root: string): string {
  return isWindowsPath(root) ? path.toLowerCase() : path;
}

/** Removes the name of a workspace folder, with which paths in a multi-root workspace often start; empty if absent. */
function withoutFolderName(path: string, name: string): string {
  return path.startsWith(`${name}/`) ? path.slice(name.length + 1) : '';
}

/** The path without `.` and `..`; undefined if it is empty, leaves the folder, or can't be the path of a file. */
function insideOf(path: string, root: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  const namesNone = parts.some((part) => noName.test(part) || (isWindowsPath(root) && noWindowsName.test(part)));
  return parts.length === 0 || namesNone ? undefined : parts.join('/');
}

/** On Windows, a backslash separates names, so a part with one could lead out of the folder. */
const noName = /[\0\\]/;

/** Devices, streams of a file, and names that Windows shortens. */
const noWindowsName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)\s*(?:\.|$)|:|[. ]$/i;

/** Whether a root is a Windows path, with a drive or a server. */
function isWindowsPath(root: string): boolean {
  return /^\/([A-Za-z]:|\/)/.test(root);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Opens a file at a location, in its default editor. If `toSide` is true, opens it next to the active editor. */
export async function openFilePlace({ uri, selection }: FilePlace, toSide = false): Promise<void> {
  const viewColumn = toSide ? { viewColumn: vscode.ViewColumn.Beside } : {};
  await vscode.commands.executeCommand('vscode.open', uri, { ...(selection ? { selection } : {}), ...viewColumn });
}

/**
 * The path of a file in its workspace folder, with forward slashes; undefined for the folder itself, and for a file
 * outside all workspace folders (R36).
 */
export function workspacePath(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return undefined;
  const relative = uri.path.slice(folder.uri.path.length).replace(/^\/+/, '');
  return relative === '' ? undefined : relative;
}

/** The last segment of a URI's path, ignoring trailing slashes. */
export function baseName(uri: vscode.Uri): string {
  return (
    uri.path
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1) ?? ''
  );
}
