import { type Log, reasonOf } from '../../shared/log.ts';
import type { HostMessage } from '../../shared/protocol/hostMessages.ts';
import type { PageUpdateQueue } from './pageUpdates.ts';

/** Delivers messages to a page, as `vscode.Webview` does. */
export interface MessageSink {
  /** Resolves to whether the page received the message. */
  postMessage(message: HostMessage): PromiseLike<boolean>;
}

/** Sends the messages of an update queue to a page, one at a time. */
export class MessagePump {
  readonly #updates: PageUpdateQueue;
  readonly #sink: MessageSink;
  readonly #log: Log;
  #isSending = false;
  #isDue = false;
  #isDisposed = false;

  constructor(updates: PageUpdateQueue, sink: MessageSink, log: Log) {
    this.#updates = updates;
    this.#sink = sink;
    this.#log = log;
  }

  /** Sends everything that is due. If a run is already in progress, that run sends it. */
  pump(): void {
    this.#isDue = true;
    if (this.#isSending) return;
    this.#isSending = true;
    void this.#sendDue().finally(() => {
      this.#isSending = false;
      // A message may have become due after the last check of the loop.
      if (this.#isDue && !this.#isGone()) this.pump();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
  }

  #isGone(): boolean {
    return this.#isDisposed;
  }

  async #sendDue(): Promise<void> {
    // Changes made in the same turn of the event loop are sent together.
    await Promise.resolve();
    while (this.#isDue && !this.#isGone()) {
      this.#isDue = false;
      const { load } = this.#updates.lifecycle;
      try {
        const message = await this.#updates.next();
        if (!message || this.#isGone()) continue;
        this.#isDue = true;
        const delivery = this.#deliver(message, load);
        // Delivery to a page that is still loading takes a long time, so prepare the next message in the meantime.
        if (!this.#updates.lifecycle.isPreloading) await delivery;
      } catch (error) {
        this.#fail(error, load);
      }
    }
  }

  async #deliver(message: HostMessage, load: symbol): Promise<void> {
    try {
      if (!(await this.#sink.postMessage(message))) this.#stop(load);
    } catch (error) {
      this.#fail(error, load);
    }
  }

  #fail(error: unknown, load: symbol): void {
    this.#log.error(`could not update the page: ${reasonOf(error)}`);
    this.#stop(load);
  }

  /** Stops the updates of a page that is gone, unless it has loaded again since. */
  #stop(load: symbol): void {
    if (load === this.#updates.lifecycle.load) this.#updates.stop();
  }
}
