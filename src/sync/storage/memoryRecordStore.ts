import { type Disposable, onDispose } from '../../shared/lifecycle.ts';
import { decodeRecord, encodeRecord, type RecordFormat, type TaggedFormat } from './recordFormat.ts';
import { type RecordStore, type RecordRead, recordNamesIn } from './recordStore.ts';

/** Keeps records until the window closes. Used for the demo service, whose records must never reach the disk. */
export class MemoryRecordStore implements RecordStore {
  readonly #files = new Map<string, string>();
  readonly #retired = new Set<string>();

  write<T>(name: string, format: RecordFormat<T>, record: T): Promise<void> {
    this.#files.set(name, encodeRecord(format, record));
    this.#retired.delete(name);
    return Promise.resolve();
  }

  read<T>(name: string, format: RecordFormat<T>): Promise<RecordRead<T>> {
    const text = this.#files.get(name);
    if (text === undefined) return Promise.resolve({ kind: this.#retired.has(name) ? 'retired' : 'absent' });
    const decoded = decodeRecord(text, format);
    return Promise.resolve(decoded.kind === 'record' ? decoded : { ...decoded, name, keptAs: name });
  }

  async list(subfolder: string): Promise<string[]> {
    return recordNamesIn(await this.names(subfolder));
  }

  hasQuarantined(): Promise<boolean> {
    return Promise.resolve(false);
  }

  remove(name: string): Promise<void> {
    this.#files.delete(name);
    return Promise.resolve();
  }

  retire(name: string): Promise<void> {
    this.#retired.add(name);
    return this.remove(name);
  }

  async retireTagged<T>(name: string, format: TaggedFormat<T>, tag: string): Promise<T | undefined> {
    const read = await this.read(name, format);
    if (read.kind === 'record' && format.tagOf(read.record) !== tag) return read.record;
    await this.retire(name);
    return undefined;
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  create(name: string, text: string): Promise<boolean> {
    if (this.#files.has(name)) return Promise.resolve(false);
    this.#files.set(name, text);
    return Promise.resolve(true);
  }

  overwrite(name: string, text: string): Promise<boolean> {
    if (!this.#files.has(name)) return Promise.resolve(false);
    this.#files.set(name, text);
    return Promise.resolve(true);
  }

  readText(name: string): Promise<string | undefined> {
    return Promise.resolve(this.#files.get(name));
  }

  contentId(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  names(subfolder: string): Promise<string[]> {
    return Promise.resolve([...this.#files.keys()].filter((name) => name.startsWith(`${subfolder}/`)).sort());
  }

  /** Never calls `listener`: no other window sees these records. */
  watch(): Disposable {
    return onDispose(() => undefined);
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }
}
