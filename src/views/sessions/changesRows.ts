import type { ChangesRow, TreeRow } from '../../state/sessions/sessionTree.ts';
import { type AgentChanges, noChanges } from '../../state/work/changes.ts';
import type { SessionPresence } from '../../state/work/presence.ts';
import type { ViewServices } from '../viewServices.ts';

/**
 * The Changes rows of the tree. Only expanded ones cause comparisons with the workspace: reading the changes of a long
 * session takes time, so a collapsed row shows what is known.
 */
export class ChangesRows {
  readonly #services: ViewServices;
  readonly #open = new Set<ChangesRow>();

  constructor(services: ViewServices) {
    this.#services = services;
  }

  open(row: ChangesRow): void {
    this.#open.add(row);
  }

  /** A row of the tree was collapsed: a Changes row, or the session above it. */
  close(row: TreeRow): void {
    for (const open of this.#open) if (open === row || open.parent === row) this.#open.delete(open);
  }

  /** Reads the changed files below the row, so that {@link changesOf} knows them. Resolves to their paths. */
  async readPaths({ key }: ChangesRow): Promise<readonly string[]> {
    const { store, changeFiles } = this.#services;
    const record = store.record(key);
    const { files } = record ? await changeFiles.readSessionChanges(record) : noChanges;
    return files.map(({ path }) => path);
  }

  /** The changed files below the row. */
  changesOf({ key }: ChangesRow): AgentChanges {
    const { store, changeFiles } = this.#services;
    const record = store.record(key);
    return record ? changeFiles.sessionChanges(record) : noChanges;
  }

  /** What of them is in the workspace. */
  presenceOf(row: ChangesRow): SessionPresence {
    const { presence } = this.#services;
    return this.#open.has(row) ? presence.known(row.key) : presence.current(row.key);
  }
}
