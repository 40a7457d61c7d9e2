/**
 * `npm run bench:paths -- <transcripts> <repositories>`: reads the sessions of agents in a folder, as
 * `bench:transcripts` does, and measures where the absolute paths in them lead in the repository that the agent worked
 * in. For each source, `<repositories>` has a Git directory with its name, and the files are those of the last commit
 * of its HEAD before the session ended. Each source counts as one computer: the evidence for a session is the sessions
 * that began before it and, in one column, all other sessions. `--write` writes the table to docs/content.md, and
 * `--details` lists what led to a wrong file, and the sessions with paths that led nowhere.
 *
 * The folder in which the agent was started is in a field of the transcripts that isn't in the messages. It shows which
 * file is right. A Git worktree below the folder counts as the folder.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMessage } from '../../../src/api/resources/message.ts';
import { withoutPause } from '../../../src/shared/slices.ts';
import { pathTokens, readWrittenPlace } from '../../../src/shared/text/filePaths.ts';
import { type MessageHeader, summarizeMessage } from '../../../src/state/store/messageHeader.ts';
import { readToolMarks } from '../../../src/state/tools/toolMarks.ts';
import { AgentFolders, type LocalFile } from '../../../src/state/work/agentFolders.ts';
import { inferAgentFolders, pathsToFind } from '../../../src/state/work/inferredFolders.ts';
import {
  inferSharedFolders,
  maxOtherSessions,
  type PathSample,
  samplePaths,
  sharedPathsToFind,
} from '../../../src/state/work/sharedFolders.ts';
import { agentPath, type AgentPath, AgentPathReader } from '../../../src/state/work/agentPaths.ts';
import { parseJson } from '../../../src/shared/json.ts';
import { markdownTable } from '../tables/figures.ts';
import { writeBetweenMarkers } from '../tables/report.ts';
import { readTranscript } from './formats.ts';

/** Where the paths of the sessions of a source lead. */
class PathFigures {
  sessions = 0;
  /** Sessions in which a folder of the agent was inferred. */
  inferred = 0;
  /**
   * Paths of files that the repository has: those that lead to the right file without any other session, and those that
   * lead to the right or a wrong file with all other sessions.
   */
  rightAlone = 0;
  rightWithAll = 0;
  wrongWithAll = 0;
  /** Paths of files that the repository has, and where they lead. */
  right = 0;
  wrong = 0;
  nowhere = 0;
  /** Paths of other files, and those of them that lead to a file of the repository. */
  others = 0;
  misled = 0;
  /**
   * Paths of files that the repository has, if all repositories are workspace folders: those that lead to a wrong file,
   * and those that lead to the right one.
   */
  wrongAmongAll = 0;
  rightAmongAll = 0;
  /** The days of the commits, by commit ID. */
  readonly commits = new Map<string, string>();

  get total(): number {
    return this.right + this.wrong + this.nowhere;
  }
}

interface Commit {
  readonly id: string;
  readonly day: string;
  readonly files: ReadonlySet<string>;
}

const [transcripts, repositories, ...options] = process.argv.slice(2);
if (transcripts === undefined || repositories === undefined) {
  throw new Error('Name the folder with the transcripts and the one with the repositories.');
}
const showsDetails = options.includes('--details');
const sources = readdirSync(transcripts).filter((name) => existsSync(join(repositories, name)));
const trees = new Map<string, Commit>();
const measured = sources.map((source) => [source, measureSource(source)] as const);
const rows = [...measured, ['all', total(measured.map(([, figures]) => figures))] as const].map(([source, figures]) =>
  rowOf(source, figures),
);
const report = markdownTable(
  [
    ...['source', 'commits', 'sessions', 'with a folder', 'paths of its files', 'right', 'wrong', 'nowhere'],
    ...['right alone', 'right by all sessions', 'wrong', 'right among all', 'wrong', 'other paths', 'to a file'],
  ],
  rows,
);
console.log(report);
if (options.includes('--write')) await writeBetweenMarkers('agent-paths', report);

