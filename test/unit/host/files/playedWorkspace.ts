/**
 * Replaces the `vscode` module: a workspace on any platform, whose files the test lists. Paths are those of VS Code's
 * own `Uri`.
 *
 *   vi.mock('vscode', () => import('./playedWorkspace.ts'));
 */
import { URI, Utils } from 'vscode-uri';
import type { Range } from '../../../fakes/recordedEditor.ts';

export { Position, Range } from '../../../fakes/recordedEditor.ts';

/** The workspace folders, the files and symbolic links as URIs, and the URIs that the code under test asked for. */
export const played = {
  folders: [] as { readonly uri: URI; readonly name: string | undefined; readonly index: number }[],
  files: [] as readonly string[],
  links: [] as readonly string[],
  asked: [] as string[],
};

/** Opens a folder with these files, given as URIs. */
export function openFolder(folder: string, ...files: readonly string[]): void {
  const uri = URI.parse(folder, true);
  played.folders = [{ uri, name: uri.path.split('/').at(-1), index: 0 }];
  played.files = files;
  played.links = [];
  played.asked = [];
}

export class DocumentLink {
  readonly range: Range;

  constructor(range: Range) {
    this.range = range;
  }
}

const never = () => ({ dispose: () => undefined });

export const Uri = { joinPath: (uri: URI, ...paths: string[]) => Utils.joinPath(uri, ...paths), file: URI.file };
export const FileType = { File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const languages = { registerDocumentLinkProvider: never };
export const workspace = {
  get workspaceFolders() {
    return played.folders;
  },
  createFileSystemWatcher: () => ({ onDidCreate: never, onDidDelete: never, dispose: () => undefined }),
  onDidChangeWorkspaceFolders: never,
  getWorkspaceFolder: (uri: URI) =>
    played.folders.find((folder) => folder.uri.authority === uri.authority && uri.path.startsWith(folder.uri.path)),
  fs: {
    isWritableFileSystem: () => true,
    stat: (uri: URI) => {
      const path = uri.toString(true);
      played.asked.push(path);
      const isThere = played.files.some((file) => file === path || file.startsWith(`${path}/`));
      const type = (played.files.includes(path) ? 1 : 2) | (played.links.includes(path) ? 64 : 0);
      return isThere ? Promise.resolve({ type }) : Promise.reject(new Error());
    },
  },
};
