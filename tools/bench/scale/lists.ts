import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { ContentBlock, Message } from '../../../src/demoService/resources.ts';
import type { SeededSession } from '../../../src/demoService/sessionStore.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { pooled } from '../../../src/shared/pooled.ts';
import type { SessionKey } from '../../../src/state/store/sessionKey.ts';
import { SessionListFiles } from '../../../src/sync/sessionList/sessionListFiles.ts';
import { changedRecord, newSessionListRecord } from '../../../src/sync/sessionList/sessionListRecord.ts';
import { createRecordStore } from '../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../src/sync/storage/recordStores.ts';
import { connect, reloadByCommand } from '../../../test/e2e/journey/sessionSteps.ts';
import type { Workbench } from '../../editor/drive/workbench.ts';
import { obtainPackedFolder } from '../../editor/packedFolder.ts';
import type { Editor } from '../../editor/run/editor.ts';
import { openServerEditor } from '../../editor/run/serverEditor.ts';
import { copySampleProject } from '../../editor/sampleProject.ts';
import { type SilentService, startSilentService } from '../../../test/fakes/silentService.ts';
import { comparisonOf } from '../against/comparison.ts';
import { inTurns, withEach } from '../against/inTurns.ts';
import type { PackedVersion } from '../against/versions.ts';
import { Door } from '../door.ts';
import type { BenchOptions } from '../editorBench.ts';
import { type Figure, markdownTable, median } from '../tables/figures.ts';
import { HeadlessWindow } from '../service/headlessWindow.ts';

/** A list of sessions that is measured. */
interface ListSize {
  readonly title: string;
  readonly sessions: number;
  /**
   * The approximate size of each conversation. If it is 0, a conversation has two short messages and isn't searched.
   */
  readonly conversationBytes: number;
}

/** Times in ms, each from a command or key to the picture. */
interface ListFigures {
  readonly firstRows: number;
  readonly changedRow: number;
  readonly filter: number;
  readonly findKey: number;
  readonly firstHit: number;
  /** The longest task of the extension host from the filter to the last result. */
  readonly stall: number;
}

const sizes: readonly ListSize[] = [
  { title: '100', sessions: 100, conversationBytes: 0 },
  { title: '1,000', sessions: 1_000, conversationBytes: 0 },
  { title: '10,000', sessions: 10_000, conversationBytes: 0 },
  // Together, they almost fill the cache, which keeps 200 MB.
  { title: '100 of 1.9 MB', sessions: 100, conversationBytes: 1_900_000 },
];

/** The number in the title of the session that filters and searches find. */
const wanted = 77;
/** A word that only the last message of each conversation contains. */
const rareWord = 'zebra';
const treeRows = '[role="tree"][aria-label="Sessions"] [role="treeitem"][aria-level="2"]';
/** The number of sessions that are added or loaded at the same time. */
const atOnce = 20;
/**
 * A window that has just started redraws polled sessions once a second, and VS Code delays changes for 200 ms after
 * each draw. So the list is filtered several times, at different moments of the second.
 */
const filtersPerRun = 5;
const betweenFiltersMs = 1_300;
const pickRows = '.quick-input-list .monaco-list-row';

/**
 * Measures the Sessions view and the search for sessions, in a real VS Code instance, with those of the {@link sizes}
 * whose numbers of sessions are in `counts`. Resolves to a table of medians.
 */
export async function benchLists({
  versions,
  runs,
  noteLoad,
  counts,
}: Pick<BenchOptions, 'versions' | 'runs' | 'noteLoad' | 'counts'>): Promise<string> {
  const measured = versions.map(({ title }) => ({ title, columns: new Map<string, readonly ListFigures[]>() }));
  for (const size of sizes.filter(({ sessions }) => counts.includes(sessions))) {
    const open = (version: PackedVersion) => ListWindow.open(size, version);
    await withEach(versions, open, async (lists) => {
      for (let run = 1; run <= runs; run += 1) {
        for (const list of inTurns(lists, run)) {
          const figures = await list.measure();
          console.log(`run ${run} of ${runs}, ${list.title}, ${size.title} sessions: ${JSON.stringify(figures)}`);
        }
        noteLoad();
      }
      for (const [place, list] of lists.entries()) measured[place]?.columns.set(size.title, list.figures);
    });
  }
  return [describeLists(measured[0]?.columns ?? new Map()), ...comparisonOf(listFigures, measured)].join('\n\n');
}

/** A VS Code instance with a list of sessions, whose window is reloaded for each measurement. */
class ListWindow {
  /** One entry for each run. */
  readonly figures: ListFigures[] = [];
  readonly title: string;
  readonly #size: ListSize;
  readonly #service: SilentService;
  readonly #editor: Editor;
  readonly #workbench: Workbench;
  readonly #folder: string;
  readonly #dispose: () => Promise<void>;
  #door: Door;

