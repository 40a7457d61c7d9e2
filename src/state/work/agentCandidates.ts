import type { PausableWork } from '../../shared/slices.ts';
import { uriPart } from '../../shared/text.ts';
import { type AgentPath, comparablePath } from './agentPaths.ts';

/** A folder of the workspace. `uri` identifies it. */
export interface LocalFolder {
  readonly uri: string;
}

/** Whether the folder with this URI contains a file with this relative path, which has forward slashes. */
export type Exists = (folder: string, relative: string) => boolean;

/** A folder of the agent that may correspond to a workspace folder. */
export interface Candidate {
  readonly root: string;
  readonly comparableRoot: string;
  readonly folder: string;
  /**
   * The paths that agree: the distinctive ones below the root that exist in the folder, as indexes in the list of paths
   * from which the candidate was found.
   */
  readonly agrees: ReadonlySet<number>;
}

/** The minimum number of distinctive paths that must agree; see {@link Candidate}. */
export const minAgreeing = 3;
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

/** Names of folders that many projects have. */
const commonFolders = new Set([
  ...['src', 'lib', 'test', 'tests', '__tests__', 'docs', 'doc', 'cmd', 'internal', 'pkg', 'packages', 'app', 'apps'],
  ...[
    'components',
    'examples',
    'example',
    'fixtures',
    'scripts',
    'tools',
    'bin',
    'public',
    'static',
    'assets',
    'config',
  ],
  ...['types', 'utils', 'helpers', 'common', 'core', 'shared', 'api', 'web', 'server', 'client', 'main', 'resources'],
  ...['pages', 'routes', 'hooks', 'styles', 'templates', 'migrations', 'models', 'views', 'controllers', 'services'],
  ...['java', 'python', 'go', 'ts', 'js', 'e2e', 'spec', 'specs', '.claude', 'skills', 'agents', 'commands', 'plugins'],
]);

/** Folders of tools, whose files have the same names in many projects. */
const toolFolders = new Set(['.github', '.gitlab', '.circleci', '.vscode', '.idea', '.husky', '.devcontainer']);

/**
 * Whether hardly any other project has a file with this path: its name is uncommon, or the names of two of its folders
 * are. Never true for a file without a folder, or in a folder of a tool.
 */
function isDistinctive(parts: readonly string[]): boolean {
  const [first = ''] = parts;
  if (parts.length < 2 || toolFolders.has(first)) return false;
  const [stem = ''] = (parts.at(-1) ?? '').replace(/^\.+/, '').toLowerCase().split('.', 1);
  if (stem.length >= 2 && !commonNames.has(stem)) return true;
  const uncommon = parts.slice(0, -1).filter((name) => name.length >= 2 && !commonFolders.has(name.toLowerCase()));
  return uncommon.length >= 2;
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

/** The divisions of a path into a root and a distinctive path below it, which has at most {@link maxDepth} names. */
export function divisions(path: string): readonly Division[] {
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

/**
 * The pairs of roots and workspace folders for which at least one distinctive path agrees. `roots`: only these, in
 * comparable form. Has pauses.
 */
export function* candidatesIn(
  paths: readonly AgentPath[],
  folders: readonly LocalFolder[],
  exists: Exists,
  roots?: ReadonlySet<string>,
): PausableWork<readonly Candidate[]> {
  const found = new Map<string, Candidate & { readonly agrees: Set<number> }>();
  for (const [index, { path }] of paths.entries()) {
    yield;
    for (const { root, relative } of divisions(path)) {
      const comparableRoot = comparablePath(root);
      if (roots?.has(comparableRoot) === false) continue;
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

/**
 * Whether at least a third of the distinctive paths below the root agree. Those that the agent created count only if
 * they agree. The paths are those from which the candidate was found, in comparable form.
 */
export function agreesEnough(candidate: Candidate, paths: readonly AgentPath[]): boolean {
  return candidate.agrees.size * 3 >= countBelow(candidate, paths);
}

/** The paths in the form that {@link agreesEnough} compares. */
export function comparablePaths(paths: readonly AgentPath[]): readonly AgentPath[] {
  return paths.map(({ path, isNew }) => ({ path: comparablePath(path), isNew }));
}

/**
 * The number of distinctive paths below a root that agree, or that the agent didn't create. The paths are comparable.
 */
function countBelow({ comparableRoot, agrees }: Candidate, paths: readonly AgentPath[]): number {
  const start = `${comparableRoot}/`;
  return paths.filter(({ path, isNew }, index) => {
    if ((isNew && !agrees.has(index)) || !path.startsWith(start)) return false;
    return isDistinctive(path.slice(start.length).split('/'));
  }).length;
}

/**
 * Whether two candidates map some path to different files. A worktree is no rival of the folder around it, because it
 * is a copy of that folder.
 */
export function isRival(one: Candidate, other: Candidate): boolean {
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
  return path.split('/').map(uriPart).join('/');
}

/**
 * Whether a candidate explains all that the other one does and at least three paths more, or at least ten times as many
 * paths.
 */
export function explainsMore({ agrees }: Candidate, other: Candidate): boolean {
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

/**
 * Whether a root is below another one and isn't a worktree. If the two aren't rivals, it leads to the same files as the
 * other one, so it isn't needed.
 */
export function isInside(one: Candidate, other: Candidate): boolean {
  return isWithin(one, other) && one.comparableRoot !== other.comparableRoot && !isWorkTree(one, other);
}