function rowOf(source: string, figures: PathFigures): readonly string[] {
  const share = (count: number) => `${((100 * count) / Math.max(1, figures.total)).toFixed(1)} %`;
  const commits = [...figures.commits].sort(([, one], [, other]) => (one < other ? -1 : 1));
  const described = [commits.at(0), commits.at(-1)].flatMap((each) =>
    each ? [`${each[0].slice(0, 9)} (${each[1]})`] : [],
  );
  const numbers = [figures.others, figures.misled].map((each) => each.toLocaleString('en'));
  return [
    ...[
      source,
      commits.length === 0 ? '' : `${commits.length}: ${described.join(' to ')}`,
      String(figures.sessions),
      String(figures.inferred),
      figures.total.toLocaleString('en'),
    ],
    ...[share(figures.right), String(figures.wrong), share(figures.nowhere)],
    ...[
      share(figures.rightAlone),
      share(figures.rightWithAll),
      String(figures.wrongWithAll),
      share(figures.rightAmongAll),
      String(figures.wrongAmongAll),
      ...numbers,
    ],
  ];
}

/** The sum of the figures of all sources, without their commits. */
function total(all: readonly PathFigures[]): PathFigures {
  const sum = new PathFigures();
  for (const figures of all) {
    sum.sessions += figures.sessions;
    sum.inferred += figures.inferred;
    sum.rightAlone += figures.rightAlone;
    sum.rightWithAll += figures.rightWithAll;
    sum.wrongWithAll += figures.wrongWithAll;
    sum.right += figures.right;
    sum.wrong += figures.wrong;
    sum.nowhere += figures.nowhere;
    sum.others += figures.others;
    sum.misled += figures.misled;
    sum.wrongAmongAll += figures.wrongAmongAll;
    sum.rightAmongAll += figures.rightAmongAll;
  }
  return sum;
}

interface Session {
  readonly name: string;
  readonly source: string;
  /** The folder in which the agent was started. */
  readonly started: string;
  /** When the session began and ended, as text that sorts by time. */
  readonly began: string;
  readonly ended: string;
  /** The files that its calls name, and all absolute paths of its calls and answers. */
  readonly files: readonly AgentPath[];
  readonly paths: ReadonlySet<string>;
}

function measureSource(source: string): PathFigures {
  const figures = new PathFigures();
  const folder = join(transcripts ?? '', source);
  const names = readdirSync(folder).filter((each) => each.endsWith('.jsonl'));
  const sessions = names.flatMap((name) => readSession(source, name, readFileSync(join(folder, name), 'utf8')) ?? []);
  const samples = new Map(sessions.map((session) => [session, samplePaths(session.files)]));
  for (const session of sessions) {
    const commit = commitBefore(source, session.ended);
    if (!commit) continue;
    figures.commits.set(commit.id, commit.day);
    figures.sessions += 1;
    const all = new Map(
      sources.flatMap((each) => {
        const files = commitBefore(each, session.ended)?.files;
        return files ? [[each, files] as const] : [];
      }),
    );
    const others = [...samples].filter(([other]) => other !== session);
    const earlier = others.filter(([{ began }]) => began < session.began);
    measureSession(session, all, figures, {
      before: earlier.sort(([one], [other]) => (one.began < other.began ? 1 : -1)).map(([, sample]) => sample),
      all: others.map(([, sample]) => sample),
    });
  }
  return figures;
}

/** The session in a transcript; undefined if it doesn't name its folder and its times. */
function readSession(source: string, name: string, text: string): Session | undefined {
  const started = firstText(text, 'cwd');
  const times = Array.from(text.matchAll(/"timestamp":"([^"]{10,40})"/g), ([, time = '']) => time);
  const [began] = times;
  const ended = times.at(-1);
  const transcript = started === undefined ? undefined : readTranscript(text);
  if (!transcript || started === undefined || began === undefined || ended === undefined) return undefined;
  const messages = transcript.messages.flatMap((message) => readMessage(message) ?? []);
  const headers = messages.map((message) => summarizeMessage(message));
  const texts = messages.flatMap(({ role, content }) =>
    role === 'assistant' ? content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [],
  );
  const files = withoutPause(new AgentPathReader().read(headers));
  return { name, source, started, began, ended, files, paths: pathsIn(headers, texts) };
}

/** The path samples of other sessions: of those that began before, the last one first, and of all. */
interface Others {
  readonly before: readonly PathSample[];
  readonly all: readonly PathSample[];
}

