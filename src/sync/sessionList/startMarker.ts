import * as z from 'zod/mini';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import { isWorking } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';
import type { RecordStore, RecordFormat } from '../storage/recordStore.ts';
import { startMarkerFile } from './startMarkerName.ts';

const schema = z.object({
  sessionListSize: z.number(),
  outboxSize: z.number(),
  running: z.array(z.object({ origin: z.string(), sessionId: z.string() })),
});
/** The state that a starting window needs before it reads anything else. */
type StartState = z.output<typeof schema>;
const format: RecordFormat<StartState> = { version: 1, schema };
const nothing: StartState = { sessionListSize: 0, outboxSize: 0, running: [] };

/**
 * Reads the marker that the last window left. A missing marker counts as an empty session list, an unreadable one as a
 * list with a session.
 */
export async function readStartMarker(disk: RecordStore): Promise<StartState> {
  const read = await disk.read(startMarkerFile, format);
  if (read.kind === 'unreadable') return { ...nothing, sessionListSize: 1 };
  return read.kind === 'record' ? read.record : nothing;
}

/**
 * Maintains the small file that a starting window reads first: the number of sessions and outgoing messages, and the
 * running sessions. If there are none, the file is removed. A temporary service doesn't affect it.
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
    if (serviceOf(connection)?.isTemporary) return;
    const running: SessionKey[] = [];
    for (const { listEntry, session } of records) if (isWorking(session)) running.push(listEntry.key);
    this.#runningTexts = new Set(running.map(keyText));
    const outboxSize = records.reduce((sum, record) => sum + record.outbox.length, 0);
    const marker = { sessionListSize: records.length, outboxSize, running: running.map((key) => ({ ...key })) };
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
