import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, fill } from '../../tools/editor/drive/act.ts';
import { conversation, header, markdownRow, row, setup } from './rig/samples.ts';
import { usePage } from './rig/usePage.ts';

const open = usePage([setup]);
const body = () => open.page.locator('article .row-body');
const show = (text: string) => open.tell(conversation([markdownRow('m', text)]));
const field = () => open.page.getByRole('textbox', { name: 'Message' });
const directionOf = (target: Locator) => target.evaluate((node) => getComputedStyle(node).direction);
/** Distances in px from the left and right edges of an element's box to its text. */
const textBox = (target: Locator) =>
  target.evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right } = range.getBoundingClientRect();
    const box = node.getBoundingClientRect();
    return { fromLeftPx: left - box.left, fromRightPx: box.right - right };
  });

describe('right-to-left messages', () => {
  it('are right-aligned, with the direction of each paragraph set by its first word', async () => {
    await show('راجع الملف من فضلك\n\nThen in English');
    const [arabic, english] = [body().locator('p').first(), body().locator('p').last()];
    expect(await directionOf(arabic)).toBe('rtl');
    expect((await textBox(arabic)).fromRightPx).toBeLessThan(1);
    expect((await textBox(arabic)).fromLeftPx).toBeGreaterThan(20);
    expect(await directionOf(english)).toBe('ltr');
    expect((await textBox(english)).fromLeftPx).toBeLessThan(1);
  });

  it('keep inline code and code blocks left-to-right', async () => {
    await show('ראה את `src/basket.ts` שם\n\n```ts\nconst sum = 1; // סכום\n```');
    const inline = body().locator('p code');
    expect(await directionOf(inline)).toBe('ltr');
    expect(await inline.evaluate((node) => getComputedStyle(node).unicodeBidi)).toBe('isolate');
    const line = body().locator('pre');
    expect(await directionOf(line)).toBe('ltr');
    expect((await textBox(body().locator('pre code'))).fromLeftPx).toBeLessThan(1);
  });

  it.each([
    ['close together', '- ראשון\n- second\n- שלישי'],
    ['set apart', '- ראשון\n\n- second\n\n- שלישי'],
  ])('leave room for the markers of a list with items %s, on the side where each item starts', async (_, text) => {
    await show(text);
    const list = (await body().locator('ul').boundingBox())!;
    const sides = await body()
      .locator('li')
      .evaluateAll((items) =>
        items.map((item) => {
          const { left, right } = item.getBoundingClientRect();
          return { left, right, direction: getComputedStyle(item).direction };
        }),
      );
    expect(sides.map(({ direction }) => direction)).toEqual(['rtl', 'ltr', 'rtl']);
    for (const { left, right, direction } of sides) {
      const roomPx = direction === 'rtl' ? list.x + list.width - right : left - list.x;
      expect(roomPx).toBeGreaterThan(15);
    }
  });

  it('have the quote bar and the first table column on the right', async () => {
    await show('> ציטוט\n\n| שם | ערך |\n|---|---|\n| אחד | 1 |');
    const quote = body().locator('blockquote');
    expect(await quote.evaluate((node) => getComputedStyle(node).borderRightWidth)).toBe('3px');
    const [first, second] = await body()
      .locator('th')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
    expect(first).toBeGreaterThan(second ?? Infinity);
    await show('> quote\n\n| name | value |\n|---|---|\n| שם | 1 |');
    expect(await quote.evaluate((node) => getComputedStyle(node).borderLeftWidth)).toBe('3px');
    expect(await directionOf(body().locator('table'))).toBe('ltr');
  });
});

