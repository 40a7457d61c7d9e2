import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addSessions, connect, conversationOf, reloadByCommand } from '../../test/e2e/journey/sessionSteps.ts';
import type { Editor } from '../editor/run/editor.ts';
import type { Workbench } from '../editor/drive/workbench.ts';
import type { BenchConversation, BenchService } from './service/benchService.ts';
import { Door } from './door.ts';
import { saveDraftComments } from './service/draftComments.ts';
import { playFrame } from './framePlay.ts';
import { measurePage, outerFrame, type PageFigures, untilQuiet } from './openedPage.ts';
import { type TracedFigures, tracePage } from './tracedPage.ts';

/** Measurements of opening one page in a new window. */
export interface WindowFigures {
  readonly page: PageFigures;
  readonly traced: TracedFigures;
  /** Memory that the page added to the extension host, in MB. */
  readonly hostMB: number;
}

/** Measurements of opening a conversation that is not in the cache. */
export interface FirstReadFigures {
  /** From the command to the first picture. */
  readonly pictureMs: number;
  /** The longest task of the extension host. */
  readonly stallMs: number;
  /** Memory that the conversation added to the extension host, in MB. */
  readonly hostMB: number;
  readonly diskKB: number;
}

/** A VS Code window that is reloaded for each measurement. */
export class BenchWindows {
  readonly #workbench: Workbench;
  readonly #service: BenchService;
  readonly #editor: Editor;
  readonly #folder: string;
  #door: Door;

  constructor(workbench: Workbench, door: Door, editor: Editor, service: BenchService, folder: string) {
    this.#workbench = workbench;
    this.#door = door;
    this.#editor = editor;
    this.#service = service;
    this.#folder = folder;
  }

  static async open(editor: Editor, service: BenchService, folder: string): Promise<BenchWindows> {
    const workbench = await editor.openWindow();
    await workbench.page.context().addInitScript(playFrame);
    const door = await Door.open(folder);
    return new BenchWindows(workbench, door, editor, service, folder);
  }

  /** Connects, and adds all conversations to the list. */
  async addConversations(): Promise<void> {
    await connect(this.#workbench, this.#service);
    await addSessions(this.#workbench, this.#service.conversations.map(({ sessionId }) => sessionId).join(' '));
    await conversationOf(this.#workbench).log.waitFor();
  }

  /** Connects, opens each conversation once, waits until everything is on disk, and saves the comments. */
  async fillCache(): Promise<void> {
    const { conversations } = this.#service;
    await this.addConversations();
    for (const { sessionId, lastText } of conversations) {
      await this.#door.run('lineside.openConversation', { sessionId });
      if (lastText) {
        const last = conversationOf(this.#workbench).article(lastText);
        await last.first().waitFor({ timeout: 300_000 });
      }
      await this.#untilWritten();
    }
    for (const { sessionId, commentCount } of conversations) {
      if (commentCount === 0) continue;
      await saveDraftComments(join(this.#storageFolder, 'data'), this.#service, sessionId, commentCount);
    }
    await this.#door.run('workbench.action.closeAuxiliaryBar');
  }

  async measureFloor(): Promise<WindowFigures> {
    return this.#measure('lineside.floor', {
      open: () => this.#door.openFloor(),
      append: (text) => this.#door.tellFloor(text),
    });
  }

  async measureLineside({ sessionId, lastText, post }: BenchConversation): Promise<WindowFigures> {
    if (!lastText) await post('The only message.');
    return this.#measure('lineside.lineside', {
      open: () => this.#door.run('lineside.openConversationInEditor', { sessionId }),
      append: async (text) => {
        await post(text);
        void this.#door.run('lineside.refresh', { sessionId });
        return this.#service.answeredAtMs(text);
      },
    });
  }

  /** Opens a conversation in a new window and without a cache, so that its messages are read over HTTP. */
  async measureFirstRead({ sessionId }: BenchConversation): Promise<FirstReadFigures> {
    await this.#door.run('workbench.action.closeAuxiliaryBar');
    await this.#door.run('workbench.action.closeAllEditors');
    await rm(this.#cacheFolder, { recursive: true, force: true });
    await this.#freshWindow();
    const before = await this.#door.memory();
    await this.#door.takeStallMs();
    const atMs = await this.#door.run('lineside.openConversationInEditor', { sessionId });
    const frame = await outerFrame(this.#workbench, { extensionId: 'lineside.lineside', place: 'editor' });
    await frame.waitForFunction(() => window.framePlay.firstPaintAtMs > 0);
    await frame.evaluate(() => window.framePlay.begin());
    await untilQuiet(frame);
    await this.#untilWritten();
    const stallMs = await this.#door.takeStallMs();
    const after = await this.#door.memory();
    return {
      pictureMs: (await frame.evaluate(() => window.framePlay.firstPaintAtMs)) - atMs,
      stallMs,
      hostMB: after.usedMB - before.usedMB,
      diskKB: (await folderSize(this.#cacheFolder)) / 1_000,
    };
  }

  async #measure(
    extensionId: string,
    act: { open(): Promise<number>; append(text: string): Promise<number> },
  ): Promise<WindowFigures> {
    await this.#freshWindow();
    const before = await this.#door.memory();
    const opening = { choice: { extensionId, place: 'editor' }, ...act } as const;
    const page = await measurePage(this.#workbench, opening);
    const after = await this.#door.memory();
    await this.#door.run('workbench.action.closeAllEditors');
    const traced = await tracePage(this.#workbench, opening);
    await this.#door.run('workbench.action.closeAllEditors');
    return { page, traced, hostMB: after.usedMB - before.usedMB };
  }

  async #freshWindow(): Promise<void> {
    await reloadByCommand(this.#workbench);
    this.#door = await Door.open(this.#folder, this.#door);
    // Let the startup work of the window finish, so that it isn't measured.
    await wait(2_000);
  }

  get #storageFolder(): string {
    return join(this.#editor.dataFolder, 'data', 'User', 'globalStorage', 'lineside.lineside');
  }

  get #cacheFolder(): string {
    return join(this.#storageFolder, 'data', 'cache');
  }

  /** Waits until the extension's storage folder stops growing. */
  async #untilWritten(): Promise<void> {
    for (let before = -1, stillFor = 0; stillFor < 5;) {
      const sizeBytes = await folderSize(this.#storageFolder);
      stillFor = sizeBytes === before ? stillFor + 1 : 0;
      before = sizeBytes;
      await wait(500);
    }
  }
}

async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries) {
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return sum;
}
