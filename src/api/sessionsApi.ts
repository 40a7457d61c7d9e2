import type { OutgoingMessage } from './http/requestBody.ts';
import type { Message, RoleFilter } from './resources/message.ts';
import type { Session, SessionSettingsPatch, SessionStatus } from './resources/session.ts';

/** What every operation takes. */
export interface CallOptions {
  /** The computer to query directly (spec 4.1-4.5), sent only if given. */
  readonly computerId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** 1 to 100 (spec 8); the service's default is 20. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly role?: RoleFilter | undefined;
}

export interface AddOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the request's bytes were handed to the network. */
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

/** One page of a session's messages (spec 4.3), in the order the service gave them. */
export interface MessagePage {
  readonly messages: readonly Message[];
  /** Items without an id, which could not be kept. */
  readonly skippedCount: number;
  readonly hasMore: boolean;
  /** Absent where the service sent none, null or an empty one. */
  readonly nextCursor?: string | undefined;
  /** The service's clock when it answered, Unix ms (Date header, whole seconds). */
  readonly serverTimeMs?: number | undefined;
  /** The limit that kept the page within the size cap, where it had to be lowered: a walk had better go on with it. */
  readonly reducedLimit?: number | undefined;
}

/** The answer to an added message (spec 4.4). */
export interface AddedMessage {
  readonly messageId: string;
  readonly status: SessionStatus;
  /** The service's clock when it answered, Unix ms (Date header, whole seconds). */
  readonly serverTimeMs?: number | undefined;
}

/**
 * The five operations of the Sessions API (spec 4). Each is one request, tried once: who calls decides about trying
 * again. Every rejection is an ApiError. Without a usable key it is `invalidRequest` with the code NO_KEY, UNUSABLE_KEY
 * or KEY_UNAVAILABLE, and nothing is sent.
 */
export interface SessionsApi {
  /** GET a session (4.1). */
  getSession(sessionId: string, options?: CallOptions): Promise<Session>;
  /** PATCH a session's settings (4.2): only the fields present in `settings` are sent. */
  updateSession(
    sessionId: string,
    settings: SessionSettingsPatch,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Session>;
  /**
   * GET one page of messages (4.3). A page over the size cap is asked for again with half the `limit`, down to 1 (R19).
   * A single message over the cap rejects as `tooLarge`: its id and the cursor behind it are in the answer that cannot be
   * read, so the caller shows one placeholder there and ends the walk in this direction.
   */
  listMessages(sessionId: string, options?: ListOptions): Promise<MessagePage>;
  /** POST a message (4.4). */
  addMessage(sessionId: string, message: OutgoingMessage, options?: AddOptions): Promise<AddedMessage>;
  /** GET one message (4.5). */
  getMessage(sessionId: string, messageId: string, options?: CallOptions): Promise<Message>;
  dispose(): void;
}
