import * as vscode from 'vscode';
import { folderName } from '../../host/files/folderNames.ts';
import type { WorkspaceFiles } from '../../host/files/workspaceFiles.ts';
import {
  type FilePlace,
  fileInFolder,
  findInWorkspace,
  isLinked,
  unlinkedFiles,
  type WorkspaceFile,
} from '../../host/files/workspacePaths.ts';
import { onDidChangePathMappings, settings } from '../../host/settings.ts';
import { DelayedTask } from '../../shared/delayedTask.ts';
import { sameValue } from '../../shared/equality.ts';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { inSlices } from '../../shared/slices.ts';
import { isolatedLine, plainLine, type Translate } from '../../shared/text.ts';
import { meantPaths, readWrittenPlace } from '../../shared/text/filePaths.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { keyText, sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store, StoreChange } from '../../state/store/store.ts';
import {
  type AgentFolder,
  AgentFolders,
  type ChosenMapping,
  combineFolders,
  type LocalFile,
  readPathMappings,
} from '../../state/work/agentFolders.ts';
import { inferAgentFolders, pathsToFind } from '../../state/work/inferredFolders.ts';
import { inferSharedFolders, type PathSample, samplePaths, sharedPathsToFind } from '../../state/work/sharedFolders.ts';
import type { PathSamples } from '../../sync/cache/pathSamples.ts';
import type { PathMappings } from '../../sync/pathMappings.ts';
import { agentPath, type AgentPath, AgentPathReader } from '../../state/work/agentPaths.ts';

/** A file of the workspace that an agent's text names. */
interface FoundFile {
  readonly folder: vscode.WorkspaceFolder;
  readonly relative: string;
  /** The path on the agent's computer. */
  readonly remotePath: string;
  readonly source: AgentFolder['source'];
}

/** What is known about a path that an agent's text names. */
interface LookedUp {
  /** The tooltip of the link, if there is more to say than the path. */
  readonly hint?: string;
  /** Whether the path can mean several files, so a click asks which one. */
  readonly isAmbiguous?: true;
}

/** The folders that were inferred for a session, and what they were inferred from. */
interface Inference {
  readonly key: SessionKey;
  readonly headers: readonly MessageHeader[];
  readonly computer: string | undefined;
  /** Whether the samples of other sessions on the computer have changed since. */
  readonly isOutdated?: true;
  readonly folders: Promise<AgentFolders>;
}

const maxInferences = 20;
/** The delay before folders are inferred again. While the agent is running, messages arrive continually. */
const inferAgainMs = 3_000;

/**
 * Finds the workspace files for paths that an agent wrote. Looks up paths in a workspace folder directly, and paths on
 * the agent's computer by the folders that calls show or that the user mapped. Changes none of these files, and
 * accesses nothing outside the workspace folders.
 */
