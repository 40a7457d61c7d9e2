import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtainPackedFolder } from '../editor/packedFolder.ts';
import { copySampleProject } from '../editor/sampleProject.ts';
import type { EditorOptions } from '../editor/run/editor.ts';
import { openServerEditor } from '../editor/run/serverEditor.ts';
import { packageExtension } from '../editor/vsix.ts';
import { type ActivationFigures, measureActivation } from './activation.ts';
import { type BenchService, startBenchService } from './service/benchService.ts';
import { BenchWindows, type WindowFigures } from './benchWindows.ts';
import { describeMeasured, lengthGoals, type WindowColumns } from './goals.ts';

export interface BenchOptions {
  /** Lengths of the conversations, in messages. */
  readonly counts: readonly number[];
  readonly runs: number;
  /** `one-turn`: each conversation is a single running turn of tool calls. */
  readonly history: 'turns' | 'one-turn';
  /** The number of comments in the draft of a second conversation with the longest length; 0 for none. */
  readonly commentCount: number;
  /** Called after each run, to record the load on the machine. */
  readonly noteLoad: () => void;
}

/** Poll rarely, because a benchmark triggers a refresh for each new message itself. */
export const pollingSettings = { 'lineside.polling.runningSeconds': 3_600, 'lineside.polling.idleSeconds': 3_600 };

/** Measures the extension in a real VS Code instance, and opens each page in a new window. Resolves to the tables. */
export async function benchEditor(options: BenchOptions): Promise<string> {
  const service = await startBenchService([0, ...options.counts], options.history, options.commentCount);
  return withBenchEditor(service, async (editor, folder, vsixBytes) => {
    const activation: ActivationFigures[] = await measureActivation(editor, 2 * options.runs);
    const columns = await measureWindows(editor, service, folder, options);
    return describeMeasured(columns, lengthGoals, { activation, vsixBytes });
  });
}

/**
 * Runs a benchmark with the options of an editor that has the packaged extension and the ones it is compared with, and a
 * folder for them. Disposes of the service afterward.
 */
export async function withBenchEditor<T>(
  service: BenchService,
  run: (editor: EditorOptions, folder: string, vsixBytes: number) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-bench-'));
  const project = await copySampleProject();
  try {
    const { file: vsix, sizeBytes } = await packageExtension();
    const besides = await Promise.all(
      ['floor', 'empty'].map((name) => obtainPackedFolder(name, join(import.meta.dirname, name))),
    );
    return await run({ version: '1.139', folder: project.folder, vsix, besides }, folder, sizeBytes);
  } finally {
    await service.dispose();
    await project.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens each conversation of a service, and the floor, in new windows, in turns. */
export async function measureWindows(
  options: EditorOptions,
  service: BenchService,
  folder: string,
  { runs, noteLoad }: Pick<BenchOptions, 'runs' | 'noteLoad'>,
): Promise<WindowColumns> {
  const startedAtMs = Date.now();
  const editor = await openServerEditor({
    ...options,
    settings: pollingSettings,
    environment: { LINESIDE_BENCH: folder },
  });
  try {
    const windows = await BenchWindows.open(editor, service, folder);
    await windows.fillCache();
    console.log(`${passedOf(startedAtMs)} the cache is filled`);
    const columns = new Map<string, WindowFigures[]>();
    // Interleave the columns, so that other load on the machine affects all of them.
    for (let run = 1; run <= runs; run += 1) {
      const add = (title: string, measured: WindowFigures) => {
        columns.set(title, [...(columns.get(title) ?? []), measured]);
        const opened = `opened in ${Math.round(measured.page.openMs)} ms`;
        console.log(`${passedOf(startedAtMs)} run ${run} of ${runs}, ${title}: ${opened}`);
      };
      add('floor', await windows.measureFloor());
      for (const conversation of service.conversations) {
        add(conversation.title, await windows.measureLineside(conversation));
      }
      noteLoad();
    }
    return columns;
  } finally {
    await editor.dispose();
  }
}

function passedOf(startedAtMs: number): string {
  const seconds = Math.round((Date.now() - startedAtMs) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
