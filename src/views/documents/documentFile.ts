import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import type { DocumentAddress } from '../../state/markdown/documentUri.ts';
import { stepTowards } from '../../state/markdown/document.ts';

/** An editor that shows a growing document is told of it so often at most. */
const leastPauseMs = 500;
/** And so much longer than writing it took, so that large documents leave time for everything else. */
const pauseFactor = 10;
/** An editor that has not read a step after so many pauses is not waited for. */
const mostUnreadPauses = 20;

/**
 * The content of one document as an editor was last given it. While it is followed, a change brings it up to date a
 * moment later and says so, where the text became another.
 */
export class DocumentFile implements Disposable {
  readonly address: DocumentAddress;
  readonly #write: () => Promise<string | undefined>;
  readonly #onChange: () => void;
  readonly #followers = new Set<object>();
  /** What is given; what followers were told of; what is to be given in the end, maybe in two steps. */
  #text: string | undefined;
  #toldText: string | undefined;
  #wantedText: string | undefined;
  #isHalfWay = false;
  #isHeadNext = false;
  /** How long the last step has waited for somebody to read it. */
  #unreadPauses = 0;
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

  get sizeBytes(): number {
    return this.#bytes.byteLength;
  }

  /** The content, for an editor to show. */
  give(): Uint8Array {
    this.#unreadPauses = mostUnreadPauses;
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
    this.#refreshSoon();
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

  #refreshSoon(): void {
    if (this.#timer !== undefined || !this.isFollowed || this.#isDisposed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#refresh();
    }, this.#pauseMs);
    this.#timer.unref();
  }

  async #refresh(): Promise<void> {
    this.#unreadPauses++;
    // A failure shows when the editor reads the document itself.
    await this.read().catch(() => false);
    this.#step();
    if (this.#text !== this.#toldText && !this.#isDisposed) {
      this.#toldText = this.#text;
      this.#onChange();
    }
    if (this.#isStale || this.#text !== this.#wantedText) this.#refreshSoon();
  }

  async #bringUpToDate(): Promise<boolean> {
    if (!this.isFollowed) this.#step();
    if (!this.#isStale) return this.isThere;
    this.#isStale = false;
    const startedAt = performance.now();
    try {
      this.#wantedText = await this.#write();
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    this.#pauseMs = Math.max(leastPauseMs, (performance.now() - startedAt) * pauseFactor);
    this.#step();
    return this.isThere;
  }

  #step(): void {
    const [given, wanted] = [this.#text, this.#wantedText];
    const isAwaited = this.isFollowed && this.#isHalfWay && this.#unreadPauses < mostUnreadPauses;
    if (given === wanted || isAwaited) return;
    const isAtOnce = !this.isFollowed || given === undefined || wanted === undefined;
    const next = isAtOnce ? wanted : stepTowards(given, wanted, this.#isHeadNext);
    this.#isHalfWay = next !== wanted;
    this.#isHeadNext = this.#isHalfWay && !this.#isHeadNext;
    this.#unreadPauses = 0;
    this.#text = next;
    this.#bytes = new TextEncoder().encode(next);
    this.#changedAt = Math.max(Date.now(), this.#changedAt + 1);
    if (!this.isFollowed) this.#toldText = next;
  }
}
