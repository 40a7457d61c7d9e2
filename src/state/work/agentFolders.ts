import type { PausableWork } from '../../shared/slices.ts';
import { agentPath, type AgentPath, comparablePath } from './agentPaths.ts';

/** A folder of the workspace. `uri` identifies it. */
interface LocalFolder {
  readonly uri: string;
}

/** A file by its workspace folder and its path in it, with slashes. */
export interface LocalFile {
  readonly folder: string;
  readonly relative: string;
  /** Who says so, unless it was inferred. */
  readonly source?: 'user' | 'setting';
}

/** A folder on the agent's computer that corresponds to a workspace folder. */
export interface AgentFolder {
  /** In the form of `agentPath`. */
  readonly root: string;
  /** The URIs of the workspace folders that it may be. If there are several, or `isUncertain`, only the user can tell. */
  readonly folders: readonly string[];
  readonly isUncertain: boolean;
  /** The folder below the workspace folder, with slashes. Absent if it is the workspace folder itself. */
  readonly subfolder?: string;
  /** Who says so, unless it was inferred. */
  readonly source?: 'user' | 'setting';
}

/** What a user chose for a folder of the agent and a workspace folder: that they are the same, or that they aren't. */
export interface ChosenMapping {
  readonly root: string;
  readonly folder: string;
  readonly isMapped: boolean;
}

/** A folder of the agent that may correspond to a workspace folder. */
interface Candidate {
  readonly root: string;
  readonly comparableRoot: string;
  readonly folder: string;
  /** The distinctive paths below the root that exist in the folder, as indexes. */
  readonly agrees: ReadonlySet<number>;
}

/** The number of distinctive paths that must agree. */
const minAgreeing = 3;
/** Maximum number of roots that fit. More of them are no evidence, because almost any folder would fit. */
const maxRoots = 50;
/** The longest path below a root, in names. */
const maxDepth = 12;

/** Names that many projects have, without extensions. */
const commonNames = new Set([
  ...[
    'index',
    'main',
    'mod',
    'lib',
    'app',
    'init',
    '__init__',
    '__main__',
    'package',
    'package-lock',
    'readme',
    'license',
  ],
  ...[
    'changelog',
    'makefile',
    'dockerfile',
    'tsconfig',
    'jsconfig',
    'setup',
    'conftest',
    'manage',
    'settings',
    'config',
  ],
  ...['types', 'utils', 'util', 'helpers', 'constants', 'common', 'test', 'tests', 'page', 'layout', 'route', 'routes'],
  ...[
    'styles',
    'style',
    'global',
    'globals',
    'agents',
    'claude',
    'contributing',
    'security',
    'requirements',
    'pyproject',
  ],
  ...[
    'cargo',
    'go',
    'gemfile',
    'pom',
    'build',
    'ci',
    'vite',
    'vitest',
    'eslint',
    'jest',
    'webpack',
    'next',
    'tailwind',
  ],
]);

/** Whether hardly any other project has a file with this path. */
function isDistinctive(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? '';
  const [stem = ''] = name.replace(/^\.+/, '').toLowerCase().split('.', 1);
  return parts.length >= 2 && stem.length >= 2 && !commonNames.has(stem);
}

/** The parts of a path in the form of `agentPath`: what precedes the first name, and the names. */
function partsOf(path: string): readonly [start: string, names: readonly string[]] {
  const start = /^(?:[a-z]:\/|\/\/[^/]+\/[^/]+\/?|\/)/.exec(path)?.[0] ?? '';
  const names = path.slice(start.length).split('/');
  return [start.replace(/\/$/, ''), names];
}

/** A root and the rest of a path. */
interface Division {
  readonly root: string;
  readonly relative: string;
}

/** The ways in which a file can be in a folder, each with a distinctive path. */
function divisions(path: string): readonly Division[] {
  const [start, names] = partsOf(path);
  const found: Division[] = [];
  for (let count = Math.max(start === '' ? 1 : 0, names.length - maxDepth); count <= names.length - 2; count += 1) {
    const rest = names.slice(count);
    if (isDistinctive(rest)) {
      found.push({ root: [start, ...names.slice(0, count)].join('/'), relative: rest.join('/') });
    }
  }
  return found;
}

