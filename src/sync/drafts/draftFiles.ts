import * as z from 'zod/mini';
import type { Disposable } from '../../shared/lifecycle.ts';
import { type Draft, isEmptyDraft } from '../../state/store/draft.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Disk, DiskRead, RecordFormat } from '../storage/recordStore.ts';
import { sessionKeySchema, sessionRecordName, storedAttachmentSchema } from '../storage/recordNames.ts';

const subfolder = 'drafts';
const recordSchema = z.object({
  key: sessionKeySchema,
  text: z.string(),
  selectionStart: z.number(),
  selectionEnd: z.number(),
  attachments: z.array(storedAttachmentSchema),
  computerId: z.optional(z.string()),
});
/** A draft as it lies on disk. */
export type StoredDraft = z.output<typeof recordSchema>;
const format: RecordFormat<StoredDraft> = { version: 1, schema: recordSchema };

/** Drafts on disk: a file for each session. Those of a temporary service are kept in memory only. */
export class DraftFiles {
  readonly #disk: Disk;
  readonly #isTemporary: (origin: string) => boolean;

  constructor(disk: Disk, isTemporary: (origin: string) => boolean = () => false) {
    this.#disk = disk;
    this.#isTemporary = isTemporary;
  }

  /** The names of the files that are there. */
  names(): Promise<string[]> {
    return this.#disk.list(subfolder);
  }

  /** The name of the file of a session, whether it is there or not; undefined where it has none. */
  nameOf(key: SessionKey): string | undefined {
    return this.#isTemporary(key.origin) ? undefined : sessionRecordName(subfolder, key);
  }

  /** A damaged file is set aside and returned as unreadable; rejects only with the system's error. */
  read(name: string): Promise<DiskRead<StoredDraft>> {
    return this.#disk.read(name, format);
  }

  /** Resolves when the draft is on disk; an empty one leaves no file. Rejects with the system's error. */
  async write(key: SessionKey, draft: Draft): Promise<void> {
    const name = this.nameOf(key);
    if (name === undefined) return;
    const record = { key: { ...key }, ...draft, attachments: draft.attachments.map((item) => ({ ...item })) };
    await (isEmptyDraft(draft) ? this.#disk.remove(name) : this.#disk.write(name, format, record));
  }

  /** Calls `listener` with the name of a file that may have changed; undefined: any of them. */
  watch(listener: (name: string | undefined) => void): Disposable {
    return this.#disk.watch(subfolder, (name) => {
      if (name === undefined || name.endsWith('.json')) listener(name);
    });
  }
}