  constructor(
    title: string,
    size: ListSize,
    service: SilentService,
    { editor, workbench, door, folder }: { editor: Editor; workbench: Workbench; door: Door; folder: string },
    dispose: () => Promise<void>,
  ) {
    this.title = title;
    this.#size = size;
    this.#service = service;
    this.#editor = editor;
    this.#workbench = workbench;
    this.#door = door;
    this.#folder = folder;
    this.#dispose = dispose;
  }

  static async open(size: ListSize, { title, vsix }: PackedVersion): Promise<ListWindow> {
    const folder = await mkdtemp(join(tmpdir(), 'lineside-lists-'));
    const project = await copySampleProject();
    const service = await startSilentService(seedsOf(size), 'the-key-of-the-benchmark');
    await fillStorage(join(folder, 'data', 'User', 'globalStorage', 'lineside.lineside', 'data'), service, size);
    const editor = await openServerEditor({
      version: '1.139',
      folder: project.folder,
      dataFolder: folder,
      vsix,
      besides: [await obtainPackedFolder('floor', join(import.meta.dirname, '..', 'floor'))],
      environment: { LINESIDE_BENCH: folder },
    });
    const workbench = await editor.openWindow();
    const door = await Door.open(folder);
    await connect(workbench, service);
    return new ListWindow(title, size, service, { editor, workbench, door, folder }, async () => {
      await service.dispose();
      await project.dispose();
    });
  }

