import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  addSessions,
  connect,
  conversationOf,
  reloadByCommand,
  setWindowFocus,
} from '../../../test/e2e/journey/sessionSteps.ts';
import type { Workbench } from '../../editor/drive/workbench.ts';
import { pooled } from '../../../src/shared/pooled.ts';
import { obtainPackedFolder } from '../../editor/packedFolder.ts';
import type { Editor } from '../../editor/run/editor.ts';
import { openServerEditor } from '../../editor/run/serverEditor.ts';
import { copySampleProject } from '../../editor/sampleProject.ts';
import { comparisonOf } from '../against/comparison.ts';
import type { PackedVersion } from '../against/versions.ts';
import { Door } from '../door.ts';
import { type EnergyFigures, EnergyMeter, type SpentFigures } from './meter.ts';
import { EnergyService } from './service.ts';
import { type Columns, type Figure, markdownTable, median } from '../tables/figures.ts';

export interface EnergyOptions {
  /** The version to measure and, optionally, the one to compare it with. */
  readonly versions: readonly PackedVersion[];
  readonly runs: number;
  /** The time for which processor time, requests, and writes are measured, in seconds. */
  readonly seconds: number;
  /** Called after each run, to record the load on the machine. */
  readonly noteLoad: () => void;
}

interface Situation {
  readonly name: string;
  /** Whether Lineside isn't installed, so that only VS Code itself is measured. */
  readonly isBaseline?: true;
  /** The number of sessions in the list. Default: 10. */
  readonly sessionCount?: number;
  /** Brings a window into the situation. Before that, it shows the Explorer and nothing of Lineside. */
  readonly prepare?: (window: EnergyWindow) => Promise<unknown>;
}

/**
 * Time for the last window to finish its startup work before all are measured. Sessions that haven't changed for ten
 * minutes are polled once a minute, and the first poll of each one changes its row, which says "as of" until then.
 */
const settleMs = 75_000;
const usualSessionCount = 10;

const situations: readonly Situation[] = [
  { name: 'without Lineside', isBaseline: true },
  { name: 'without Lineside, with an almost empty webview', isBaseline: true, prepare: ({ door }) => door.openFloor() },
  { name: 'nothing open' },
  { name: '10 sessions and an idle conversation', prepare: (window) => open(window) },
  { name: '50 sessions and an idle conversation', sessionCount: 50, prepare: (window) => open(window) },
  { name: 'a running session without new text', prepare: (window) => open(window, { isRunning: true }) },
  {
    name: 'a running session with a new sentence every second',
    prepare: async (window) => {
      await open(window, { isRunning: true });
      window.service.startGrowing();
    },
  },
  { name: '50 sessions, 5 of them running', sessionCount: 50, prepare: (window) => open(window, { runningOthers: 5 }) },
  {
    name: 'a running session in a window without the focus',
    prepare: async (window) => {
      await open(window, { isRunning: true });
      await setWindowFocus(window.workbench, false);
    },
  },
  {
    name: 'a running session in hidden views',
    prepare: async (window) => {
      await open(window, { isRunning: true });
      await window.door.run('workbench.action.closeAuxiliaryBar');
      await window.door.run('workbench.action.closeSidebar');
    },
  },
];

/**
 * Measures the resources that windows use while left alone, in real VS Code instances with the packaged extension and
 * in some without it. Each situation has its own instance, browser, and service, and all are measured at the same time:
 * together, they hardly load the machine, and other load affects all of them. Resolves to a table of medians.
 */
export async function benchEnergy({ versions, runs, seconds, noteLoad }: EnergyOptions): Promise<string> {
  const project = await copySampleProject();
  const windows: EnergyWindow[] = [];
  try {
    for (const situation of situations) {
      for (const version of versions) {
        console.log(`opening a window: ${version.title}, ${situation.name}`);
        windows.push(await EnergyWindow.open(situation, project.folder, version));
      }
    }
    for (let run = 1; run <= runs; run += 1) {
      // Two at a time, which is what two cores can start without a timeout.
      await pooled(windows, 2, (window) => window.prepare());
      await wait(settleMs);
      noteLoad();
      await Promise.all(windows.map((window) => window.measure(seconds * 1_000)));
      // Frames and timers are counted when all processor time is known, because tracing takes some.
      await Promise.all(windows.map((window) => window.trace()));
      for (const { version, name, figures } of windows) {
        console.log(`run ${run} of ${runs}, ${version.title}, ${name}: ${cellsOf(figures.slice(-1)).join(', ')}`);
      }
    }
  } finally {
    await Promise.all(windows.map((window) => window.dispose()));
    await project.dispose();
  }
  const measured = versions.map((version) => {
    const ofVersion = windows.filter((window) => window.version === version);
    return { title: version.title, columns: new Map(ofVersion.map(({ name, figures }) => [name, figures])) };
  });
  return [describeEnergy(measured[0]?.columns ?? new Map()), ...comparisonOf(energyFigures, measured)].join('\n\n');
}

