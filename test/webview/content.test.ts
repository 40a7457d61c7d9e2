import { describe, expect, it } from 'vitest';
import { click, press } from '../../tools/editor/drive/act.ts';
import type { PageBlock } from '../../src/shared/protocol/rowTypes.ts';
import { conversation, markdownRow, row, setup } from './rig/samples.ts';
import { tinyPng } from './rig/showcase.ts';
import { usePage } from './rig/usePage.ts';

const open = usePage([setup]);

const body = () => open.page.locator('article .row-body');
const show = (text: string) => open.tell(conversation([markdownRow('m', text)]));
const showBlocks = (...blocks: PageBlock[]) => open.tell(conversation([row('m', blocks)]));
const directionOf = (selector: string) =>
  body()
    .locator(selector)
    .evaluate((node) => getComputedStyle(node).direction);

describe('the Copy button of code', () => {
  it('shows a check mark until the pointer or the focus leaves it', async () => {
    await show('```\na\n```');
    const button = body().getByRole('button', { name: 'Copy' });
    const copyIcon = await button.innerHTML();
    await click(button);
    const checkMark = await button.innerHTML();
    expect(checkMark).not.toBe(copyIcon);
    await open.page.mouse.move(0, 0);
    expect(await button.innerHTML()).toBe(copyIcon);
    await press(button, 'Enter');
    expect(await button.innerHTML()).toBe(checkMark);
    await press(open.page, 'Tab');
    expect(await button.innerHTML()).toBe(copyIcon);
  });
});

describe('a line break', () => {
  it('is one, in a paragraph and in a list', async () => {
    await show(
      '**Output**\nText:  \nJSON:<br>end<br>\nof<br /> \n all\n\n- **a**\n  b  \n  c\n  1. d\n     e\n\n> f\n> g',
    );
    const lines = ['Output\nText:\nJSON:\nend\nof\nall', 'a\nb\nc\nd\ne', 'f\ng'];
    const shown = await body()
      .locator('.markdown > *')
      .evaluateAll((nodes) => nodes.map((node) => (node instanceof HTMLElement ? node.innerText : '')));
    expect(shown).toEqual(lines);
  });
});

describe('a prompt', () => {
  it('keeps each line break once, and backslashes at the ends of lines', async () => {
    await open.tell(
      conversation([markdownRow('m', 'go run . \\\n  --tags  \nfor __name__<br>and **a  \nb**', { role: 'user' })]),
    );
    expect(await body().innerText()).toBe('go run . \\\n--tags\nfor __name__\nand a\nb');
  });
});

