import type { RowPatch } from '../../shared/protocol/pageModel.ts';
import type { InsertPatch } from './rowTable.ts';

/** Inserts that can be made together, in ascending order, or one other patch. */
type PatchRun = { readonly inserts: InsertPatch[] } | Exclude<RowPatch, InsertPatch>;

/** The patches in their order, with inserts that follow each other down the list put together. */
export function patchRuns(patches: readonly RowPatch[]): PatchRun[] {
  const runs: PatchRun[] = [];
  for (const patch of patches) {
    if (patch.op !== 'insert') {
      runs.push(patch);
      continue;
    }
    const run = runs.at(-1);
    const last = run && 'inserts' in run ? run.inserts.at(-1) : undefined;
    if (run && 'inserts' in run && last && patch.index >= last.index + last.seeds.length) run.inserts.push(patch);
    else runs.push({ inserts: [patch] });
  }
  return runs;
}
