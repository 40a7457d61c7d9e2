import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { TaggedFormat, UnreadableFile } from '../storage/recordFormat.ts';
import { sessionHash, sessionKeySchema } from '../storage/recordNames.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { rescueNumber, rescueString } from '../storage/rescue.ts';

const subfolder = 'comments';

/** A comment without its place among the others. */
export const commentSchema = z.object({
  commentId: z.string(),
  messageId: z.string(),
  quote: z.string(),
  offset: z.number(),
  text: z.string(),
});
/** The other fields are those of `DraftComment`. All fields have existed since 0.1. */
const recordSchema = z.extend(commentSchema, {
  key: sessionKeySchema,
  /** The order in which comments were added, smallest first; usually the time in Unix ms. */
  order: z.number(),
});
/** A comment as saved on disk. */
export type StoredComment = z.output<typeof recordSchema>;
const format: TaggedFormat<StoredComment> = { version: 1, schema: recordSchema, tagOf: ({ text }) => tagOf(text) };

/**
 * The record of a comment as it was read:
 * - `removed`: a window removed it, because the user removed the comment or sent it;
 * - `lost`: something else removed or damaged it. `rescued` is the readable part of a damaged file;
 * - `newer`: a newer version of the extension wrote it.
 */
type CommentRead =
  | { readonly kind: 'comment'; readonly stored: StoredComment }
  | { readonly kind: 'removed' }
  | {
      readonly kind: 'lost';
      readonly rescued?: StoredComment | undefined;
      readonly file?: UnreadableFile;
    }
  | { readonly kind: 'newer'; readonly file: UnreadableFile };

/**
 * Reads and writes the comments of drafts, one record for each comment, so that two windows that add or remove comments
 * at the same time don't overwrite each other's.
 *
 * `comments/<session>-<comment>.json`, record version 1; both parts are hashes of the IDs. A missing file was removed
 * by a window if it left a mark (see `RecordStore.retire`). Otherwise the file is lost: a window that has the comment
 * in memory writes it again (R44).
 */
export class CommentFiles {
  readonly #records: RecordStores;

  constructor(records: RecordStores) {
    this.#records = records;
  }

  /**
   * Completes the removals that other windows left unfinished, and resolves to the names of the saved records. Rejects
   * with the system's error.
   */
  async names(): Promise<string[]> {
    await this.#records.disk.settle(subfolder, format);
    return this.#records.disk.list(subfolder);
  }

  /** The name of a comment's record, whether it exists or not. */
  nameOf(key: SessionKey, commentId: string): string {
    return `${subfolder}/${sessionHash(key)}-${hashOf(commentId)}.json`;
  }

  /**
   * Reads a record from the session's store if `key` is given, otherwise from disk. A damaged file is quarantined.
   * Rejects only with the system's error.
   */
  async read(name: string, key?: SessionKey): Promise<CommentRead> {
    const records = key ? this.#records.of(key.origin) : this.#records.disk;
    const read = await records.read(name, format);
    if (read.kind === 'record') return { kind: 'comment', stored: read.record };
    if (read.kind === 'absent') return { kind: 'lost' };
    if (read.kind === 'retired') return { kind: 'removed' };
    if (read.cause === 'newer') return { kind: 'newer', file: read };
    return { kind: 'lost', rescued: rescueComment(read.content), file: read };
  }

  /** Resolves when the comment is saved. Rejects with the system's error. */
  write(stored: StoredComment): Promise<void> {
    const { key, order, commentId, text, ...rest } = stored;
    // What the user wrote comes before the quote, so that a file that is cut off still contains it.
    const record = { key: { ...key }, order, commentId, text, ...rest };
    return this.#records.of(key.origin).write(this.nameOf(key, commentId), format, record);
  }

  /**
   * Removes a comment from disk if its text there is `text`: the text that this window last read or wrote, or undefined
   * if it did neither. A comment with another text stays, because another window wrote it, and this resolves to that
   * comment. Rejects with the system's error.
   */
  remove({ key, commentId }: StoredComment, text: string | undefined): Promise<StoredComment | undefined> {
    return this.#records.of(key.origin).retireTagged(this.nameOf(key, commentId), format, tagOf(text));
  }

  /** Calls `listener` with the name of a file that may have changed; undefined if any file may have changed. */
  watch(listener: (name: string | undefined) => void): Disposable {
    return this.#records.disk.watch(subfolder, (name) => {
      if (name === undefined || name.endsWith('.json')) listener(name);
    });
  }
}

/** The tag of a comment with this text. `text` is undefined if this window hasn't seen the comment on disk. */
function tagOf(text: string | undefined): string {
  return text === undefined ? 'unseen' : hashOf(text);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Recovers a comment from a damaged file; undefined if the session, the ID, or the text can't be read. */
function rescueComment(content: string): StoredComment | undefined {
  const whole = z.object({ record: recordSchema }).safeParse(parseJson(content));
  if (whole.success) return whole.data.record;
  const origin = rescueString(content, 'origin');
  const sessionId = rescueString(content, 'sessionId');
  const commentId = rescueString(content, 'commentId');
  const text = rescueString(content, 'text') ?? '';
  if (origin === undefined || sessionId === undefined || commentId === undefined || text === '') return undefined;
  return {
    ...{ key: { origin, sessionId }, order: rescueNumber(content, 'order') ?? 0, commentId, text },
    messageId: rescueString(content, 'messageId') ?? '',
    quote: rescueString(content, 'quote') ?? '',
    offset: rescueNumber(content, 'offset') ?? 0,
  };
}
