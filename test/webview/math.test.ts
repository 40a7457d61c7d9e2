import { beforeEach, describe, expect, it } from 'vitest';
import { press } from '../../tools/editor/drive/act.ts';
import { conversation, markdownRow, row, setup } from './rig/samples.ts';
import { usePage, usePages } from './rig/usePage.ts';

const open = usePage([setup]);
let scripts: string[];
beforeEach(() => {
  scripts = [];
  open.page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
});

const body = () => open.page.locator('article .row-body');
const show = (...texts: string[]) =>
  open.tell(conversation(texts.map((text, index) => markdownRow(`m${index}`, text))));
const formula = () => body().locator('math');

describe('formulas', () => {
  it('become MathML, both inline and as blocks', async () => {
    await show('The area is $\\pi r^2$.\n\n$$\n\\sum_{i=1}^n i = \\frac{n(n+1)}{2}\n$$\n\nand \\(x\\) too');
    await expect.poll(() => formula().count()).toBe(3);
    expect(await body().locator('p').first().locator('math msup').textContent()).toBe('r2');
    expect(await body().locator('.formula-block math').getAttribute('display')).toBe('block');
    expect(await body().locator('.formula-block mfrac').count()).toBe(1);
    expect(await body().locator('code').count()).toBe(0);
  });

  it('load their script once, and only if there is a formula', async () => {
    await show('No formula here, at $5 a piece.');
    expect(scripts).toEqual([]);
    await show('$a$ and $b$', '$c$');
    await expect.poll(() => formula().count()).toBe(3);
    await show('$d$');
    await expect.poll(() => formula().count()).toBe(1);
    expect(scripts).toEqual(['/math.js']);
    expect(await open.page.evaluate(() => 'linesideMath' in window)).toBe(false);
    expect(await open.page.locator('script[src]').count(), 'the script of the page itself').toBe(1);
  });

  it('that cannot be parsed or that define commands are shown as source, with their delimiters', async () => {
    const definition = '$$\\text{$\\def\\a{\\a\\a}\\a$}$$';
    await show(`$\\frac{1}$ \\(\\frac{2}\\) $\\nosuch$ $a$\n\n\\[\n\\frac{3}\n\\]\n\n${definition}`);
    await expect.poll(() => formula().count()).toBe(1);
    const sources = ['$\\frac{1}$', '\\(\\frac{2}\\)', '\\[\n\\frac{3}\n\\]', definition];
    expect(await body().locator('code').allTextContents()).toEqual(sources);
    expect(await body().textContent()).toContain('$\\nosuch$');
  });

  it('in a prompt need a command or a script', async () => {
    await open.tell(conversation([markdownRow('m', 'Is $x$ or $x^2$ in ${a}?', { role: 'user' })]));
    await expect.poll(() => formula().count()).toBe(1);
    expect(await body().textContent()).toBe('Is $x$ or x2 in ${a}?');
  });

  it('in a question of the agent need neither', async () => {
    const question = { header: '', text: 'Is $x$ even?', quote: '', isMultiple: false, options: [], furtherCount: 0 };
    const about = { state: 'open', label: 'The agent asks', answer: '', isApproval: false } as const;
    await open.tell(conversation([row('m', [{ type: 'asked', ...about, questions: [question] }])]));
    await expect.poll(() => formula().count()).toBe(1);
  });

  it('create no links and load nothing', async () => {
    const hostile = [
      '\\href{javascript:alert(1)}{x}',
      '\\url{https://example.com}',
      '\\includegraphics{https://example.com/x.png}',
      '\\class{code-block}{x}',
      '\\id{x}{y}',
      '\\style{position:fixed}{x}',
      '\\data{key=m}{x}',
      '\\text{<img src=x onerror=alert(1)>}',
      '\\color{url(https://example.com)}x',
      '\\colorbox{red}{x}',
      '\\ref{a}',
      '\\rule{9999em}{9999em}',
    ];
    await show(hostile.map((source) => `$$${source}$$`).join('\n\n'), '$a$');
    await expect.poll(() => body().nth(1).locator('math').count()).toBe(1);
    const found = await open.page.evaluate(() =>
      [...document.querySelectorAll('.row-body math, .row-body math *')].flatMap((node) => [
        ...(node.namespaceURI === 'http://www.w3.org/1998/Math/MathML' ? [] : [node.localName]),
        ...node.getAttributeNames().filter((name) => /^(?:on|href|src|id|data|xlink)/.test(name)),
        ...(/url|position|fixed/.test(node.getAttribute('style') ?? '') ? ['style'] : []),
      ]),
    );
    expect(found).toEqual([]);
    // The height of formulas is limited.
    const tallest = await body()
      .locator('math')
      .evaluateAll((all) => Math.max(...all.map((node) => node.getBoundingClientRect().height)));
    expect(tallest).toBeLessThan(1_500);
  });

  it('that are wider than the page scroll on their own, also by keyboard', async () => {
    await show(`$$${Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join(' + ')}$$`);
    await expect.poll(() => formula().count()).toBe(1);
    const block = body().locator('.formula-block');
    expect(await block.evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(true);
    await block.focus();
    await press(open.page, 'ArrowRight');
    await expect.poll(() => block.evaluate((node) => node.scrollLeft)).toBeGreaterThan(0);
  });
});

describe('a script that could not be loaded', () => {
  const pages = usePages({ mayFail: true });

  it('is requested again later', async () => {
    const { page, tell } = await pages.open();
    let count = 0;
    await page.route('**/math.js', async (route) => {
      count += 1;
      await (count === 1 ? route.abort() : route.continue());
    });
    const drawn = () => page.locator('article math').count();
    await tell(setup, conversation([markdownRow('m', '$a$')]));
    await expect.poll(() => count).toBe(1);
    await expect
      .poll(async () => {
        await tell(conversation([markdownRow('m', '$a$')]));
        return drawn();
      })
      .toBe(1);
    expect(count).toBe(2);
  });
});

const nested = (start: string, end: string, count: number) => `${start.repeat(count)}x${end.repeat(count)}`;
const pathological: Record<string, string> = {
  braces: nested('{', '}', 700),
  fractions: nested('\\frac{1}{', '}', 140),
  'fractions as deep as is drawn': nested('\\frac{1}{', '}', 25),
  powers: nested('x^{', '}', 360),
  roots: nested('\\sqrt{', '}', 200),
  delimiters: nested('\\left(', '\\right)', 110),
  'a wide matrix': `\\begin{matrix}${'a&'.repeat(700)}\\end{matrix}`,
  'a tall matrix': `\\begin{matrix}${'a\\\\'.repeat(480)}\\end{matrix}`,
  'a matrix as large as is drawn': `\\begin{matrix}${`${'a&'.repeat(13)}a\\\\`.repeat(14)}\\end{matrix}`,
  primes: `x${"'".repeat(1_400)}`,
  letters: 'x+'.repeat(740),
  underscores: '_'.repeat(1_400),
  'text in text': nested('\\text{', '}', 200),
};

/** Whether a table is drawn. This depends on its number of cells, not only on the length of its source. */
const isTableDrawn: Readonly<Record<string, boolean>> = {
  'a wide matrix': false,
  'a tall matrix': false,
  'a matrix as large as is drawn': true,
};

describe('formulas crafted to be slow', () => {
  it.each(Object.entries(pathological))('are drawn or shown as source: %s', async (name, source) => {
    await show('$a$');
    await expect.poll(() => formula().count()).toBe(1);
    await open.page.evaluate(() => {
      Object.assign(window, { longest: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          Object.assign(window, { longest: Math.max(Reflect.get(window, 'longest') as number, entry.duration) });
        }
      }).observe({ type: 'longtask' });
    });
    await show(`$$\n${source}\n$$\n\n$e$`);
    // Once a later formula is drawn, this one has been processed.
    await expect.poll(() => body().locator('.formula math').count()).toBe(1);
    const longestMs = await open.page.evaluate(() => Reflect.get(window, 'longest') as number);
    const isDrawn = (await body().locator('.formula-block math').count()) === 1;
    expect(isDrawn).toBe(isTableDrawn[name] ?? isDrawn);
    console.log(`longest blocked moment, ${name}: ${Math.round(longestMs)} ms, ${isDrawn ? 'drawn' : 'left'}`);
  });
});
