import * as z from 'zod/mini';
import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { outputsId, type StoredAttachment } from '../../state/store/outboxEntry.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import { type Draft, emptyDraft, isEmptyDraft } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { Blobs } from '../storage/blobStore.ts';
import type { Clock } from '../storage/clock.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';
import { sessionKeySchema, sessionRecordName, storedAttachmentSchema } from '../storage/recordNames.ts';
import type { RecordRead, RecordFormat, UnreadableFile } from '../storage/recordStore.ts';
import type { RecordStores } from '../storage/recordStores.ts';

const subfolder = 'drafts';
const recordSchema = z.object({
  key: sessionKeySchema,
  text: z.string(),
  selectionStart: z.number(),
  selectionEnd: z.number(),
  attachments: z.array(storedAttachmentSchema),
  computerId: z.optional(z.string()),
});
/** A draft as saved on disk. */
type StoredDraft = z.output<typeof recordSchema>;
const format: RecordFormat<StoredDraft> = { version: 1, schema: recordSchema };

/** Reads and writes draft records, one for each session. */
class DraftFiles {
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
   * Reads a record from the session's store if `key` is given, otherwise from disk. A damaged file is quarantined and
   * returned as unreadable. Rejects only with the system's error.
   */
  read(name: string, key?: SessionKey): Promise<RecordRead<StoredDraft>> {
    return (key ? this.#records.of(key.origin) : this.#records.disk).read(name, format);
  }

  /** Resolves when the draft is saved; an empty draft leaves no file. Rejects with the system's error. */
  async write(key: SessionKey, draft: Draft): Promise<void> {
    const name = this.nameOf(key);
    const records = this.#records.of(key.origin);
    const record = { key: { ...key }, ...draft, attachments: draft.attachments.map((item) => ({ ...item })) };
    await (isEmptyDraft(draft) ? records.remove(name) : records.write(name, format, record));
  }

  /** Calls `listener` with the name of a file that may have changed; undefined if any file may have changed. */
  watch(listener: (name: string | undefined) => void): Disposable {
    return this.#records.disk.watch(subfolder, (name) => {
      if (name === undefined || name.endsWith('.json')) listener(name);
    });
  }
}

/** The delay between the last change of a draft and its write. */
const pauseMs = 200;
/** The maximum time between a change and its write, so that a crash during continuous typing loses little. */
const longestUnsavedMs = 2_000;
const retryMs = 5_000;

/** The text and selection of a composer. */
type DraftText = Pick<Draft, 'text' | 'selectionStart' | 'selectionEnd'>;

interface DraftsOptions {
  readonly records: RecordStores;
  readonly blobs: Blobs;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

interface DraftSlot {
  readonly key: SessionKey;
  draft: Draft;
  /** The time of the oldest unsaved change, Unix ms. */
  unsavedSince: number | undefined;
  /** The number of writes in progress. */
  writes: number;
  timer: Disposable;
}

/**
 * Manages all drafts, one record for each session. A change is in the store immediately, on disk shortly after, and
 * then in the other windows that use the folder; the last edit wins. The draft of a session that is not in the session
 * list stays saved until the session returns.
 */
export class Drafts implements Disposable {
  readonly #options: DraftsOptions;
  readonly #slots = new Map<string, DraftSlot>();
  readonly #subscription: Disposable;
  readonly #files: DraftFiles;
  readonly #watch: FolderWatcher;
  readonly #saves = new Set<Promise<boolean>>();
  #disposed = false;

