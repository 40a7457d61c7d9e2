import { setTimeout as wait } from 'node:timers/promises';
import type { WebviewChoice } from '../../editor/drive/workbench.ts';
import type { ServerEditor } from '../../editor/run/serverEditor.ts';
import { Door } from '../door.ts';
import { outerFrame } from '../openedPage.ts';
import type { BenchConversation } from '../service/benchService.ts';
import { recordEnds } from './shownEnds.ts';

interface FirstOpening {
  readonly choice: WebviewChoice;
  /** Opens the page. Resolves to the start time in Unix ms. */
  open(): Promise<number>;
}

/** Opens pages, each as the first thing in a window with a new browser profile and a new extension host. */
export class FreshWindows {
  readonly #editor: ServerEditor;
  readonly #folder: string;
  #door: Door;

  /** `door` leads to the window that is open. */
  constructor(editor: ServerEditor, folder: string, door: Door) {
    this.#editor = editor;
    this.#folder = folder;
    this.#door = door;
  }

  /** Resolves to the time from the call to the paint of the almost empty page, in ms. */
  openFloor(): Promise<number> {
    return this.#measure({
      choice: { extensionId: 'lineside.floor', place: 'editor' },
      open: () => this.#door.openFloor(),
    });
  }

  /** Resolves to the time from the command to the paint of the last words of the last message, in ms. */
  openConversation({ sessionId }: BenchConversation, place: 'view' | 'editor'): Promise<number> {
    const command = place === 'view' ? 'lineside.openConversation' : 'lineside.openConversationInEditor';
    const open = () => this.#door.run(command, { sessionId });
    return this.#measure({ choice: { place }, open });
  }

  async #measure({ choice, open }: FirstOpening): Promise<number> {
    const workbench = await this.#editor.openFreshWindow((context) => context.addInitScript(recordEnds));
    this.#door = await Door.open(this.#folder, this.#door);
    // Let the startup work of the window finish, so that it isn't measured.
    await wait(2_000);
    const atMs = await open();
    const frame = await outerFrame(workbench, choice);
    // The page adds what is missing within this time. Its last words are those that it shows then.
    await wait(1_500);
    const end = await frame.evaluate(() => window.shownEnds.at(-1));
    if (!end) throw new Error('The end of the page is not in view.');
    return end.atMs - atMs;
  }
}