/** The window of a VS Code instance that shows one situation. It is reloaded for each measurement. */
class EnergyWindow {
  readonly workbench: Workbench;
  readonly service: EnergyService;
  /** One entry for each run. */
  readonly figures: EnergyFigures[] = [];
  readonly version: PackedVersion;
  readonly #situation: Situation;
  readonly #editor: Editor;
  readonly #folder: string;
  readonly #meter: EnergyMeter;
  #door: Door;
  #spent: SpentFigures | undefined;

  constructor(
    version: PackedVersion,
    situation: Situation,
    service: EnergyService,
    { editor, folder, workbench, door }: Pick<EnergyWindow, 'workbench' | 'door'> & { editor: Editor; folder: string },
  ) {
    this.workbench = workbench;
    this.service = service;
    this.version = version;
    this.#situation = situation;
    this.#editor = editor;
    this.#folder = folder;
    this.#meter = new EnergyMeter(workbench.page, () => service.service.requestCount());
    this.#door = door;
  }

  /** Opens the window. If Lineside is installed, connects and adds all sessions. */
  static async open(situation: Situation, projectFolder: string, version: PackedVersion): Promise<EnergyWindow> {
    const folder = await mkdtemp(join(tmpdir(), 'lineside-energy-'));
    const service = await EnergyService.start(situation.sessionCount ?? usualSessionCount);
    const editor = await openServerEditor({
      version: '1.139',
      folder: projectFolder,
      besides: [await obtainPackedFolder('floor', join(import.meta.dirname, '..', 'floor'))],
      environment: { LINESIDE_BENCH: folder },
      ...(!situation.isBaseline && { vsix: version.vsix }),
    });
    const workbench = await editor.openWindow();
    const door = await Door.open(folder);
    if (!situation.isBaseline) {
      await connect(workbench, service.service);
      await addSessions(workbench, [service.openId, ...service.otherIds].join(' '));
    }
    return new EnergyWindow(version, situation, service, { editor, folder, workbench, door });
  }

  get name(): string {
    return this.#situation.name;
  }

  /** Runs commands in the window. */
  get door(): Door {
    return this.#door;
  }

  /** Reloads the window and brings it into its situation. */
  async prepare(): Promise<void> {
    this.service.stopGrowing();
    this.service.setRunning(false, 0);
    await this.#door.run('workbench.view.explorer');
    await this.#door.run('workbench.action.closeAuxiliaryBar');
    await reloadByCommand(this.workbench);
    this.#door = await Door.open(this.#folder, this.#door);
    await this.#situation.prepare?.(this);
  }

  async measure(windowMs: number): Promise<void> {
    this.#spent = await this.#meter.measure(this.#door, windowMs);
  }

  async trace(): Promise<void> {
    if (!this.#spent) throw new Error('The window is traced after it was measured.');
    this.figures.push({ ...this.#spent, ...(await this.#meter.trace()) });
  }

  async dispose(): Promise<void> {
    await this.#editor.dispose();
    await this.service.dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Shows the sessions and the conversation. */
async function open(
  { workbench, door, service }: EnergyWindow,
  { isRunning = false, runningOthers = 0 }: { readonly isRunning?: boolean; readonly runningOthers?: number } = {},
): Promise<void> {
  service.setRunning(isRunning, runningOthers);
  await door.run('lineside.sessions.focus');
  await door.run('lineside.openConversation', { sessionId: service.openId });
  await conversationOf(workbench).log.getByRole('article').last().waitFor();
}

const energyFigures: readonly Figure<EnergyFigures>[] = [
  { name: 'extension host, % of a core', digits: 2, of: (one) => one.hostPercent },
  { name: 'pages, % of a core', digits: 2, of: (one) => one.pagesPercent },
  { name: 'frames a minute', digits: 0, of: (one) => one.framesPerMinute },
  { name: 'timers a minute', digits: 0, of: (one) => one.timersPerMinute },
  { name: 'requests a minute', digits: 0, of: (one) => one.requestsPerMinute },
  { name: 'written, KB a minute', digits: 0, of: (one) => one.writtenKBPerMinute },
];

function cellsOf(figures: readonly EnergyFigures[]): string[] {
  return energyFigures.map(({ of, digits }) => {
    const values = figures.map(of);
    const spread =
      figures.length > 1 ? ` (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})` : '';
    return `${median(values).toFixed(digits)}${spread}`;
  });
}

function describeEnergy(situations: Columns<EnergyFigures>): string {
  const rows = [...situations].map(([name, figures]) => [name, ...cellsOf(figures)]);
  return markdownTable(['', ...energyFigures.map(({ name }) => name)], rows);
}
