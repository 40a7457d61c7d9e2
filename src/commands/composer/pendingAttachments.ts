import { untilAborted, withCancel } from '../../host/prompts/progress.ts';
import type { Translate } from '../../shared/text.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { ComposerFailures } from './composerFailures.ts';

/** Resolves to the IDs that the attachments have in the draft. */
export type Attaching = Promise<readonly string[]>;

/** The attachments that are being read. A message that is sent in the meantime waits for those of its session. */
export class PendingAttachments {
  readonly #t: Translate;
  readonly #failures: ComposerFailures;
  readonly #bySession = new Map<string, Set<Attaching>>();
  /** The attachments that no message waits for, because the user canceled. */
  readonly #canceled = new WeakSet<Attaching>();

  constructor(failures: ComposerFailures, t: Translate) {
    this.#failures = failures;
    this.#t = t;
  }

  /** The attachments of a session that a message waits for if it is sent now. */
  of(key: SessionKey): readonly Attaching[] {
    return [...this.#pendingOf(key)].filter((attaching) => !this.#canceled.has(attaching));
  }

  /**
   * Runs a task that adds attachments to a session's draft. If the task rejects, stores the rejection before any
   * message that doesn't wait for the task can be sent, and rejects with the same error.
   */
  async add(key: SessionKey, task: () => Attaching): Promise<void> {
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
   * Waits until attachments have been read, and shows a notification if that takes a while. Resolves to their IDs, or
   * to undefined if the user cancels this wait, or canceled an earlier wait for one of the attachments. Messages that
   * are sent later don't wait for attachments whose wait was canceled. Rejects if an attachment can't be read.
   */
  async settled(pending: readonly Attaching[]): Promise<readonly string[] | undefined> {
    if (pending.some((attaching) => this.#canceled.has(attaching))) return undefined;
    const all = Promise.all(pending);
    const t = this.#t;
    return withCancel(t('Waiting for attachments before sending...'), async (signal) => {
      const ids = await untilAborted(all, signal);
      if (!ids) for (const attaching of pending) this.#canceled.add(attaching);
      return ids?.flat();
    });
  }

  #pendingOf(key: SessionKey): Set<Attaching> {
    const pending = this.#bySession.get(keyText(key)) ?? new Set();
    this.#bySession.set(keyText(key), pending);
    return pending;
  }
}
