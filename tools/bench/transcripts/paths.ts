/**
 * `npm run bench:paths -- <transcripts> <repositories>`: reads the sessions of agents in a folder, as `bench:transcripts`
 * does, and measures where the absolute paths in them lead in the repository that the agent worked in. For each source,
 * `<repositories>` has a Git directory with its name, and the files are those of the last commit of its HEAD before the
 * session ended. `--write` writes the table to docs/content.md, and `--details` lists what led to a wrong file, and the
 * sessions with paths that led nowhere.
 *
 * A field of transcripts, which isn't in the messages, has the folder in which the agent was started. It says which file is
 * right. A Git worktree below it counts as the folder.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMessage } from '../../../src/api/resources/message.ts';
import { withoutPause } from '../../../src/shared/slices.ts';
import { pathTokens, readWrittenPlace } from '../../../src/shared/text/filePaths.ts';
import { type MessageHeader, summarizeMessage } from '../../../src/state/store/messageHeader.ts';
import { readToolMarks } from '../../../src/state/tools/toolMarks.ts';
import { AgentFolders } from '../../../src/state/work/agentFolders.ts';
import { inferAgentFolders, pathsToFind } from '../../../src/state/work/inferredFolders.ts';
import { agentPath, AgentPathReader } from '../../../src/state/work/agentPaths.ts';
import { parseJson } from '../../../src/shared/json.ts';
import { markdownTable } from '../tables/figures.ts';
import { writeBetweenMarkers } from '../tables/report.ts';
import { readTranscript } from './formats.ts';

/** Where the paths of the sessions of a source lead. */
class PathFigures {
  sessions = 0;
  /** Sessions in which a folder of the agent was inferred, and the paths in them of files that the repository has. */
  inferred = 0;
  ofInferred = 0;
  /** Paths of files that the repository has, and where they lead. */
  right = 0;
  wrong = 0;
  nowhere = 0;
  /** Paths of other files, and how many of them lead to a file of the repository. */
  others = 0;
  misled = 0;
  /** The same paths if all repositories are workspace folders: those that lead to another file than with one folder. */
  wrongAmongAll = 0;
  rightAmongAll = 0;
  /** The commits with their days, in order of the sessions. */
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
const rows = sources.map((source) => rowOf(source, measureSource(source)));
const report = markdownTable(
  [
    ...['source', 'commits', 'sessions', 'with a folder', 'paths of its files', 'right', 'wrong', 'nowhere'],
    ...['right with a folder', 'right among all', 'wrong among all', 'other paths', 'to a file'],
  ],
  rows,
);
console.log(report);
if (options.includes('--write')) await writeBetweenMarkers('agent-paths', report);

function rowOf(source: string, figures: PathFigures): readonly string[] {
  const share = (count: number, total = figures.total) => `${((100 * count) / Math.max(1, total)).toFixed(1)} %`;
  const commits = [...figures.commits].sort(([, one], [, other]) => (one < other ? -1 : 1));
  const described = [commits.at(0), commits.at(-1)].flatMap((each) =>
    each ? [`${each[0].slice(0, 9)} (${each[1]})`] : [],
  );
  const numbers = [figures.others, figures.misled].map((each) => each.toLocaleString('en'));
  return [
    ...[
      source,
      `${commits.length}: ${described.join(' to ')}`,
      String(figures.sessions),
      String(figures.inferred),
      figures.total.toLocaleString('en'),
    ],
    ...[share(figures.right), String(figures.wrong), share(figures.nowhere)],
    ...[
      share(figures.right, figures.ofInferred),
      share(figures.rightAmongAll),
      String(figures.wrongAmongAll),
      ...numbers,
    ],
  ];
}

function measureSource(source: string): PathFigures {
  const figures = new PathFigures();
  const folder = join(transcripts ?? '', source);
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.jsonl'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const started = firstText(text, 'cwd');
    const ended = Array.from(text.matchAll(/"timestamp":"([^"]{10,40})"/g)).at(-1)?.[1];
    const transcript = started === undefined || ended === undefined ? undefined : readTranscript(text);
    const commit = transcript && ended !== undefined ? commitBefore(source, ended) : undefined;
    if (!transcript || !commit || started === undefined || ended === undefined) continue;
    figures.commits.set(commit.id, commit.day);
    figures.sessions += 1;
    const messages = transcript.messages.flatMap((message) => readMessage(message) ?? []);
    const headers = messages.map((message) => summarizeMessage(message));
    const texts = messages.flatMap(({ role, content }) =>
      role === 'assistant' ? content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [],
    );
    const all = new Map(
      sources.flatMap((each) => {
        const files = each === source ? commit.files : commitBefore(each, ended)?.files;
        return files ? [[each, files] as const] : [];
      }),
    );
    measureSession({ name, source, started, headers, paths: pathsIn(headers, texts) }, all, figures);
  }
  return figures;
}

interface Session {
  readonly name: string;
  readonly source: string;
  /** The folder in which the agent was started. */
  readonly started: string;
  readonly headers: readonly MessageHeader[];
  readonly paths: ReadonlySet<string>;
}

function measureSession(
  { name, source, started, headers, paths }: Session,
  all: ReadonlyMap<string, ReadonlySet<string>>,
  figures: PathFigures,
): void {
  const files = all.get(source) ?? new Set();
  const alone = inferred(headers, new Map([[source, files]]));
  const amongAll = inferred(headers, all);
  const lost: string[] = [];
  const isInferred = alone.folders.some(({ isUncertain }) => !isUncertain);
  if (isInferred) figures.inferred += 1;
  for (const path of paths) {
    const right = path.startsWith(`${started}/`)
      ? path.slice(started.length + 1).replace(/^(?:\.claude\/)?\.?worktrees\/[^/]+\//, '')
      : undefined;
    const target = alone.fileAt(path)?.relative;
    const found = target !== undefined && files.has(target) ? target : undefined;
    if (right === undefined || !files.has(right)) {
      figures.others += 1;
      if (found === undefined) continue;
      figures.misled += 1;
      if (showsDetails) console.log(`other: ${name}: ${path} -> ${found}`);
      continue;
    }
    if (isInferred) figures.ofInferred += 1;
    const one = amongAll.fileAt(path);
    if (one?.folder === source && one.relative === right) figures.rightAmongAll += 1;
    else if (one && all.get(one.folder)?.has(one.relative) === true) figures.wrongAmongAll += 1;
    if (found === right) figures.right += 1;
    else if (found === undefined) {
      figures.nowhere += 1;
      lost.push(path);
    } else {
      figures.wrong += 1;
      if (showsDetails) console.log(`wrong: ${name}: ${path} -> ${found}`);
    }
  }
  if (showsDetails && lost.length > 0)
    console.log(`nowhere: ${name}: ${lost.length} of ${paths.size}, ${lost[0] ?? ''}`);
}

function inferred(headers: readonly MessageHeader[], folders: ReadonlyMap<string, ReadonlySet<string>>): AgentFolders {
  const paths = withoutPause(new AgentPathReader().read(headers));
  const asked = new Set(withoutPause(pathsToFind(paths)));
  const exists = (folder: string, relative: string) =>
    asked.has(relative) && folders.get(folder)?.has(relative) === true;
  const local = [...folders.keys()].map((uri) => ({ uri }));
  return new AgentFolders(withoutPause(inferAgentFolders(paths, local, exists)));
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
