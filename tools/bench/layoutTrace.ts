import type { Page } from 'playwright-core';
import * as z from 'zod/mini';

/** The work of a page's layout while something happens. Times are processor time, so other load hardly changes them. */
export interface LayoutFigures {
  /** Layouts that the conversation page's script forced, by reading a size after a change. */
  readonly forcedLayouts: number;
  readonly layoutMs: number;
  /** Recalculation of styles. */
  readonly styleMs: number;
}

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.optional(z.string()),
      /** Processor time in microseconds. */
      tdur: z.optional(z.number()),
      args: z.optional(
        z.object({
          beginData: z.optional(
            z.object({
              frame: z.optional(z.string()),
              stackTrace: z.optional(z.array(z.object({ url: z.string() }))),
            }),
          ),
        }),
      ),
    }),
  ),
});

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

/**
 * The page's script. The floor's page in VS Code has no script of that name, so none of its layouts counts as forced.
 */
const script = '/conversation.js';

/**
 * Traces the webviews of an extension or, without one, the page itself during `act`, which must leave them open. The
 * browser records the stack of a layout only if a script forced it.
 */
export async function traceLayouts(
  page: Page,
  extensionId: string | undefined,
  act: () => Promise<unknown>,
): Promise<LayoutFigures> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The window has no browser.');
  const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline.stack'];
  await browser.startTracing(page, { categories });
  await act();
  const trace = await browser.stopTracing();
  const frames = await tracedFrames(page, extensionId);
  const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString('utf8')));
  const own = traceEvents.filter(({ args }) => frames.has(args?.beginData?.frame ?? ''));
  const named = (name: string) => own.filter((event) => event.name === name);
  const isForced = ({ args }: (typeof own)[number]) =>
    args?.beginData?.stackTrace?.some(({ url }) => url.endsWith(script)) ?? false;
  const sumMs = (name: string) => named(name).reduce((sum, { tdur = 0 }) => sum + tdur / 1_000, 0);
  return {
    forcedLayouts: named('Layout').filter(isForced).length,
    layoutMs: sumMs('Layout'),
    styleMs: sumMs('UpdateLayoutTree'),
  };
}

/** The IDs of the frames of an extension's webviews or, without one, of the page, as traces name them. */
async function tracedFrames(page: Page, extensionId: string | undefined): Promise<ReadonlySet<string>> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  await session.detach();
  const ids = new Set<string>();
  const visit = ({ frame, childFrames = [] }: FrameTree, isWithin: boolean): void => {
    const isOwn = isWithin || extensionId === undefined || frame.url.includes(`extensionId=${extensionId}`);
    if (isOwn) ids.add(frame.id);
    for (const child of childFrames) visit(child, isOwn);
  };
  visit(frameTree, false);
  if (ids.size === 0) throw new Error('There is no webview to trace.');
  return ids;
}