/** The paths of which {@link inferAgentFolders} asks whether they exist in each workspace folder. Has pauses. */
export function* pathsToFind(paths: readonly AgentPath[]): PausableWork<readonly string[]> {
  const found = new Set<string>();
  for (const { path } of paths) {
    for (const { relative } of divisions(path)) found.add(relative);
    yield;
  }
  return [...found];
}

/**
 * Infers which folders of the agent correspond to workspace folders. A root belongs to a folder if at least three
 * distinctive paths below it exist there, at least a third of those that the agent didn't create, and if no other folder
 * and no other root explains the same paths. Two candidates that both fit are a question. A file that is missing here is no
 * contradiction. If more than {@link maxRoots} roots fit, none does. `exists` answers for the paths of {@link pathsToFind}.
 * Has pauses for `inSlices`.
 */
export function* inferAgentFolders(
  paths: readonly AgentPath[],
  folders: readonly LocalFolder[],
  exists: (folder: string, relative: string) => boolean,
): PausableWork<readonly AgentFolder[]> {
  const all = yield* candidatesIn(paths, folders, exists);
  const fitting = yield* fittingOf(all, paths);
  const certain: Candidate[] = [];
  const uncertain: Candidate[] = [];
  for (const candidate of fitting) {
    const standing = yield* compareWithRivals(candidate, all);
    if (standing === 'certain') certain.push(candidate);
    if (standing === 'uncertain') uncertain.push(candidate);
  }
  const isInside = (one: Candidate, other: Candidate) =>
    isWithin(one, other) && one.comparableRoot !== other.comparableRoot && !isWorkTree(one, other);
  const outer = certain.filter((one) => !certain.some((other) => isInside(one, other)));
  const open = uncertain.filter((one) => !outer.some((other) => other.root === one.root || isInside(one, other)));
  return [
    ...outer.map(({ root, folder }) => ({ root, folders: [folder], isUncertain: false })),
    ...[...new Set(open.map(({ root }) => root))].map((root) => ({
      root,
      folders: open.filter((one) => one.root === root).map(({ folder }) => folder),
      isUncertain: true,
    })),
  ];
}

function* candidatesIn(
  paths: readonly AgentPath[],
  folders: readonly LocalFolder[],
  exists: (folder: string, relative: string) => boolean,
): PausableWork<readonly Candidate[]> {
  const found = new Map<string, Candidate & { readonly agrees: Set<number> }>();
  for (const [index, { path }] of paths.entries()) {
    yield;
    for (const { root, relative } of divisions(path)) {
      const comparableRoot = comparablePath(root);
      for (const { uri: folder } of folders) {
        if (!exists(folder, relative)) continue;
        const name = `${comparableRoot}\0${folder}`;
        const known = found.get(name) ?? { root, comparableRoot, folder, agrees: new Set() };
        known.agrees.add(index);
        found.set(name, known);
      }
    }
  }
  return [...found.values()];
}

/** The candidates with enough paths that agree; empty if they have too many roots. */
function* fittingOf(all: readonly Candidate[], paths: readonly AgentPath[]): PausableWork<readonly Candidate[]> {
  const comparable = paths.map(({ path, isNew }) => ({ path: comparablePath(path), isNew }));
  const roots = new Set<string>();
  const fitting: Candidate[] = [];
  for (const candidate of all) {
    if (candidate.agrees.size < minAgreeing) continue;
    yield;
    if (candidate.agrees.size * 3 < countBelow(candidate, comparable)) continue;
    fitting.push(candidate);
    if (roots.add(candidate.comparableRoot).size > maxRoots) return [];
  }
  return fitting;
}

/** The number of distinctive paths below a root that agree or that the agent didn't create. The paths are comparable. */
function countBelow({ comparableRoot, agrees }: Candidate, paths: readonly AgentPath[]): number {
  const start = `${comparableRoot}/`;
  return paths.filter(({ path, isNew }, index) => {
    if ((isNew && !agrees.has(index)) || !path.startsWith(start)) return false;
    return isDistinctive(path.slice(start.length).split('/'));
  }).length;
}

