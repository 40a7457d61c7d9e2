import { sendTimes } from '../../shared/protocol/vocabulary.ts';
import * as z from 'zod/mini';
import { fixedRoutes, networkReasons } from '../../api/errors.ts';
import { parseJson } from '../../shared/json.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Clock } from '../storage/clock.ts';
import { sessionKeySchema, storedAttachmentSchema } from '../storage/recordNames.ts';
import type { RecordFormat, UnreadableFile } from '../storage/recordFormat.ts';
import type { RecordStore } from '../storage/recordStore.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { rescueNumber, rescueString } from '../storage/rescue.ts';
import { type WindowIdentity, hasSurelyEnded, windowIdentitySchema } from '../storage/windowIdentity.ts';

const subfolder = 'outbox';
/**
 * The time for which the file of another window's message is kept after the conversation lists the message, so that the
 * other window can see the file's final state.
 */
const keepForOthersMs = 15_000;

const failureSchema = z.object({
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
  reason: z.optional(z.enum(networkReasons)),
  proxy: z.optional(z.string()),
  fixedRoute: z.optional(z.enum(fixedRoutes)),
  redirectOrigin: z.optional(z.string()),
  retryAfterMs: z.optional(z.number()),
  at: z.number(),
});

const attemptSchema = z.object({
  /** A UUID. Distinguishes attempts that started in the same millisecond. */
  attemptId: z.optional(z.string()),
  /** When the attempt began, which is before the first byte is sent. */
  startedAt: z.number(),
  /** The service's clock minus ours, in ms, if it was known. */
  serverOffsetMs: z.optional(z.number()),
  /** The newest known time by the service's clock, Unix ms; 0 if it was only known that there were no messages. */
  newestKnownAt: z.optional(z.number()),
  /** The IDs of earlier messages that the time alone doesn't rule out, and of later ones that other entries created. */
  knownMessageIds: z.array(z.string()),
  /** The search of R32 was completed without a result. */
  isSearched: z.optional(z.boolean()),
});
/** What was known about the session when the attempt began, used to recognize the message later (R32). */
export type SendAttempt = z.output<typeof attemptSchema>;

const conditionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('time'), at: z.number() }),
  z.object({ kind: z.literal('sessionIdle'), key: sessionKeySchema }),
]);

const schedulerSchema = z.object({ host: z.string(), serverOffsetMs: z.optional(z.number()) });
/**
 * The computer by whose clock a message is scheduled. `serverOffsetMs`: the service's clock minus the clock of that
 * computer, in ms, if known.
 */
export type Scheduler = z.output<typeof schedulerSchema>;

const sentDraftSchema = z.object({
  draftId: z.optional(z.string()),
  editedAt: z.number(),
  comments: z.array(z.object({ commentId: z.string(), text: z.string() })),
});

/**
 * All times are Unix ms by our clock unless stated otherwise. All fields have existed since 0.1 (version 1 of the
 * format), except `after`, `scheduledBy`, `whileConnected`, and the draft's `draftId`.
 */
const entrySchema = z.object({
  /** A UUID, which is also the file name. */
  entryId: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  key: sessionKeySchema,
  /** The order of sending, smallest first; at least `createdAt`. */
  order: z.number(),
  /** As typed. */
  text: z.string(),
  /** Their bytes are in `blobs/`. */
  attachments: z.array(storedAttachmentSchema),
  /** The computer that the user chose. */
  computerId: z.optional(z.string()),
  /** What the message takes from its draft. */
  draft: z.optional(sentDraftSchema),
  /** The user's choice for this message; absent: the setting. */
  when: z.optional(z.enum(sendTimes)),
  /** What a scheduled message waits for; absent: in the queue. Since version 2. */
  after: z.optional(conditionSchema),
  /** The computer whose clock counts for `after`; absent: this one. */
  scheduledBy: z.optional(schedulerSchema),
  /**
   * The message may be sent whenever its service is connected. Absent if an earlier version of the extension saved the
   * entry, because that version sent only the messages of the current service.
   */
  whileConnected: z.optional(z.literal(true)),
  /** When it was typed. */
  createdAt: z.number(),
  /** Where it was typed. */
  window: z.optional(windowIdentitySchema),
  /** See R29. */
  state: z.enum(['queued', 'sending', 'accepted', 'unknown', 'notSent']),
  /** Present once accepted. */
  messageId: z.optional(z.string()),
  attempt: z.optional(attemptSchema),
  /** Why the last attempt failed or the user has to decide. The field keeps its name from version 1 of the format. */
  problem: z.optional(failureSchema),
  /** Read from a damaged file; `text` may be incomplete. */
  isRescued: z.optional(z.boolean()),
  /** The user let later messages be sent before this one. */
  isPassed: z.optional(z.boolean()),
});
/** An outgoing message on disk. */
export type StoredEntry = z.output<typeof entrySchema>;

