import * as vscode from 'vscode';
import type { WorkspaceChanges } from '../../host/editors/workspaceChanges.ts';
import { readText } from '../../host/files/textFile.ts';
import { sameValue } from '../../shared/equality.ts';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { pooled } from '../../shared/pooled.ts';
import { inSlices } from '../../shared/slices.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import { agentPath } from '../../state/work/agentPaths.ts';
import { type ChangedFile, noChanges } from '../../state/work/changes.ts';
import {
  comparePresence,
  type Presence,
  type Presences,
  type SessionPresence,
  unknownPresence,
} from '../../state/work/presence.ts';
import type { BodyPlaces } from '../../sync/cache/messageCache.ts';
import type { Services } from '../services.ts';
import type { AgentFiles } from './agentFiles.ts';
import type { ChangeFiles } from './changeFiles.ts';

interface PresenceServices extends Pick<Services, 'store' | 'messages'> {
  readonly agentFiles: AgentFiles;
  readonly changeFiles: ChangeFiles;
  readonly workspaceChanges: WorkspaceChanges;
}

/** The presence of a session's changed files, and the messages that it was determined from. */
interface Found extends SessionPresence {
  readonly headers: readonly MessageHeader[] | undefined;
  /** Whether files may have changed since. */
  readonly isOutdated: boolean;
  /** When the last comparison ended, in ms of `performance.now()`; absent if none has. */
  readonly endedAtMs?: number;
}

/** The presence of one file, and what it was determined from. */
interface FileResult {
  readonly edits: ChangedFile['edits'];
  readonly uri: string;
  /** The size and modification time of the workspace file; empty if there is none. */
  readonly version: string;
  readonly presence: Presence | undefined;
}

const maxSessions = 20;
const maxFiles = 2_000;
/** The number of files that are read at the same time. */
const atOnce = 4;
/** The minimum time between two comparisons of a session: each message of a running agent outdates the last one. */
const pauseMs = 2_000;

/**
 * Knows how much of the agent's changes is in the workspace. Compares texts on request, and again if it is asked after
 * files, messages, or mappings have changed. Only reads: nothing is applied, and no request is made. In Restricted
 * Mode, it reads nothing.
 */