describe('the elements of a message', () => {
  const word = 'שלום';
  /** The name and the direction of the parent of each text node that contains `text`. */
  const directionsOf = (text: string) =>
    body().evaluate((root, part) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const { parentElement: holder } = node;
        if (holder && node.textContent?.includes(part))
          found.push(`${holder.localName} ${getComputedStyle(holder).direction}`);
      }
      return found;
    }, text);

  it('have the direction of their own words', async () => {
    const blocks = [
      `# ${word}`,
      `- ${word}`,
      `> ${word}`,
      `| a | ${word} |\n| - | - |\n| b | ${word} |`,
      `<details>\n<summary>${word}</summary>\n\na\n\n</details>`,
      `<!-- ${word} -->`,
      `a <!-- ${word} --> [^${word}]`,
      `[^${word}]: ${word}`,
    ];
    await show(blocks.join('\n\n'));
    const names = ['h3', 'li', 'p', 'th', 'td', 'summary', 'div', 'span'];
    const references = ['a ltr', 'a rtl', 'p rtl'];
    expect(await directionsOf(word)).toEqual([...names.map((name) => `${name} rtl`), ...references]);
    expect(await directionOf(body().locator('.footnote'))).toBe('rtl');
    const long = `${word} ${'a'.repeat(30_000)}`;
    await show(long);
    expect(await directionsOf(word)).toEqual(['div rtl']);
  });

  it('are left-to-right if they are code or formulas, drawn or not', async () => {
    const long = `${'a+'.repeat(800)}a`;
    const lines = [
      `${word} \`a\` $a^2$ $${long}$`,
      '',
      `> ${word}`,
      '>',
      '> $$a^2$$',
      '>',
      `> $$${long}$$`,
      '>',
      '>     a',
    ];
    await show(lines.join('\n'));
    await expect.poll(() => body().locator('math').count()).toBe(2);
    const directions = await directionsOf('a');
    expect(directions.filter((one) => !one.endsWith('ltr'))).toEqual([]);
    const holders = body().locator('.formula, .formula-block, .code-block');
    expect(await holders.evaluateAll((all) => all.map((one) => getComputedStyle(one).direction))).toEqual(
      Array.from({ length: 5 }, () => 'ltr'),
    );
  });
});

/** The letters of an element from left to right, as they are drawn, without the codes of bidirectional controls. */
const drawn = (target: Locator) =>
  target.evaluate((node) => {
    const places: { letter: string; left: number; top: number }[] = [];
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!(text instanceof Text) || text.parentElement?.classList.contains('bidi-control')) continue;
      for (const [index, letter] of Array.from(text.data).entries()) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        const { left, top } = range.getBoundingClientRect();
        places.push({ letter, left, top });
      }
    }
    return places
      .sort((one, other) => one.left - other.left)
      .map(({ letter }) => letter)
      .join('');
  });

