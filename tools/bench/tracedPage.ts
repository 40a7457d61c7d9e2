import type { Workbench } from '../editor/drive/workbench.ts';
import { type LayoutFigures, traceLayouts } from './layoutTrace.ts';
import { appendMessages, appends, type Opening, outerFrame, untilQuiet } from './openedPage.ts';

/** The work of a page's layout while it opens, during a drag, and for new messages. */
export interface TracedFigures {
  readonly opening: LayoutFigures;
  /** A drag of the scrollbar in 120 steps. */
  readonly drag: LayoutFigures;
  /** Per new message. */
  readonly append: LayoutFigures;
}

/**
 * Opens a page and traces it. Do this after everything else has been measured in another page, because a trace takes
 * processor time.
 */
export async function tracePage(workbench: Workbench, opening: Opening): Promise<TracedFigures> {
  const { page } = workbench;
  const { extensionId } = opening.choice;
  const opened = await traceLayouts(page, extensionId, async () => {
    await opening.open();
    const frame = await outerFrame(workbench, opening.choice);
    await frame.evaluate(() => window.framePlay.begin());
    await untilQuiet(frame);
  });
  const frame = await outerFrame(workbench, opening.choice);
  const drag = await traceLayouts(page, extensionId, async () => {
    await frame.evaluate(() => window.framePlay.drag(120));
    await untilQuiet(frame);
  });
  const added = await traceLayouts(page, extensionId, () => appendMessages(frame, opening));
  const append = {
    forcedLayouts: added.forcedLayouts / appends,
    layoutMs: added.layoutMs / appends,
    styleMs: added.styleMs / appends,
  };
  return { opening: opened, drag, append };
}
