import type { PausableWork } from '../../shared/slices.ts';
import {
  agreesEnough,
  type Candidate,
  candidatesIn,
  comparablePaths,
  divisions,
  type Exists,
  isInside,
  isRival,
  type LocalFolder,
  minAgreeing,
} from './agentCandidates.ts';
import type { AgentFolder } from './agentFolders.ts';
import { type AgentPath, comparablePath } from './agentPaths.ts';
import { judge } from './inferredFolders.ts';

/** Some of the files that a session names, in the form of `agentPath`. See {@link samplePaths}. */
export type PathSample = readonly string[];

/** The maximum number of other sessions whose samples are used: those that changed last. */
export const maxOtherSessions = 100;

/** The maximum number of paths in a sample: enough to confirm a root, or to contradict one. */
const maxSampled = 12;
const maxSampledLength = 300;

/**
 * The sample of a session, as evidence for other sessions on the same computer. It is the same for the same paths in
 * any order, and changes rarely when paths are added. Paths that the agent created are left out, because they may not
 * exist in the workspace.
 */
export function samplePaths(paths: readonly AgentPath[]): PathSample {
  const distinctive = paths.filter(
    ({ path, isNew }) => !isNew && path.length <= maxSampledLength && divisions(path).length > 0,
  );
  return [...new Set(distinctive.map(({ path }) => path))]
    .map((path) => ({ path, rank: rankOf(path) }))
    .sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
    .slice(0, maxSampled)
    .map(({ path }) => path);
}

/** A number that depends on the whole path, so that the sample isn't just the alphabetically first folder. */
function rankOf(path: string): number {
  let rank = 2_166_136_261;
  for (let index = 0; index < path.length; index += 1) rank = Math.imul(rank ^ path.charCodeAt(index), 16_777_619);
  return Math.imul(rank ^ (rank >>> 15), 0x85_eb_ca_6b) >>> 0;
}

/** What a session and others on the same computer say about the folders of the agent. */
interface SharedEvidence {
  /** The paths of the session. */
  readonly paths: readonly AgentPath[];
  /** What was inferred from these paths alone. */
  readonly inferred: readonly AgentFolder[];
  /** The samples of other sessions on the same computer of the same service. */
  readonly samples: readonly PathSample[];
}

/**
 * The relative paths of the samples that {@link inferSharedFolders} looks for in each workspace folder: those below
 * roots at which a path of the session agrees. `exists` answers for the paths of `pathsToFind`. Has pauses.
 */
export function* sharedPathsToFind(
  { paths, samples }: Pick<SharedEvidence, 'paths' | 'samples'>,
  folders: readonly LocalFolder[],
  exists: Exists,
): PausableWork<readonly string[]> {
  if (samples.length === 0) return [];
  const own = yield* candidatesIn(paths, folders, exists);
  const roots = new Set(own.map(({ comparableRoot }) => comparableRoot));
  if (roots.size === 0) return [];
  const found = new Set<string>();
  for (const path of new Set(samples.flat())) {
    for (const { root, relative } of divisions(path)) if (roots.has(comparablePath(root))) found.add(relative);
    yield;
  }
  return [...found];
}

/**
 * Infers further folders for a session that names too few distinctive paths: together with the samples, at least three
 * must agree, and at least one of the session itself. Nothing may contradict: no path of the session may fit another
 * folder, and at least a third of the distinctive paths below the root must agree, both in the session and in each
 * sample that has three or more. What the session shows by itself wins. The order of the samples doesn't matter.
 * `exists` answers for the paths of `pathsToFind` and {@link sharedPathsToFind}. Has pauses for `inSlices`.
 */
export function* inferSharedFolders(
  { paths, inferred, samples }: SharedEvidence,
  folders: readonly LocalFolder[],
  exists: Exists,
): PausableWork<readonly AgentFolder[]> {
  if (samples.length === 0) return [];
  const own = yield* candidatesIn(paths, folders, exists);
  const roots = new Set(own.map(({ comparableRoot }) => comparableRoot));
  if (roots.size === 0) return [];
  const pooled = pool(paths, samples);
  const all = yield* candidatesIn(pooled, folders, exists, roots);
  const { certain } = yield* judge(all, pooled);
  const others = yield* pathsBelow(new Set(certain.map(({ comparableRoot }) => comparableRoot)), samples);
  const comparable = comparablePaths(paths);
  const found: Candidate[] = [];
  for (const candidate of certain) {
    yield;
    const same = own.find((one) => isSame(one, candidate));
    if (!same || !agreesEnough(same, comparable)) continue;
    if (own.some((one) => one.folder !== candidate.folder && isRival(candidate, one))) continue;
    if (isKnown(candidate, inferred)) continue;
    if (others.get(candidate.comparableRoot)?.some((relatives) => contradicts(relatives, candidate, exists))) continue;
    found.push(candidate);
  }
  return found
    .filter((one) => !found.some((other) => isInside(one, other)))
    .map(({ root, folder }) => ({ root, folders: [folder], isUncertain: false }));
}

/** The paths of the session and of the samples, each file once. */
function pool(paths: readonly AgentPath[], samples: readonly PathSample[]): readonly AgentPath[] {
  const files = new Map<string, AgentPath>();
  for (const path of samples.flat()) files.set(comparablePath(path), { path, isNew: false });
  for (const file of paths) files.set(comparablePath(file.path), file);
  return [...files.values()];
}

function isSame(one: Candidate, other: Candidate): boolean {
  return one.comparableRoot === other.comparableRoot && one.folder === other.folder;
}

/** Whether the session by itself already says something about a candidate: the same, or something else. */
function isKnown(candidate: Candidate, inferred: readonly AgentFolder[]): boolean {
  const shown = inferred.flatMap(({ root, folders }) =>
    folders.map((folder) => ({ root, comparableRoot: comparablePath(root), folder, agrees: new Set<number>() })),
  );
  return shown.some((one) => {
    return one.comparableRoot === candidate.comparableRoot || isInside(candidate, one) || isRival(candidate, one);
  });
}

/** The relative paths that each sample has below each root. The roots are comparable. Has pauses. */
function* pathsBelow(
  roots: ReadonlySet<string>,
  samples: readonly PathSample[],
): PausableWork<ReadonlyMap<string, readonly (readonly string[])[]>> {
  const found = new Map([...roots].map((root) => [root, samples.map((): string[] => [])]));
  if (roots.size === 0) return found;
  for (const [index, sample] of samples.entries()) {
    for (const path of sample) {
      yield;
      for (const { root, relative } of divisions(path)) found.get(comparablePath(root))?.[index]?.push(relative);
    }
  }
  return found;
}

/**
 * Whether a sample has enough paths below a candidate's root to show that the root doesn't correspond to the folder.
 */
function contradicts(relatives: readonly string[], { folder }: Candidate, exists: Exists): boolean {
  const agreeing = relatives.filter((relative) => exists(folder, relative));
  return relatives.length >= minAgreeing && agreeing.length * 3 < relatives.length;
}
