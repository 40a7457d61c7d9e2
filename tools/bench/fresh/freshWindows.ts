import { setTimeout as wait } from 'node:timers/promises';
import type { WebviewChoice } from '../../editor/drive/workbench.ts';
import { takeActivationEvents } from '../activationEvents.ts';
import type { MeasuredVersion } from '../against/comparison.ts';
import type { PackedVersion } from '../against/versions.ts';
import { BenchWindows } from '../benchWindows.ts';
import { Door } from '../door.ts';
import { outerFrame } from '../openedPage.ts';
import type { BenchConversation, BenchService } from '../service/benchService.ts';
import { openWithService, type VersionEditor } from '../against/versionEditor.ts';
import { recordEnds } from './shownEnds.ts';

/** The page that is opened first in a window. */
interface FirstPage {
  /** The title of its column. */
  readonly title: string;
  readonly choice: WebviewChoice;
  /** Opens the page. Resolves to the start time in Unix ms. */
  open(door: Door): Promise<number>;
}

export const floorTitle = 'almost empty page';
const floor: FirstPage = {
  title: floorTitle,
  choice: { extensionId: 'lineside.floor', place: 'editor' },
  open: (door) => door.openFloor(),
};

/**
 * Opens pages of a version, each as the first thing in a window with a new browser profile and an extension host that
 * hasn't activated Lineside. Measures the time in ms from the command to the paint of the last words of the last
 * message.
 */
export class FreshWindows implements MeasuredVersion<number> {
  readonly columns = new Map<string, number[]>();
  readonly pages: readonly FirstPage[];
  readonly #editor: VersionEditor;
  readonly #service: BenchService;
  #door: Door;

  constructor(editor: VersionEditor, service: BenchService, door: Door) {
    this.pages = [floor, ...service.conversations.flatMap(pagesOf)];
    this.#editor = editor;
    this.#service = service;
    this.#door = door;
  }

  /** Opens VS Code, and fills the cache. Disposes of the service if that fails. */
  static open(version: PackedVersion, service: BenchService): Promise<FreshWindows> {
    return openWithService(version, service, async (editor) => {
      await takeActivationEvents(editor.editor.extensionsFolder);
      await (await BenchWindows.open(editor.editor, service, editor.folder)).fillCache();
      return new FreshWindows(editor, service, await Door.open(editor.folder));
    });
  }

  get title(): string {
    return this.#editor.version.title;
  }

  /** Opens one of {@link pages}, and adds the time to its column. Resolves to the time. */
  async measure({ title, choice, open }: FirstPage): Promise<number> {
    const workbench = await this.#editor.editor.openFreshWindow((context) => context.addInitScript(recordEnds));
    this.#door = await Door.open(this.#editor.folder, this.#door);
    // Let the startup work of the window finish, so that it isn't measured.
    await wait(2_000);
    const atMs = await open(this.#door);
    const frame = await outerFrame(workbench, choice);
    // Within this time, the page adds what is missing, so that the last recorded end is the final one.
    await wait(1_500);
    const end = await frame.evaluate(() => window.shownEnds.at(-1));
    if (!end) throw new Error('The end of the page is not in view.');
    this.columns.set(title, [...(this.columns.get(title) ?? []), end.atMs - atMs]);
    return end.atMs - atMs;
  }

  async dispose(): Promise<void> {
    await this.#editor.dispose();
    await this.#service.dispose();
  }
}

function pagesOf({ title, sessionId }: BenchConversation): FirstPage[] {
  return [
    {
      title: `${title} in an editor`,
      choice: { place: 'editor' },
      open: (door) => door.run('lineside.openConversationInEditor', { sessionId }),
    },
    {
      title: `${title} in the side bar`,
      choice: { place: 'view' },
      open: (door) => door.run('lineside.openConversation', { sessionId }),
    },
  ];
}
