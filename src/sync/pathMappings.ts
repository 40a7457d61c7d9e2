import * as z from 'zod/mini';
import { type Disposable, Disposables, Emitter } from '../shared/lifecycle.ts';
import { type Log, reasonOf } from '../shared/log.ts';
import { SerialQueue } from '../shared/serialQueue.ts';
import type { ChosenMapping } from '../state/work/agentFolders.ts';
import { originRecordName } from './storage/recordNames.ts';
import type { RecordFormat } from './storage/recordFormat.ts';
import type { RecordStores } from './storage/recordStores.ts';

const subfolder = 'mappings';
const mappingSchema = z.object({ computer: z.string(), root: z.string(), folder: z.string(), isMapped: z.boolean() });
const schema = z.object({ origin: z.string(), mappings: z.array(mappingSchema) });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/** The maximum number of mappings of a service. The oldest ones are removed. */
const maxMappings = 500;

/**
 * The user's decisions on whether a folder of an agent corresponds to a workspace folder. There is one record for each
 * service. Each of its mappings has the ID of the agent's computer, the folder of the agent, the URI of the workspace
 * folder, and the decision. Never synced, because paths differ between machines.
 */
export class PathMappings implements Disposable {
  readonly #records: RecordStores;
  readonly #log: Log;
  readonly #writing = new SerialQueue();
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<void>());
  /**
   * The content IDs of the records that this window has read or written, by the names of the records; see `contentId`.
   */
  readonly #known = new Map<string, string | undefined>();
  #isWatching = false;

  /** Fires when this window has saved mappings or, after its first `read`, when another window may have saved some. */
  readonly onDidChange = this.#changes.event;

  constructor(records: RecordStores, log: Log) {
    this.#records = records;
    this.#log = log;
  }

  /** The mappings of a computer. `computer` is its ID, empty if unknown. Never rejects. */
  async read(origin: string, computer: string): Promise<readonly ChosenMapping[]> {
    this.#watch(origin);
    try {
      return (await this.#read(origin)).filter((one) => one.computer === computer);
    } catch (error) {
      this.#log.warn(`the path mappings could not be read: ${reasonOf(error)}`);
      return [];
    }
  }

  /**
   * Saves mappings of a computer. Each one replaces the computer's earlier mapping of the same two folders.
   * @throws Error if they can't be written.
   */
  async save(origin: string, computer: string, chosen: readonly ChosenMapping[]): Promise<void> {
    await this.#writing.run(async () => {
      const isReplaced = (known: z.output<typeof mappingSchema>) =>
        chosen.some(
          ({ root, folder }) => known.computer === computer && known.root === root && known.folder === folder,
        );
      const kept = (await this.#read(origin)).filter((known) => !isReplaced(known));
      const mappings = [...kept, ...chosen.map((one) => ({ computer, ...one }))].slice(-maxMappings);
      const name = originRecordName(subfolder, origin);
      await this.#records.of(origin).write(name, format, { origin, mappings });
      this.#known.set(name, await this.#records.of(origin).contentId(name));
    });
    this.#changes.fire();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #watch(origin: string): void {
    if (this.#isWatching || !this.#records.isOnDisk(origin)) return;
    this.#isWatching = true;
    const noticed = (name: string | undefined) => {
      if (name === undefined) this.#changes.fire();
      else if (this.#known.has(name)) void this.#writing.run(() => this.#compare(name));
    };
    this.#disposables.add(this.#records.disk.watch(subfolder, noticed));
  }

  async #compare(name: string): Promise<void> {
    // If the ID of the content can't be determined, the content may have changed.
    const now = await this.#records.disk.contentId(name).catch(() => undefined);
    if (now !== undefined && now === this.#known.get(name)) return;
    this.#known.set(name, now);
    this.#changes.fire();
  }

  async #read(origin: string): Promise<z.output<typeof schema>['mappings']> {
    const name = originRecordName(subfolder, origin);
    const store = this.#records.of(origin);
    // Get the ID before the record is read, so that a write in between counts as a change.
    this.#known.set(name, await store.contentId(name));
    const read = await store.read(name, format);
    return read.kind === 'record' && read.record.origin === origin ? read.record.mappings : [];
  }
}
