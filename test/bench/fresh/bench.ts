import { openServerEditor } from '../../editor/run/serverEditor.ts';
import { takeActivationEvents } from '../activationEvents.ts';
import { BenchWindows } from '../benchWindows.ts';
import { Door } from '../door.ts';
import { type BenchOptions, pollingSettings, withBenchEditor } from '../editorBench.ts';
import { markdownTable, median } from '../figures.ts';
import { goalTable } from '../goals.ts';
import { startBenchService } from '../service/benchService.ts';
import { FreshWindows } from './freshWindows.ts';

/** Lengths of the conversations, in messages. */
const counts = [100, 10_000];
const floorTitle = 'almost empty page';
const places = { editor: 'in an editor', view: 'in the side bar' } as const;

/**
 * Measures the first opening in a fresh window: a new browser profile, an extension host that has not activated
 * Lineside, and the conversation in the cache on disk. Resolves to the tables.
 */
export async function benchFresh({ runs, noteLoad }: Pick<BenchOptions, 'runs' | 'noteLoad'>): Promise<string> {
  const service = await startBenchService(counts);
  return withBenchEditor(service, async (options, folder) => {
    const editor = await openServerEditor({
      ...options,
      settings: pollingSettings,
      environment: { LINESIDE_BENCH: folder },
    });
    const opened = new Map<string, number[]>();
    try {
      await takeActivationEvents(editor.extensionsFolder);
      await (await BenchWindows.open(editor, service, folder)).fillCache();
      const windows = new FreshWindows(editor, folder, await Door.open(folder));
      for (let run = 1; run <= runs; run += 1) {
        const add = (title: string, tookMs: number) => {
          opened.set(title, [...(opened.get(title) ?? []), tookMs]);
          console.log(`run ${run} of ${runs}, ${title}: opened in ${Math.round(tookMs)} ms`);
        };
        add(floorTitle, await windows.openFloor());
        for (const conversation of service.conversations) {
          for (const place of ['editor', 'view'] as const) {
            add(`${conversation.title} ${places[place]}`, await windows.openConversation(conversation, place));
          }
        }
        noteLoad();
      }
    } finally {
      await editor.dispose();
    }
    return describeOpened(opened);
  });
}

function describeOpened(opened: ReadonlyMap<string, readonly number[]>): string {
  const at = (title: string) => median(opened.get(title) ?? []);
  const titles = [...opened.keys()];
  const row = ['first opening: command to the last words, ms', ...titles.map((title) => at(title).toFixed(0))];
  const goals = titles.filter((title) => title !== floorTitle);
  return `${markdownTable(['', ...titles], [row])}\n\n${goalTable(
    goals.map((title) => ({ name: `${title} / ${floorTitle}`, must: 2, value: at(title) / at(floorTitle) })),
  )}`;
}