describe('code', () => {
  it('has the direction left to right even in text that has the other one', async () => {
    await show('> שלום עולם\n>\n> ```\n> a = (b)\n> ```');
    expect(await directionOf('blockquote')).toBe('rtl');
    expect(await directionOf('.code-block')).toBe('ltr');
    expect(await directionOf('pre')).toBe('ltr');
  });

  it('has a short label and sends a short language', async () => {
    await showBlocks({ type: 'code', text: 'a', language: 'x'.repeat(200) });
    expect(await body().locator('.code-language').textContent()).toHaveLength(40);
    await click(body().getByRole('button', { name: 'Open in New File' }));
    expect((await open.waitForPost('newFile')).language).toHaveLength(100);
  });

  it('in a language that was already used is highlighted too', async () => {
    for (const name of ['first', 'second']) {
      await show(`\`\`\`ts\nconst ${name} = 1;\n\`\`\``);
      await expect.poll(() => body().locator('.hljs-keyword').textContent()).toBe('const');
      expect(await body().locator('code').textContent()).toBe(`const ${name} = 1;`);
    }
  });

  it('that is nested 10,000 times keeps its text', async () => {
    const text = `${'`${\n'.repeat(10_000)}end`;
    await showBlocks({ type: 'code', text, language: 'ts' });
    await expect.poll(() => body().locator('.hljs-string').count()).toBeGreaterThan(10);
    expect(await body().locator('code').textContent()).toBe(text);
    expect(open.errors).toEqual([]);
  });

  it('loses only the last line break', async () => {
    await showBlocks({ type: 'code', text: 'a\n\nb\n\n' });
    expect(await body().locator('code').textContent()).toBe('a\n\nb\n');
  });
});

describe('a note', () => {
  it('is a link with the direction of its text if it has an allowed address', async () => {
    const href = 'https://example.com/';
    await showBlocks({ type: 'note', text: 'שלום', href });
    expect(await directionOf('.note')).toBe('rtl');
    expect(await body().getByRole('link', { name: 'שלום' }).getAttribute('href')).toBe(href);
    expect(await body().getByRole('link').getAttribute('title')).toBe(href);
    await showBlocks({ type: 'note', text: 'שלום', href: 'javascript:alert(1)' });
    expect(await directionOf('.note')).toBe('rtl');
    expect(await body().getByRole('link').count()).toBe(0);
  });
});

describe('a tool call', () => {
  const call = (isError: boolean): PageBlock => ({
    type: 'fold',
    kind: 'toolUse',
    title: 'Read',
    detail: 'src/a.ts',
    isError: false,
    blocks: [{ type: 'markdown', text: 'inside' }],
    result: { text: '12 lines', isError },
  });

  it('shows its result once, and has it in words for screen readers', async () => {
    await showBlocks(call(false));
    const button = body().getByRole('button');
    const result = button.locator('.fold-result');
    expect(await result.textContent()).toBe('12 lines');
    expect(await result.getAttribute('title')).toBe('12 lines');
    expect(await button.ariaSnapshot()).toContain(', result: 12 lines"');
    expect((await button.getByText(', result').boundingBox())!.width).toBeLessThan(2);
    expect(await button.locator('.fold-detail').getAttribute('title')).toBe('src/a.ts');
    expect(await button.locator('.fold-error').count()).toBe(0);
    await click(button);
    expect(await body().locator('.fold-inside').textContent()).toBe('inside');
    await click(button);
    expect(await body().locator('.fold-inside').isVisible()).toBe(false);
    await click(button);
    expect(await body().locator('.fold-inside').textContent()).toBe('inside');
  });

  it('has the icon of an error if it failed, but stays collapsed', async () => {
    await showBlocks(call(true));
    const button = body().getByRole('button');
    expect(await button.locator('.fold-error').count()).toBe(1);
    expect(await button.getAttribute('aria-expanded')).toBe('false');
  });
});

describe('a part that can be expanded', () => {
  it.each(['thinking', 'toolUse', 'toolResult', 'parsedText', 'context', 'raw'] as const)(
    'has an icon: %s',
    async (kind) => {
      await showBlocks({ type: 'fold', kind, title: 'Part', isError: false, blocks: [] });
      expect(await body().locator('.fold-button svg').count()).toBe(2);
      expect(await body().locator('.fold').getAttribute('data-kind')).toBe(kind);
    },
  );
});

describe('the mark of a part that can be expanded', () => {
  it('turns while it is expanded', async () => {
    await showBlocks({ type: 'fold', kind: 'raw', title: 'Part', isError: false, blocks: [] });
    const button = body().locator('.fold-button');
    const turn = () =>
      button.evaluate((node) => [...node.querySelectorAll('svg')].map((svg) => getComputedStyle(svg).transform));
    expect(await turn()).toEqual(['none', 'none']);
    await click(button);
    expect(await turn()).toEqual([expect.stringContaining('matrix'), 'none']);
  });
});

describe('a file', () => {
  const shown = { name: 'plan.pdf', detail: 'application/pdf, 3 B' };

  it('has its name, its details, and both as tooltips', async () => {
    await showBlocks({ type: 'file', ...shown });
    const parts = body().locator('.file bdi');
    expect(await parts.allTextContents()).toEqual(Object.values(shown));
    const titles = await parts.evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    expect(titles).toEqual([`${shown.name}\n${shown.detail}`, shown.detail]);
  });

  it.each(['3 B', 'src, 790 B'])('shows the detail %s as a whole where it fits', async (detail) => {
    await showBlocks({ type: 'file', name: 'plan.pdf', detail });
    const shown = await body()
      .locator('.detail-room')
      .evaluate((room) => {
        const text = document.createRange();
        text.selectNodeContents(room);
        const [own, inner] = [room.getBoundingClientRect(), text.getBoundingClientRect()];
        return inner.bottom <= own.bottom + 1 && inner.width <= own.width;
      });
    expect(shown).toBe(true);
  });

  it('leaves out its details unless there is room for some letters', async () => {
    await showBlocks({ type: 'file', ...shown });
    const { width = 0, height = 0 } = open.page.viewportSize() ?? {};
    const widths: number[] = [];
    for (let narrow = 300; narrow > 100; narrow -= 10) {
      await open.page.setViewportSize({ width: narrow, height });
      widths.push(
        await body()
          .locator('.detail-room')
          .evaluate((room) => {
            const [own, detail] = [room.getBoundingClientRect(), room.firstElementChild?.getBoundingClientRect()];
            return detail && detail.top < own.bottom ? detail.width : 0;
          }),
      );
    }
    await open.page.setViewportSize({ width, height });
    expect(widths[0]).toBeGreaterThan(80);
    expect(widths.at(-1)).toBe(0);
    expect(widths.filter((each) => each > 0 && each < 40)).toEqual([]);
  });
});

describe('an image', () => {
  const address = (base64: string) => `data:image/png;base64,${base64}`;

  it('in Markdown has its description, and a note or a link replaces one that is not drawn', async () => {
    await show(
      `![a **b**](${address(tinyPng)}) ![](${address(tinyPng)}) ![c](${address('QUFB')}) ![](${address('QUFB')})`,
    );
    const images = body().locator('img');
    expect(await images.evaluateAll((all) => all.map((one) => one.getAttribute('alt')))).toEqual(['a b', 'Image']);
    expect(await images.first().getAttribute('src')).toBe(address(tinyPng));
    expect(await body().locator('.note').allTextContents()).toEqual(['c', "Can't display this image."]);
    const remote = 'https://example.com/a.png';
    await show(`![a chart](${remote}) ![](${remote})`);
    const text = `Remote image (not loaded): ${remote}`;
    expect(await body().locator('a.remote-image').allTextContents()).toEqual([`a chart — ${text}`, text]);
  });

  it('has a zoom cursor only if it can be opened', async () => {
    const image = { type: 'image', mediaType: 'image/png', base64: tinyPng } as const;
    await showBlocks(image, { ...image, part: { messageId: 'm', path: '0' } });
    const cursors = await body()
      .locator('img')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).cursor));
    expect(cursors).toEqual(['auto', 'zoom-in']);
  });
});

