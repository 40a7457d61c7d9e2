import type { PausableWork } from '../../shared/slices.ts';
import type { AgentFolder } from './agentFolders.ts';
import {
  type Candidate,
  candidatesIn,
  agreesEnough,
  comparablePaths,
  divisions,
  type Exists,
  explainsMore,
  isInside,
  isRival,
  type LocalFolder,
  minAgreeing,
} from './agentCandidates.ts';
import type { AgentPath } from './agentPaths.ts';

/** Maximum number of roots that fit. More of them are no evidence, because almost any folder would fit. */
const maxRoots = 50;

/** The relative paths that {@link inferAgentFolders} looks for in each workspace folder. Has pauses. */
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
 * distinctive paths below it exist there, if these are at least a third of all such paths, not counting missing ones
 * that the agent created, and if no other folder and no other root explains the same paths. If two candidates explain
 * about the same paths, both are uncertain. A file that is missing in the workspace is no contradiction. If more than
 * {@link maxRoots} roots fit, all of them are ignored. `exists` answers for the paths of {@link pathsToFind}. Has
 * pauses for `inSlices`.
 */
export function* inferAgentFolders(
  paths: readonly AgentPath[],
  folders: readonly LocalFolder[],
  exists: Exists,
): PausableWork<readonly AgentFolder[]> {
  const { certain, uncertain } = yield* judge(yield* candidatesIn(paths, folders, exists), paths);
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

/**
 * The candidates that fit and that no rival refutes, divided by whether they explain more than each rival. `paths`:
 * those from which the candidates were found. Has pauses.
 */
export function* judge(
  all: readonly Candidate[],
  paths: readonly AgentPath[],
): PausableWork<{ readonly certain: readonly Candidate[]; readonly uncertain: readonly Candidate[] }> {
  const certain: Candidate[] = [];
  const uncertain: Candidate[] = [];
  for (const candidate of yield* fittingOf(all, paths)) {
    const standing = yield* compareWithRivals(candidate, all);
    if (standing === 'certain') certain.push(candidate);
    if (standing === 'uncertain') uncertain.push(candidate);
  }
  return { certain, uncertain };
}

/** The candidates with enough paths that agree; empty if they have too many roots. */
function* fittingOf(all: readonly Candidate[], paths: readonly AgentPath[]): PausableWork<readonly Candidate[]> {
  const comparable = comparablePaths(paths);
  const roots = new Set<string>();
  const fitting: Candidate[] = [];
  for (const candidate of all) {
    if (candidate.agrees.size < minAgreeing) continue;
    yield;
    if (!agreesEnough(candidate, comparable)) continue;
    fitting.push(candidate);
    if (roots.add(candidate.comparableRoot).size > maxRoots) return [];
  }
  return fitting;
}

/**
 * `refuted` if a rival explains more, `certain` if the candidate explains more than each rival; otherwise `uncertain`.
 */
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
