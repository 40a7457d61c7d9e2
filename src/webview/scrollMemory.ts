import type { PageState } from '../shared/protocol/pageMessages.ts';
import type { Disposable } from '../shared/lifecycle.ts';
import type { HostChannel } from './hostChannel.ts';
import { Timer } from './dom/timers.ts';
import type { ScrollPosition } from './list/scrollAnchor.ts';

/** Saves the scroll position, to restore it after the page was hidden or reloaded: IDs and px, never text. */
export class ScrollMemory implements Disposable {
  readonly #channel: HostChannel;
  readonly #timer = new Timer();
  #saved: PageState;
  #getState: (() => PageState) | undefined;

  constructor(channel: HostChannel) {
    this.#channel = channel;
    this.#saved = channel.readState();
  }

  /**
   * The key of the row at the top of the viewport when the position was last saved, so that the host sends this row
   * first; undefined if none was saved, or if the page was at the end.
   */
  get anchorKey(): string | undefined {
    return this.#saved.atEnd === true ? undefined : this.#saved.anchorKey;
  }

  /** The saved position in this session; undefined if none was saved, or if the page was at the end. */
  positionIn(origin: string, sessionId: string): ScrollPosition | undefined {
    const { anchorKey: key, anchorOffsetPx: offsetPx = 0 } = this.#saved;
    const isSame = this.#saved.origin === origin && this.#saved.sessionId === sessionId;
    return isSame && this.#saved.atEnd !== true && key !== undefined ? { key, offsetPx } : undefined;
  }

  /**
   * Call this when the position has changed. After a short delay, or immediately if {@link save} is called, saves what
   * `getState` then returns.
   */
  saveSoon(getState: () => PageState): void {
    this.#getState = getState;
    if (!this.#timer.isSet) this.#timer.set(200, () => this.save());
  }

  save(): void {
    this.#timer.dispose();
    if (!this.#getState) return;
    this.#saved = this.#getState();
    this.#getState = undefined;
    this.#channel.writeState(this.#saved);
  }

  dispose(): void {
    this.save();
  }
}
