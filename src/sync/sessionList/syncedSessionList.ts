import * as z from 'zod/mini';
import { type SessionListRecord, sessionListRecordSchema } from './sessionListRecord.ts';

/** One value that the editor carries to the user's other machines, where they turned that on. */
export interface RoamingMemory {
  /** The same object for as long as it did not change. */
  read(): unknown;
  write(value: unknown): PromiseLike<void>;
}

const version = 1;
const envelopeSchema = z.object({ version: z.number(), records: z.array(z.unknown()) });
/** What roams has to stay small; what was changed longest ago stays at home. */
const largestCount = 1_000;

/** The deck as it roams: ids, names, pins, marks. Never a key, a message or what the service says of a session. */
export class SyncedSessionList {
  readonly #memory: RoamingMemory;
  #seen: unknown;
  #written = '';

  constructor(memory: RoamingMemory) {
    this.#memory = memory;
  }

  /** What came since it was last asked; what is damaged or of a newer version is left out. */
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

  /** Resolves when the editor has taken it; nothing is handed over where it says what it said before. */
  async write(records: readonly SessionListRecord[]): Promise<void> {
    const known = envelopeSchema.safeParse(this.#memory.read());
    if (known.success && known.data.version > version) return;
    const latest = [...records].sort((a, b) => lastChosen(b) - lastChosen(a)).slice(0, largestCount);
    const text = JSON.stringify({ version, records: latest });
    if (text === this.#written) return;
    this.#written = text;
    await this.#memory.write(JSON.parse(text));
  }
}

function lastChosen({ presence, name, isPinned, readMark }: SessionListRecord): number {
  return Math.max(presence.at, name?.at ?? 0, isPinned?.at ?? 0, readMark?.at ?? 0);
}
