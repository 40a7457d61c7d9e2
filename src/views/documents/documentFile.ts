import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import type { DocumentAddress } from '../../state/documents/documentUri.ts';
import { stepTowards } from '../../state/documents/document.ts';

/** The minimum interval between change events. */
const minPauseMs = 500;
/** The interval is at least this many times the render time, so that large documents leave time for other work. */
const pauseFactor = 10;
/** After this many intervals, an update no longer waits for the editor to read the previous update. */
const maxUnreadPauses = 20;

/**
 * The content of a document, for editors to read. While the document is watched, changes are rendered after a delay and
 * reported if the text differs.
 */
export class DocumentFile implements Disposable {
  readonly address: DocumentAddress;
  readonly #write: () => Promise<string | undefined>;
  readonly #onChange: () => void;
  readonly #watchers = new Set<object>();
  /** The text that editors read. It changes to the wanted text in one or two steps. */
  #text: string | undefined;
  #reportedText: string | undefined;
  #wantedText: string | undefined;
  #isHalfWay = false;
  #isHeadNext = false;
  /** The number of intervals that the last step has waited for an editor to read it. */
  #unreadPauses = 0;
  #bytes = new Uint8Array();
  #changedAt = 0;
  #isStale = true;
  #pauseMs = minPauseMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<boolean> | undefined;
  #isDisposed = false;

  /**
   * @param write renders the text, or resolves to undefined if the document doesn't exist.
   * @param onChange called when the text of the watched document has changed.
   */
  constructor(address: DocumentAddress, write: () => Promise<string | undefined>, onChange: () => void) {
    this.address = address;
    this.#write = write;
    this.#onChange = onChange;
  }

  get sizeBytes(): number {
    return this.#bytes.byteLength;
  }

  /** The content; marks it as read by an editor. */
  takeBytes(): Uint8Array {
    this.#unreadPauses = maxUnreadPauses;
    return this.#bytes;
  }

  /** When the text last changed, in Unix ms. Each version of the text has a different value. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** Whether the document existed when it was last rendered. */
  get exists(): boolean {
    return this.#text !== undefined;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** Watches the document until the handle is disposed. */
  watch(): Disposable {
    const watcher = {};
    this.#watchers.add(watcher);
    if (this.#isStale && this.#text !== undefined) this.noteChange();
    return onDispose(() => {
      this.#watchers.delete(watcher);
    });
  }

  /** Marks the text as outdated. If the document is watched, it is rendered again after a delay. */
  noteChange(): void {
    this.#isStale = true;
    this.#refreshSoon();
  }

  /** Renders the text if it is outdated. Resolves to whether the document exists. Rejects if rendering fails. */
  read(): Promise<boolean> {
    this.#reading ??= this.#update().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#watchers.clear();
  }

  #refreshSoon(): void {
    if (this.#timer !== undefined || !this.isWatched || this.#isDisposed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#refresh();
    }, this.#pauseMs);
    this.#timer.unref();
  }

  async #refresh(): Promise<void> {
    this.#unreadPauses++;
    // Ignore failures here. The editor reports them when it reads the document itself.
    await this.read().catch(() => false);
    this.#step();
    if (this.#text !== this.#reportedText && !this.#isDisposed) {
      this.#reportedText = this.#text;
      this.#onChange();
    }
    if (this.#isStale || this.#text !== this.#wantedText) this.#refreshSoon();
  }

  async #update(): Promise<boolean> {
    if (!this.isWatched) this.#step();
    if (!this.#isStale) return this.exists;
    this.#isStale = false;
    const startedAt = performance.now();
    try {
      this.#wantedText = await this.#write();
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    this.#pauseMs = Math.max(minPauseMs, (performance.now() - startedAt) * pauseFactor);
    this.#step();
    return this.exists;
  }

  #step(): void {
    const [given, wanted] = [this.#text, this.#wantedText];
    const isPending = this.isWatched && this.#isHalfWay && this.#unreadPauses < maxUnreadPauses;
    if (given === wanted || isPending) return;
    const isImmediate = !this.isWatched || given === undefined || wanted === undefined;
    const next = isImmediate ? wanted : stepTowards(given, wanted, this.#isHeadNext);
    this.#isHalfWay = next !== wanted;
    this.#isHeadNext = this.#isHalfWay && !this.#isHeadNext;
    this.#unreadPauses = 0;
    this.#text = next;
    this.#bytes = Buffer.from(next ?? '');
    this.#changedAt = Math.max(Date.now(), this.#changedAt + 1);
    if (!this.isWatched) this.#reportedText = next;
  }
}