describe('controls of the direction', () => {
  const controls = ['202A', '202B', '202C', '202D', '202E', '2066', '2067', '2068', '2069'];
  const character = (code: string) => String.fromCodePoint(Number.parseInt(code, 16));
  const mark = (holder: Locator) => holder.locator('.bidi-control');
  const shownCode = (target: Locator) =>
    target.evaluate((node) => getComputedStyle(node, '::before').content.replaceAll('"', ''));

  it.each(controls)('are shown as codes and change no order: U+%s', async (code) => {
    await show(`ab${character(code)}gnp.exe`);
    const text = body().locator('p');
    expect(await text.textContent()).toBe(`ab${character(code)}gnp.exe`);
    expect(await shownCode(mark(text))).toBe(`[U+${code}]`);
    expect((await mark(text).boundingBox())!.width).toBeGreaterThan(20);
    expect(await drawn(text)).toBe('abgnp.exe');
  });

  const hostile = 'x\u202efdp\u2066.exe';

  it('are shown wherever a message shows text', async () => {
    const texts = [
      hostile,
      `**${hostile}** and [${hostile}](https://x.test)`,
      `\`${hostile}\``,
      `- ${hostile}`,
      `| a |\n| - |\n| ${hostile} |`,
      `# ${hostile}`,
      `> ${hostile}`,
      `\`\`\`\n${hostile}\n\`\`\``,
      `\`\`\`ts\nconst a = '${hostile}';\n\`\`\``,
      `$$${hostile}$$`,
      `<!-- ${hostile} -->`,
      `![${hostile}](https://x.test/a.png)`,
      `see src/${hostile}`,
      `&#x202e;fdp`,
      'word '.repeat(9_000) + hostile,
    ];
    for (const text of texts) {
      await show(text);
      await expect.poll(() => mark(body()).count()).toBeGreaterThan(0);
      // Highlighting and long texts are drawn when the page is idle.
      await expect.poll(() => body().evaluate(unmarkedControls)).toEqual([]);
    }
  });

  it('are shown in titles, names, steps, notes, and the output of tools', async () => {
    const blocks = [
      { type: 'code', text: `a \u001b[31m${hostile}\u001b[0m ${hostile}` },
      { type: 'code', text: hostile },
      { type: 'note', text: hostile },
      { type: 'note', text: hostile, href: 'https://x.test' },
      { type: 'file', name: hostile, detail: '1 KB' },
      {
        type: 'fold',
        kind: 'toolUse',
        title: hostile,
        detail: hostile,
        isError: true,
        result: { text: hostile, isError: true },
        blocks: [{ type: 'markdown', text: hostile }],
      },
    ] as const;
    await open.tell(conversation([row('m', blocks)], { header: { ...header, title: hostile } }));
    await expect.poll(() => mark(open.page.locator('h1')).count()).toBe(2);
    await expect.poll(() => mark(body()).count()).toBeGreaterThan(12);
    expect(await open.page.evaluate(() => document.querySelector('.fold-title')?.textContent)).toBe(hostile);
    expect(await body().evaluate(unmarkedControls)).toEqual([]);
  });

  it('are shown in names above the composer, in its suggestions, and in quotes of comments', async () => {
    const attachment = { attachmentId: 'a', name: hostile, detail: hostile, kind: 'file' } as const;
    const long = { ...attachment, attachmentId: 'b', name: `${'a'.repeat(30)}${hostile}` };
    const comment = { commentId: 'c', messageId: 'm', key: 'm', quote: hostile, offset: 0, text: '' };
    await open.tell(
      conversation([markdownRow('m', 'text')], {
        header: { ...header, model: hostile, plan: { label: hostile, current: hostile, version: '1' } },
        composer: {
          attachments: [attachment, long],
          canSend: true,
          hint: hostile,
          failure: hostile,
          computer: hostile,
        },
        comments: { items: [comment] },
      }),
    );
    await click(open.page.getByRole('button', { name: '1 comment' }));
    await fill(field(), '@');
    const suggestion = { suggestionId: 's', label: hostile, matches: [0], detail: hostile, insertion: 'a' };
    await open.answer('suggest', { suggestions: [suggestion], note: '' });
    await open.page.getByRole('option').waitFor();
    for (const name of ['.chip-name', '.chip-detail', '.comment-quote', '.suggestion-label', '.suggestion-detail']) {
      expect(await mark(open.page.locator(name)).count(), name).toBeGreaterThanOrEqual(2);
    }
    expect(await open.page.locator('body').evaluate(unmarkedControls)).toEqual([]);
  });

  it('are shown in the description of a picture that is a file', async () => {
    await show(`![${hostile}](src/a.png) ![b](src/${hostile})`);
    await expect.poll(() => mark(body()).count()).toBeGreaterThan(1);
    expect(await body().evaluate(unmarkedControls)).toEqual([]);
  });

  it('are codes in tooltips', async () => {
    const filter = { detailLevel: 'answers', summary: hostile } as const;
    const attachments = [{ attachmentId: 'a', name: hostile, detail: '1 KB', kind: 'file', canPreview: true }] as const;
    const blocks = [
      { type: 'markdown', text: `[a](https://x.test/ "${hostile}") and src/${hostile}` },
      { type: 'file', name: hostile, detail: hostile },
      {
        type: 'fold',
        kind: 'toolUse',
        title: 'a',
        detail: hostile,
        isError: false,
        result: { text: hostile, isError: false },
        blocks: [],
      },
    ] as const;
    const badges = [{ label: 'a', hint: hostile }];
    await open.tell(
      conversation([{ ...row('m', blocks), badges }], { header: { ...header, title: hostile, filter } }),
      { type: 'composer', composer: { attachments, canSend: true, hint: hostile } },
    );
    const shown = 'x[U+202E]fdp[U+2066].exe';
    const tooltips = () =>
      open.page.locator('[title]').evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    await expect.poll(async () => (await tooltips()).filter((text) => text?.includes(shown)).length).toBeGreaterThan(5);
    expect((await tooltips()).filter((text) => /[\u202a-\u202e\u2066-\u2069]/.test(text ?? ''))).toEqual([]);
  });

  it('are copied and found as they are', async () => {
    await show(`ab${hostile}`);
    const copied = await body().evaluate((node) => {
      getSelection()?.selectAllChildren(node);
      return getSelection()?.toString().trim();
    });
    expect(copied).toBe(`ab${hostile}`);
  });

  it('draw the codes of the first eight of a run', async () => {
    await show(`a${'\u202e'.repeat(9)}b`);
    expect(await shownCode(mark(body()))).toBe(`${'[U+202E]'.repeat(8)}…`);
  });

  it('are not needed for Arabic and Hebrew, whose text stays right', async () => {
    await show('שלום abc עולם');
    expect(await mark(body()).count()).toBe(0);
    expect(await drawn(body().locator('p'))).toBe('םלוע abc םולש');
  });
});

