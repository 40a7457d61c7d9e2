import * as z from 'zod/mini';
import { sessionSchema } from '../../api/resources/session.ts';
import { defined } from '../../shared/defined.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import { pooled } from '../../shared/pooled.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { SessionRecord, Tail } from '../../state/store/sessionRecord.ts';
import type { RememberedSession, Store } from '../../state/store/store.ts';
import { knownTail } from '../../state/work/tail.ts';
import type { Clock } from '../storage/clock.ts';
import type { RecordFormat } from '../storage/recordFormat.ts';
import { readsAtOnce } from '../storage/recordStore.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { sessionKeySchema } from '../storage/recordNames.ts';
import type { CachePolicy } from './cachePolicy.ts';
import { CacheRecord } from './cacheRecord.ts';

const waitingSchema = z.object({
  messageId: z.string(),
  rule: z.enum(['question', 'approval', 'answer']),
  question: z.string(),
});

const tailSchema = z.object({
  messageCount: z.number(),
  isUnreadable: z.optional(z.literal(true)),
  messageId: z.optional(z.string()),
  isError: z.boolean(),
  excerpt: z.string(),
  answer: z.optional(z.object({ firstLine: z.string(), isOfTurn: z.boolean() })),
  waiting: z.optional(waitingSchema),
  files: z.readonly(z.array(z.string())),
  cursor: z.optional(z.string()),
});

/** The session is saved as the service sent it, with its tail. */
const schema = z.object({
  key: sessionKeySchema,
  session: z.unknown(),
  asOf: z.number(),
  tail: z.catch(z.optional(tailSchema), undefined),
});
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/**
 * The tail is also saved in a file of its own, which only a window that has read the newest messages writes. In the
 * file with the session, a window that hasn't read them could overwrite the tail.
 */
const savedTailSchema = z.object({ key: sessionKeySchema, tail: tailSchema });
const tailFormat: RecordFormat<z.output<typeof savedTailSchema>> = { version: 1, schema: savedTailSchema };

/**
 * The minimum time between writes. Without it, every poll of a running session would cause a write. The first change is
 * written immediately.
 */
const restMs = 5_000;

/** The part of a record that is saved when it changes. */
interface State {
  readonly session: SessionRecord['session'];
  readonly tail: Tail | undefined;
}

interface Summary {
  readonly key: SessionKey;
  /** The state on disk. */
  written: State | undefined;
  /** The state when the files were removed. The session is saved again only after its state differs from this one. */
  removed: State | undefined;
  timer: Disposable | undefined;
}

/** Saves the last known state of each session in the list, so that a new window can show it immediately. */
export class SessionSummaries implements Disposable {
  readonly #saved: CacheRecord<z.output<typeof schema>>;
  readonly #tails: CacheRecord<z.output<typeof savedTailSchema>>;
  readonly #store: Store;
  readonly #policy: CachePolicy;
  readonly #clock: Clock;
  readonly #summaries = new Map<string, Summary>();
  readonly #disposables = new Disposables();
  readonly #restoring = new SerialQueue();

