import { sameValue } from '../../shared/equality.ts';
import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { pooled } from '../../shared/pooled.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { DraftComment } from '../../state/store/sessionRecord.ts';
import type { Clock } from '../storage/clock.ts';
import { FolderWatcher } from '../storage/folderWatcher.ts';
import type { UnreadableFile } from '../storage/recordFormat.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { readsAtOnce } from '../storage/recordStore.ts';
import { CommentFiles, type StoredComment } from './commentFiles.ts';

/** The delay between a change of a comment's text and its write. */
const pauseMs = 200;
const retryMs = 5_000;
/** The interval for rereading all files: longer than the default, because a draft can have hundreds of comments. */
const rereadMs = 60_000;

/** A comment in memory and the known state of its file. */
interface CommentSlot {
  stored: StoredComment;
  /** Whether the comment was removed here. The slot stays until that is on disk. */
  isRemoved: boolean;
  /** Increases with each change in this window. */
  edits: number;
  isUnsaved: boolean;
  /** The text on disk when this window last read or wrote it; undefined if it did neither. */
  seenText: string | undefined;
  /** The running write; undefined if there is none. */
  saving: Promise<void> | undefined;
  timer: Disposable;
}

interface DraftCommentsOptions {
  readonly records: RecordStores;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the comments of a session changed other than through {@link DraftComments.change}. */
  readonly onDidChange: (key: SessionKey) => void;
  /** Called after each write, with the system's error if it failed. */
  readonly onDidSave: (key: SessionKey, error?: unknown) => void;
}

/**
 * The comments of all drafts. A change is saved immediately, or shortly after if only the text changed, and the other
 * windows then apply it. Comments that two windows add, change, or remove at the same time don't affect each other. For
 * one comment, the last edit wins; a removal doesn't remove an edit that its window hasn't read.
 */
export class DraftComments implements Disposable {
  readonly #options: DraftCommentsOptions;
  readonly #files: CommentFiles;
  readonly #watch: FolderWatcher;
  readonly #slots = new Map<string, CommentSlot>();
  /** The sessions whose comments another window changed, until that is announced. */
  readonly #changed = new Map<string, SessionKey>();
  #lastOrder = 0;
  #isDisposed = false;

