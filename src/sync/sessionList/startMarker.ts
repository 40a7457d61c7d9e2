import * as z from 'zod/mini';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { defaultTreeOptions, sectionsOf, topRecords } from '../../state/sessions/sections.ts';
import { keyText } from '../../state/store/sessionKey.ts';
import { isWorking, type SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { RecordFormat } from '../storage/recordFormat.ts';
import type { RecordStore } from '../storage/recordStore.ts';
import { startMarkerFile } from './startMarkerName.ts';

const keysSchema = z.array(z.object({ origin: z.string(), sessionId: z.string() }));
const schema = z.object({
  sessionListSize: z.number(),
  outboxSize: z.number(),
  running: keysSchema,
  /** The first sessions of the tree, which a starting window reads before the others. */
  first: z.optional(keysSchema),
});
/** The state that a starting window needs before it reads anything else. */
type StartState = z.output<typeof schema>;
const format: RecordFormat<StartState> = { version: 1, schema };
/** The maximum number of sessions in `first`: more than the tree shows without scrolling. */
const firstCount = 100;
const nothing: StartState = { sessionListSize: 0, outboxSize: 0, running: [] };

/**
 * Reads the marker that the last window left. A missing marker counts as an empty session list, an unreadable one as a
 * list with a session. Rejects with the system's error.
 */
export async function readStartMarker(disk: RecordStore): Promise<StartState> {
  const read = await disk.read(startMarkerFile, format);
  if (read.kind === 'unreadable') return { ...nothing, sessionListSize: 1 };
  return read.kind === 'record' ? read.record : nothing;
}

/**
 * Maintains the small file that a starting window reads first: the number of sessions and outgoing messages, the
 * running sessions, and those at the top of the tree in its default order. If there are no sessions, the file is
 * removed. Nothing is written while a temporary service is the current one.
 */
export class StartMarker implements Disposable {
  readonly #disk: RecordStore;
  readonly #store: Store;
  readonly #log: Log;
  readonly #disposables = new Disposables();
  #written = '';
  #runningTexts: ReadonlySet<string> = new Set();

  constructor(disk: RecordStore, store: Store, log: Log) {
    this.#disk = disk;
    this.#store = store;
    this.#log = log;
    this.#disposables.add(
      store.onDidChange((change) => {
        // A poll of a large list changes many sessions, but rarely which ones are running.
        const isStatusChange =
          change.type === 'session' &&
          isWorking(store.record(change.key)?.session) !== this.#runningTexts.has(keyText(change.key));
        if (isStatusChange || change.type === 'sessionList' || change.type === 'outbox') this.#write();
      }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #write(): void {
    const { records, connection } = this.#store;
    const { groupBy, sortBy } = defaultTreeOptions;
    if (serviceOf(connection)?.isTemporary) return;
    const running = records.filter(({ session }) => isWorking(session)).map(keyOf);
    this.#runningTexts = new Set(running.map(keyText));
    const sections = sectionsOf(topRecords(this.#store), groupBy, sortBy, Date.now());
    const first = sections.flatMap((section) => section.records.map(keyOf)).slice(0, firstCount);
    const outboxSize = records.reduce((sum, record) => sum + record.outbox.length, 0);
    const marker = { sessionListSize: records.length, outboxSize, running, first };
    const text = JSON.stringify(marker);
    if (text === this.#written) return;
    this.#written = text;
    const isNothing = records.length === 0;
    const done = isNothing
      ? this.#disk.remove(startMarkerFile, format)
      : this.#disk.write(startMarkerFile, format, marker);
    done.catch((error: unknown) => {
      this.#log.warn(`the start marker could not be written: ${reasonOf(error)}`);
    });
  }
}

function keyOf({ listEntry }: SessionRecord): { origin: string; sessionId: string } {
  return { ...listEntry.key };
}