  async measure(): Promise<ListFigures> {
    const { page, quickInput } = this.#workbench;
    await this.#door.run('workbench.view.explorer');
    await reloadByCommand(this.#workbench);
    this.#door = await Door.open(this.#folder, this.#door);
    await wait(3_000);
    // The label of a row whose session isn't loaded yet contains only the ID.
    const firstRows = await this.#timed('lineside.sessions.focus', {}, { rows: treeRows, text: 'Session #' });
    await wait(3_000);
    const [sessionId = ''] = idsOf(this.#size.sessions);
    this.#service.store.setStatus(sessionId, 'running');
    const changedRow = await this.#timed('lineside.refresh', { sessionId }, { rows: treeRows, text: 'Running' });
    this.#service.store.setStatus(sessionId, 'idle');
    await wait(2_000);
    await this.#door.takeStallMs();
    const only = { text: `Session #${wanted}.`, count: 1 };
    const filters: number[] = [];
    while (filters.length < filtersPerRun) {
      filters.push(await this.#timed('lineside.filterSessions', { text: only.text }, { rows: treeRows, ...only }));
      await this.#door.run('lineside.clearFilter');
      await wait(betweenFiltersMs);
    }
    await this.#workbench.start('lineside.findSessions');
    await quickInput.rows.first().waitFor();
    await quickInput.fill(only.text.slice(0, -1));
    await quickInput.input.press('End');
    await wait(2_000);
    const findKey = await timedKey(page, only.text.slice(-1), { rows: pickRows, ...only });
    await quickInput.fill('');
    await wait(2_000);
    const firstHit =
      this.#size.conversationBytes > 0 ? await timedKey(page, rareWord, { rows: pickRows, text: rareWord }) : NaN;
    await page.locator('.quick-input-widget .monaco-progress-container.active').waitFor({ state: 'detached' });
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
    const figures = {
      firstRows,
      changedRow,
      filter: median(filters),
      findKey,
      firstHit,
      stall: await this.#door.takeStallMs(),
    };
    this.figures.push(figures);
    return figures;
  }

  async dispose(): Promise<void> {
    await this.#editor.dispose();
    await this.#dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs a command. Resolves to the time from its start to the picture, in ms. */
  async #timed(command: string, argument: object, picture: Picture): Promise<number> {
    const painted = paintedAtMs(this.#workbench.page, picture);
    const atMs = await this.#door.run(command, argument);
    return (await painted) - atMs;
  }
}

/** What rows show when a change is painted: one of them has the text and, with `count`, there are that many rows. */
interface Picture {
  /** A selector. */
  readonly rows: string;
  readonly text: string;
  readonly count?: number;
}

/** Waits until rows are painted. Resolves to the time in Unix ms. */
function paintedAtMs(page: Page, picture: Picture): Promise<number> {
  return page.evaluate(async ({ rows, text, count }) => {
    const isThere = () => {
      const found = [...document.querySelectorAll(rows)];
      const hasText = found.some((row) => `${row.ariaLabel ?? ''} ${row.textContent}`.includes(text));
      return hasText && (count === undefined || found.length === count);
    };
    const startedAtMs = Date.now();
    do {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (Date.now() - startedAtMs < 60_000) continue;
      const shown = [...document.querySelectorAll(rows)].map((row) => `${row.ariaLabel ?? ''} ${row.textContent}`);
      throw new Error(`no row with "${text}": ${shown.length} rows, ${shown.slice(0, 5).join('; ')}`);
    } while (!isThere());
    await new Promise((resolve) => setTimeout(resolve));
    return Date.now();
  }, picture);
}

/** Inserts a text as one input. Resolves to the time until the rows are painted, in ms. */
async function timedKey(page: Page, text: string, picture: Picture): Promise<number> {
  // Wait until the listener is added, because input and calls to the page can overtake each other.
  const typing = await page.evaluateHandle(() => ({
    atMs: new Promise<number>((resolve) => addEventListener('input', () => resolve(Date.now()), { once: true })),
  }));
  const painted = paintedAtMs(page, picture);
  await page.keyboard.insertText(text);
  return (await painted) - (await typing.evaluate(({ atMs }) => atMs));
}

function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, place) => `listed-${place}`);
}

function seedsOf({ sessions, conversationBytes }: ListSize): SeededSession[] {
  const now = Date.now();
  return idsOf(sessions).map((sessionId, place) => {
    const messageBytes = 20_000;
    const count = Math.max(2, Math.ceil(conversationBytes / messageBytes));
    const line = 'The upload client retries with a delay that doubles each time and starts at one second.\n';
    const long = line.repeat(Math.ceil(messageBytes / line.length));
    // The newest session has number 0.
    const startAtMs = now - (place + 1) * 600_000;
    const messages = Array.from({ length: count }, (_, index): Message => {
      const last = index === count - 1 ? `\nThe ${rareWord} at the end.` : '';
      const content: ContentBlock[] = [{ type: 'text', text: (conversationBytes > 0 ? long : line) + last }];
      const at = startAtMs + index * 1_000;
      const role = index % 2 === 0 ? 'user' : 'assistant';
      return { id: `${sessionId}-${index}`, role, content, createdAt: at, updatedAt: at };
    });
    const times = { createdAt: startAtMs, updatedAt: startAtMs + count * 1_000 };
    const session = { sessionId, status: 'idle' as const, messageCount: count, ...times, title: `Session #${place}.` };
    return { session, messages };
  });
}

/**
 * Adds the sessions to the list and loads them, with all messages if the conversations are long, as an earlier window
 * would have done.
 */
async function fillStorage(
  folder: string,
  { baseUrl, token }: SilentService,
  { sessions, conversationBytes }: ListSize,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const disk = createRecordStore(folder, silentLog);
  await disk.prepare();
  const files = new SessionListFiles(new RecordStores(disk));
  const keys = idsOf(sessions).map((sessionId): SessionKey => ({ origin: new URL(baseUrl).origin, sessionId }));
  const now = Date.now();
  await pooled(keys, atOnce, (key) =>
    files.merge(changedRecord(newSessionListRecord(key, now), { isListed: true }, now)),
  );
  const window = await HeadlessWindow.open({ folder, baseUrl, token, isCached: true });
  await pooled(keys, atOnce, (key) => (conversationBytes > 0 ? window.load(key) : window.sync.refresh(key)));
  await window.close();
}

const listFigures: readonly (Figure<ListFigures> & { readonly must: number })[] = [
  timeFigure('Sessions view: command to first rows, ms', ({ firstRows }) => firstRows, 200),
  timeFigure('a session changes: Refresh to its row, ms', ({ changedRow }) => changedRow, 200),
  timeFigure('filter: command to rows, ms', ({ filter }) => filter, 200),
  timeFigure('find: key to rows, ms', ({ findKey }) => findKey, 50),
  timeFigure('find: text to the first message, ms', ({ firstHit }) => firstHit, 200),
  timeFigure('filter and find: longest task of the extension host, ms', ({ stall }) => stall, 15),
];

function timeFigure(name: string, of: (figures: ListFigures) => number, must: number) {
  return { name, of, must, digits: 0, isTime: true } as const;
}

function describeLists(columns: ReadonlyMap<string, readonly ListFigures[]>): string {
  const cell = (measured: readonly ListFigures[], of: (figures: ListFigures) => number) => {
    const value = median(measured.map(of));
    return Number.isNaN(value) ? '–' : value.toFixed(0);
  };
  return markdownTable(
    ['sessions', ...columns.keys(), 'must'],
    listFigures.map(({ name, of, must }) => [
      name,
      ...[...columns.values()].map((measured) => cell(measured, of)),
      `<= ${must}`,
    ]),
  );
}
