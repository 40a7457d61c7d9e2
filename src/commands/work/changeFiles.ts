import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Message } from '../../api/resources/message.ts';
import { fileSchemes } from '../../host/readOnlyFiles/fileSystem.ts';
import { textName } from '../../host/readOnlyFiles/inertLanguages.ts';
import { decodeAddress, encodeAddress, ReadOnlyFiles, textContent } from '../../host/readOnlyFiles/files.ts';
import { LruMap } from '../../shared/lruMap.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { recognizeCall } from '../../state/tools/recognize.ts';
import type { FileChange } from '../../state/tools/toolCall.ts';
import { markedPath, openChange } from '../../state/tools/toolMarks.ts';
import { ChangeReader, type MessageRange } from '../../state/work/changeReader.ts';
import { type AgentChanges, type ChangedFile, documentPath } from '../../state/work/changes.ts';
import { type ChangeTexts, changeTexts } from '../../state/work/changeTexts.ts';
import type { Services } from '../services.ts';

type ChangeServices = Pick<Services, 'store' | 'sessions' | 'lifecycle'>;

/** A changed file and the messages in which it was changed. */
export interface ChangeAddress {
  readonly key: SessionKey;
  readonly range: MessageRange;
  readonly path: string;
}

const sides = ['before', 'after'] as const;
const addressSchema = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string(), z.enum(sides)]);

/** Messages are read in batches of this size, because their bodies can be large. */
const batchSize = 20;
/** Longer texts are read again for each request of VS Code, which bounds the memory. */
const maxKnownLength = 100_000;

/**
 * The files that the agent changed as read-only files: their text before and after the changes, as the tool calls
 * contain it. A URI names a fixed range of messages, so its content doesn't change when the agent continues. Nothing is
 * read before VS Code asks for the content.
 */
export class ChangeFiles {
  readonly #services: ChangeServices;
  readonly #reader = new ChangeReader();
  readonly #known = new LruMap<string, { readonly file: ChangedFile; readonly texts: ChangeTexts }>(50);
  readonly files: ReadOnlyFiles;

  constructor(services: ChangeServices) {
    this.#services = services;
    this.files = new ReadOnlyFiles(fileSchemes.change, async (query) => {
      const address = readAddress(query);
      const texts = address && (await this.#texts(address));
      return texts && textContent(texts[address.side]);
    });
  }

  /** The changed files in a range of messages. */
  changes(record: SessionRecord, range: MessageRange): AgentChanges {
    return this.#reader.changes(record, range);
  }

  /**
   * The URI of a file's text before or after the changes. Its path is `shownPath`, by default the file's: VS Code shows
   * it and determines the language from it.
   */
  uri(
    { key: { origin, sessionId }, range: { first, last }, path }: ChangeAddress,
    side: keyof ChangeTexts,
    shownPath = path,
  ): vscode.Uri {
    const address: z.output<typeof addressSchema> = [origin, sessionId, first, last, path, side];
    const query = encodeAddress(address);
    return vscode.Uri.from({ scheme: fileSchemes.change, path: textName(documentPath(shownPath)), query });
  }

  /** The file that a URI names; undefined for other URIs. */
  addressOf({ scheme, query }: vscode.Uri): ChangeAddress | undefined {
    return scheme === fileSchemes.change ? readAddress(query) : undefined;
  }

  /** The texts of a file; empty if it is only named. Undefined if the messages aren't available. */
  async #texts({ key, range, path }: ChangeAddress): Promise<ChangeTexts | undefined> {
    const { store, sessions, lifecycle } = this.#services;
    await lifecycle.ensureStarted();
    await sessions.restoreFromCache(key);
    const record = store.record(key);
    const file = record && this.#reader.changes(record, range).files.find((one) => one.path === path);
    if (!file) return undefined;
    const name = JSON.stringify([key.origin, key.sessionId, range.first, range.last, path]);
    const known = this.#known.get(name);
    if (known?.file === file) return known.texts;
    const changes = await this.#changesOf(key, file);
    const texts = changes && (changeTexts(changes) ?? { before: '', after: '' });
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
      for (const change of found) changes.push(change);
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

function readAddress(query: string): (ChangeAddress & { readonly side: keyof ChangeTexts }) | undefined {
  const { data } = addressSchema.safeParse(decodeAddress(query));
  if (!data) return undefined;
  const [origin, sessionId, first, last, path, side] = data;
  return { key: { origin, sessionId }, range: { first, last }, path, side };
}

/** The changes that edits are, with a pause for `inSlices` after each call; undefined if a message isn't available. */
function* recognizeChanges(
  edits: ChangedFile['edits'],
  bodies: ReadonlyMap<string, Message>,
): PausableWork<readonly FileChange[] | undefined> {
  const changes: FileChange[] = [];
  for (const { messageId, index, path } of edits) {
    const block = bodies.get(messageId)?.content[index];
    if (block?.type !== 'tool_use') return undefined;
    const call = recognizeCall(block.name, block.input);
    const isMeant = (change: FileChange) => markedPath(change.newPath ?? change.path) === path;
    if (call.kind === 'write') for (const change of call.changes) if (isMeant(change)) changes.push(change);
    if (call.kind === 'openEdit') changes.push(openChange(call.piece, path));
    yield;
  }
  return changes;
}
