import * as z from 'zod/mini';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { SentFile } from '../../state/store/outboxEntry.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { RecordStore, RecordFormat } from '../storage/recordStore.ts';
import type { StoredEntry } from './outboxFiles.ts';
import { sessionKeySchema, sessionRecordName } from '../storage/recordNames.ts';

const subfolder = 'sent';
/** Of a session so many messages are remembered, the newest. */
const maxMessages = 200;

const messageSchema = z.object({
  messageId: z.string(),
  files: z.array(
    z.object({
      name: z.string(),
      path: z.optional(z.string()),
      mediaType: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
    }),
  ),
});
const recordSchema = z.object({ key: sessionKeySchema, messages: z.array(messageSchema) });
type SentMessages = z.output<typeof recordSchema>;
const format: RecordFormat<SentMessages> = { version: 1, schema: recordSchema };

export interface SentFilesOptions {
  readonly disk: RecordStore;
  /** Whether a service ends with this window: what was sent to it is kept in memory only. */
  readonly isTemporary: (origin: string) => boolean;
  readonly log: Log;
}

/**
 * What travelled with the messages that were sent from here: names, sizes and hashes, no bytes. A file for each session;
 * only the window that sends for a session writes it.
 */
export class SentFiles {
  readonly #options: SentFilesOptions;
  readonly #inMemory = new Map<string, SentMessages>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: SentFilesOptions) {
    this.#options = options;
  }

  /** The service took a message. Never throws; what cannot be written is in the log. */
  note({ key, messageId, attachments }: StoredEntry): void {
    if (messageId === undefined || attachments.length === 0) return;
    const files = attachments.map(({ name, path, mediaType, sizeBytes, sha256 }) => {
      return { name, path, mediaType, sizeBytes, sha256 };
    });
    this.#writing = this.#writing
      .then(() => this.#add(key, { messageId, files }))
      .catch((error: unknown) => {
        this.#options.log.warn(`what was sent with a message could not be written down: ${reasonOf(error)}`);
      });
  }

  /** What travelled with a message; empty where that is not known. */
  async read(key: SessionKey, messageId: string): Promise<readonly SentFile[]> {
    await this.#writing;
    const messages = await this.#messages(key);
    return messages.find((message) => message.messageId === messageId)?.files ?? [];
  }

  async #add(key: SessionKey, message: z.output<typeof messageSchema>): Promise<void> {
    const others = (await this.#messages(key)).filter(({ messageId }) => messageId !== message.messageId);
    const record = { key: { ...key }, messages: [...others, message].slice(-maxMessages) };
    const name = sessionRecordName(subfolder, key);
    if (this.#options.isTemporary(key.origin)) this.#inMemory.set(name, record);
    else await this.#options.disk.write(name, format, record);
  }

  async #messages(key: SessionKey): Promise<SentMessages['messages']> {
    const name = sessionRecordName(subfolder, key);
    if (this.#options.isTemporary(key.origin)) return this.#inMemory.get(name)?.messages ?? [];
    const read = await this.#options.disk.read(name, format);
    return read.kind === 'record' ? read.record.messages : [];
  }
}
