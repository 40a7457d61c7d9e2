import { untilAborted, withCancel } from '../../host/prompts/progress.ts';
import type { Translate } from '../../shared/text.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { ComposerFailures } from './composerFailures.ts';

/** The attachments that are being read. A message that is sent in the meantime waits for those of its session. */
export class PendingAttachments {
  readonly #t: Translate;
  readonly #failures: ComposerFailures;
  readonly #bySession = new Map<string, Set<Promise<void>>>();
  /** The attachments that no message waits for, because the user canceled. */
  readonly #canceled = new WeakSet<Promise<void>>();

  constructor(failures: ComposerFailures, t: Translate) {
    this.#failures = failures;
    this.#t = t;
  }

  /** The attachments of a session that a message waits for if it is sent now. */
  of(key: SessionKey): readonly Promise<void>[] {
    return [...this.#pendingOf(key)].filter((attaching) => !this.#canceled.has(attaching));
  }

  /**
   * Runs a task that adds attachments to a session's draft. If the task rejects, stores the rejection before any
   * message that doesn't wait for the task can be sent.
   */
  async add(key: SessionKey, task: () => Promise<void>): Promise<void> {
    const pending = this.#pendingOf(key);
    const attaching = task();
    pending.add(attaching);
    try {
      await attaching;
    } catch (error) {
      this.#failures.takeRejection(key, error);
      throw error;
    } finally {
      pending.delete(attaching);
    }
  }

  /**
   * Waits until attachments have been read, and shows a notification if that takes a while. Resolves to false if the
   * user cancels this wait, or canceled an earlier wait for one of the attachments. Messages that are sent later don't
   * wait for attachments whose wait was canceled. Rejects if an attachment can't be read.
   */
  async settled(pending: readonly Promise<void>[]): Promise<boolean> {
    if (pending.some((attaching) => this.#canceled.has(attaching))) return false;
    const all = Promise.all(pending).then(() => true);
    const t = this.#t;
    return withCancel(t('Waiting for attachments before sending...'), async (signal) => {
      if (await untilAborted(all, signal)) return true;
      for (const attaching of pending) this.#canceled.add(attaching);
      return false;
    });
  }

  #pendingOf(key: SessionKey): Set<Promise<void>> {
    const pending = this.#bySession.get(keyText(key)) ?? new Set();
    this.#bySession.set(keyText(key), pending);
    return pending;
  }
}
