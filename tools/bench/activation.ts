import { setTimeout as wait } from 'node:timers/promises';
import { reloadByCommand } from '../../test/e2e/journey/sessionSteps.ts';
import type { Workbench } from '../editor/drive/workbench.ts';
import { takeActivationEvents } from './activationEvents.ts';
import type { MeasuredVersion } from './against/comparison.ts';
import { inTurns, withEach } from './against/inTurns.ts';
import type { PackedVersion } from './against/versions.ts';
import { Door } from './door.ts';
import { VersionEditor } from './against/versionEditor.ts';

/** Activation times in a new extension host, in ms, and the memory that Lineside adds, in MB. */
export interface ActivationFigures {
  readonly emptyMs: number;
  readonly linesideMs: number;
  readonly addedMB: number;
}

const linesideId = 'lineside.lineside';
const emptyId = 'lineside.empty';

/**
 * Explicitly activates the extension and an empty extension in new, idle windows of each version, in turns. Alternates
 * the order of the extensions, because the first activation includes the shared setup. Resolves to the figures of each
 * version.
 */
export function measureActivation(
  versions: readonly PackedVersion[],
  runs: number,
): Promise<readonly MeasuredVersion<ActivationFigures>[]> {
  const open = (version: PackedVersion) => ActivationWindow.open(version);
  return withEach(versions, open, async (windows) => {
    for (let run = 1; run <= runs; run += 1) {
      const ids = run % 2 === 1 ? [emptyId, linesideId] : [linesideId, emptyId];
      // Both versions have the same order of extensions in a run, so the order of versions changes every two runs.
      for (const window of inTurns(windows, Math.ceil(run / 2))) await window.measure(ids);
    }
    return windows;
  });
}

/** The window of one version. Nothing activates the extension there before it's measured. */
class ActivationWindow implements MeasuredVersion<ActivationFigures> {
  readonly columns = new Map([['activation', new Array<ActivationFigures>()]]);
  readonly #editor: VersionEditor;
  readonly #workbench: Workbench;
  #door: Door;

  constructor(editor: VersionEditor, workbench: Workbench, door: Door) {
    this.#editor = editor;
    this.#workbench = workbench;
    this.#door = door;
  }

  static async open(version: PackedVersion): Promise<ActivationWindow> {
    const editor = await VersionEditor.open(version);
    try {
      await takeActivationEvents(editor.editor.extensionsFolder);
      const workbench = await editor.editor.openWindow();
      return new ActivationWindow(editor, workbench, await Door.open(editor.folder));
    } catch (error) {
      await editor.dispose();
      throw error;
    }
  }

  get title(): string {
    return this.#editor.version.title;
  }

  /** Activates the extensions in this order in a new extension host, and adds the figures. */
  async measure(ids: readonly string[]): Promise<void> {
    await reloadByCommand(this.#workbench);
    this.#door = await Door.open(this.#editor.folder, this.#door);
    await wait(2_000);
    const tookMs = new Map<string, number>();
    let addedMB = 0;
    for (const id of ids) {
      const before = await this.#door.memory();
      tookMs.set(id, await this.#door.activate(id));
      await wait(1_000);
      if (id === linesideId) addedMB = (await this.#door.memory()).usedMB - before.usedMB;
    }
    const [emptyMs, linesideMs] = [tookMs.get(emptyId) ?? NaN, tookMs.get(linesideId) ?? NaN];
    this.columns.get('activation')?.push({ emptyMs, linesideMs, addedMB });
  }

  dispose(): Promise<void> {
    return this.#editor.dispose();
  }
}