  constructor(options: DraftCommentsOptions) {
    this.#options = options;
    this.#files = new CommentFiles(options.records);
    this.#watch = new FolderWatcher({
      clock: options.clock,
      log: options.log,
      watch: (listener) => this.#files.watch(listener),
      readOne: async (name) => {
        await this.#read(name);
        this.#announce();
      },
      readAll: async () => {
        await this.#readAll();
      },
      rereadMs,
    });
  }

  /**
   * Reads all comments, and follows changes made by other windows from then on. Resolves to the files that are damaged
   * or of a newer version. Rejects with the system's error.
   */
  async load(): Promise<UnreadableFile[]> {
    this.#watch.start();
    return this.#readAll();
  }

  /** The comments of a session, in the order in which they were added. */
  of(key: SessionKey): readonly DraftComment[] {
    const own = this.#present().filter(({ stored }) => keyText(stored.key) === keyText(key));
    return own
      .map(({ stored }) => stored)
      .sort((a, b) => a.order - b.order || (a.commentId < b.commentId ? -1 : 1))
      .map(({ commentId, messageId, quote, offset, text }) => ({ commentId, messageId, quote, offset, text }));
  }

  /** Applies and saves the difference between `before` and `after`. A comment is unchanged if it is the same object. */
  change(key: SessionKey, before: readonly DraftComment[], after: readonly DraftComment[]): void {
    if (before === after || this.#isDisposed) return;
    const kept = new Set(after.map(({ commentId }) => commentId));
    for (const comment of before) if (!kept.has(comment.commentId)) this.#remove(key, comment);
    for (const comment of after) if (!before.includes(comment)) this.#put(key, comment);
  }

  /**
   * Adds comments that an earlier version of the extension saved with the draft, unless they have comment files or have
   * been removed since. Resolves to whether all are on disk. Rejects with the system's error if a file can't be read.
   */
  async adopt(key: SessionKey, comments: readonly DraftComment[]): Promise<boolean> {
    for (const comment of comments) {
      const name = this.#files.nameOf(key, comment.commentId);
      if (this.#slots.has(name) || (await this.#files.read(name, key)).kind !== 'lost') continue;
      this.#put(key, comment);
    }
    this.#options.onDidChange(key);
    return this.saved(key).then(
      () => true,
      () => false,
    );
  }

  /** Resolves when all changes to the comments of a session are on disk. Rejects with the system's error. */
  async saved(key: SessionKey): Promise<void> {
    for (const slot of this.#slots.values()) {
      if (keyText(slot.stored.key) !== keyText(key)) continue;
      while (slot.isUnsaved || slot.saving) await this.#save(slot);
    }
  }

  /** Writes all unsaved changes immediately. Never rejects: a failed write is logged, and tried again. */
  async flush(): Promise<void> {
    await Promise.allSettled([...this.#slots.values()].map((slot) => this.#save(slot)));
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#watch.dispose();
    for (const slot of this.#slots.values()) slot.timer.dispose();
    void this.flush();
  }

  #present(): CommentSlot[] {
    return [...this.#slots.values()].filter(({ isRemoved }) => !isRemoved);
  }

  #put(key: SessionKey, comment: DraftComment): void {
    const name = this.#files.nameOf(key, comment.commentId);
    const known = this.#slots.get(name);
    const isNew = !known || known.isRemoved;
    if (isNew) this.#lastOrder = Math.max(this.#options.clock.now(), this.#lastOrder + 1);
    const order = isNew ? this.#lastOrder : known.stored.order;
    const slot = known ?? newSlot({ ...comment, key: { ...key }, order });
    this.#slots.set(name, slot);
    slot.stored = { ...comment, key: { ...key }, order };
    slot.isRemoved = false;
    this.#edited(slot, isNew ? 0 : pauseMs);
  }

  #remove(key: SessionKey, { commentId }: DraftComment): void {
    const slot = this.#slots.get(this.#files.nameOf(key, commentId));
    if (!slot) return;
    slot.isRemoved = true;
    this.#edited(slot, 0);
  }

  #edited(slot: CommentSlot, delayMs: number): void {
    const wasUnsaved = slot.isUnsaved;
    slot.edits++;
    slot.isUnsaved = true;
    if (delayMs === 0) void this.#saveLogged(slot);
    else if (!wasUnsaved) slot.timer = this.#options.clock.after(delayMs, () => void this.#saveLogged(slot));
  }

  async #saveLogged(slot: CommentSlot): Promise<void> {
    await this.#save(slot).catch(() => undefined);
  }

  /** Rejects with the system's error, after scheduling another attempt. Only one write of a comment runs at a time. */
  #save(slot: CommentSlot): Promise<void> {
    if (slot.saving) return slot.saving.catch(() => undefined).then(() => this.#save(slot));
    if (!slot.isUnsaved) return Promise.resolve();
    slot.saving = this.#write(slot).finally(() => (slot.saving = undefined));
    return slot.saving;
  }

  async #write(slot: CommentSlot): Promise<void> {
    const { clock, log, onDidSave } = this.#options;
    const { key } = slot.stored;
    slot.timer.dispose();
    slot.isUnsaved = false;
    try {
      const { stored } = slot;
      if (slot.isRemoved) await this.#writeRemoval(slot);
      else {
        await this.#files.write(stored);
        slot.seenText = stored.text;
      }
      onDidSave(key);
    } catch (error) {
      slot.isUnsaved = true;
      log.error(`drafts: a comment could not be saved: ${reasonOf(error)}`);
      if (!this.#isDisposed) slot.timer = clock.after(retryMs, () => void this.#saveLogged(slot));
      onDidSave(key, error);
      throw error;
    }
  }

  /** Removes a comment from disk. If another window has changed it in the meantime, the changed comment stays. */
  async #writeRemoval(slot: CommentSlot): Promise<void> {
    const { stored, edits, seenText } = slot;
    const changed = await this.#files.remove(stored, seenText);
    if (slot.edits !== edits) return;
    if (changed) this.#keep(slot, changed);
    else this.#slots.delete(this.#nameOf(stored));
  }

  /** Keeps a comment that was removed here, because another window has changed it. */
  #keep(slot: CommentSlot, changed: StoredComment): void {
    slot.isRemoved = false;
    this.#take(slot, changed);
    this.#changed.set(keyText(changed.key), changed.key);
    this.#announce();
  }

  async #readAll(): Promise<UnreadableFile[]> {
    const names = new Set([...(await this.#files.names()), ...this.#slots.keys()]);
    const files = await pooled([...names], readsAtOnce, (name) => this.#read(name));
    this.#announce();
    return files.filter((file) => file !== undefined);
  }

  /**
   * Applies a change made by another window, unless this window has a newer one. A comment whose file was damaged, or
   * removed by something other than a window, is written again.
   */
  async #read(name: string): Promise<UnreadableFile | undefined> {
    const before = this.#slots.get(name);
    const edits = before?.edits;
    const read = await this.#files.read(name, before?.stored.key);
    const slot = this.#slots.get(name);
    const file = 'file' in read ? read.file : undefined;
    if (this.#isDisposed || read.kind === 'newer' || slot?.isUnsaved || slot?.saving) return file;
    // If this window saved an edit during the read, the read may have returned the version before it.
    if (slot !== before || slot?.edits !== edits) return this.#read(name);
    if (read.kind === 'comment') this.#take(slot, read.stored);
    else if (read.kind === 'removed') this.#drop(slot);
    else if (slot) this.#edited(slot, 0);
    else if (read.rescued) this.#edited(this.#take(slot, read.rescued), 0);
    return file;
  }

  /** Applies a comment as it is on disk. */
  #take(known: CommentSlot | undefined, stored: StoredComment): CommentSlot {
    const slot = known ?? newSlot(stored);
    if (!known || !sameValue(known.stored, stored)) this.#changed.set(keyText(stored.key), stored.key);
    slot.stored = stored;
    slot.seenText = stored.text;
    this.#slots.set(this.#nameOf(stored), slot);
    this.#lastOrder = Math.max(this.#lastOrder, stored.order);
    return slot;
  }

  #drop(slot: CommentSlot | undefined): void {
    if (!slot) return;
    this.#slots.delete(this.#nameOf(slot.stored));
    this.#changed.set(keyText(slot.stored.key), slot.stored.key);
  }

  #announce(): void {
    const keys = [...this.#changed.values()];
    this.#changed.clear();
    for (const key of keys) this.#options.onDidChange(key);
  }

  #nameOf({ key, commentId }: StoredComment): string {
    return this.#files.nameOf(key, commentId);
  }
}

function newSlot(stored: StoredComment): CommentSlot {
  const timer = onDispose(() => undefined);
  return { stored, isRemoved: false, edits: 0, isUnsaved: false, seenText: undefined, saving: undefined, timer };
}
