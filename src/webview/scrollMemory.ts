import type { PageState } from '../shared/protocol/pageMessages.ts';
import type { Disposable } from '../shared/lifecycle.ts';
import type { HostChannel } from './hostChannel.ts';
import { Timer } from './dom/timers.ts';
import type { ReadingPosition } from './list/scrollAnchor.ts';

/** Keeps the reading position over a hidden or reloaded page: ids and px, never text. */
export class ScrollMemory implements Disposable {
  readonly #channel: HostChannel;
  readonly #timer = new Timer();
  #kept: PageState;
  #read: (() => PageState) | undefined;

  constructor(channel: HostChannel) {
    this.#channel = channel;
    this.#kept = channel.readState();
  }

  /** The row that was at the top of the view, for the host to send first; none if the page was at the end. */
  get anchorKey(): string | undefined {
    return this.#kept.atEnd === true ? undefined : this.#kept.anchorKey;
  }

  /** The position kept for this session, if the reader was not at its end. */
  positionIn(origin: string, sessionId: string): ReadingPosition | undefined {
    const { anchorKey: key, anchorOffsetPx: offsetPx = 0 } = this.#kept;
    const isSame = this.#kept.origin === origin && this.#kept.sessionId === sessionId;
    return isSame && this.#kept.atEnd !== true && key !== undefined ? { key, offsetPx } : undefined;
  }

  /** The position has changed; it is read and written a moment later, and at once by `save`. */
  touch(read: () => PageState): void {
    this.#read = read;
    if (!this.#timer.isSet) this.#timer.set(200, () => this.save());
  }

  save(): void {
    this.#timer.dispose();
    if (!this.#read) return;
    this.#kept = this.#read();
    this.#read = undefined;
    this.#channel.writeState(this.#kept);
  }

  dispose(): void {
    this.save();
  }
}