/** Version 2 added `after`. A version of the extension that ignores this field would send the message too early. */
const format: RecordFormat<StoredEntry> = { version: 2, schema: entrySchema };

/**
 * The file of an entry as it was read:
 * - `removed`: a window removed it because the message was sent, discarded, or moved to a draft;
 * - `lost`: something else removed or damaged it. `rescued` is the readable part of a damaged file;
 * - `newer`: a newer version of the extension wrote it.
 */
type EntryRead =
  | { readonly kind: 'entry'; readonly stored: StoredEntry }
  | { readonly kind: 'removed' }
  | {
      readonly kind: 'lost';
      readonly rescued?: StoredEntry | undefined;
      readonly file?: UnreadableFile;
    }
  | { readonly kind: 'newer'; readonly file: UnreadableFile };

/** The code of the failure of an entry that was rescued from a damaged file. */
const damagedCode = 'EDAMAGED';

/** The drafts from which messages are sent. */
export type SentDrafts = Pick<Drafts, 'dropSent' | 'saved'>;

interface OutboxFilesOptions {
  readonly records: RecordStores;
  readonly blobs: Blobs;
  readonly drafts: SentDrafts | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly window: WindowIdentity;
}

/**
 * Outgoing messages on disk, one file each. Those of a service that stops when this window closes are only in memory.
 *
 * A file that is missing was removed by a window if it left a mark (see `RecordStore.retire`). Otherwise the file is
 * lost: a window that has the entry in memory keeps it, and writes it again as soon as it owns the queue (R44).
 *
 * `outbox/<entryId>.json`, record version 2; version 1 is read too.
 */
export class OutboxFiles {
  readonly #options: OutboxFilesOptions;
  readonly #disk: RecordStore;
  /** Finished entries by entry ID, and the time from which their files may be removed, Unix ms. */
  readonly #finished = new Map<string, { readonly entry: StoredEntry; readonly removeAt: number }>();

  constructor(options: OutboxFilesOptions) {
    this.#options = options;
    this.#disk = options.records.disk;
  }

  /**
   * Whether the entries of a service are saved. Those of a service that stops when this window closes are not saved.
   */
  isSaved(origin: string): boolean {
    return this.#options.records.isOnDisk(origin);
  }

  /** Whether an entry was typed in another window that may still be running. */
  isFromOtherWindow({ window }: StoredEntry): boolean {
    return window !== undefined && window.windowId !== this.#options.window.windowId && !hasSurelyEnded(window);
  }

  /** The name of this computer. */
  get host(): string {
    return this.#options.window.host;
  }

