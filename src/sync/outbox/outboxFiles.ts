import * as z from 'zod/mini';
import type { Disposable } from '../../shared/lifecycle.ts';
import { sendTimes } from '../../shared/protocol/vocabulary.ts';
import type { RecordStore, RecordFormat, UnreadableFile } from '../storage/recordStore.ts';
import { sessionKeySchema, storedAttachmentSchema } from '../storage/recordNames.ts';
import { windowIdentitySchema } from '../storage/windowIdentity.ts';

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
  /** Tells it from every other attempt: two may begin in the same millisecond and know the same. */
  attemptId: z.optional(z.string()),
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
  /** The person's choice for this message, before the setting. */
  when: z.optional(z.enum(sendTimes)),
  createdAt: z.number(),
  /** Where it was typed. */
  window: z.optional(windowIdentitySchema),
  state: z.enum(['queued', 'sending', 'accepted', 'unknown', 'notSent']),
  messageId: z.optional(z.string()),
  /** The last attempt. */
  attempt: z.optional(attemptSchema),
  problem: z.optional(problemSchema),
});
/** An outgoing message as it lies on disk. */
export type StoredEntry = z.output<typeof entrySchema>;

const format: RecordFormat<StoredEntry> = { version: 1, schema: entrySchema };

/** Outgoing messages on disk: one file each. Those of a temporary service are kept in memory only. */
export class OutboxFiles {
  readonly #disk: RecordStore;
  readonly #isTemporary: (origin: string) => boolean;

  constructor(disk: RecordStore, isTemporary: (origin: string) => boolean) {
    this.#disk = disk;
    this.#isTemporary = isTemporary;
  }

  /** The ids of all entries that lie on disk. */
  async entryIds(): Promise<string[]> {
    const ids = (await this.#disk.list(subfolder)).map(entryIdOf);
    return ids.filter((entryId) => entryId !== undefined);
  }

  /** An entry as it lies on disk; undefined where it is not there. A damaged file is set aside. */
  async read(entryId: string): Promise<StoredEntry | UnreadableFile | undefined> {
    const read = await this.#disk.read(fileName(entryId), format);
    return read.kind === 'record' ? read.record : read.kind === 'unreadable' ? read : undefined;
  }

  /** Calls `listener` with the id of an entry that may have changed on disk; undefined: any of them. */
  watch(listener: (entryId: string | undefined) => void): Disposable {
    return this.#disk.watch(subfolder, (name) => {
      const entryId = name === undefined ? undefined : entryIdOf(name);
      if (name === undefined || entryId !== undefined) listener(entryId);
    });
  }

  /** Resolves when the entry is on disk, synced. */
  save(entry: StoredEntry): Promise<void> {
    if (this.#isTemporary(entry.key.origin)) return Promise.resolve();
    return this.#disk.write(fileName(entry.entryId), format, entry);
  }

  remove(entryId: string): Promise<void> {
    return this.#disk.remove(fileName(entryId));
  }
}

function fileName(entryId: string): string {
  return `${subfolder}/${entryId}.json`;
}

function entryIdOf(name: string): string | undefined {
  return /^outbox\/(.+)\.json$/.exec(name)?.[1];
}
