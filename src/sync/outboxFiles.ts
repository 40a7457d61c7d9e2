import * as z from 'zod/mini';
import { type Log, reasonOf } from '../log.ts';
import type { Disk, RecordFormat, UnreadableFile } from './disk.ts';
import { sessionKeySchema, storedAttachmentSchema } from './recordName.ts';

const subfolder = 'outbox';

const problemSchema = z.object({
  kind: z.enum([
    'unreachable',
    'proxy',
    'certificate',
    'deadline',
    'cancelled',
    'redirect',
    'status',
    'notJson',
    'wrongShape',
    'tooLarge',
    'invalidRequest',
    'disk',
    'unexpected',
  ]),
  status: z.optional(z.number()),
  detail: z.optional(z.string()),
  code: z.optional(z.string()),
  redirectOrigin: z.optional(z.string()),
  retryAfterMs: z.optional(z.number()),
  at: z.number(),
});

/** What was known just before the first byte left, so that the message can be told from others later (R32). */
const attemptSchema = z.object({
  /** Unix ms, our clock. */
  startedAt: z.number(),
  /** The service's clock minus ours, in ms, where it was known. */
  serverOffsetMs: z.optional(z.number()),
  /** The newest time the service is known to have stamped, 0 in an empty session; absent where nothing was read yet. */
  newestKnownAt: z.optional(z.number()),
  /** Messages that were there before, those the time alone does not rule out. */
  knownMessageIds: z.array(z.string()),
  /** It was looked for as long as R32 asks, without a find. */
  isSearched: z.optional(z.boolean()),
});
export type SendAttempt = z.output<typeof attemptSchema>;

const entrySchema = z.object({
  entryId: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  key: sessionKeySchema,
  /** Entries of a session go out in this order, smallest first. */
  order: z.number(),
  text: z.string(),
  attachments: z.array(storedAttachmentSchema),
  computerId: z.optional(z.string()),
  createdAt: z.number(),
  state: z.enum(['queued', 'sending', 'accepted', 'unknown', 'notSent']),
  messageId: z.optional(z.string()),
  /** The last attempt. */
  attempt: z.optional(attemptSchema),
  problem: z.optional(problemSchema),
});
/** An outgoing message as it lies on disk. */
export type StoredEntry = z.output<typeof entrySchema>;

const format: RecordFormat<StoredEntry> = { version: 1, schema: entrySchema };

/** Outgoing messages on disk: one file each. */
export class OutboxFiles {
  readonly #disk: Disk;
  readonly #log: Log;

  constructor(disk: Disk, log: Log) {
    this.#disk = disk;
    this.#log = log;
  }

  /** Every entry, in sending order, and the files that could not be read. */
  async load(): Promise<{ entries: StoredEntry[]; unreadable: UnreadableFile[] }> {
    const entries: StoredEntry[] = [];
    const unreadable: UnreadableFile[] = [];
    for (const name of await this.#disk.list(subfolder)) {
      const read = await this.#disk.read(name, format);
      if (read.kind === 'record') entries.push(read.record);
      if (read.kind === 'unreadable') unreadable.push(read);
    }
    return { entries: entries.sort((a, b) => a.order - b.order), unreadable };
  }

  /** Resolves when the entry is on disk, synced. */
  save(entry: StoredEntry): Promise<void> {
    return this.#disk.write(fileName(entry.entryId), format, entry);
  }

  /** Saves what is already true in memory; should it not reach the disk, a restart finds it out again. */
  saveLater(entry: StoredEntry): void {
    this.save(entry).catch((error: unknown) => {
      this.#log.error(`outbox: an entry could not be saved: ${reasonOf(error)}`);
    });
  }

  remove(entryId: string): Promise<void> {
    return this.#disk.remove(fileName(entryId));
  }
}

function fileName(entryId: string): string {
  return `${subfolder}/${entryId}.json`;
}
