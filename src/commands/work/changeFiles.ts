import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Message } from '../../api/resources/message.ts';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { textName } from '../../host/readOnlyFiles/inertLanguages.ts';
import { decodeAddress, encodeAddress, ReadOnlyFiles, textContent } from '../../host/readOnlyFiles/readOnlyFiles.ts';
import { readText } from '../../host/files/textFile.ts';
import { FollowedFiles } from '../../host/readOnlyFiles/followedFiles.ts';
import type { WorkspaceChanges } from '../../host/editors/workspaceChanges.ts';
import { defined } from '../../shared/defined.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { recognizeCall } from '../../state/tools/recognize.ts';
import type { FileChange } from '../../state/tools/toolCall.ts';
import { markedPath, openChange } from '../../state/tools/toolMarks.ts';
import { ChangeReader, type MessageRange, rangeOf } from '../../state/work/changeReader.ts';
import { type AgentChanges, type ChangedFile, documentPath, noChanges } from '../../state/work/changes.ts';
import { type ChangeTexts, changeTexts } from '../../state/work/changeTexts.ts';
import { comparePieces } from '../../state/work/presence.ts';
import type { BodyPlaces } from '../../sync/cache/messageCache.ts';
import type { Services } from '../services.ts';
import type { AgentFiles } from './agentFiles.ts';

interface ChangeServices extends Pick<Services, 'store' | 'sessions' | 'lifecycle' | 'messages'> {
  readonly workspaceChanges: Pick<WorkspaceChanges, 'watch' | 'onDidChange'>;
  readonly agentFiles: AgentFiles;
}

/** A changed file and the messages in which it was changed. */
export interface ChangeAddress {
  readonly key: SessionKey;
  readonly range: MessageRange;
  readonly path: string;
  /** The URI of the workspace file that it is compared with. */
  readonly place?: string;
}

/** A change, and the message with its call. */
interface PlacedChange {
  readonly messageId: string;
  readonly change: FileChange;
}

/**
 * The texts of a changed file: before and after the changes, and its pieces as they are in the workspace and as the
 * agent wrote them.
 */
const sides = ['before', 'after', 'workspace', 'agent'] as const;
type Side = (typeof sides)[number];
const string = z.string();
const addressSchema = z.tuple([string, string, string, string, string, z.enum(sides), z.optional(string)]);

/** What a multi-file diff editor needs for a file: its label, and both sides. */
export type ComparedSides = readonly [label: vscode.Uri, workspace: vscode.Uri, agent: vscode.Uri | undefined];

/** Messages are read in batches of this size, because their bodies can be large. */
const batchSize = 20;
/** Texts with more characters are read again for each request from VS Code, which bounds the memory. */
const maxKnownLength = 100_000;

/**
 * The files that the agent changed, as read-only files: their text before and after the changes, as the tool calls
 * contain it. A URI names a fixed range of messages, so its content doesn't change when the agent continues. The
 * content isn't read before VS Code asks for it.
 */
export class ChangeFiles implements Disposable {
  readonly #services: ChangeServices;
  readonly #reader = new ChangeReader();
  readonly #known = new LruMap<string, { readonly file: ChangedFile; readonly texts: ChangeTexts }>(50);
  readonly files: FollowedFiles;

