import type { MessageHeader } from '../store/messageHeader.ts';
import { type CallMark, readToolMarks } from '../tools/toolMarks.ts';

/** A file on the agent's computer that its calls name. */
export interface AgentPath {
  /** See {@link agentPath}. */
  readonly path: string;
  /** Whether the agent created or renamed the file, so it may not exist in the workspace under this path. */
  readonly isNew: boolean;
}

/** Maximum number of different files. The last ones that a session names are enough to tell where the agent works. */
const maxPaths = 400;
const maxLength = 1_000;
const maxParts = 40;

/**
 * An absolute path of any computer in one form: with slashes, without `.` and `..`, and with the drive in lowercase,
 * for example `/a/b`, `c:/a/b`, or `//server/share/a`. Undefined for other paths, and for very long ones.
 */
export function agentPath(text: string): string | undefined {
  if (text.length > maxLength || text.includes('\0')) return undefined;
  const drive = /^[A-Za-z]:(?=[\\/])/.exec(text)?.[0].toLowerCase();
  const isServer = /^(?:\\\\|\/\/)[^\\/?.]/.test(text);
  if (drive === undefined && !isServer && !/^\/[^/\\]/.test(text)) return undefined;
  const rest = drive === undefined ? text : text.slice(2);
  const parts: string[] = [];
  for (const part of (drive === undefined && !isServer ? rest : rest.replaceAll('\\', '/')).split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  if (parts.length === 0 || parts.length > maxParts) return undefined;
  return `${drive ?? (isServer ? '/' : '')}/${parts.join('/')}`;
}

/** A path in the form in which it is compared with others: in lowercase if it is a Windows path. */
export function comparablePath(path: string): string {
  return isWindowsPath(path) ? path.toLowerCase() : path;
}

/** Whether a path in the form of {@link agentPath} is a Windows path. */
function isWindowsPath(path: string): boolean {
  return /^(?:[a-z]:|\/\/)/.test(path);
}

/** The number of headers that are searched for a working folder without a pause. */
const headersPerPause = 1_000;

/**
 * Reads which files on the agent's computer the calls of a session name, the last ones first: with absolute paths, or
 * with relative ones whose folder the command or the agent's tooling names. Each header is read once for each working
 * folder.
 */
export class AgentPathReader {
  readonly #known = new WeakMap<MessageHeader, { readonly folder: string; readonly files: readonly AgentPath[] }>();

  /** Has pauses for `inSlices`. */
  *read(headers: readonly MessageHeader[]): Generator<undefined, readonly AgentPath[]> {
    const found = new Map<string, AgentPath>();
    const named = yield* workingFolders(headers);
    for (let index = headers.length - 1; index >= 0 && found.size < maxPaths; index -= 1) {
      const header = headers[index];
      while ((named.at(-1)?.index ?? -1) > index) named.pop();
      if (header?.tools === undefined) continue;
      for (const file of this.#of(header, named.at(-1)?.folder ?? '')) {
        const known = found.get(file.path);
        if (!known || file.isNew) found.set(file.path, file);
        if (found.size === maxPaths) break;
      }
      yield;
    }
    return [...found.values()];
  }

  #of(header: MessageHeader, folder: string): readonly AgentPath[] {
    const known = this.#known.get(header);
    if (known?.folder === folder) return known.files;
    const files = readToolMarks(header.tools).flatMap((mark) => (mark.type === 'call' ? filesOf(mark, folder) : []));
    this.#known.set(header, { folder, files });
    return files;
  }
}

/** The working folders that the agent's tooling names, with the indexes of their messages. Has pauses. */
function* workingFolders(
  headers: readonly MessageHeader[],
): Generator<undefined, { readonly index: number; readonly folder: string }[]> {
  const found: { index: number; folder: string }[] = [];
  for (const [index, { workingFolder }] of headers.entries()) {
    if (index % headersPerPause === headersPerPause - 1) yield;
    if (workingFolder !== undefined) found.push({ index, folder: agentPath(workingFolder) ?? '' });
  }
  return found;
}

/** The files that a call names. `working` is the folder in which the agent works; empty if it isn't known. */
function filesOf(mark: CallMark, working: string): readonly AgentPath[] {
  const own = mark.folder === undefined ? '' : (agentPath(inFolder(working, mark.folder)) ?? '');
  const folder = mark.folder === undefined ? working : own;
  const changed = mark.files.flatMap(({ path, change, oldPath }) => [
    { text: inFolder(folder, path), isNew: change === 'created' || change === 'renamed' },
    ...(oldPath === undefined ? [] : [{ text: inFolder(folder, oldPath), isNew: true }]),
  ]);
  // A shell can be in another folder than the one in which the agent began.
  const named = mark.kind === 'execute' ? filesOfCommand(mark.label, own, working) : filesRead(mark, folder);
  return [...changed, ...named.map((text) => ({ text, isNew: false }))].flatMap(({ text, isNew }) => {
    const path = agentPath(text);
    return path === undefined ? [] : [{ path, isNew }];
  });
}

/** A path of a call as an absolute one; unchanged if it is absolute, or if no folder is known. */
function inFolder(folder: string, path: string): string {
  const isRelative = folder !== '' && path !== '' && !/^(?:[\\/~$]|-$|[A-Za-z]:)/.test(path);
  return isRelative ? `${folder}/${isWindowsPath(folder) ? path.replaceAll('\\', '/') : path}` : path;
}

/** The paths in the label of a call that reads. If the label was shortened, its last path is left out. */
function filesRead({ kind, label }: CallMark, folder: string): readonly string[] {
  if (kind !== 'read') return [];
  return label
    .split(', ')
    .filter((path) => !path.endsWith('…'))
    .map((path) => inFolder(folder, path));
}

/**
 * The paths in a command. `own` is the folder in which the command begins, and `working` the folder for a `cd` if `own`
 * isn't known; both can be empty.
 */
function filesOfCommand(command: string, own: string, working: string): readonly string[] {
  const words = command.match(/"[^"]*"|'[^']*'|[^\s"';&|()<>]+|&&|;/g) ?? [];
  const paths: string[] = [];
  let folder = own;
  for (const [index, word] of words.entries()) {
    const plain = word.replace(/^["']|["']$/g, '');
    if (plain.endsWith('…')) continue;
    if (words[index - 1] === 'cd') folder = agentPath(inFolder(folder === '' ? working : folder, plain)) ?? '';
    else if (plain.startsWith('-') || !/\.[A-Za-z]\w{0,9}$/.test(plain)) continue;
    else if (agentPath(plain) !== undefined) paths.push(plain);
    else if (folder !== '' && /^[\w.@-]+(?:\/[\w.@[\]-]+)*$/.test(plain)) paths.push(`${folder}/${plain}`);
  }
  return paths;
}
