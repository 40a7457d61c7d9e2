import * as z from 'zod/mini';
import { type SessionListRecord, sessionListRecordSchema } from './sessionListRecord.ts';

/** A value that Settings Sync syncs to the user's other machines if it is turned on. */
export interface SyncedMemory {
  /** Returns the same object until the value changes. */
  read(): unknown;
  write(value: unknown): PromiseLike<void>;
}

const version = 1;
const envelopeSchema = z.object({ version: z.number(), records: z.array(z.unknown()) });
/** Synced data has to stay small, so only the most recently changed records are synced. */
const largestCount = 1_000;

/**
 * The synced form of the session list: IDs, service origins, names, pins, mutes, read marks, and bookmarks with their
 * notes. Never contains an API key or a message. Apart from IDs, the only data from the service are in a read mark: the
 * message count, the time of the last change, and whether the agent may have been working.
 */
export class SyncedSessionList {
  readonly #memory: SyncedMemory;
  #seen: unknown;
  #written = '';

  constructor(memory: SyncedMemory) {
    this.#memory = memory;
  }

  /**
   * The undamaged records of the synced copy, if something other than this window has changed the copy since the last
   * call. Empty otherwise, and for a copy of a newer version.
   */
  readNew(): readonly SessionListRecord[] {
    const value = this.#memory.read();
    if (value === this.#seen) return [];
    this.#seen = value;
    const envelope = envelopeSchema.safeParse(value);
    if (!envelope.success || envelope.data.version > version) return [];
    return envelope.data.records.flatMap((record) => {
      const parsed = sessionListRecordSchema.safeParse(record);
      return parsed.success ? [parsed.data] : [];
    });
  }

  /**
   * Resolves when VS Code has stored the value. Writes nothing if this window's last write had the same value, or if
   * the stored copy has a newer version.
   */
  async write(records: readonly SessionListRecord[]): Promise<void> {
    const known = envelopeSchema.safeParse(this.#memory.read());
    if (known.success && known.data.version > version) return;
    const latest = [...records].sort((a, b) => lastChosen(b) - lastChosen(a)).slice(0, largestCount);
    const text = JSON.stringify({ version, records: latest });
    if (text === this.#written) return;
    this.#written = text;
    const value: unknown = JSON.parse(text);
    this.#seen = value;
    await this.#memory.write(value);
  }
}

function lastChosen(record: SessionListRecord): number {
  const { presence, computerId, name, isPinned, isMuted, readMark, notWaitingId, bookmarks = [] } = record;
  const fields = [presence, computerId, name, isPinned, isMuted, readMark, notWaitingId, ...bookmarks];
  return fields.reduce((last, field) => Math.max(last, field?.at ?? 0), 0);
}
