import type { Page } from 'playwright-core';
import * as z from 'zod/mini';

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.optional(z.string()),
      args: z.optional(
        z.object({
          beginData: z.optional(z.object({ stackTrace: z.optional(z.array(z.object({ url: z.string() }))) })),
        }),
      ),
    }),
  ),
});

/** The page's script; the floor's page has none of that name. */
const script = '/conversation.js';

/**
 * Counts the layouts that the conversation page's script forces during `act`, by reading a size after a change. The
 * browser records the stack of a layout only if a script forced it.
 */
export async function countForcedLayouts(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The window has no browser.');
  const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline.stack'];
  await browser.startTracing(page, { categories });
  await act();
  const trace = await browser.stopTracing();
  const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString('utf8')));
  const stacks = traceEvents.filter(({ name }) => name === 'Layout').map(({ args }) => args?.beginData?.stackTrace);
  return stacks.filter((stack) => stack?.some(({ url }) => url.endsWith(script))).length;
}
