import type { Disposable } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import {
  type Draft,
  type DraftComment,
  emptyDraft,
  maxComments,
  unsentComments,
} from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import { toFailure } from '../connection/probe.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Clock } from '../storage/clock.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';
import { DraftComments } from './draftComments.ts';
import * as edits from './draftEdits.ts';
import { DraftFiles } from './draftFiles.ts';
import {
  type DraftSlot,
  type DraftVersion,
  isBeingEdited,
  isEmptyRecord,
  isSameMessage,
  isSameRecord,
  isUneditedSince,
  isUnsaved,
  newSlot,
  noteEdit,
  noteOnDisk,
  saveDelayMs,
  type SentDraft,
  takeVersion,
  withOutgoing,
} from './draftSlot.ts';
import type { UnreadableFile } from '../storage/recordFormat.ts';
import type { RecordStores } from '../storage/recordStores.ts';

const retryMs = 5_000;

interface DraftsOptions {
  readonly records: RecordStores;
  readonly blobs: Blobs;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Manages all drafts, one record for each session and one for each comment. A change is in the store immediately, on
 * disk shortly after, and then in the other windows that use the folder; the last edit wins. The draft of a session
 * that is not in the session list stays saved until the session returns.
 */
export class Drafts implements Disposable {
  readonly #options: DraftsOptions;
  readonly #slots = new Map<string, DraftSlot>();
  readonly #subscription: Disposable;
  readonly #files: DraftFiles;
  readonly #comments: DraftComments;
  readonly #watch: FolderWatcher;
  readonly #saves = new Set<Promise<boolean>>();
  #disposed = false;

