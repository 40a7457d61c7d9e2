/** A session, by the origin of its service and its ID. */
interface SessionIdentity {
  readonly origin: string;
  readonly sessionId: string;
}

/** The session that the page shows. */
export class ShownSession {
  #shown: SessionIdentity | undefined;

  /** Undefined until a conversation was shown. */
  get identity(): SessionIdentity | undefined {
    return this.#shown;
  }

  /**
   * The fields that identify the session in messages to the host. While the host switches sessions, it uses them to
   * apply a message to the session that the user saw.
   */
  get fields(): { readonly sessionId?: string } {
    return this.#shown ? { sessionId: this.#shown.sessionId } : {};
  }

  is({ origin, sessionId }: SessionIdentity): boolean {
    return this.#shown?.origin === origin && this.#shown.sessionId === sessionId;
  }

  show({ origin, sessionId }: SessionIdentity): void {
    this.#shown = { origin, sessionId };
  }
}
