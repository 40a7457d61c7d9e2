import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtainPackedFolder } from '../editor/packedFolder.ts';
import { copySampleProject } from '../editor/sampleProject.ts';
import { openServerEditor } from '../editor/run/serverEditor.ts';
import { packageExtension } from '../editor/vsix.ts';
import { type ActivationFigures, measureActivation } from './activation.ts';
import { type BenchService, startBenchService } from './benchService.ts';
import { BenchWindows, type WindowFigures } from './benchWindows.ts';
import { describeMeasured } from './goals.ts';

export interface BenchOptions {
  /** Lengths of the conversations, in messages. */
  readonly counts: readonly number[];
  readonly runs: number;
  /** `one-turn`: each conversation is a single running turn of tool calls. */
  readonly history: 'turns' | 'one-turn';
  /** Called after each run, to record the load on the machine. */
  readonly noteLoad: () => void;
}

/** Measures the extension in a real VS Code instance, and opens each page in a new window. Resolves to the tables. */
export async function benchEditor(options: BenchOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-bench-'));
  const project = await copySampleProject();
  const service = await startBenchService([0, ...options.counts], options.history);
  try {
    const { file: vsix, sizeBytes } = await packageExtension();
    const besides = await Promise.all(
      ['floor', 'empty'].map((name) => obtainPackedFolder(name, join(import.meta.dirname, name))),
    );
    const editor = { version: '1.139', folder: project.folder, vsix, besides } as const;
    const activation: ActivationFigures[] = await measureActivation(editor, 2 * options.runs);
    const windows = await measureWindows(editor, service, folder, options);
    return describeMeasured({ ...windows, activation, vsixBytes: sizeBytes });
  } finally {
    await service.dispose();
    await project.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureWindows(
  options: Parameters<typeof openServerEditor>[0],
  service: BenchService,
  folder: string,
  { counts, runs, noteLoad }: BenchOptions,
): Promise<{ readonly floor: WindowFigures[]; readonly sessionList: Map<number, WindowFigures[]> }> {
  // Poll rarely, because the benchmark itself triggers a refresh for each new message.
  const settings = { 'lineside.polling.runningSeconds': 3_600, 'lineside.polling.idleSeconds': 3_600 };
  const startedAtMs = Date.now();
  const editor = await openServerEditor({ ...options, settings, environment: { LINESIDE_BENCH: folder } });
  try {
    const windows = await BenchWindows.open(editor, service, folder);
    const lengths = [0, ...counts];
    await windows.fillCache(lengths);
    console.log(`${passedOf(startedAtMs)} the cache is filled`);
    const floor: WindowFigures[] = [];
    const sessionList = new Map(lengths.map((count) => [count, new Array<WindowFigures>()]));
    // Interleave the columns, so that other load on the machine affects all of them.
    for (let run = 1; run <= runs; run += 1) {
      const say = (what: string, { page }: WindowFigures) =>
        console.log(`${passedOf(startedAtMs)} run ${run} of ${runs}, ${what}: opened in ${Math.round(page.openMs)} ms`);
      const onFloor = await windows.measureFloor();
      floor.push(onFloor);
      say('floor', onFloor);
      for (const [count, figures] of sessionList) {
        const measured = await windows.measureLineside(count);
        figures.push(measured);
        say(`${Math.max(1, count).toLocaleString('en')} messages`, measured);
      }
      noteLoad();
    }
    return { floor, sessionList };
  } finally {
    await editor.dispose();
  }
}

function passedOf(startedAtMs: number): string {
  const seconds = Math.round((Date.now() - startedAtMs) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