describe('formulas', () => {
  const drawn = () => body().locator('math').count();
  /** Shows formulas followed by another one, and waits until that one is drawn, which usually happens last. */
  const showAll = async (...formulas: string[]) => {
    await show([...formulas, 'e'].map((source) => `$$${source}$$`).join('\n\n'));
    await expect.poll(() => body().locator('.formula-block').last().locator('math').count()).toBe(1);
  };

  it('are drawn up to 1,500 characters', async () => {
    await showAll('a+'.repeat(750).slice(0, -1), `${'a+'.repeat(749)}ab`);
    // The others can be drawn after the last one.
    await expect.poll(drawn).toBe(3);
    await showAll(`${'a+'.repeat(750)}a`);
    expect(await drawn()).toBe(1);
    expect(await body().locator('code').textContent()).toHaveLength(1_505);
  });

  it('are drawn up to 200 cells', async () => {
    const cells = (separators: number) => `\\begin{matrix}${'a&'.repeat(separators)}a\\end{matrix}`;
    await showAll(cells(200), cells(201));
    expect(await drawn()).toBe(2);
  });

  it.each(['\\def\\a{b}', '\\newcommand{\\a}{b}', '\\let\\a b'])('are not drawn if they contain %s', async (source) => {
    await showAll(source);
    expect(await drawn()).toBe(1);
  });
});