  /** The IDs of all entries on disk. */
  async entryIds(): Promise<string[]> {
    const ids = (await this.#disk.list(subfolder)).map(entryIdOf);
    return ids.filter((entryId) => entryId !== undefined);
  }

  /** Reads an entry. A damaged file is quarantined. Rejects with the system's error. */
  async read(entryId: string): Promise<EntryRead> {
    const read = await this.#disk.read(fileName(entryId), format);
    if (read.kind === 'record') return { kind: 'entry', stored: read.record };
    if (read.kind === 'absent') return { kind: 'lost' };
    if (read.kind === 'retired') return { kind: 'removed' };
    if (read.cause === 'newer') return { kind: 'newer', file: read };
    return { kind: 'lost', rescued: rescueEntry(entryId, read.content, this.#options.clock.now()), file: read };
  }

  /**
   * Calls `listener` with the ID of an entry that may have changed on disk; undefined if any entry may have changed.
   */
  watch(listener: (entryId: string | undefined) => void): Disposable {
    return this.#disk.watch(subfolder, (name) => {
      const entryId = name === undefined ? undefined : entryIdOf(name);
      if (name === undefined || entryId !== undefined) listener(entryId);
    });
  }

  /**
   * Resolves when the entry is synced to disk; immediately if the entries of its service aren't saved. Rejects with the
   * system's error.
   */
  save(entry: StoredEntry): Promise<void> {
    if (!this.isSaved(entry.key.origin)) return Promise.resolve();
    return this.#disk.write(fileName(entry.entryId), format, entry);
  }

  /** Resolves when the file is gone, and other windows can see that it isn't lost. Rejects with the system's error. */
  remove(entryId: string): Promise<void> {
    return this.#disk.retire(fileName(entryId), format);
  }

  /**
   * Releases the attachments of a delivered message, and removes its file after the draft no longer contains what the
   * message took from it. If the window in which it was typed may still have to read the file, a later
   * {@link removeLeftover} removes it. Never rejects.
   */
  async finish(entry: StoredEntry): Promise<void> {
    const { clock, blobs, log } = this.#options;
    const { entryId, attachments } = entry;
    const waitMs = this.isFromOtherWindow(entry) ? keepForOthersMs : 0;
    this.#finished.set(entryId, { entry, removeAt: clock.now() + waitMs });
    try {
      if (waitMs === 0) await this.#removeDelivered(entry);
      await blobs.release(attachments);
    } catch (error) {
      log.warn(`outbox: couldn't remove the file of a sent message: ${reasonOf(error)}`);
    }
  }

  /**
   * Removes what a message took from its draft, unless the message was typed in another window that may still be
   * running. That window does this itself, and needs the draft if it could not save the message after all.
   */
  dropFromDraft(entry: StoredEntry): void {
    const { key, draft, attachments } = entry;
    if (draft && !this.isFromOtherWindow(entry)) this.#options.drafts?.dropSent(key, draft, attachments);
  }

  /** Whether {@link finish} was called for an entry. */
  isFinished(entryId: string): boolean {
    return this.#finished.has(entryId);
  }

  /**
   * Removes the file of a finished entry if other windows have had time to read it. Until then, restores its final
   * state, which a window that was suspended during a save may have overwritten. `stored` is the content of the file,
   * if it exists. Rejects with the system's error.
   */
  async removeLeftover(entryId: string, stored: StoredEntry | undefined): Promise<void> {
    const finished = this.#finished.get(entryId);
    if (!finished || !stored) return;
    if (this.#options.clock.now() >= finished.removeAt) await this.#removeDelivered(finished.entry);
    else if (stored.state !== 'accepted') await this.save(finished.entry);
  }

  /**
   * Removes the file of a delivered message after the sent content was removed from the draft, in memory and on disk.
   */
  async #removeDelivered({ entryId, key, draft, attachments }: StoredEntry): Promise<void> {
    const { drafts } = this.#options;
    if (draft && drafts) {
      drafts.dropSent(key, draft, attachments);
      await drafts.saved(key);
    }
    await this.remove(entryId);
  }
}

function fileName(entryId: string): string {
  return `${subfolder}/${entryId}.json`;
}

function entryIdOf(name: string): string | undefined {
  return /^outbox\/(.+)\.json$/.exec(name)?.[1];
}

/**
 * Recovers an entry from a damaged file. The message may have been sent, so only the user decides whether to send it
 * again. Undefined if the session or the text can't be read.
 */
function rescueEntry(entryId: string, content: string, at: number): StoredEntry | undefined {
  const problem = { kind: 'disk', code: damagedCode, at } as const;
  const damage = { state: 'unknown', after: undefined, problem, isRescued: true } as const;
  const whole = z.object({ record: entrySchema }).safeParse(parseJson(content));
  if (whole.success) return { ...whole.data.record, entryId, messageId: undefined, ...damage };
  const origin = rescueString(content, 'origin');
  const sessionId = rescueString(content, 'sessionId');
  const text = rescueString(content, 'text') ?? '';
  if (origin === undefined || sessionId === undefined || text === '') return undefined;
  const order = rescueNumber(content, 'order') ?? at;
  const createdAt = rescueNumber(content, 'createdAt') ?? order;
  return { entryId, key: { origin, sessionId }, order, text, attachments: [], createdAt, ...damage };
}
