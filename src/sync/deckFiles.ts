import * as z from 'zod/mini';
import type { SessionKey } from '../state/sessionKey.ts';
import type { DeckEntry } from '../state/sessionRecord.ts';
import type { Disk, RecordFormat, UnreadableFile } from './disk.ts';
import { sessionKeySchema, sessionRecordName } from './recordName.ts';

const subfolder = 'deck';
/** Fields that a later version adds (a name, a pin, read marks) are kept when this one writes. */
const recordSchema = z.looseObject({
  key: sessionKeySchema,
  computerId: z.optional(z.string()),
  addedAt: z.number(),
});
const format: RecordFormat<z.output<typeof recordSchema>> = { version: 1, schema: recordSchema };

/** The deck on disk: one file for each session, so that two windows never overwrite each other's list. */
export class DeckFiles {
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Every session of the deck in the order in which they were added, and the files that could not be read. */
  async load(): Promise<{ entries: DeckEntry[]; unreadable: UnreadableFile[] }> {
    const entries: DeckEntry[] = [];
    const unreadable: UnreadableFile[] = [];
    for (const name of await this.#disk.list(subfolder)) {
      const read = await this.#disk.read(name, format);
      if (read.kind === 'record') entries.push(deckEntryOf(read.record));
      if (read.kind === 'unreadable') unreadable.push(read);
    }
    return { entries: entries.sort((a, b) => a.addedAt - b.addedAt), unreadable };
  }

  /** Puts a session on the deck, or changes what is kept of it. Resolves when it is on disk. */
  async add(entry: DeckEntry): Promise<void> {
    const name = sessionRecordName(subfolder, entry.key);
    const read = await this.#disk.read(name, format);
    const kept = read.kind === 'record' ? read.record : {};
    const { key, computerId, addedAt } = entry;
    await this.#disk.write(name, format, { ...kept, key: { ...key }, computerId, addedAt });
  }

  /** Takes a session off the deck. Resolves when that is on disk. */
  remove(key: SessionKey): Promise<void> {
    return this.#disk.remove(sessionRecordName(subfolder, key));
  }
}

function deckEntryOf({ key, computerId, addedAt }: z.output<typeof recordSchema>): DeckEntry {
  return { key, computerId, addedAt };
}