describe('Markdown', () => {
  it('has headings below those of the page, and lists with their first number', async () => {
    await show('# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f\n\n5. five\n\ntext\n\n1. one');
    const headings = await body()
      .locator('h3, h4, h5, h6')
      .evaluateAll((all) => all.map((one) => `${one.localName} ${one.getAttribute('class')}`));
    expect(headings).toEqual(['h3', 'h4', 'h5', 'h6', 'h6', 'h6'].map((name, index) => `${name} heading-${index + 1}`));
    const starts = await body()
      .locator('ol')
      .evaluateAll((all) => all.map((one) => one.getAttribute('start')));
    expect(starts).toEqual(['5', null]);
  });

  it('has tables that scroll on their own, line breaks, rules, and emphasis', async () => {
    await show('| a |\n|:--|\n| b |\n\nc  \nd\\\ne\nf\n\n---\n\n*g* **h** ~~i~~');
    const frame = body().locator('.table-frame');
    expect(await frame.evaluate((node) => node.tabIndex)).toBe(0);
    expect(await frame.locator('thead tr th.align-left').textContent()).toBe('a');
    expect(await frame.locator('tbody tr td.align-left').textContent()).toBe('b');
    expect(await body().locator('p').first().innerHTML()).toBe('c<br>\nd<br>\ne\nf');
    expect(await body().locator('hr').count()).toBe(1);
    expect(await body().locator('em, strong, s').allTextContents()).toEqual(['g', 'h', 'i']);
  });

  it('has tables, code, formulas, and footnotes that Tab reaches in their order', async () => {
    await show('| a |\n|---|\n\n```ts\nb\n```\n\n$$\nc\n$$\n\nd[^1]\n\n[^1]: e');
    const tabIndexes = await body()
      .locator('.table-frame, pre, .formula-block, .footnote-link')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).tabIndex));
    expect(tabIndexes).toEqual([0, 0, 0, 0, 0]);
  });

  it.each(['https://example.com/%D7%A9', 'https://example.com/%E2%80%AE%0A', 'https://example.com/%E0'])(
    'has links whose tooltips are exactly their addresses: %s',
    async (href) => {
      await show(`[a](${href})`);
      expect(await body().locator('a').getAttribute('title')).toBe(href);
      expect(await body().locator('a').getAttribute('href')).toBe(href);
    },
  );

  it('has code blocks with and without a language', async () => {
    await show('```ts more\na\n```\n\n```\nb\n```\n\n    c\n\n```   \nd\n```');
    expect(await body().locator('.code-language').allTextContents()).toEqual(['ts']);
    expect(await body().locator('code').allTextContents()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is shown as source if it has more than 8,000 parts', async () => {
    const items = Array.from({ length: 1_999 }, () => '*a*').join(' ');
    await show(`x ${items} y`);
    expect(await body().locator('em').count()).toBe(1_999);
    const text = `x\n${items} y`;
    await show(text);
    expect(await body().locator('em').count()).toBe(0);
    expect(await body().locator('.plain').textContent()).toBe(text);
  });

  it('is shown as source where a line is too long to be formatted', async () => {
    const line = '**a** '.repeat(5_000).trim();
    await show(`*b*\n\n${line}`);
    await expect
      .poll(() => body().locator('.plain').allTextContents())
      .toEqual([line.slice(0, 24_000), line.slice(24_000)]);
    expect(await body().locator('em').textContent()).toBe('b');
    expect(await body().locator('strong').count()).toBe(0);
  });

  it('has character references, and shows unknown ones as they are', async () => {
    await show('&semi; &rarr; &amp; &lt; &gt; &quot; &nosuch; &ampx; &AMPx; &rarrx;');
    expect(await body().locator('p').textContent()).toBe('; → & < > " &nosuch; &ampx; &AMPx; &rarrx;');
  });

  it('has links for paths that exist, which can be reached with Tab', async () => {
    const paths = Array.from({ length: 101 }, (_, index) => `src/a${index}.ts`);
    await show(paths.join(' '));
    const first = await open.answer('findPaths', [{ path: 'src/a0.ts' }]);
    const second = await open.answer('findPaths', [{ path: 'src/a100.ts' }], 1);
    expect([first.paths, second.paths]).toEqual([paths.slice(0, 100), paths.slice(100)]);
    await expect.poll(() => body().getByRole('link').allTextContents()).toEqual(['src/a0.ts', 'src/a100.ts']);
    expect(await body().locator('p').textContent()).toBe(paths.join(' '));
    const tabIndexes = await body()
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).tabIndex));
    expect(tabIndexes).toEqual([0, 0]);
  });

  it('looks up a missing path only once when it is drawn again soon', async () => {
    await show('src/none.ts');
    await open.answer('findPaths', []);
    await show('src/none.ts and src/b.ts');
    expect((await open.waitForPost('findPaths', 1)).paths).toEqual(['src/b.ts']);
  });

  it('has paths at the start and end of a text, and in code', async () => {
    await show('src/a.ts\n\n`README.md`');
    await open.answer('findPaths', [{ path: 'src/a.ts' }, { path: 'README.md' }]);
    await expect.poll(() => body().getByRole('link').allTextContents()).toEqual(['src/a.ts', 'README.md']);
  });
});
