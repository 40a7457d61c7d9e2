import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { sessionHash } from '../../sync/storage/recordNames.ts';

const entryName = 'offeredSessions';
const schema = z.catch(z.array(z.string()), []);
/** The number of sessions that are remembered: several times what one run of the command can list. */
const maxSessions = 5_000;

/** The sessions of all services that were offered to the user, by their hashes. Not synced. */
export class OfferedSessions {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** The sessions without those that were offered before. */
  without<T extends { readonly key: SessionKey }>(sessions: readonly T[]): readonly T[] {
    const hashes = new Set(this.#read());
    return sessions.filter(({ key }) => !hashes.has(sessionHash(key)));
  }

  /**
   * Saves that sessions were offered. If there are more than 5,000, those that were offered longest ago are forgotten.
   */
  async add(keys: readonly SessionKey[]): Promise<void> {
    const added = new Set(keys.map((key) => sessionHash(key)));
    const others = this.#read().filter((hash) => !added.has(hash));
    await this.#memento.update(entryName, [...others, ...added].slice(-maxSessions));
  }

  #read(): readonly string[] {
    return schema.parse(this.#memento.get(entryName));
  }
}