function measureSession(
  { name, source, started, files: named, paths }: Session,
  all: ReadonlyMap<string, ReadonlySet<string>>,
  figures: PathFigures,
  others: Others,
): void {
  const files = all.get(source) ?? new Set();
  const own = new Map([[source, files]]);
  const before = others.before.slice(0, maxOtherSessions);
  const found = inferred(named, before, own);
  const alone = inferred(named, [], own);
  const withAll = inferred(named, others.all, own);
  const amongAll = inferred(named, before, all);
  const lost: string[] = [];
  if (found.folders.some(({ isUncertain }) => !isUncertain)) figures.inferred += 1;
  for (const path of paths) {
    const right = path.startsWith(`${started}/`)
      ? path.slice(started.length + 1).replace(/^(?:\.claude\/)?\.?worktrees\/[^/]+\//, '')
      : undefined;
    const target = existing(found.fileAt(path), all);
    if (right === undefined || !files.has(right)) {
      figures.others += 1;
      if (target === undefined) continue;
      figures.misled += 1;
      if (showsDetails) console.log(`other: ${name}: ${path} -> ${target.relative}`);
      continue;
    }
    const isRight = (file: LocalFile | undefined) => file?.folder === source && file.relative === right;
    const one = existing(amongAll.fileAt(path), all);
    if (isRight(one)) figures.rightAmongAll += 1;
    else if (one) figures.wrongAmongAll += 1;
    if (isRight(alone.fileAt(path))) figures.rightAlone += 1;
    const byAll = existing(withAll.fileAt(path), all);
    if (isRight(byAll)) figures.rightWithAll += 1;
    else if (byAll) figures.wrongWithAll += 1;
    if (isRight(target)) figures.right += 1;
    else if (target === undefined) {
      figures.nowhere += 1;
      lost.push(path);
    } else {
      figures.wrong += 1;
      if (showsDetails) console.log(`wrong: ${name}: ${path} -> ${target.relative}`);
    }
  }
  if (showsDetails && lost.length > 0)
    console.log(`nowhere: ${name}: ${lost.length} of ${paths.size}, ${lost[0] ?? ''}`);
}

function existing(
  file: LocalFile | undefined,
  folders: ReadonlyMap<string, ReadonlySet<string>>,
): LocalFile | undefined {
  return file && folders.get(file.folder)?.has(file.relative) === true ? file : undefined;
}

function inferred(
  paths: readonly AgentPath[],
  samples: readonly PathSample[],
  folders: ReadonlyMap<string, ReadonlySet<string>>,
): AgentFolders {
  const asked = new Set(withoutPause(pathsToFind(paths)));
  const exists = (folder: string, relative: string) =>
    asked.has(relative) && folders.get(folder)?.has(relative) === true;
  const local = [...folders.keys()].map((uri) => ({ uri }));
  for (const path of withoutPause(sharedPathsToFind({ paths, samples }, local, exists))) asked.add(path);
  const alone = withoutPause(inferAgentFolders(paths, local, exists));
  const shared = withoutPause(inferSharedFolders({ paths, inferred: alone, samples }, local, exists));
  return new AgentFolders([...alone, ...shared]);
}

/** The absolute paths in the calls and answers of a session. */
function pathsIn(headers: readonly MessageHeader[], texts: readonly string[]): ReadonlySet<string> {
  const written = headers.flatMap(({ tools }) =>
    readToolMarks(tools).flatMap((mark) => {
      if (mark.type !== 'call') return [];
      const read = mark.kind === 'read' ? mark.label.split(', ').filter((path) => !path.endsWith('…')) : [];
      return [...read, ...mark.files.map(({ path }) => path)];
    }),
  );
  const named = texts.flatMap((text) =>
    text.split('\n').flatMap((line) => pathTokens(line, false).map(({ path }) => readWrittenPlace(path).path)),
  );
  return new Set([...written, ...named].flatMap((path) => agentPath(path) ?? []));
}

/** The last commit of the HEAD of a repository before a time; undefined if there is none. */
function commitBefore(source: string, time: string): Commit | undefined {
  const git = (...given: readonly string[]) =>
    execFileSync('git', ['-C', join(repositories ?? '', source), ...given], { encoding: 'utf8', maxBuffer: 1e9 });
  const [id = '', day = ''] = git('log', '-1', '--first-parent', `--before=${time}`, '--format=%H %cs', 'HEAD')
    .trim()
    .split(' ');
  if (id === '') return undefined;
  const known = trees.get(`${source} ${id}`);
  const commit = known ?? { id, day, files: new Set(git('ls-tree', '-r', '-z', '--name-only', id).split('\0')) };
  trees.set(`${source} ${id}`, commit);
  return commit;
}

/** The first text of a field in lines of JSON. */
function firstText(text: string, field: string): string | undefined {
  const match = new RegExp(`"${field}":("(?:[^"\\\\]|\\\\.){1,400}")`).exec(text)?.[1];
  const value: unknown = match === undefined ? undefined : parseJson(match);
  return typeof value === 'string' ? value : undefined;
}