/** Runs in the page: returns the HTML around visible text with controls that aren't drawn as codes. */
function unmarkedControls(root: Element): string[] {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const isMarked = node.parentElement?.classList.contains('bidi-control') === true;
    const isSpoken = node.parentElement?.classList.contains('visually-hidden') === true;
    if (!isMarked && !isSpoken && /[\u202a-\u202e\u2066-\u2069]/.test(node.textContent ?? '')) {
      found.push(node.parentElement?.outerHTML.slice(0, 200) ?? '');
    }
  }
  return found;
}

describe('a right-to-left draft', () => {
  it('starts on the right, and clicks near its edges set the caret', async () => {
    const text = 'שלום, בדוק את src/basket.ts';
    await open.tell(conversation([]));
    await fill(field(), text);
    expect(await directionOf(field())).toBe('rtl');
    const { width, height } = (await field().boundingBox())!;
    const caret = () => field().evaluate((node) => node instanceof HTMLTextAreaElement && node.selectionStart);
    await click(field(), { position: { x: width - 2, y: height / 2 } });
    expect(await caret()).toBe(0);
    await click(field(), { position: { x: 2, y: height / 2 } });
    expect(await caret()).toBe(text.length);
    await fill(field(), 'Hello, שלום');
    expect(await directionOf(field())).toBe('ltr');
  });

  it('shows right-to-left attachment names before their details', async () => {
    const name = 'סל קניות.ts';
    const attachments = [{ attachmentId: 'a', name, detail: '1 KB, unsaved', kind: 'file' }] as const;
    await open.tell(conversation([]), { type: 'composer', composer: { attachments, canSend: true, hint: '' } });
    const chips = open.page.getByRole('list', { name: 'Attachments' });
    const [nameBox, detailBox] = [
      await chips.locator('.chip-name').boundingBox(),
      await chips.locator('.chip-detail').boundingBox(),
    ];
    expect(nameBox!.x).toBeLessThan(detailBox!.x);
    expect(await directionOf(chips.locator('.chip-name'))).toBe('rtl');
    expect(await directionOf(chips.locator('.chip-detail'))).toBe('ltr');
  });
});
