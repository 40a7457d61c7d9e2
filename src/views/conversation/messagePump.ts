import { type Log, reasonOf } from '../../shared/log.ts';
import type { HostMessage } from '../../shared/protocol/pageMessages.ts';
import type { PageUpdateQueue } from './pageUpdates.ts';

/** Sends a page what its sender says is due, one message after the other, each piece awaited. */
export class MessagePump {
  readonly #sender: PageUpdateQueue;
  /** Resolves to whether the page got it. */
  readonly #post: (message: HostMessage) => PromiseLike<boolean>;
  readonly #log: Log;
  #isSending = false;
  #isDue = false;
  #isOver = false;

  constructor(sender: PageUpdateQueue, post: (message: HostMessage) => PromiseLike<boolean>, log: Log) {
    this.#sender = sender;
    this.#post = post;
    this.#log = log;
  }

  /** Something may be due. */
  pump(): void {
    this.#isDue = true;
    if (this.#isSending) return;
    this.#isSending = true;
    void this.#sendDue().finally(() => {
      this.#isSending = false;
      // Something may have become due between the last look and here.
      if (this.#isDue && !this.#isGone()) this.pump();
    });
  }

  dispose(): void {
    this.#isOver = true;
  }

  #isGone(): boolean {
    return this.#isOver;
  }

  async #sendDue(): Promise<void> {
    // Changes of one turn fold into one step.
    await Promise.resolve();
    while (this.#isDue && !this.#isGone()) {
      this.#isDue = false;
      const { count } = this.#sender.load;
      try {
        const message = await this.#sender.next();
        if (!message || this.#isGone()) continue;
        this.#isDue = true;
        const delivery = this.#deliver(message, count);
        // Where nobody is there to take it yet, what comes next is made meanwhile.
        if (!this.#sender.load.isAhead) await delivery;
      } catch (error) {
        this.#fail(error, count);
      }
    }
  }

  async #deliver(message: HostMessage, load: number): Promise<void> {
    try {
      if (!(await this.#post(message))) this.#stop(load);
    } catch (error) {
      this.#fail(error, load);
    }
  }

  #fail(error: unknown, load: number): void {
    this.#log.error(`the page could not be brought up to date: ${reasonOf(error)}`);
    this.#stop(load);
  }

  /** The page is not there any more, unless it has loaded anew since. */
  #stop(load: number): void {
    if (load === this.#sender.load.count) this.#sender.stop();
  }
}