  constructor(options: DraftsOptions) {
    this.#options = options;
    this.#subscription = options.store.onDidChange((change) => {
      if (change.type === 'sessionList') this.#showAll();
    });
    this.#files = new DraftFiles(options.records);
    this.#watch = new FolderWatcher({
      clock: options.clock,
      log: options.log,
      watch: (listener) => this.#files.watch(listener),
      readOne: (name) => this.#reread(name),
      readAll: () => this.#rereadAll(),
    });
  }

  /**
   * Reads all drafts, and follows changes made by other windows from then on. Returns the files that could not be read.
   */
  async load(): Promise<UnreadableFile[]> {
    this.#watch.start();
    const unreadable: UnreadableFile[] = [];
    for (const name of await this.#files.names()) {
      const read = await this.#files.read(name);
      if (read.kind === 'unreadable') unreadable.push(read);
      if (read.kind !== 'record') continue;
      const { key, ...draft } = read.record;
      // Keep text that was typed during this read, because it is newer.
      if (this.#slots.has(keyText(key))) continue;
      this.#options.blobs.hold(draft.attachments);
      this.#slots.set(keyText(key), newSlot(key, draft));
    }
    this.#showAll();
    return unreadable;
  }

  get(key: SessionKey): Draft {
    return this.#slots.get(keyText(key))?.draft ?? emptyDraft;
  }

  /** Replaces the text and the selection and keeps the rest. `source` is passed to the store's listeners. */
  setText(key: SessionKey, { text, selectionStart, selectionEnd }: DraftText, source?: unknown): void {
    this.set(key, { ...this.get(key), text, selectionStart, selectionEnd }, source);
  }

  /**
   * Replaces the whole draft. Deletes the blobs of attachments that are no longer in the draft, unless another record
   * needs them.
   */
  set(key: SessionKey, draft: Draft, source?: unknown): void {
    if (this.#disposed) return;
    const slot = this.#slots.get(keyText(key)) ?? newSlot(key, emptyDraft);
    this.#slots.set(keyText(key), slot);
    const before = slot.draft;
    slot.draft = draft;
    this.#options.blobs.hold(draft.attachments);
    this.#options.store.setDraft(key, draft, source);
    slot.unsavedSince ??= this.#options.clock.now();
    if (before.attachments === draft.attachments) {
      this.#saveSoon(slot);
      void this.#options.blobs.release(before.attachments);
    } else {
      // Remove the blobs only after no file on disk refers to them.
      void this.#save(slot).then(async (isSaved) => {
        if (isSaved) await this.#options.blobs.release(before.attachments);
      });
    }
  }

  /**
   * Replaces the whole draft and resolves when it is on disk. If writing fails, restores the previous draft unless it
   * changed again in the meantime, and rejects with the system's error.
   */
  async replace(key: SessionKey, draft: Draft): Promise<void> {
    const before = this.get(key);
    this.set(key, draft);
    const slot = this.#slots.get(keyText(key));
    try {
      if (slot) await this.#writeDraft(slot);
    } catch (error) {
      if (slot?.draft === draft) this.set(key, before);
      throw error;
    }
  }

  /** Adds attachments whose bytes are already on disk. */
  addAttachments(key: SessionKey, attachments: readonly StoredAttachment[], source?: unknown): void {
    const draft = this.get(key);
    this.set(key, { ...draft, attachments: [...draft.attachments, ...attachments] }, source);
  }

  removeAttachment(key: SessionKey, attachmentId: string, source?: unknown): void {
    const draft = this.get(key);
    const attachments = draft.attachments.flatMap((attachment) => {
      if (attachment.attachmentId === attachmentId) return [];
      return outputsId(attachment) === attachmentId ? [{ ...attachment, parsedData: undefined }] : [attachment];
    });
    const isChanged = attachments.some((attachment, index) => attachment !== draft.attachments[index]);
    if (isChanged || attachments.length < draft.attachments.length) this.set(key, { ...draft, attachments }, source);
  }

  /** Writes all unsaved drafts immediately. Never rejects: a failed write is logged, and the draft stays in memory. */
  async flush(): Promise<void> {
    for (const slot of this.#slots.values()) if (isUnsaved(slot)) void this.#save(slot);
    await Promise.all(this.#saves);
  }

  /** Starts writing unsaved drafts and clears all timers. Await {@link flush} first if possible. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#subscription.dispose();
    this.#watch.dispose();
    void this.flush();
    for (const slot of this.#slots.values()) slot.timer.dispose();
  }

  #showAll(): void {
    const { store } = this.#options;
    for (const { key, draft } of this.#slots.values()) {
      const record = store.record(key);
      if (record && record.draft !== draft) store.setDraft(key, draft);
    }
  }

  #saveSoon(slot: DraftSlot): void {
    const { clock } = this.#options;
    const unsavedMs = clock.now() - (slot.unsavedSince ?? clock.now());
    const delayMs = Math.min(pauseMs, Math.max(0, longestUnsavedMs - unsavedMs));
    slot.timer.dispose();
    slot.timer = clock.after(delayMs, () => void this.#save(slot));
  }

  #save(slot: DraftSlot): Promise<boolean> {
    const save = this.#write(slot).finally(() => this.#saves.delete(save));
    this.#saves.add(save);
    return save;
  }

  /** @returns whether this version of the draft, or a newer one, is on disk. */
  async #write(slot: DraftSlot): Promise<boolean> {
    const { clock, log } = this.#options;
    slot.timer.dispose();
    slot.unsavedSince = undefined;
    try {
      await this.#writeDraft(slot);
      return true;
    } catch (error) {
      log.error(`drafts: a draft could not be saved: ${reasonOf(error)}`);
      // A change made during the write doesn't need this timer: it has its own, which fires earlier.
      if (!isUnsaved(slot) && !this.#disposed) slot.timer = clock.after(retryMs, () => void this.#save(slot));
      slot.unsavedSince ??= clock.now();
      return false;
    }
  }

  /** Rejects with the system's error. */
  async #writeDraft(slot: DraftSlot): Promise<void> {
    slot.writes++;
    try {
      await this.#files.write(slot.key, slot.draft);
    } finally {
      slot.writes--;
    }
  }

  async #rereadAll(): Promise<void> {
    const known = [...this.#slots.values()].map(({ key }) => this.#files.nameOf(key));
    for (const name of new Set([...(await this.#files.names()), ...known])) await this.#reread(name);
  }

  /** Applies a change made by another window, unless this window has a newer one. */
  async #reread(name: string): Promise<void> {
    const { blobs, store } = this.#options;
    const read = await this.#files.read(name, this.#slotNamed(name)?.key);
    if (read.kind === 'unreadable' || this.#disposed) return;
    const known = this.#slotNamed(name);
    const { key, ...draft } = read.kind === 'record' ? read.record : { key: known?.key, ...emptyDraft };
    if (!key) return;
    const slot = known ?? newSlot(key, emptyDraft);
    // Moving the caret in another window must not move it in this one.
    if (isUnsaved(slot) || slot.writes > 0 || isSameMessage(draft, slot.draft)) return;
    blobs.hold(draft.attachments);
    blobs.forget(slot.draft.attachments);
    slot.draft = draft;
    this.#slots.set(keyText(key), slot);
    store.setDraft(key, draft);
  }

  #slotNamed(name: string): DraftSlot | undefined {
    return [...this.#slots.values()].find(({ key }) => this.#files.nameOf(key) === name);
  }
}

function isUnsaved({ unsavedSince }: DraftSlot): boolean {
  return unsavedSince !== undefined;
}

function isSameMessage(one: Draft, other: Draft): boolean {
  const ids = ({ attachments }: Draft) =>
    attachments
      .map((attachment) => (attachment.parsedData === undefined ? attachment.attachmentId : outputsId(attachment)))
      .join();
  return one.text === other.text && one.computerId === other.computerId && ids(one) === ids(other);
}

function newSlot(key: SessionKey, draft: Draft): DraftSlot {
  return { key: { ...key }, draft, unsavedSince: undefined, writes: 0, timer: onDispose(() => undefined) };
}
