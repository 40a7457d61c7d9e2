import type { LocalFolder } from './agentCandidates.ts';
import { agentPath, comparablePath } from './agentPaths.ts';

/** A file: the URI of its workspace folder, and its path in that folder, with forward slashes. */
export interface LocalFile {
  readonly folder: string;
  readonly relative: string;
  /** Where the mapping comes from, unless it was inferred. */
  readonly source?: 'user' | 'setting';
}

/** A folder on the agent's computer that corresponds to a workspace folder. */
export interface AgentFolder {
  /** In the form of `agentPath`. */
  readonly root: string;
  /**
   * The URIs of the workspace folders that it may correspond to. If there are several, or `isUncertain`, only the user
   * can tell. Empty if the user rejected each of them.
   */
  readonly folders: readonly string[];
  readonly isUncertain: boolean;
  /**
   * The path of the corresponding folder in the workspace folder, with forward slashes. Absent if it is the workspace
   * folder itself.
   */
  readonly subfolder?: string;
  /** Where the mapping comes from, unless it was inferred. */
  readonly source?: 'user' | 'setting';
}

/** What a user chose for a folder of the agent and a workspace folder: that they are the same, or that they aren't. */
export interface ChosenMapping {
  readonly root: string;
  readonly folder: string;
  readonly isMapped: boolean;
}

/** The path of a file below a folder of the agent; undefined if it isn't there. Both are in the form of `agentPath`. */
function relativePath(folder: string, path: string): string | undefined {
  const start = `${comparablePath(folder)}/`;
  return path.length > start.length && comparablePath(path).startsWith(start) ? path.slice(start.length) : undefined;
}

/**
 * Combines the inferred mappings with the user's choices and the setting. Choices override what was inferred, and the
 * setting overrides both. If the user rejected all workspace folders for a root, the root corresponds to none. If the
 * user rejected only some, these are removed from what was inferred.
 */
export function combineFolders(
  inferred: readonly AgentFolder[],
  chosen: readonly ChosenMapping[],
  configured: readonly AgentFolder[],
  folders: readonly LocalFolder[],
): readonly AgentFolder[] {
  const known = new Map(inferred.map((one) => [comparablePath(one.root), one]));
  const own = chosen.filter(({ folder }) => folders.some(({ uri }) => uri === folder));
  for (const { root } of own) {
    const choices = own.filter((one) => comparablePath(one.root) === comparablePath(root));
    const mapped = choices.findLast(({ isMapped }) => isMapped);
    const unmapped = new Set(choices.filter(({ isMapped }) => !isMapped).map(({ folder }) => folder));
    const before = known.get(comparablePath(root));
    if (mapped) {
      known.set(comparablePath(root), { root, folders: [mapped.folder], isUncertain: false, source: 'user' });
    } else if (folders.every(({ uri }) => unmapped.has(uri))) {
      known.set(comparablePath(root), { root, folders: [], isUncertain: false, source: 'user' });
    } else if (before?.folders.some((folder) => unmapped.has(folder)) === true) {
      known.set(comparablePath(root), { ...before, folders: before.folders.filter((one) => !unmapped.has(one)) });
    }
  }
  for (const one of configured) known.set(comparablePath(one.root), one);
  return [...known.values()];
}

/**
 * Reads the setting with mappings: absolute paths of agents, and `${workspaceFolder}` or `${workspaceFolder:name}` with
 * an optional subfolder. Leaves out entries that aren't in this form, that name no folder or more than one, or that
 * lead out of it.
 */
export function readPathMappings(
  entries: Readonly<Record<string, string>>,
  folders: readonly (LocalFolder & { readonly name: string })[],
): readonly AgentFolder[] {
  return Object.entries(entries).flatMap(([written, target]) => {
    const root = agentPath(written);
    const match = /^\$\{workspaceFolder(?::([^}]*))?\}(?:[\\/](.*))?$/.exec(target);
    const [, name, rest = ''] = match ?? [];
    const named = folders.filter((folder) => name === undefined || folder.name === name);
    const [folder] = named;
    const parts = rest.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
    if (root === undefined || !match || !folder || named.length > 1 || parts.includes('..')) return [];
    const subfolder = parts.length === 0 ? {} : { subfolder: parts.join('/') };
    return [{ root, folders: [folder.uri], isUncertain: false, source: 'setting', ...subfolder }];
  });
}

/** Maps paths of the agent to files of the workspace. Of several roots that contain a path, the longest counts. */
export class AgentFolders {
  readonly folders: readonly AgentFolder[];
  readonly #sorted: readonly AgentFolder[];

  constructor(folders: readonly AgentFolder[]) {
    this.folders = folders;
    this.#sorted = folders.toSorted((a, b) => b.root.length - a.root.length);
  }

  /** The file that a path in the form of `agentPath` refers to; undefined if it isn't certain. */
  fileAt(path: string): LocalFile | undefined {
    for (const { root, folders, isUncertain, subfolder, source } of this.#sorted) {
      const relative = relativePath(root, path);
      if (relative === undefined) continue;
      const [folder] = folders;
      if (folder === undefined || folders.length > 1 || isUncertain) return undefined;
      const own = subfolder === undefined ? relative : `${subfolder}/${relative}`;
      return { folder, relative: own, ...(source === undefined ? {} : { source }) };
    }
    return undefined;
  }

  /** The path of a workspace file on the agent's computer; undefined if there is none, or more than one. */
  pathOf({ folder, relative }: LocalFile): string | undefined {
    const paths = this.folders.flatMap(({ root, folders, isUncertain, subfolder }) => {
      if (isUncertain || folders.length !== 1 || folders[0] !== folder) return [];
      if (subfolder === undefined) return [`${root}/${relative}`];
      return relative.startsWith(`${subfolder}/`) ? [`${root}/${relative.slice(subfolder.length + 1)}`] : [];
    });
    // Of nested folders, the inner one counts, as it does in {@link fileAt}.
    const own = paths.filter((path) => {
      const file = this.fileAt(path);
      return file?.folder === folder && file.relative === relative;
    });
    return own.length === 1 ? own[0] : undefined;
  }
}