  constructor(records: RecordStores, store: Store, policy: CachePolicy, clock: Clock, log: Log) {
    const services = { records, policy, log };
    this.#saved = new CacheRecord(services, { name: 'session', format, content: 'what is known of a session' });
    const content = 'what the newest messages of a session say';
    this.#tails = new CacheRecord(services, { name: 'tail', format: tailFormat, content });
    this.#store = store;
    this.#policy = policy;
    this.#clock = clock;
    this.#disposables.add(
      store.onDidChange((change) => {
        if (change.type === 'sessionList') this.#restoreNew();
        if (change.type === 'session') this.#follow(change.key);
      }),
    );
  }

  /**
   * Reads what an earlier window knew about sessions, before they are added to the store. The result is keyed by
   * `keyText`, without the sessions that aren't cached. Never rejects.
   */
  async read(keys: readonly SessionKey[]): Promise<ReadonlyMap<string, RememberedSession>> {
    const remembered = new Map<string, RememberedSession>();
    await pooled(keys, readsAtOnce, async (key) => {
      const text = keyText(key);
      const summary = { key, written: undefined, removed: undefined, timer: undefined };
      const state = await this.#read(summary);
      if (!this.#summaries.has(text)) this.#summaries.set(text, summary);
      if (state) remembered.set(text, state);
    });
    return remembered;
  }

  /** Call this after the files were removed. A session is saved again only after it changes. */
  forgetFiles(): void {
    for (const summary of this.#summaries.values()) {
      summary.written = undefined;
      const record = this.#store.record(summary.key);
      summary.removed = record && stateOf(record);
    }
  }

  /** Saves the tail of a session for other windows, if the session may be cached. Never rejects. */
  async saveTail(key: SessionKey, tail: Tail): Promise<void> {
    await this.#tails.write({ key: { ...key }, tail });
  }

  /**
   * What this or another window saved with {@link saveTail}; undefined if nothing was saved, if the file can't be read,
   * or if the session may not be cached. Never rejects.
   */
  async readTail(key: SessionKey): Promise<Tail | undefined> {
    return (await this.#tails.read(key))?.tail;
  }

  /** Writes the current states of the sessions that this window has refreshed, with the times of the last refreshes. */
  async flush(): Promise<void> {
    await Promise.all([...this.#summaries.values()].map((summary) => this.#write(summary)));
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const { timer } of this.#summaries.values()) timer?.dispose();
  }

  #restoreNew(): void {
    for (const [text, { key, timer }] of this.#summaries) {
      if (this.#store.record(key)) continue;
      timer?.dispose();
      this.#summaries.delete(text);
    }
    const added = this.#store.records
      .map(({ listEntry }) => listEntry.key)
      .filter((key) => !this.#summaries.has(keyText(key)));
    for (const key of added) {
      this.#summaries.set(keyText(key), { key, written: undefined, removed: undefined, timer: undefined });
    }
    void this.#restoring.run(() => pooled(added, readsAtOnce, (key) => this.#restore(key)));
  }

  async #restore(key: SessionKey): Promise<void> {
    const summary = this.#summaries.get(keyText(key));
    const remembered = summary && (await this.#read(summary));
    if (remembered) this.#store.rememberSession(key, remembered);
  }

  async #read(summary: Summary): Promise<RememberedSession | undefined> {
    const { key } = summary;
    const read = await this.#saved.read(key);
    const session = sessionSchema.safeParse(read?.session);
    if (!read || !session.success) return undefined;
    const { asOf, tail } = read;
    summary.written = { session: session.data, tail };
    return { session: session.data, asOf, tail };
  }

  /** Writes the session if it changed. After a write, further changes wait until `restMs` has passed. */
  #follow(key: SessionKey): void {
    const summary = this.#summaries.get(keyText(key));
    const record = this.#store.record(key);
    if (!summary || !record?.session || summary.timer) return;
    if (isSame(summary.written ?? summary.removed, stateOf(record))) return;
    summary.timer = this.#clock.after(restMs, () => {
      summary.timer = undefined;
      this.#follow(key);
    });
    void this.#write(summary);
  }

  async #write(summary: Summary): Promise<void> {
    const { key } = summary;
    const record = this.#store.record(key);
    const { session, asOf, isRemembered } = record ?? {};
    if (!record || !session || asOf === undefined || isRemembered || !this.#policy.isKept(key)) return;
    const state = stateOf(record);
    if (isSame(summary.removed, state)) return;
    summary.removed = undefined;
    summary.written = state;
    await this.#saved.write({
      key: { ...key },
      session: session.wire ?? session,
      asOf,
      ...defined({ tail: state.tail }),
    });
  }
}

function stateOf(record: SessionRecord): State {
  return { session: record.session, tail: knownTail(record) ?? record.tail };
}

function isSame(a: State | undefined, b: State): boolean {
  const text = ({ session, tail }: State) => JSON.stringify([session, tail]);
  return a?.session !== undefined && text(a) === text(b);
}