export class WorkspacePresence implements Disposable {
  readonly #services: PresenceServices;
  readonly #found = new LruMap<string, Found>(maxSessions);
  readonly #results = new LruMap<string, FileResult>(maxFiles);
  readonly #running = new Set<string>();
  /** The timers of the sessions for which a comparison was requested during the pause. */
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  /** Aborted when the window closes. */
  readonly #abort = new AbortController();
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<SessionKey | undefined>());

  /** Fires when the presence of a session has changed or may have, with that session, or with undefined for all. */
  readonly onDidChange = this.#changes.event;

  constructor(services: PresenceServices) {
    this.#services = services;
    const { workspaceChanges, agentFiles } = services;
    this.#disposables.add(workspaceChanges.onDidChange(() => this.#outdate(undefined)));
    this.#disposables.add(agentFiles.onDidChange((key) => this.#outdate(key)));
    this.#disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#outdate(undefined)));
  }

  /**
   * The result of the last comparison of a session's changed files. If something may have changed since, starts another
   * comparison, and {@link onDidChange} fires if its result is different. Within two seconds of the last comparison,
   * nothing is compared: the event fires when that time is over, so that views that still show the files ask again.
   */
  known(key: SessionKey): SessionPresence {
    if (!this.#isCurrent(key)) this.#start(key);
    return this.#found.get(keyText(key)) ?? unknownPresence;
  }

  /**
   * Like {@link known}, but starts no comparison. Nothing is known if something may have changed since the last one.
   */
  current(key: SessionKey): SessionPresence {
    return (this.#isCurrent(key) ? this.#found.get(keyText(key)) : undefined) ?? unknownPresence;
  }

  /**
   * Compares changed files of a session with the workspace. If none of them is here and it isn't known that the session
   * belongs to this workspace, the result is empty. Leaves out files whose changes aren't confirmed, and those that
   * can't be compared. Never rejects.
   */
  async compare(key: SessionKey, files: readonly ChangedFile[]): Promise<Presences> {
    if (!vscode.workspace.isTrusted || (vscode.workspace.workspaceFolders ?? []).length === 0) return new Map();
    this.#services.workspaceChanges.watch();
    const confirmed = files.filter(({ isConfirmed }) => isConfirmed).slice(0, maxFiles);
    const places = await pooled(confirmed, atOnce, ({ path }) => this.#services.agentFiles.locate(key, path));
    const isOwn = (place: vscode.Uri | string | undefined, index: number) =>
      place instanceof vscode.Uri || (place === 'missing' && agentPath(confirmed[index]?.path ?? '') !== undefined);
    if (!places.some(isOwn)) return new Map();
    const bodyPlaces = this.#services.messages.places(key);
    const entries = await pooled([...confirmed.entries()], atOnce, async ([index, file]) => {
      const place = places[index];
      const isHere = place !== undefined && place !== 'elsewhere';
      return [file.path, isHere ? await this.#compareOrSkip(key, file, place, bodyPlaces) : undefined] as const;
    });
    return new Map(entries.flatMap(([path, presence]) => (presence === undefined ? [] : [[path, presence] as const])));
  }

  dispose(): void {
    this.#abort.abort();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    this.#disposables.dispose();
  }

  #isCurrent(key: SessionKey): boolean {
    const found = this.#found.get(keyText(key));
    return found?.isOutdated === false && found.headers === this.#services.store.record(key)?.headers;
  }

  #outdate(key: SessionKey | undefined): void {
    const names = key ? [keyText(key)] : [...this.#found.entries()].map(([name]) => name);
    for (const name of names) {
      const found = this.#found.get(name);
      if (found) this.#found.set(name, { ...found, isOutdated: true });
    }
    if (names.length > 0) this.#changes.fire(key);
  }

  #start(key: SessionKey): void {
    const name = keyText(key);
    if (this.#abort.signal.aborted || this.#running.has(name) || this.#waiting.has(name)) return;
    const waitMs = (this.#found.get(name)?.endedAtMs ?? Number.NEGATIVE_INFINITY) + pauseMs - performance.now();
    if (waitMs <= 0) {
      this.#running.add(name);
      void this.#findOut(key);
      return;
    }
    const askAgain = () => {
      this.#waiting.delete(name);
      // The view that asked may no longer show the files, so only another request starts the comparison.
      if (!this.#isCurrent(key)) this.#changes.fire(key);
    };
    this.#waiting.set(name, setTimeout(askAgain, Math.ceil(waitMs)));
  }

  async #findOut(key: SessionKey): Promise<void> {
    const name = keyText(key);
    try {
      await this.#find(key);
    } catch {
      // After a failure, the last result stays until something changes. The pause begins as after a comparison.
      const found = this.#found.get(name);
      if (found) this.#found.set(name, { ...found, endedAtMs: performance.now() });
    } finally {
      this.#running.delete(name);
    }
  }

  async #find(key: SessionKey): Promise<void> {
    const { store } = this.#services;
    const record = store.record(key);
    const headers = record?.headers;
    const before: SessionPresence = this.#found.get(keyText(key)) ?? unknownPresence;
    // A change during the comparison marks its result as outdated.
    this.#found.set(keyText(key), { ...before, headers, isOutdated: false });
    const { files, confirmedCount } = record ? await this.#services.changeFiles.readSessionChanges(record) : noChanges;
    const presences = await this.compare(key, files);
    if (this.#abort.signal.aborted) return;
    const isOutdated = this.#found.get(keyText(key))?.isOutdated === true || store.record(key)?.headers !== headers;
    this.#found.set(keyText(key), { presences, confirmedCount, headers, isOutdated, endedAtMs: performance.now() });
    // Listeners of the event can ask again. If this result is outdated, that must schedule the next comparison.
    this.#running.delete(keyText(key));
    const isSame = confirmedCount === before.confirmedCount && sameValue([...presences], [...before.presences]);
    if (isOutdated || !isSame) this.#changes.fire(key);
  }

  /** A file that can't be compared must not keep the others from being compared. */
  async #compareOrSkip(
    key: SessionKey,
    file: ChangedFile,
    place: vscode.Uri | 'missing',
    bodyPlaces: BodyPlaces,
  ): Promise<Presence | undefined> {
    if (this.#abort.signal.aborted) return undefined;
    try {
      return await this.#compareFile(key, file, place, bodyPlaces);
    } catch {
      return undefined;
    }
  }

  /** Reads the messages and the file only if one of them has changed. */
  async #compareFile(
    key: SessionKey,
    file: ChangedFile,
    place: vscode.Uri | 'missing',
    bodyPlaces: BodyPlaces,
  ): Promise<Presence | undefined> {
    const uri = place === 'missing' ? '' : place.toString();
    const version = place === 'missing' ? '' : await versionOf(place);
    const name = JSON.stringify([keyText(key), file.path, file.edits[0]?.messageId, file.edits.length]);
    const known = this.#results.get(name);
    if (known?.uri === uri && known.version === version && sameValue(known.edits, file.edits)) return known.presence;
    const { changeFiles } = this.#services;
    const changes = await changeFiles.cachedChanges(key, file, bodyPlaces, this.#abort.signal);
    // Messages that aren't here can arrive later.
    if (!changes) return undefined;
    const text = place === 'missing' ? undefined : await readText(place);
    const isUnreadable = place !== 'missing' && text === undefined;
    const own = changes.map(({ change }) => change);
    const isOver = () => this.#abort.signal.aborted;
    const presence = isUnreadable ? undefined : await inSlices(comparePresence(own, text), isOver);
    if (isOver()) return undefined;
    this.#results.set(name, { edits: file.edits, uri, version, presence });
    return presence;
  }
}

/** The size and modification time of a file; empty if the file was deleted meanwhile. */
async function versionOf(uri: vscode.Uri): Promise<string> {
  try {
    const { size, mtime } = await vscode.workspace.fs.stat(uri);
    return `${size} ${mtime}`;
  } catch {
    return '';
  }
}
