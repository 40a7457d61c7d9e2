import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { detailLevels } from '../../shared/protocol/vocabulary.ts';

const keySchema = z.object({ origin: z.string(), sessionId: z.string() });
const currentEntryName = 'current';
const maxServices = 20;

/** The last current session of each service in this workspace, most recent first. */
export function readCurrents(memento: vscode.Memento): readonly z.output<typeof keySchema>[] {
  const kept = z.array(keySchema).safeParse(memento.get(currentEntryName));
  return kept.success ? kept.data : [];
}

/**
 * Saves a session as the current one of its service in this workspace. Only the 20 services whose sessions were current
 * most recently are kept.
 */
export async function writeCurrent(memento: vscode.Memento, key: z.output<typeof keySchema>): Promise<void> {
  const others = readCurrents(memento).filter(({ origin }) => origin !== key.origin);
  const all = [{ origin: key.origin, sessionId: key.sessionId }, ...others];
  await memento.update(currentEntryName, all.slice(0, maxServices));
}

const documentsName = 'composeDocuments';
const documentsSchema = z.array(z.object({ uri: z.string(), key: keySchema }));
/** An untitled document and the session whose draft it contains. */
type ComposeDocument = z.output<typeof documentsSchema>[number];

/** The documents that contained drafts when the window was closed. VS Code restores their text. */
export function readComposeDocuments(memento: vscode.Memento): ComposeDocument[] {
  const kept = documentsSchema.safeParse(memento.get(documentsName));
  return kept.success ? kept.data : [];
}

export async function writeComposeDocuments(
  memento: vscode.Memento,
  documents: readonly ComposeDocument[],
): Promise<void> {
  await memento.update(documentsName, documents);
}

const filterSchema = z.object({ detailLevel: z.enum(detailLevels) });
const filtersName = 'filters';

/** The saved conversation filters of this workspace, by `keyText`. Invalid entries are skipped. */
export function readFilters(memento: vscode.Memento): Map<string, z.output<typeof filterSchema>> {
  const kept = z.record(z.string(), z.unknown()).safeParse(memento.get(filtersName));
  const filters = new Map<string, z.output<typeof filterSchema>>();
  for (const [name, value] of Object.entries(kept.success ? kept.data : {})) {
    const filter = filterSchema.safeParse(value);
    if (filter.success) filters.set(name, filter.data);
  }
  return filters;
}

/** Saves the conversation filters of this workspace. */
export async function writeFilters(memento: vscode.Memento, filters: ReadonlyMap<string, unknown>): Promise<void> {
  await memento.update(filtersName, Object.fromEntries(filters));
}

const listEntryName = 'deck';

/** Reads and writes the copy of the session list that Settings Sync syncs, if the user has enabled it. */
export function syncedState(memento: vscode.Memento & { setKeysForSync(keys: readonly string[]): void }) {
  memento.setKeysForSync([listEntryName]);
  return {
    read: (): unknown => memento.get(listEntryName),
    write: (value: unknown): PromiseLike<void> => memento.update(listEntryName, value),
  };
}

const treeOptionsName = 'tree';
const treeOptionsSchema = z.object({
  groupBy: z.catch(z.enum(['age', 'status', 'tag', 'service']), 'age'),
  sortBy: z.catch(z.enum(['updated', 'created', 'name', 'attention']), 'updated'),
});

/** Reads the grouping and sort order of the Sessions view; undefined if nothing valid is stored. */
export function readTreeOptions(memento: vscode.Memento): z.output<typeof treeOptionsSchema> | undefined {
  return treeOptionsSchema.safeParse(memento.get(treeOptionsName)).data;
}

/** Stores the grouping and sort order of the Sessions view. */
export async function writeTreeOptions(
  memento: vscode.Memento,
  { groupBy, sortBy }: z.output<typeof treeOptionsSchema>,
): Promise<void> {
  await memento.update(treeOptionsName, { groupBy, sortBy });
}
