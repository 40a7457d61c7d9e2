import { type Disposable, onDispose } from '../events.ts';
import type { DocumentAddress } from '../state/documentAddress.ts';

/** An editor that shows a growing document is told of it so often at most. */
const leastPauseMs = 500;
/** And so much longer than writing it took, so that large documents leave time for everything else. */
const pauseFactor = 10;

/**
 * The content of one document as an editor was last given it. While it is followed, a change brings it up to date a
 * moment later and says so, where the text became another.
 */
export class DocumentFile implements Disposable {
  readonly address: DocumentAddress;
  readonly #write: () => Promise<string | undefined>;
  readonly #onChange: () => void;
  readonly #followers = new Set<object>();
  #text: string | undefined;
  #bytes = new Uint8Array();
  #changedAt = 0;
  #isStale = true;
  #pauseMs = leastPauseMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<boolean> | undefined;
  #isDisposed = false;

  /** `write` makes the text, undefined where there is no such document; `onChange` is called when it became another. */
  constructor(address: DocumentAddress, write: () => Promise<string | undefined>, onChange: () => void) {
    this.address = address;
    this.#write = write;
    this.#onChange = onChange;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** When the text last changed, Unix ms: never the same for two texts. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** Whether there was such a document when it was last read. */
  get isThere(): boolean {
    return this.#text !== undefined;
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** Somebody looks until the handle is disposed. */
  follow(): Disposable {
    const follower = {};
    this.#followers.add(follower);
    if (this.#isStale && this.#text !== undefined) this.noteChange();
    return onDispose(() => {
      this.#followers.delete(follower);
    });
  }

  /** What it is made of may have changed. */
  noteChange(): void {
    this.#isStale = true;
    if (this.#timer !== undefined || !this.isFollowed || this.#isDisposed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#refresh();
    }, this.#pauseMs);
    this.#timer.unref();
  }

  /** Brings it up to date. Resolves to whether there is such a document. */
  read(): Promise<boolean> {
    this.#reading ??= this.#bringUpToDate().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#followers.clear();
  }

  async #refresh(): Promise<void> {
    const before = this.#text;
    // A failure shows when the editor reads the document itself.
    await this.read().catch(() => false);
    if (this.#text !== before && !this.#isDisposed) this.#onChange();
    if (this.#isStale) this.noteChange();
  }

  async #bringUpToDate(): Promise<boolean> {
    if (!this.#isStale) return this.isThere;
    this.#isStale = false;
    const startedAt = performance.now();
    try {
      this.#take(await this.#write());
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    this.#pauseMs = Math.max(leastPauseMs, (performance.now() - startedAt) * pauseFactor);
    return this.isThere;
  }

  #take(text: string | undefined): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#bytes = new TextEncoder().encode(text);
    this.#changedAt = Math.max(Date.now(), this.#changedAt + 1);
  }
}