  constructor(services: ChangeServices) {
    this.#services = services;
    const files = new ReadOnlyFiles(fileSchemes.change, async (query) => {
      const address = readAddress(query);
      const text = address && (await this.#text(address));
      return text === undefined ? undefined : textContent(text);
    });
    // Which pieces are compared, and with what, depends on the file of the workspace.
    const isDependent = ({ scheme, query }: vscode.Uri) =>
      scheme === fileSchemes.change && ['workspace', 'agent'].includes(readAddress(query)?.side ?? '');
    this.files = new FollowedFiles(files, services.workspaceChanges, isDependent);
  }

  dispose(): void {
    this.files.dispose();
  }

  /** The changed files in a range of messages. */
  changes(record: SessionRecord, range: MessageRange): AgentChanges {
    return this.#reader.changes(record, range);
  }

  /** The changed files in all messages of a session that are loaded, read with pauses: there can be many messages. */
  async readSessionChanges(record: SessionRecord): Promise<AgentChanges> {
    const range = rangeOf(record);
    return range ? inSlices(this.#reader.reading(record, range)) : noChanges;
  }

  /**
   * The URI of one of the texts of a file. Its path is `shownPath`, by default the file's: VS Code shows it and
   * determines the language from it.
   */
  uri(
    { key: { origin, sessionId }, range: { first, last }, path, place }: ChangeAddress,
    side: Side,
    shownPath = path,
  ): vscode.Uri {
    const query = encodeAddress([origin, sessionId, first, last, path, side, ...(place === undefined ? [] : [place])]);
    return vscode.Uri.from({ scheme: fileSchemes.change, path: textName(documentPath(shownPath)), query });
  }

  /** The file that a URI names; undefined for other URIs. */
  addressOf({ scheme, query }: vscode.Uri): ChangeAddress | undefined {
    return scheme === fileSchemes.change ? readAddress(query) : undefined;
  }

  /**
   * The changes to a file in order, as the messages on this machine contain them. Undefined if a message isn't cached
   * or can't be read, or if the signal is aborted. Makes no request. `places` comes from `MessageCache`, and all files
   * of the session share it.
   */
  async cachedChanges(
    key: SessionKey,
    { edits }: ChangedFile,
    places: BodyPlaces,
    signal?: AbortSignal,
  ): Promise<readonly PlacedChange[] | undefined> {
    const changes: PlacedChange[] = [];
    const messageIds = [...new Set(edits.map(({ messageId }) => messageId))];
    let count = 0;
    try {
      for await (const batch of this.#services.messages.bodies(key, messageIds, places)) {
        const bodies = new Map(batch.map((body) => [body.id, body]));
        const own = edits.filter(({ messageId }) => bodies.has(messageId));
        const found = await inSlices(recognizeChanges(own, bodies), () => signal?.aborted === true);
        if (!found) return undefined;
        for (const change of found) changes.push(change);
        count += bodies.size;
      }
    } catch {
      // The cache was cleared meanwhile.
      return undefined;
    }
    return count === messageIds.length ? changes : undefined;
  }

  /**
   * Compares a changed file with a file of the workspace, which is on the left. If the agent wrote only pieces, they are
   * compared with what is in their places. `changes` are those to the file; if they are undefined, both sides are
   * read, and messages requested, once they are shown. Undefined if the signal is aborted.
   */
  async compare(
    address: ChangeAddress,
    file: ChangedFile,
    uri: vscode.Uri,
    changes: readonly FileChange[] | undefined,
    signal?: AbortSignal,
  ): Promise<ComparedSides | undefined> {
    const after = this.uri(address, 'after');
    if (file.change === 'deleted') return [after, uri, undefined];
    // The workspace file itself can be changed in the editor. VS Code shows a file as renamed if the paths of the sides
    // differ, as they do for files that it wouldn't open as text, such as Markdown.
    const whole: ComparedSides = [after, uri, this.uri(address, 'after', uri.path)];
    const pieces = changes && (await comparedPieces(changes, uri, signal));
    const isFile = changes !== undefined && whole[2]?.path === uri.path;
    const hasOwnSides = pieces !== undefined || (!isFile && (await readText(uri)) !== undefined);
    if (signal?.aborted === true) return undefined;
    const own = { ...address, place: String(uri) };
    return hasOwnSides ? [after, this.uri(own, 'workspace'), this.uri(own, 'agent')] : whole;
  }

  /** The changes to a file in order. Requests messages that aren't on this machine; undefined if one isn't available. */
  async readChanges(
    address: ChangeAddress,
  ): Promise<{ readonly file: ChangedFile; readonly changes: readonly FileChange[] } | undefined> {
    const file = await this.#file(address);
    const changes = file && (await this.#changesOf(address.key, file));
    return changes && { file, changes };
  }

  /** The text of a side of a changed file; undefined if it isn't available. */
  async #text({ side, ...address }: ChangeAddress & { readonly side: Side }): Promise<string | undefined> {
    if (side === 'before' || side === 'after') return (await this.#texts(address))?.[side];
    const own = await this.readChanges(address);
    const places = vscode.workspace.isTrusted
      ? await this.#services.agentFiles.unlinkedFiles(address.key, address.path)
      : [];
    const place = places.find((uri) => String(uri) === address.place);
    if (!own || !place) return undefined;
    const pieces = await comparedPieces(own.changes, place);
    if (pieces) return pieces[side];
    // The whole file is compared, for example because the agent wrote all of it.
    return side === 'workspace' ? readText(place) : (await this.#texts(address))?.after;
  }

  /** A changed file; undefined if its messages aren't available. */
  async #file({ key, range, path }: ChangeAddress): Promise<ChangedFile | undefined> {
    const { store, sessions, lifecycle } = this.#services;
    await lifecycle.ensureStarted();
    await sessions.restoreFromCache(key);
    const record = store.record(key);
    return record && this.#reader.changes(record, range).files.find((one) => one.path === path);
  }

  /** The texts of a file; empty if {@link changeTexts} has none. Undefined if the messages aren't available. */
  async #texts(address: ChangeAddress): Promise<ChangeTexts | undefined> {
    const { key, range, path } = address;
    const file = await this.#file(address);
    if (!file) return undefined;
    const name = JSON.stringify([key.origin, key.sessionId, range.first, range.last, path]);
    const known = this.#known.get(name);
    if (known?.file === file) return known.texts;
    const changes = await this.#changesOf(key, file);
    const texts = changes && ((await inSlices(changeTexts(changes))) ?? { before: '', after: '' });
    if (texts && texts.before.length + texts.after.length <= maxKnownLength) this.#known.set(name, { file, texts });
    return texts;
  }

  /** The changes to a file, recognized again from the messages; undefined if a message isn't available. */
  async #changesOf(key: SessionKey, { edits }: ChangedFile): Promise<FileChange[] | undefined> {
    const changes: FileChange[] = [];
    const messageIds = [...new Set(edits.map(({ messageId }) => messageId))];
    for (let start = 0; start < messageIds.length; start += batchSize) {
      const batch = messageIds.slice(start, start + batchSize);
      const bodies = await this.#bodies(key, batch);
      const own = edits.filter(({ messageId }) => batch.includes(messageId));
      const found = await inSlices(recognizeChanges(own, bodies));
      if (!found) return undefined;
      for (const { change } of found) changes.push(change);
    }
    return changes;
  }

  async #bodies(key: SessionKey, messageIds: readonly string[]): Promise<ReadonlyMap<string, Message>> {
    const { store, sessions } = this.#services;
    const read = async () => new Map((await store.readBodies(key, messageIds)).map((body) => [body.id, body]));
    const bodies = await read();
    const missing = messageIds.filter((messageId) => !bodies.has(messageId));
    if (missing.length === 0) return bodies;
    for (const messageId of missing) await sessions.fetchMessage(key, messageId);
    return read();
  }
}

