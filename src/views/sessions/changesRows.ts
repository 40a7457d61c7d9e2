import type { ChangesRow, TreeRow } from '../../state/sessions/sessionTree.ts';
import { type ChangedFile, noChanges } from '../../state/work/changes.ts';
import type { SessionPresence } from '../../state/work/presence.ts';
import type { ViewServices } from '../viewServices.ts';

/**
 * The Changes rows of the tree. Only expanded ones cause comparisons with the workspace: reading the changes of a long
 * session takes time, so a collapsed row shows what is known.
 */
export class ChangesRows {
  readonly #services: ViewServices;
  readonly #open = new Set<ChangesRow>();
  readonly #files = new WeakMap<ChangesRow, ReadonlyMap<string, ChangedFile>>();

  constructor(services: ViewServices) {
    this.#services = services;
  }

  open(row: ChangesRow): void {
    this.#open.add(row);
  }

  /**
   * Call this when a row of the tree was collapsed. Closes it if it is a Changes row, or else the Changes row below it.
   */
  close(row: TreeRow): void {
    for (const open of this.#open) if (open === row || open.parent === row) this.#open.delete(open);
  }

  /** Reads the changed files below the row, so that {@link changedFile} knows them. Resolves to their paths. */
  async readPaths(row: ChangesRow): Promise<readonly string[]> {
    const { store, changeFiles } = this.#services;
    const record = store.record(row.key);
    const { files } = record ? await changeFiles.readSessionChanges(record) : noChanges;
    this.#files.set(row, new Map(files.map((file) => [file.path, file])));
    return files.map(({ path }) => path);
  }

  /** A changed file below the row, as it was last read: VS Code reads the files again before it draws them again. */
  changedFile(row: ChangesRow, path: string): ChangedFile | undefined {
    return this.#files.get(row)?.get(path);
  }

  /** The known presence of the row's files in the workspace. For an expanded row, may start a comparison. */
  presenceOf(row: ChangesRow): SessionPresence {
    const { presence } = this.#services;
    return this.#open.has(row) ? presence.known(row.key) : presence.current(row.key);
  }
}