  constructor(options: DraftsOptions) {
    this.#options = options;
    this.#subscription = options.store.onDidChange((change) => {
      if (change.type === 'sessionList') this.#showAll();
    });
    this.#files = new DraftFiles(options.records);
    this.#comments = new DraftComments({
      ...options,
      onDidChange: (key) => this.#showComments(key),
      onDidSave: (key, error) => this.#noteSave(key, error),
    });
    this.#watch = new FolderWatcher({
      clock: options.clock,
      log: options.log,
      watch: (listener) => this.#files.watch(listener),
      readOne: (name) => this.#reread(name),
      readAll: () => this.#rereadAll(),
    });
  }

  /**
   * Reads all drafts, then follows other windows' changes. Resolves to the unreadable files; rejects if the disk fails.
   */
  async load(): Promise<UnreadableFile[]> {
    this.#watch.start();
    const unreadable = await this.#comments.load();
    for (const name of await this.#files.names()) {
      const read = await this.#files.read(name);
      if ('file' in read) unreadable.push(read.file);
      if (read.kind === 'draft') {
        const slot = this.#add(read.key, read.draft, read);
        const isAdopted = read.oldComments.length > 0 && (await this.#comments.adopt(read.key, read.oldComments));
        if (isAdopted && slot) void this.#save(slot);
      }
      const rescued = read.kind === 'lost' && read.rescued && this.#add(read.rescued.key, read.rescued.draft);
      if (rescued) void this.#save(rescued);
    }
    this.#showAll();
    return unreadable;
  }

  get(key: SessionKey): Draft {
    return this.#slots.get(keyText(key))?.draft ?? emptyDraft;
  }

  /**
   * Replaces the text and the selection. Keeps everything else, and the additions that the typed text doesn't contain
   * yet. `source`, from which the text comes, is passed to the store's listeners if the draft now has exactly this
   * text.
   */
  setText(key: SessionKey, typed: edits.TypedText, source?: unknown): void {
    const draft = edits.withTyped(this.get(key), typed);
    this.set(key, draft, draft.text === typed.text ? source : undefined);
  }

  /** Adds a text below what the user wrote. It stays even if the user is typing in a page that doesn't have it yet. */
  addText(key: SessionKey, text: string): void {
    this.set(key, edits.withAddition(this.get(key), text, this.#options.clock.now()));
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
    this.#comments.change(key, before.comments, draft.comments);
    const isChanged = !isSameRecord(before, draft);
    if (isChanged) noteEdit(slot, before, this.#options.clock.now());
    if (isChanged) this.#options.blobs.hold(draft.attachments);
    this.#options.store.setDraft(key, draft, source);
    if (!isChanged) return;
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
   * Replaces the whole draft and resolves when it is on disk. If writing fails, rejects with the system's error, and
   * restores the previous draft unless the new one was changed in the meantime.
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

  /**
   * Takes a message's text out of the draft, for saving it elsewhere. On disk, it stays with the draft until
   * {@link forgetText} or {@link returnText} is called (R45). Additions after `addedId` aren't part of the message, and
   * stay. Returns the version of the draft, for {@link dropSent}.
   */
  takeText(key: SessionKey, text: string, source?: unknown, addedId?: number): DraftVersion {
    this.setText(key, { text: '', selectionStart: 0, selectionEnd: 0, addedId }, source);
    const slot = this.#slots.get(keyText(key));
    if (slot) slot.outgoing = [...slot.outgoing, text];
    return { draftId: slot?.draftId, editedAt: slot?.editedAt ?? 0 };
  }

  /**
   * Removes what a saved message took from the draft, in case the window in which the message was typed ended before it
   * could do that. Text and attachments of a draft that was edited since stay, and so does an edited comment.
   */
  dropSent(key: SessionKey, sent: SentDraft, attachments: readonly StoredAttachment[]): void {
    const slot = this.#slots.get(keyText(key));
    if (!slot) return;
    const comments = unsentComments(slot.draft.comments, sent.comments);
    if (comments.length < slot.draft.comments.length) this.set(key, { ...slot.draft, comments });
    if (isUneditedSince(slot, sent)) this.set(key, edits.withoutMessage(slot.draft, attachments));
  }

  /** Resolves when the draft and its comments are on disk. Rejects if they couldn't be saved. */
  async saved(key: SessionKey): Promise<void> {
    await this.#comments.saved(key);
    const slot = this.#slots.get(keyText(key));
    const isSaved = !slot || (!isUnsaved(slot) && slot.writes === 0);
    if (!isSaved && !(await this.#save(slot))) throw new Error('the draft could not be saved');
  }

  /** Forgets a text that was taken, because it is saved elsewhere. */
  forgetText(key: SessionKey, text: string): void {
    const slot = this.#slots.get(keyText(key));
    const index = slot?.outgoing.indexOf(text) ?? -1;
    if (!slot || index < 0) return;
    slot.outgoing = slot.outgoing.toSpliced(index, 1);
    const { remote } = slot;
    if (slot.outgoing.length === 0) slot.remote = undefined;
    if (this.#disposed) return;
    if (slot.outgoing.length === 0 && remote && slot.draft.text === '') this.#apply(slot, remote.draft, remote);
    else this.#saveSoon(slot);
  }

  /** Returns a taken text to the draft, before any newer text. The result is the whole text of the draft. */
  returnText(key: SessionKey, text: string, source?: unknown): string {
    this.forgetText(key, text);
    const returned = edits.withReturned(this.get(key), text);
    this.setText(key, returned, source);
    return returned.text;
  }

  /** Removes text from the start of the draft, and attachments. Does nothing if the draft doesn't start with `text`. */
  removeStart(key: SessionKey, text: string, attachments: readonly StoredAttachment[]): void {
    const draft = edits.withoutStart(this.get(key), text, attachments);
    if (draft) this.set(key, draft);
  }

  /** Adds attachments whose bytes are already on disk. */
  addAttachments(key: SessionKey, attachments: readonly StoredAttachment[], source?: unknown): void {
    const draft = this.get(key);
    this.set(key, { ...draft, attachments: [...draft.attachments, ...attachments] }, source);
  }

  removeAttachment(key: SessionKey, attachmentId: string, source?: unknown): void {
    const draft = this.get(key);
    const attachments = edits.withoutAttachment(draft.attachments, attachmentId);
    if (attachments !== draft.attachments) this.set(key, { ...draft, attachments }, source);
  }

  /** Adds a comment. Returns false if the draft has the maximum number of comments. Does nothing for a known ID. */
  addComment(key: SessionKey, comment: DraftComment, source?: unknown): boolean {
    const draft = this.get(key);
    if (draft.comments.some(({ commentId }) => commentId === comment.commentId)) return true;
    if (draft.comments.length >= maxComments) return false;
    this.set(key, { ...draft, comments: [...draft.comments, comment] }, source);
    return true;
  }

  /** Replaces the text of a comment; without text, removes the comment. Does nothing for an unknown ID. */
  changeComment(key: SessionKey, commentId: string, text: string | undefined, source?: unknown): void {
    const draft = this.get(key);
    const comments = edits.withChangedComment(draft.comments, commentId, text);
    if (comments !== draft.comments) this.set(key, { ...draft, comments }, source);
  }

  /** Writes all unsaved drafts immediately. Never rejects: a failed write is logged, and the draft stays in memory. */
  async flush(): Promise<void> {
    for (const slot of this.#slots.values()) if (isUnsaved(slot)) void this.#save(slot);
    await Promise.all([...this.#saves, this.#comments.flush()]);
  }

  /** Starts writing unsaved drafts and clears all timers. Await {@link flush} first if possible. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#subscription.dispose();
    this.#watch.dispose();
    void this.flush();
    this.#comments.dispose();
    for (const slot of this.#slots.values()) slot.timer.dispose();
  }

  /** Adds a draft that was read; undefined if text was typed during the read, because that is newer. */
  #add(key: SessionKey, draft: Draft, version?: DraftVersion): DraftSlot | undefined {
    const known = this.#slots.get(keyText(key));
    if (known && known.editedAt > 0) return undefined;
    const slot = newSlot(key, { ...draft, comments: known?.draft.comments ?? [] }, version);
    this.#options.blobs.hold(draft.attachments);
    this.#slots.set(keyText(key), slot);
    return slot;
  }

  #showComments(key: SessionKey): void {
    const slot = this.#slots.get(keyText(key)) ?? newSlot(key, emptyDraft);
    this.#slots.set(keyText(key), slot);
    slot.draft = { ...slot.draft, comments: this.#comments.of(key) };
    this.#options.store.setDraft(key, slot.draft);
  }

  #noteSave(key: SessionKey, error?: unknown): void {
    const { store, clock } = this.#options;
    const failure = error === undefined ? undefined : { ...toFailure(error, clock.now()), kind: 'disk' as const };
    store.setDraftFailure(key, failure);
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
    slot.unsavedSince ??= clock.now();
    slot.timer.dispose();
    slot.timer = clock.after(saveDelayMs(slot, clock.now()), () => void this.#save(slot));
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

  /** Rejects with the system's error, and puts it in the store. */
  async #writeDraft(slot: DraftSlot): Promise<void> {
    slot.writes++;
    try {
      await this.#files.write(slot.key, withOutgoing(slot), slot);
      this.#noteSave(slot.key);
    } catch (error) {
      this.#noteSave(slot.key, error);
      throw error;
    } finally {
      slot.writes--;
    }
  }

  async #rereadAll(): Promise<void> {
    const known = [...this.#slots.values()].map(({ key }) => this.#files.nameOf(key));
    for (const name of new Set([...(await this.#files.names()), ...known])) await this.#reread(name);
  }

  /**
   * Applies a change made by another window, unless this window has a newer one. A draft whose file was damaged, or
   * removed by something other than a window, is written again.
   */
  async #reread(name: string): Promise<void> {
    const before = this.#slotNamed(name);
    const editedAt = before?.editedAt;
    const read = await this.#files.read(name, before?.key);
    if (read.kind === 'newer' || this.#disposed) return;
    const known = this.#slotNamed(name);
    // If this window saved an edit during the read, the read may have returned the version before it.
    if (known && known.editedAt !== editedAt && !isUnsaved(known)) {
      await this.#reread(name);
      return;
    }
    if (known && isBeingEdited(known)) {
      // Text that is being typed in this window is newer than any text on disk.
      if (read.kind === 'draft') noteOnDisk(known, read.draft, read);
      return;
    }
    if (read.kind === 'draft') this.#apply(known ?? newSlot(read.key, emptyDraft), read.draft, read);
    else if (known && read.kind === 'emptied') this.#apply(known, emptyDraft, known);
    else if (known && !isEmptyRecord(known.draft)) void this.#save(known);
  }

  #apply(slot: DraftSlot, draft: Draft, version: DraftVersion): void {
    const { blobs, store } = this.#options;
    // Moving the caret in another window must not move it in this one.
    if (isSameMessage(draft, slot.draft)) {
      takeVersion(slot, slot.draft, version);
      return;
    }
    // Keep a newer draft, but not an empty one, because clocks can be set back and differ between computers.
    if (version.editedAt < slot.editedAt && !isEmptyRecord(slot.draft)) {
      void this.#save(slot);
      return;
    }
    blobs.hold(draft.attachments);
    blobs.forget(slot.draft.attachments);
    takeVersion(slot, { ...draft, comments: slot.draft.comments }, version);
    this.#slots.set(keyText(slot.key), slot);
    store.setDraft(slot.key, slot.draft);
  }

  #slotNamed(name: string): DraftSlot | undefined {
    return [...this.#slots.values()].find(({ key }) => this.#files.nameOf(key) === name);
  }
}