/**
 * The pieces of a file next to their places in a workspace file; undefined if the whole file must be compared, or if
 * the signal is aborted.
 */
async function comparedPieces(changes: readonly FileChange[], uri: vscode.Uri, signal?: AbortSignal) {
  const text = await readText(uri);
  const isOver = () => signal?.aborted === true;
  return text === undefined || isOver() ? undefined : inSlices(comparePieces(changes, text), isOver);
}

function readAddress(query: string): (ChangeAddress & { readonly side: Side }) | undefined {
  const { data } = addressSchema.safeParse(decodeAddress(query));
  if (!data) return undefined;
  const [origin, sessionId, first, last, path, side, place] = data;
  return { key: { origin, sessionId }, range: { first, last }, path, side, ...defined({ place }) };
}

/** Recognizes the changes of edits again, with a pause after each call; undefined if a message isn't available. */
function* recognizeChanges(
  edits: ChangedFile['edits'],
  bodies: ReadonlyMap<string, Message>,
): PausableWork<readonly PlacedChange[] | undefined> {
  const changes: PlacedChange[] = [];
  for (const { messageId, index, path } of edits) {
    const block = bodies.get(messageId)?.content[index];
    if (block?.type !== 'tool_use') return undefined;
    const call = recognizeCall(block.name, block.input);
    const isMeant = (change: FileChange) => markedPath(change.newPath ?? change.path) === path;
    if (call.kind === 'write') {
      for (const change of call.changes) if (isMeant(change)) changes.push({ messageId, change });
    }
    if (call.kind === 'openEdit') changes.push({ messageId, change: openChange(call.piece, path) });
    yield;
  }
  return changes;
}
