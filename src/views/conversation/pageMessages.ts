import type { Message } from '../../api/resources/message.ts';
import { isPrompt } from '../../state/store/turns.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { type SessionKey, sameSession } from '../../state/store/sessionKey.ts';
import type { NewestMessages, SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';

/** The part of the store that the rows of a conversation are made of. */
export type MessageSource = Pick<Store, 'record' | 'header' | 'readBodies'>;

/** The newest messages of a session that a page shows until the store has all of them. */
class Preview {
  readonly key: SessionKey;
  readonly #newest: NewestMessages;
  readonly #headers: ReadonlyMap<string, MessageHeader>;
  #stored: SessionRecord | undefined;
  #shown: SessionRecord | undefined;

  constructor(key: SessionKey, newest: NewestMessages) {
    this.key = key;
    this.#newest = newest;
    this.#headers = new Map(newest.headers.map((header) => [header.messageId, header]));
  }

  get earlierCount(): number {
    return Math.max(1, this.#newest.totalCount - this.#newest.headers.length);
  }

  isShownAs(record: SessionRecord): boolean {
    return record.headers === this.#newest.headers;
  }

  header(messageId: string): MessageHeader | undefined {
    return this.#headers.get(messageId);
  }

  /** The stored record with the newest messages, until it has messages of its own. */
  over(stored: SessionRecord): SessionRecord {
    if (!isEmpty(stored)) return stored;
    if (!this.#shown || this.#stored !== stored) {
      const { headers } = this.#newest;
      this.#shown = { ...stored, headers, history: { completeness: 'partial', isLoading: true } };
      this.#stored = stored;
    }
    return this.#shown;
  }
}

/**
 * The messages that one page shows: those of the store or, while the store has none of the session, the newest cached
 * ones. Nothing but the page sees the cached ones, so nothing else depends on a part of a conversation.
 */
export class PageMessages implements MessageSource {
  readonly #store: Store;
  #preview: Preview | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The estimated number of messages before those of a record while it has only the newest ones; otherwise 0. */
  earlierCount(record: SessionRecord): number {
    return this.#preview?.isShownAs(record) === true ? this.#preview.earlierCount : 0;
  }

  /**
   * Shows the newest messages of a session until {@link endPreview}. Returns false without showing them if the store
   * doesn't have the session or already has messages of it, if `messageId`, to which the page scrolls, isn't one of the
   * newest messages, or if their rows would be different with the messages before them.
   */
  preview(key: SessionKey, newest: NewestMessages, messageId: string | undefined): boolean {
    const stored = this.#store.record(key);
    const [first] = newest.headers;
    if (!stored || !first || !isEmpty(stored)) return false;
    const isNewsBefore = stored.newSince !== undefined && stored.newSince < first.createdAt;
    const isTargetBefore = messageId !== undefined && newest.headers.every((header) => header.messageId !== messageId);
    // The rows depend on which turns are over when the conversation is opened, and so on the message before the last
    // prompt.
    if (isNewsBefore || isTargetBefore || newest.headers.findLastIndex(isPrompt) < 1) return false;
    this.#preview = new Preview(key, newest);
    return true;
  }

  /** The session of which the newest messages are shown until {@link endPreview}. */
  get previewKey(): SessionKey | undefined {
    return this.#preview?.key;
  }

  /** Shows only messages of the store. */
  endPreview(): void {
    this.#preview = undefined;
  }

  record(key: SessionKey): SessionRecord | undefined {
    const stored = this.#store.record(key);
    return stored && (this.#previewOf(key)?.over(stored) ?? stored);
  }

  header(key: SessionKey, messageId: string): MessageHeader | undefined {
    return this.#store.header(key, messageId) ?? this.#previewOf(key)?.header(messageId);
  }

  readBodies(key: SessionKey, messageIds: readonly string[]): Promise<readonly Message[]> {
    return this.#store.readBodies(key, messageIds);
  }

  #previewOf(key: SessionKey): Preview | undefined {
    return sameSession(key, this.#preview?.key) ? this.#preview : undefined;
  }
}

function isEmpty({ headers, history }: SessionRecord): boolean {
  return headers.length === 0 && history.completeness === 'unread';
}
