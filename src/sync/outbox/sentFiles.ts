import * as z from 'zod/mini';
import { type Log, reasonOf } from '../../shared/log.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import type { SentFile } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { RecordFormat } from '../storage/recordFormat.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import type { StoredEntry } from './outboxFiles.ts';
import { sessionKeySchema, sessionRecordName } from '../storage/recordNames.ts';

const subfolder = 'sent';
/** The maximum number of messages per session; older ones are dropped. */
const maxMessages = 200;

const messageSchema = z.object({
  /** As the service assigned it. */
  messageId: z.string(),
  /** The attachments, with the name and the media type that were sent. */
  files: z.array(
    z.object({
      name: z.string(),
      /** Relative to the workspace folder. */
      path: z.optional(z.string()),
      mediaType: z.string(),
      sizeBytes: z.number(),
      /** Of the bytes, in lowercase hex. */
      sha256: z.string(),
    }),
  ),
});
/** All fields have existed since 0.1. */
const recordSchema = z.object({
  key: sessionKeySchema,
  /** The newest 200, oldest first. */
  messages: z.array(messageSchema),
});
type SentMessages = z.output<typeof recordSchema>;
const format: RecordFormat<SentMessages> = { version: 1, schema: recordSchema };

/**
 * The attachments of the messages sent from this machine: names, sizes, and hashes, without the bytes. Only the window
 * that owns the queue of a session writes its file.
 *
 * `sent/<session>.json`, record version 1; `<session>` is the hash of the session key.
 */
export class SentFiles {
  readonly #records: RecordStores;
  readonly #log: Log;
  readonly #writes = new SerialQueue();

  constructor(records: RecordStores, log: Log) {
    this.#records = records;
    this.#log = log;
  }

  /** Records an accepted message. Never throws; a failed write is logged. */
  note({ key, messageId, attachments }: StoredEntry): void {
    if (messageId === undefined || attachments.length === 0) return;
    const files = attachments.map(({ name, path, mediaType, sizeBytes, sha256 }) => {
      return { name, path, mediaType, sizeBytes, sha256 };
    });
    void this.#writes
      .run(() => this.#add(key, { messageId, files }))
      .catch((error: unknown) => {
        this.#log.warn(`outbox: couldn't record the attachments of a sent message: ${reasonOf(error)}`);
      });
  }

  /** The attachments of a message; empty if they are not known. Rejects with the system's error. */
  async read(key: SessionKey, messageId: string): Promise<readonly SentFile[]> {
    await this.#writes.idle();
    const messages = await this.#messages(key);
    return messages.find((message) => message.messageId === messageId)?.files ?? [];
  }

  async #add(key: SessionKey, message: z.output<typeof messageSchema>): Promise<void> {
    const others = (await this.#messages(key)).filter(({ messageId }) => messageId !== message.messageId);
    const record = { key: { ...key }, messages: [...others, message].slice(-maxMessages) };
    const name = sessionRecordName(subfolder, key);
    await this.#records.of(key.origin).write(name, format, record);
  }

  async #messages(key: SessionKey): Promise<SentMessages['messages']> {
    const name = sessionRecordName(subfolder, key);
    const read = await this.#records.of(key.origin).read(name, format);
    return read.kind === 'record' ? read.record.messages : [];
  }
}