export class AgentFiles implements Disposable {
  readonly #store: Store;
  readonly #files: WorkspaceFiles;
  readonly #mappings: PathMappings;
  readonly #samples: PathSamples;
  readonly #t: Translate;
  readonly #reader = new AgentPathReader();
  readonly #inferences = new LruMap<string, Inference>(maxInferences);
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<SessionKey | undefined>());
  readonly #grown = new Map<string, SessionKey>();
  readonly #again = this.#disposables.add(new DelayedTask(inferAgainMs, () => void this.#inferAgain()));
  /** Fires when paths may lead to different files: with a session if only its paths may, or else with undefined. */
  readonly onDidChange = this.#changes.event;

  constructor(store: Store, files: WorkspaceFiles, mappings: PathMappings, samples: PathSamples, t: Translate) {
    this.#store = store;
    this.#files = files;
    this.#mappings = mappings;
    this.#samples = samples;
    this.#t = t;
    this.#disposables.add(files.onDidChange(() => this.#forget()));
    this.#disposables.add(mappings.onDidChange(() => this.#forget()));
    this.#disposables.add(onDidChangePathMappings(() => this.#forget()));
    this.#disposables.add(store.onDidChange((change) => this.#onChange(change)));
    this.#disposables.add(samples.onDidForget((key) => this.#outdate((one) => !key || one.origin === key.origin)));
  }

  /** What is known about a path as written in a session; undefined if it names no file of the workspace. */
  async look(key: SessionKey | undefined, text: string): Promise<LookedUp | undefined> {
    const mapped = await this.#mapped(key, text);
    const count = isFromSetting(mapped) ? 0 : await this.#files.count(text);
    if (count > 1)
      return { hint: this.#t('Select the workspace folder for {0}', isolatedLine(text, 200)), isAmbiguous: true };
    if (count === 1) return {};
    for (const found of mapped) {
      const { folder, relative } = found;
      if ((await this.#files.existing(folder, [relative])).has(relative)) return { hint: this.#describe(key, found) };
    }
    return undefined;
  }

  /**
   * The files that a text can mean, as they are on disk now. If there are several, only the user can tell which one.
   */
  async find(key: SessionKey | undefined, text: string): Promise<readonly FilePlace[]> {
    const mapped = await this.#mapped(key, text);
    const direct = isFromSetting(mapped) ? [] : await findInWorkspace(text);
    if (direct.length > 0) return direct;
    for (const { folder, relative } of mapped) {
      const place = await fileInFolder(folder, relative, readWrittenPlace(text));
      if (place) return [place];
    }
    return [];
  }

  /** The workspace files for a path of a call in a session, but never one that is reached through a symbolic link. */
  async unlinkedFiles(key: SessionKey, path: string): Promise<readonly vscode.Uri[]> {
    const file = await this.#fileAt(key, path);
    const direct = file?.source === 'setting' ? [] : await unlinkedFiles(path);
    if (direct.length > 0) return direct;
    const folder = folderWith(file?.folder);
    const found = file && folder && (await fileInFolder(folder, file.relative));
    return !found || (await isLinked(found.uri)) ? [] : [found.uri];
  }

  /**
   * The place of a file that a call in a session names: the workspace file that isn't reached through a symbolic link;
   * `missing` if the path leads into the workspace, but to no such file; `elsewhere` otherwise, for example if several
   * files match.
   */
  async locate(key: SessionKey, path: string): Promise<vscode.Uri | 'missing' | 'elsewhere'> {
    try {
      const [found, another] = await this.unlinkedFiles(key, path);
      if (found) return another ? 'elsewhere' : found;
      const file = await this.#fileAt(key, path);
      const folder = folderWith(file?.folder);
      if (file && folder) return (await fileInFolder(folder, file.relative)) ? 'elsewhere' : 'missing';
      if (agentPath(path) !== undefined) return 'elsewhere';
      return (await this.#files.count(path)) > 0 ? 'elsewhere' : 'missing';
    } catch {
      // The file was deleted during the lookup.
      return 'missing';
    }
  }

  /** Recognizes the paths by which the agent of a session with these headers can refer to a file. */
  async matcher(
    key: SessionKey,
    headers: readonly MessageHeader[],
    file: WorkspaceFile,
  ): Promise<Pick<WorkspaceFile, 'matches'>> {
    // Most sessions don't name the file.
    if (!headers.some(({ tools }) => tools !== undefined && file.isNamedIn(tools))) return file;
    const folders = await this.#foldersOf(key, headers);
    return {
      matches: (path) => {
        const absolute = agentPath(path);
        const meant = absolute === undefined ? undefined : folders.fileAt(absolute);
        return meant ? file.isAt(meant.folder, meant.relative) : file.matches(path);
      },
    };
  }

  /**
   * Saves a path sample of a session with these headers, as evidence for other sessions on its computer. If
   * {@link matcher} is called for several sessions, call this for all of them first, so that the results don't depend
   * on the order of the sessions.
   */
  async savePaths(key: SessionKey, headers: readonly MessageHeader[]): Promise<void> {
    await this.#saveSample(key, await inSlices(this.#reader.read(headers)));
  }

  /** The folders of the agent: inferred from sessions on its computer, chosen by the user, or set in the settings. */
  async folders(key: SessionKey): Promise<readonly AgentFolder[]> {
    return (await this.#foldersOf(key)).folders;
  }

  /** The agent's folders that the user or the setting maps to workspace folders. Nothing is inferred. */
  async confirmedFolders(key: SessionKey): Promise<AgentFolders> {
    return new AgentFolders(await this.#withChosen(key, [], localFolders()));
  }

  /**
   * Saves which workspace folders the agent's folders correspond to, for the computer of a session.
   * @throws Error if the mappings can't be written.
   */
  async map(key: SessionKey, chosen: readonly ChosenMapping[]): Promise<void> {
    await this.#mappings.save(key.origin, computerOf(this.#store.record(key)) ?? '', chosen);
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#inferences.clear();
  }

  #forget(): void {
    this.#inferences.clear();
    this.#changes.fire(undefined);
  }

  /**
   * Infers the folders of a session again when its messages or its computer have changed, if they were inferred before.
   */
  #onChange(change: StoreChange): void {
    if (change.type === 'messages' || change.type === 'session')
      this.#inferIfChanged(this.#inferences.get(keyText(change.key)));
    if (change.type === 'sessionList')
      for (const [, known] of [...this.#inferences.entries()]) this.#inferIfChanged(known);
  }

  #inferIfChanged(known: Inference | undefined): void {
    if (!known || this.#isCurrent(known)) return;
    this.#grown.set(keyText(known.key), known.key);
    this.#again.request();
  }

  async #inferAgain(): Promise<void> {
    const keys = [...this.#grown];
    this.#grown.clear();
    // If samples were removed, the open sessions are still evidence for each other.
    for (const [, key] of keys) await this.savePaths(key, this.#store.record(key)?.headers ?? []);
    for (const [name, key] of keys) {
      const before = this.#inferences.get(name);
      if (!before || this.#isCurrent(before)) continue;
      const [old, now] = await Promise.all([before.folders, this.#start(key)]);
      if (!sameValue(old.folders, now.folders)) this.#changes.fire(key);
    }
  }

  /**
   * Whether the folders of a session were inferred from its current messages and computer, and no samples of other
   * sessions on the computer have changed since.
   */
  #isCurrent({ key, headers, computer, isOutdated }: Inference): boolean {
    const record = this.#store.record(key);
    return isOutdated !== true && record?.headers === headers && computerOf(record) === computer;
  }

  #start(key: SessionKey): Promise<AgentFolders> {
    const record = this.#store.record(key);
    const headers = record?.headers ?? [];
    const folders = this.#infer(key, headers);
    this.#inferences.set(keyText(key), { key, headers, computer: computerOf(record), folders });
    return folders;
  }

  /**
   * The workspace file for a path of a call in a session. It doesn't have to exist. Undefined if the path is relative,
   * or if it isn't in a folder of the agent that corresponds to a workspace folder.
   */
  async #fileAt(key: SessionKey, path: string): Promise<LocalFile | undefined> {
    const absolute = agentPath(path);
    if (absolute === undefined) return undefined;
    return (await this.#foldersOf(key)).fileAt(absolute);
  }

  /** The workspace files, which need not exist, for the paths that a text may mean, in their order. */
  async #mapped(key: SessionKey | undefined, text: string): Promise<readonly FoundFile[]> {
    const found: FoundFile[] = [];
    if (!key) return found;
    for (const path of meantPaths(readWrittenPlace(text))) {
      const file = await this.#fileAt(key, path);
      const folder = folderWith(file?.folder);
      if (file && folder) found.push({ folder, relative: file.relative, remotePath: path, source: file.source });
    }
    return found;
  }

  #foldersOf(key: SessionKey, given?: readonly MessageHeader[]): Promise<AgentFolders> {
    const known = this.#inferences.get(keyText(key));
    if (known && (given === undefined || known.headers === given)) return known.folders;
    return given === undefined ? this.#start(key) : this.#infer(key, given);
  }

  async #infer(key: SessionKey, headers: readonly MessageHeader[]): Promise<AgentFolders> {
    const paths = await inSlices(this.#reader.read(headers));
    const samples = await this.#samplesFor(key, paths);
    const local = vscode.workspace.workspaceFolders ?? [];
    const existing = new Map<string, ReadonlySet<string>>();
    const lookUp = async (asked: readonly string[]) => {
      for (const folder of local) {
        const known = existing.get(folder.uri.toString()) ?? [];
        existing.set(folder.uri.toString(), new Set([...known, ...(await this.#files.existing(folder, asked))]));
      }
    };
    const exists = (folder: string, relative: string) => existing.get(folder)?.has(relative) === true;
    await lookUp(await inSlices(pathsToFind(paths)));
    const folders = localFolders();
    await lookUp(await inSlices(sharedPathsToFind({ paths, samples }, folders, exists)));
    const inferred = await inSlices(inferAgentFolders(paths, folders, exists));
    const shared = await inSlices(inferSharedFolders({ paths, inferred, samples }, folders, exists));
    return new AgentFolders(await this.#withChosen(key, [...inferred, ...shared], folders));
  }

  /**
   * Saves the sample of a session, and resolves to those of the other sessions on its computer. None if there are no
   * paths, or if the computer is unknown.
   */
  async #samplesFor(key: SessionKey, paths: readonly AgentPath[]): Promise<readonly PathSample[]> {
    const computer = await this.#saveSample(key, paths);
    if (computer === undefined) return [];
    const others = this.#store
      .recordsOf(key.origin)
      .filter((record) => !sameSession(record.listEntry.key, key) && computerOf(record) === computer)
      .sort((a, b) => (b.session?.updatedAt ?? 0) - (a.session?.updatedAt ?? 0));
    return this.#samples.read(
      others.map(({ listEntry }) => listEntry.key),
      computer,
    );
  }

  /**
   * Saves the sample of a session, and resolves to its computer. Saves nothing and resolves to undefined if there are
   * no paths, or if the computer is unknown, because sessions on different computers say nothing about each other.
   */
  async #saveSample(key: SessionKey, paths: readonly AgentPath[]): Promise<string | undefined> {
    const computer = computerOf(this.#store.record(key));
    if (computer === undefined || paths.length === 0) return undefined;
    if (await this.#samples.save(key, computer, samplePaths(paths))) {
      this.#outdate((one) => {
        return one.origin === key.origin && !sameSession(one, key) && computerOf(this.#store.record(one)) === computer;
      });
    }
    return computer;
  }

  /** Infers the folders of sessions again, if they were inferred before. */
  #outdate(isConcerned: (key: SessionKey) => boolean): void {
    for (const [name, known] of [...this.#inferences.entries()]) {
      if (!isConcerned(known.key)) continue;
      this.#inferences.set(name, { ...known, isOutdated: true });
      this.#grown.set(name, known.key);
      this.#again.request();
    }
  }

  /** The inferred folders, combined with those that the user chose and those in the setting. */
  async #withChosen(
    key: SessionKey,
    inferred: readonly AgentFolder[],
    folders: ReturnType<typeof localFolders>,
  ): Promise<readonly AgentFolder[]> {
    const chosen = await this.#mappings.read(key.origin, computerOf(this.#store.record(key)) ?? '');
    const configured = readPathMappings(settings.pathMappings.read(), folders);
    return combineFolders(inferred, chosen, configured, folders);
  }

  #describe(key: SessionKey | undefined, { folder, relative, remotePath }: FoundFile): string {
    const t = this.#t;
    const isOnly = (vscode.workspace.workspaceFolders ?? []).length === 1;
    const path = isolatedLine(isOnly ? relative : `${folderName(folder)}/${relative}`, 300);
    const remote = isolatedLine(remotePath, 300);
    const computer = key && computerOf(this.#store.record(key));
    const where =
      computer === undefined
        ? t("{0} on the agent's computer", remote)
        : t('{0} on {1}', remote, isolatedLine(computer, 120));
    return `${t('Open {0}', path)}\n${where}`;
  }
}

function localFolders(): readonly { readonly uri: string; readonly name: string }[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name }));
}

function folderWith(uri: string | undefined): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.find((folder) => folder.uri.toString() === uri);
}

/** The ID of the computer on which the agent runs, or else of the one that the user chose for the session, if any. */
function computerOf(record: SessionRecord | undefined): string | undefined {
  const computer = plainLine(record?.session?.computerId ?? record?.listEntry.computerId ?? '', 120);
  return computer === '' ? undefined : computer;
}

function isFromSetting([first]: readonly FoundFile[]): boolean {
  return first?.source === 'setting';
}
