import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import type { LaneContext } from './queueContext.ts';
import type { OutgoingItem } from './queuedMessage.ts';

const retryMs = 5_000;

/**
 * Writes what is already true in memory. Until it is on disk the entry counts as unsaved, and it is tried again: what
 * was said to the user must not be taken back by an older file.
 */
export class LaneSaves implements Disposable {
  readonly #context: LaneContext;
  readonly #onSaved: () => void;
  readonly #retries = new Set<Disposable>();
  readonly #disposables = new Disposables();

  constructor(context: LaneContext, onSaved: () => void) {
    this.#context = context;
    this.#onSaved = onSaved;
  }

  save(item: OutgoingItem): void {
    void this.#save(item);
  }

  /** Another window is in charge: what is not on disk is not true any more, but for what the service said. */
  giveUp(items: readonly OutgoingItem[]): void {
    for (const item of items) if (item.state !== 'accepted') item.isUnsaved = false;
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const retry of this.#retries) retry.dispose();
  }

  async #save(item: OutgoingItem): Promise<void> {
    const { files, clock, log } = this.#context;
    const { stored } = item;
    item.isUnsaved = true;
    try {
      await files.save(stored);
      if (item.stored !== stored) return;
      item.isUnsaved = false;
      this.#onSaved();
    } catch (error) {
      log.error(`outbox: an entry could not be saved: ${reasonOf(error)}`);
      if (this.#disposables.isDisposed) return;
      const retry = clock.after(retryMs, () => {
        this.#retries.delete(retry);
        if (item.isUnsaved && !item.isGone && item.stored === stored) this.save(item);
      });
      this.#retries.add(retry);
    }
  }
}
