import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';

/** What is shown below a composer. */
interface ComposerFailure {
  readonly text: string;
  /** The ID of the newest rejection that `text` explains. IDs increase. Absent if `text` explains no rejection. */
  readonly rejectionId?: number | undefined;
}

/** An attachment that was rejected. */
interface Rejection {
  readonly rejectionId: number;
  readonly error: unknown;
  readonly text: string;
}

/**
 * Why actions in the composers failed. A page may send a message before it shows that one of its attachments was
 * rejected, so rejections are kept until the session's next message.
 */
export class ComposerFailures {
  readonly #sentenceOf: (error: unknown) => string;
  readonly #shown = new Map<string, ComposerFailure>();
  /** The attachments of each session that were rejected since its last message. */
  readonly #rejections = new Map<string, readonly Rejection[]>();
  #lastRejectionId = 0;

  constructor(sentenceOf: (error: unknown) => string) {
    this.#sentenceOf = sentenceOf;
  }

  /** What to show below a session's composer. */
  of(key: SessionKey): ComposerFailure | undefined {
    return this.#shown.get(keyText(key));
  }

  /** Stores why an action failed. Does nothing if the error is already stored as the rejection of an attachment. */
  take(key: SessionKey, error: unknown): void {
    const rejections = this.#rejectionsOf(key);
    if (!rejections.some((rejection) => rejection.error === error)) this.show(key, this.#sentenceOf(error));
  }

  show(key: SessionKey, text: string): void {
    this.#shown.set(keyText(key), { text });
  }

  /** Stores why an attachment was rejected, and shows it with earlier rejections that are still shown. */
  takeRejection(key: SessionKey, error: unknown): void {
    const rejection = { rejectionId: ++this.#lastRejectionId, error, text: this.#sentenceOf(error) };
    this.#rejections.set(keyText(key), [...this.#rejectionsOf(key), rejection]);
    const shown = this.of(key);
    const before = shown?.rejectionId === undefined ? '' : shown.text;
    const text = before.includes(rejection.text) ? before : `${before} ${rejection.text}`.trim();
    this.#shown.set(keyText(key), { text, rejectionId: rejection.rejectionId });
  }

  /** Clears what is shown below a session's composer. Returns whether there was something. */
  forget(key: SessionKey): boolean {
    return this.#shown.delete(keyText(key));
  }

  /** Like `forget`, but keeps what is shown about rejected attachments, which the user may not have read yet. */
  forgetUnlessRejected(key: SessionKey): boolean {
    return this.of(key)?.rejectionId === undefined && this.forget(key);
  }

  /**
   * Returns why attachments were rejected since the session's last message, except those up to `seenId`, which the page
   * showed. Undefined if there are none. Forgets all of them.
   */
  takeUnseen(key: SessionKey, seenId: number): string | undefined {
    const rejections = this.#rejectionsOf(key);
    this.#rejections.delete(keyText(key));
    const texts = new Set(rejections.flatMap(({ rejectionId, text }) => (rejectionId > seenId ? [text] : [])));
    return texts.size > 0 ? [...texts].join(' ') : undefined;
  }

  /** Forgets the rejection of an attachment, because the failure of the message that waited for it gives the reason. */
  forgetRejection(key: SessionKey, error: unknown): void {
    const rejections = this.#rejectionsOf(key);
    this.#rejections.set(
      keyText(key),
      rejections.filter((rejection) => rejection.error !== error),
    );
  }

  #rejectionsOf(key: SessionKey): readonly Rejection[] {
    return this.#rejections.get(keyText(key)) ?? [];
  }
}