/** Refuted if a rival explains more, and certain if the candidate explains more than each rival. */
function* compareWithRivals(
  candidate: Candidate,
  all: readonly Candidate[],
): PausableWork<'certain' | 'uncertain' | 'refuted'> {
  let isCertain = true;
  for (const other of all) {
    if (!isRival(candidate, other)) continue;
    yield;
    if (explainsMore(candidate, other)) continue;
    if (explainsMore(other, candidate)) return 'refuted';
    isCertain = false;
  }
  return isCertain ? 'certain' : 'uncertain';
}

/** Whether two candidates lead some path to different files. A worktree is a copy of the folder around it. */
function isRival(one: Candidate, other: Candidate): boolean {
  if (one === other) return false;
  const isDeeper = isWithin(one, other);
  if (!isDeeper && !isWithin(other, one)) return false;
  const [deeper, upper] = isDeeper ? [one, other] : [other, one];
  if (isWorkTree(deeper, upper)) return false;
  const between = deeper.root.slice(upper.root.length + 1);
  // Both are the same mapping if the folders are nested as the roots are.
  return deeper.folder !== (between === '' ? upper.folder : `${upper.folder}/${encoded(between)}`);
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Whether a candidate explains all that the other one does and at least three paths more, or far more paths. */
function explainsMore({ agrees }: Candidate, other: Candidate): boolean {
  if (agrees.size >= 10 * other.agrees.size) return true;
  if (agrees.size < other.agrees.size + minAgreeing) return false;
  for (const index of other.agrees) if (!agrees.has(index)) return false;
  return true;
}

/** Whether a root is in a folder in which agents keep worktrees, below another root. */
function isWorkTree({ root }: Candidate, above: Candidate): boolean {
  return /(?:^|\/)\.?work-?trees?\/[^/]+$/i.test(root.slice(above.root.length + 1));
}

/** Whether a root is another one or below it. */
function isWithin({ comparableRoot: root }: Candidate, { comparableRoot: other }: Candidate): boolean {
  return root.startsWith(other) && (root.length === other.length || root[other.length] === '/');
}

/** The path of a file below a folder of the agent; undefined if it isn't there. Both are in the form of `agentPath`. */
function relativePath(folder: string, path: string): string | undefined {
  const start = `${comparablePath(folder)}/`;
  return path.length > start.length && comparablePath(path).startsWith(start) ? path.slice(start.length) : undefined;
}

/**
 * Combines what was inferred with what the user chose and with the setting, which wins. A choice against all workspace
 * folders leads nowhere.
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
    const refused = new Set(choices.filter(({ isMapped }) => !isMapped).map(({ folder }) => folder));
    const before = known.get(comparablePath(root));
    if (mapped) {
      known.set(comparablePath(root), { root, folders: [mapped.folder], isUncertain: false, source: 'user' });
    } else if (folders.every(({ uri }) => refused.has(uri))) {
      known.set(comparablePath(root), { root, folders: [], isUncertain: false, source: 'user' });
    } else if (before?.folders.some((folder) => refused.has(folder)) === true) {
      known.set(comparablePath(root), { ...before, folders: before.folders.filter((one) => !refused.has(one)) });
    }
  }
  for (const one of configured) known.set(comparablePath(one.root), one);
  return [...known.values()];
}

/**
 * Reads the setting with mappings: absolute paths of agents, and `${workspaceFolder}` or `${workspaceFolder:name}` with an
 * optional subfolder. Leaves out entries that lead out of the workspace folders.
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

/** Leads paths of the agent to files of the workspace. The longest root counts. */
export class AgentFolders {
  readonly folders: readonly AgentFolder[];
  readonly #sorted: readonly AgentFolder[];

  constructor(folders: readonly AgentFolder[]) {
    this.folders = folders;
    this.#sorted = folders.toSorted((a, b) => b.root.length - a.root.length);
  }

  /** The file that a path in the form of `agentPath` means; undefined if it isn't certain. */
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
    // Of nested folders, the inner one counts, as it does for the file that a path means.
    const own = paths.filter((path) => {
      const file = this.fileAt(path);
      return file?.folder === folder && file.relative === relative;
    });
    return own.length === 1 ? own[0] : undefined;
  }
}
