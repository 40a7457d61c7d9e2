import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns all violations that axe finds on the page in its current state, one line per element. */
export async function axeViolations(page: Page): Promise<string[]> {
  // The source is half a megabyte, which a page needs only once.
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const run = Reflect.get(window, 'axe') as { run: (root: Document) => Promise<{ violations: Found[] }> };
    interface Found {
      id: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    const { violations } = await run.run(document);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
  });
}
