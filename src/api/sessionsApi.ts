import type { KnownItem } from './http/longItems.ts';
import type { OutgoingMessage } from './http/requestBody.ts';
import type { ListedMessage, Message, RoleFilter } from './resources/message.ts';
import type { Session, SessionSettingsPatch, SessionStatus, UnreadableSettings } from './resources/session.ts';

/** The options of the operations that read data. */
export interface CallOptions {
  /** The computer to query directly (spec 4). */
  readonly computerId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** The maximum number of messages, from 1 to 100 (spec 8). The service's default is 20. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly role?: RoleFilter | undefined;
  /**
   * Long messages that needn't be read again while they are byte for byte the same. If set, even to an empty list, long
   * messages of the page have a `wireMark`, by which they are recognized in later lists.
   */
  readonly known?: readonly KnownItem[] | undefined;
  /**
   * A lower maximum size of the response, in bytes. If a page exceeds it, the call rejects with `tooLarge`, and the
   * page isn't requested again.
   */
  readonly maxBytes?: number | undefined;
}

export interface AddOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Called after the key is read, immediately before the request is sent. If it resolves to false, nothing is sent,
   * and the error is `cancelled`. Must not reject.
   */
  readonly mayStart?: (() => Promise<boolean>) | undefined;
  /**
   * Called with the number of body bytes handed to the network so far, and with the total number. Not every transport
   * reports progress.
   */
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

/** One page of a session's messages (spec 4.3). */
export interface MessagePage {
  /** In the order of the response, without the known messages that are unchanged. */
  readonly messages: readonly Message[];
  /** {@link messages} and the known messages that are unchanged, in the order of the response. */
  readonly listed: readonly ListedMessage[];
  /** The number of items that were dropped because they have no ID. */
  readonly skippedCount: number;
  readonly hasMore: boolean;
  /** Undefined if the service sent no cursor, an empty one, or a value that isn't a string. */
  readonly nextCursor?: string | undefined;
  /** The service's time when it responded, in Unix ms (Date header, whole seconds). */
  readonly serverTimeMs?: number | undefined;
  /** The size of the response's body after decompression. */
  readonly sizeBytes?: number | undefined;
  /** Set if `limit` had to be lowered to stay within the size limit. Use this value for the next pages. */
  readonly reducedLimit?: number | undefined;
}

/** The response to an added message (spec 4.4). */
export interface AddedMessage {
  readonly messageId: string;
  readonly status: SessionStatus;
  /** The service's time when it responded, in Unix ms (Date header, whole seconds). */
  readonly serverTimeMs?: number | undefined;
}

/**
 * The five operations of the Sessions API (spec 4). Apart from the request for a page that is too large, a failed
 * request is never retried; that is up to the caller. Every rejection is an ApiError. Without a usable key, nothing is
 * sent, and the error is `invalidRequest` with the code `NO_KEY`, `UNUSABLE_KEY`, or `KEY_UNAVAILABLE`.
 */
export interface SessionsApi {
  /** Gets a session (spec 4.1). */
  getSession(sessionId: string, options?: CallOptions): Promise<Session>;
  /**
   * Updates the settings of a session (spec 4.2). Only the fields in `settings` and `unreadable.values` are sent. The
   * items in `unreadable.items` are put back into their lists.
   */
  updateSession(
    sessionId: string,
    settings: SessionSettingsPatch,
    options?: { readonly signal?: AbortSignal; readonly unreadable?: Partial<UnreadableSettings> | undefined },
  ): Promise<Session>;
  /**
   * Lists one page of messages (spec 4.3). If a page exceeds the size limit, it is requested again with half the
   * `limit` (R19), unless there is a `maxBytes`. Rejects with `tooLarge` if a single message exceeds the size limit.
   * Its ID and the next cursor are then unknown, so the caller can't load more messages in this direction.
   */
  listMessages(sessionId: string, options?: ListOptions): Promise<MessagePage>;
  /** Adds a message to a session (spec 4.4). */
  addMessage(sessionId: string, message: OutgoingMessage, options?: AddOptions): Promise<AddedMessage>;
  /** Gets one message (spec 4.5). Rejects with `tooLarge` if it exceeds the size limit of a page (R19). */
  getMessage(sessionId: string, messageId: string, options?: CallOptions): Promise<Message>;
  dispose(): void;
}
