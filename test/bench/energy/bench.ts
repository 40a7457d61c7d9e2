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
} from '../../e2e/journey/sessionSteps.ts';
import type { Workbench } from '../../editor/drive/workbench.ts';
import { obtainPackedFolder } from '../../editor/packedFolder.ts';
import { type Editor, type EditorOptions } from '../../editor/run/editor.ts';
import { openServerEditor } from '../../editor/run/serverEditor.ts';
import { copySampleProject } from '../../editor/sampleProject.ts';
import { packageExtension } from '../../editor/vsix.ts';
import { Door } from '../door.ts';
import { type EnergyFigures, EnergyMeter } from './meter.ts';
import { EnergyService } from './service.ts';
import { markdownTable, median } from '../figures.ts';

export interface EnergyOptions {
  readonly runs: number;
  /** The time for which processor time, requests, and writes are measured, in seconds. */
  readonly seconds: number;
  /** Called after each run, to record the load on the machine. */
  readonly noteLoad: () => void;
}

/** A window in the state that is measured. */
interface EnergyWindow {
  readonly workbench: Workbench;
  readonly door: Door;
  readonly service: EnergyService;
}

interface Situation {
  readonly name: string;
  /** Prepares a window that shows the Explorer and nothing of Lineside. */
  readonly prepare: (window: EnergyWindow) => Promise<void>;
}

/** Time for a window to finish its startup work before it is measured. */
const settleMs = 10_000;

const situations: readonly Situation[] = [
  { name: 'nothing open', prepare: () => Promise.resolve() },
  { name: 'sessions and an idle conversation', prepare: (window) => open(window) },
  { name: 'a running session without new text', prepare: (window) => open(window, { isRunning: true }) },
  {
    name: 'a running session with a new sentence every second',
    prepare: async (window) => {
      await open(window, { isRunning: true });
      window.service.startGrowing();
    },
  },
  { name: '50 sessions, 5 of them running', prepare: (window) => open(window, { runningOthers: 5 }) },
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
 * Measures what windows use while nobody touches them, in a real VS Code instance with the packaged extension and in one
 * without it, in turns. Resolves to a table of medians.
 */
export async function benchEnergy({ runs, seconds, noteLoad }: EnergyOptions): Promise<string> {
  const project = await copySampleProject();
  const service = await EnergyService.start();
  const folders = await Promise.all(['with', 'without'].map((name) => mkdtemp(join(tmpdir(), `lineside-${name}-`))));
  const [folder = '', emptyFolder = ''] = folders;
  const figures = new Map<string, EnergyFigures[]>();
  const add = (name: string, one: EnergyFigures) => figures.set(name, [...(figures.get(name) ?? []), one]);
  const editors: Editor[] = [];
  try {
    const { file: vsix } = await packageExtension();
    const besides = [await obtainPackedFolder('floor', join(import.meta.dirname, '..', 'floor'))];
    const options = { version: '1.139', folder: project.folder, besides } as const;
    const empty = await EnergyEditor.open(
      { ...options, environment: { LINESIDE_BENCH: emptyFolder } },
      emptyFolder,
      service,
    );
    editors.push(empty.editor);
    const full = await EnergyEditor.open(
      { ...options, vsix, environment: { LINESIDE_BENCH: folder } },
      folder,
      service,
    );
    editors.push(full.editor);
    await full.connect();
    for (let run = 1; run <= runs; run += 1) {
      add('without Lineside', await empty.measure(() => Promise.resolve(), seconds));
      for (const { name, prepare } of situations) {
        const one = await full.measure(prepare, seconds);
        add(name, one);
        console.log(`run ${run} of ${runs}, ${name}: ${cellsOf([one]).join(', ')}`);
      }
      noteLoad();
    }
  } finally {
    for (const editor of editors) await editor.dispose();
    await service.dispose();
    await project.dispose();
    for (const one of folders) await rm(one, { recursive: true, force: true });
  }
  return describeEnergy(figures);
}

/** A VS Code instance with one window, which is reloaded for each measurement. */
class EnergyEditor {
  readonly editor: Editor;
  readonly #folder: string;
  readonly #service: EnergyService;
  readonly #workbench: Workbench;
  readonly #meter: EnergyMeter;
  #door: Door;

  constructor(editor: Editor, folder: string, service: EnergyService, workbench: Workbench, door: Door) {
    this.editor = editor;
    this.#folder = folder;
    this.#service = service;
    this.#workbench = workbench;
    this.#door = door;
    this.#meter = new EnergyMeter(workbench.page, () => service.service.requestCount());
  }

  static async open(options: EditorOptions, folder: string, service: EnergyService): Promise<EnergyEditor> {
    const editor = await openServerEditor(options);
    const workbench = await editor.openWindow();
    return new EnergyEditor(editor, folder, service, workbench, await Door.open(folder));
  }

  /** Connects, and adds all sessions. */
  async connect(): Promise<void> {
    const { service, openId, otherIds } = this.#service;
    await connect(this.#workbench, service);
    await addSessions(this.#workbench, [openId, ...otherIds].join(' '));
    await this.#door.run('workbench.action.closeAuxiliaryBar');
  }

  async measure(prepare: Situation['prepare'], seconds: number): Promise<EnergyFigures> {
    this.#service.stopGrowing();
    this.#service.setRunning(false, 0);
    await this.#door.run('workbench.view.explorer');
    await this.#door.run('workbench.action.closeAuxiliaryBar');
    await reloadByCommand(this.#workbench);
    this.#door = await Door.open(this.#folder, this.#door);
    await prepare({ workbench: this.#workbench, door: this.#door, service: this.#service });
    await wait(settleMs);
    return this.#meter.measure(this.#door, seconds * 1_000);
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

const columns: readonly {
  readonly title: string;
  readonly digits: number;
  readonly of: (one: EnergyFigures) => number;
}[] = [
  { title: 'extension host, % of a core', digits: 2, of: (one) => one.hostPercent },
  { title: 'pages, % of a core', digits: 2, of: (one) => one.pagesPercent },
  { title: 'frames a minute', digits: 0, of: (one) => one.framesPerMinute },
  { title: 'timers a minute', digits: 0, of: (one) => one.timersPerMinute },
  { title: 'requests a minute', digits: 0, of: (one) => one.requestsPerMinute },
  { title: 'written, KB a minute', digits: 0, of: (one) => one.writtenKBPerMinute },
];

function cellsOf(figures: readonly EnergyFigures[]): string[] {
  return columns.map(({ of, digits }) => {
    const values = figures.map(of);
    const spread =
      figures.length > 1 ? ` (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})` : '';
    return `${median(values).toFixed(digits)}${spread}`;
  });
}

function describeEnergy(figures: ReadonlyMap<string, readonly EnergyFigures[]>): string {
  const rows = [...figures].map(([name, measured]) => [name, ...cellsOf(measured)]);
  return markdownTable(['', ...columns.map(({ title }) => title)], rows);
}
