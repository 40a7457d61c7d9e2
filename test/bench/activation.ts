import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { reloadByCommand } from '../e2e/journey/sessionSteps.ts';
import type { EditorOptions } from '../editor/run/editor.ts';
import { openServerEditor } from '../editor/run/serverEditor.ts';
import { takeActivationEvents } from './activationEvents.ts';
import { Door } from './door.ts';

/** Activation times in a new extension host in ms, and the memory that Lineside adds in MB. */
export interface ActivationFigures {
  readonly emptyMs: number;
  readonly linesideMs: number;
  readonly addedMB: number;
}

const linesideId = 'lineside.lineside';
const emptyId = 'lineside.empty';

/**
 * Explicitly activates the extension and an empty extension in new, idle windows. Alternates the order, because the
 * first activation includes the shared setup.
 */
export async function measureActivation(options: EditorOptions, runs: number): Promise<ActivationFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-activation-'));
  const editor = await openServerEditor({ ...options, environment: { LINESIDE_BENCH: folder } });
  const figures: ActivationFigures[] = [];
  try {
    await takeActivationEvents(editor.extensionsFolder);
    const workbench = await editor.openWindow();
    let door = await Door.open(folder);
    for (let run = 0; run < runs; run += 1) {
      await wait(2_000);
      const ids = run % 2 === 0 ? [emptyId, linesideId] : [linesideId, emptyId];
      const tookMs = new Map<string, number>();
      let addedMB = 0;
      for (const id of ids) {
        const before = await door.memory();
        tookMs.set(id, await door.activate(id));
        await wait(1_000);
        if (id === linesideId) addedMB = (await door.memory()).usedMB - before.usedMB;
      }
      figures.push({ emptyMs: tookMs.get(emptyId) ?? NaN, linesideMs: tookMs.get(linesideId) ?? NaN, addedMB });
      if (run === runs - 1) break;
      await reloadByCommand(workbench);
      door = await Door.open(folder, door);
    }
  } finally {
    await editor.dispose();
    await rm(folder, { recursive: true, force: true });
  }
  return figures;
}
