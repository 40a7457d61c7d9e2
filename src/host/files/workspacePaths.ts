import * as vscode from 'vscode';

/** A location in a file; lines and characters are zero-based. */
interface FilePlace {
  readonly uri: vscode.Uri;
  readonly selection: vscode.Range | undefined;
}

interface WrittenPath {
  readonly path: string;
  readonly selection: vscode.Range | undefined;
}

/**
 * Finds the workspace file for a path such as `src/a.ts:10:5` or `./a.py#L3`. Resolves to undefined if there is none.
 * Never accesses anything outside the workspace folders, even for absolute paths or paths with `..` (R5).
 */
export async function findInWorkspace(text: string): Promise<FilePlace | undefined> {
  const { path, selection } = readWrittenPath(text);
  const uri = await workspaceFile(path);
  return uri && { uri, selection };
}

/**
 * The workspace file with a path, without a line number. Like {@link findInWorkspace}, but never a file that is reached
 * through a symbolic link, because the link could lead out of the workspace.
 */
export async function unlinkedFile(path: string): Promise<vscode.Uri | undefined> {
  const uri = await workspaceFile(path);
  return !uri || (await isLinked(uri)) ? undefined : uri;
}

/**
 * Whether a workspace file, or a folder between it and the workspace folder, is a symbolic link. Also true for files
 * outside the workspace folders. Rejects if the file doesn't exist.
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

async function workspaceFile(path: string): Promise<vscode.Uri | undefined> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const relative of relativePaths(path, folder)) {
      const uri = vscode.Uri.joinPath(folder.uri, relative);
      if (await isFile(uri)) return uri;
    }
  }
  return undefined;
}

/** Parses `path`, `path:line`, `path:line:column`, `path#L3`, and `path#L3-L8`. */
function readWrittenPath(text: string): WrittenPath {
  const byColon = /^(.+?):(\d{1,7})(?::(\d{1,7}))?$/.exec(text);
  const byHash = /^(.+?)#L(\d{1,7})(?:C(\d{1,7}))?(?:-L?(\d{1,7})(?:C\d{1,7})?)?$/.exec(text);
  const [, path = text, line, column, endLine] = byColon ?? byHash ?? [];
  if (line === undefined) return { path, selection: undefined };
  const first = Math.max(0, Number(line) - 1);
  const character = Math.max(0, Number(column ?? 1) - 1);
  const last = Number(endLine ?? 0);
  // VS Code clips the character to the length of the line.
  const end = last > first + 1 ? new vscode.Position(last - 1, 1_000_000) : new vscode.Position(first, character);
  return { path, selection: new vscode.Range(new vscode.Position(first, character), end) };
}

/**
 * The paths that `path` may refer to, relative to the workspace folder; empty if it refers to a file outside the
 * folder.
 */
function relativePaths(path: string, folder: vscode.WorkspaceFolder): string[] {
  const written = path.replaceAll('\\', '/');
  const isAbsolute = /^(?:[A-Za-z]:)?\//.test(written);
  if (!isAbsolute) return [written, withoutFolderName(written, folder.name)].flatMap((one) => insideOf(one) ?? []);
  const root = rootOf(folder.uri);
  const absolute = /^[A-Za-z]:/.test(written) ? `/${written}` : written;
  if (!comparable(absolute, root).startsWith(`${comparable(root, root)}/`)) return [];
  return [insideOf(absolute.slice(root.length + 1)) ?? []].flat();
}

/** A file of a workspace folder, by the paths with which an agent can mean it. */
export class WorkspaceFile {
  readonly #folder: vscode.WorkspaceFolder;
  readonly #relative: string;

  private constructor(folder: vscode.WorkspaceFolder, relative: string) {
    this.#folder = folder;
    this.#relative = relative;
  }

  /** The file with a URI; undefined if it isn't in a workspace folder. It doesn't have to exist. */
  static of(uri: vscode.Uri): WorkspaceFile | undefined {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const relative = workspacePath(uri);
    return folder && relative !== undefined ? new WorkspaceFile(folder, relative) : undefined;
  }

  /** Whether a path leads to this file, by the rules of {@link findInWorkspace}. */
  matches(path: string): boolean {
    const root = rootOf(this.#folder.uri);
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
  return /^\/([A-Za-z]:|\/)/.test(root) ? path.toLowerCase() : path;
}

/** Removes the name of a workspace folder, with which paths in a multi-root workspace often start; empty if absent. */
function withoutFolderName(path: string, name: string): string {
  return path.startsWith(`${name}/`) ? path.slice(name.length + 1) : '';
}

/** The path without `.` and `..`; undefined if it is empty or leaves the folder. */
function insideOf(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Opens a file at a location, in its default editor. */
export async function openFilePlace({ uri, selection }: FilePlace): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', uri, selection ? { selection } : {});
}

/** The path of a file in its workspace folder, with forward slashes; undefined if it is outside (R36). */
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
