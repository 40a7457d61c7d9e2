import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Returns all violations that axe finds on the page in its current state, one line per element. With a selector, only
 * the elements that it selects are checked, with everything inside.
 */
export async function axeViolations(page: Page, within = ':root'): Promise<string[]> {
  // The source is half a megabyte, which a page needs only once.
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await page.evaluate(axe.source);
  return page.evaluate(async (selector) => {
    interface Found {
      id: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    const run = Reflect.get(window, 'axe') as {
      run: (within: string, options: { resultTypes: string[] }) => Promise<{ violations: Found[] }>;
    };
    // Without the details of what passes, a run takes less time.
    const { violations } = await run.run(selector, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
  }, within);
}
