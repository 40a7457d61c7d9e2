import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { type Draft, type DraftComment, emptyDraft } from '../../state/store/sessionRecord.ts';
import { sessionKeySchema, sessionRecordName, storedAttachmentSchema } from '../storage/recordNames.ts';
import type { RecordFormat, UnreadableFile } from '../storage/recordFormat.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { rescueString } from '../storage/rescue.ts';
import { commentSchema } from './commentFiles.ts';
import { type DraftVersion, isEmptyRecord } from './draftSlot.ts';

const subfolder = 'drafts';
/** All fields except `draftId` have existed since 0.1. */
const recordSchema = z.object({
  key: sessionKeySchema,
  /** As typed. */
  text: z.string(),
  /** In UTF-16 code units. */
  selectionStart: z.number(),
  selectionEnd: z.number(),
  /** Their bytes are in `blobs/`. */
  attachments: z.array(storedAttachmentSchema),
  /**
   * Read from files of earlier versions of the extension, and never written, because comments have files of their own.
   */
  comments: z.optional(z.array(commentSchema)),
  /** The computer that the user chose. */
  computerId: z.optional(z.string()),
  /** A UUID that the draft keeps until it is empty. */
  draftId: z.optional(z.string()),
  /** The time of the last change, Unix ms; always greater than that of the previous version. */
  editedAt: z.optional(z.number()),
});
/** A draft as saved on disk. */
type StoredDraft = z.output<typeof recordSchema>;
const format: RecordFormat<StoredDraft> = { version: 1, schema: recordSchema };

/**
 * The record of a draft as it was read, without the comments, which have files of their own:
 * - `draft`: `oldComments` are those that an earlier version of the extension saved with the draft;
 * - `emptied`: a window removed it, because the draft is empty;
 * - `lost`: something else removed or damaged it. `rescued` is the readable part of a damaged file;
 * - `newer`: a newer version of the extension wrote it.
 */
type DraftRead =
  | (DraftVersion & {
      readonly kind: 'draft';
      readonly key: SessionKey;
      readonly draft: Draft;
      readonly oldComments: readonly DraftComment[];
    })
  | { readonly kind: 'emptied' }
  | {
      readonly kind: 'lost';
      readonly rescued?: { readonly key: SessionKey; readonly draft: Draft } | undefined;
      readonly file?: UnreadableFile;
    }
  | { readonly kind: 'newer'; readonly file: UnreadableFile };

/**
 * Reads and writes draft records, one for each session, without their comments (see `CommentFiles`).
 *
 * `drafts/<session>.json`, record version 1; `<session>` is the hash of the session key. An empty draft has no file. A
 * missing file was removed by a window if it left a mark (see `RecordStore.retire`). Otherwise the file is lost: a
 * window that has the draft in memory writes it again (R44).
 */
export class DraftFiles {
  readonly #records: RecordStores;

  constructor(records: RecordStores) {
    this.#records = records;
  }

  /** The names of the saved records. */
  names(): Promise<string[]> {
    return this.#records.disk.list(subfolder);
  }

  /** The name of a session's record, whether it exists or not. */
  nameOf(key: SessionKey): string {
    return sessionRecordName(subfolder, key);
  }

  /**
   * Reads a record from the session's store if `key` is given, otherwise from disk. A damaged file is quarantined.
   * Rejects only with the system's error.
   */
  async read(name: string, key?: SessionKey): Promise<DraftRead> {
    const records = key ? this.#records.of(key.origin) : this.#records.disk;
    const read = await records.read(name, format);
    if (read.kind === 'record') return draftRead(read.record);
    if (read.kind === 'absent') return { kind: 'lost' };
    if (read.kind === 'retired') return { kind: 'emptied' };
    if (read.cause === 'newer') return { kind: 'newer', file: read };
    return { kind: 'lost', rescued: rescueDraft(read.content), file: read };
  }

  /** Resolves when the draft is saved; an empty draft leaves no file. Rejects with the system's error. */
  async write(key: SessionKey, draft: Draft, { draftId, editedAt }: DraftVersion): Promise<void> {
    const name = this.nameOf(key);
    const records = this.#records.of(key.origin);
    const attachments = draft.attachments.map((item) => ({ ...item }));
    const own = { ...draft, attachments, comments: undefined, additions: undefined };
    const record = { key: { ...key }, ...own, draftId, editedAt };
    await (isEmptyRecord(draft) ? records.retire(name, format) : records.write(name, format, record));
  }

  /** Calls `listener` with the name of a file that may have changed; undefined if any file may have changed. */
  watch(listener: (name: string | undefined) => void): Disposable {
    return this.#records.disk.watch(subfolder, (name) => {
      if (name === undefined || name.endsWith('.json')) listener(name);
    });
  }
}

function draftRead({
  key,
  draftId,
  editedAt = 0,
  comments = [],
  ...draft
}: StoredDraft): DraftRead & { readonly kind: 'draft' } {
  return { kind: 'draft', key, draft: { ...draft, comments: [] }, oldComments: comments, draftId, editedAt };
}

/** Recovers a draft from a damaged file; undefined if the session or the text can't be read. */
function rescueDraft(content: string): { readonly key: SessionKey; readonly draft: Draft } | undefined {
  const whole = z.object({ record: recordSchema }).safeParse(parseJson(content));
  if (whole.success) return draftRead(whole.data.record);
  const origin = rescueString(content, 'origin');
  const sessionId = rescueString(content, 'sessionId');
  const text = rescueString(content, 'text') ?? '';
  if (origin === undefined || sessionId === undefined || text === '') return undefined;
  return {
    key: { origin, sessionId },
    draft: { ...emptyDraft, text, selectionStart: text.length, selectionEnd: text.length },
  };
}
