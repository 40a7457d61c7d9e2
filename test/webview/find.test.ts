import { describe, expect, it } from 'vitest';
import { click, fill, insertText, press } from '../../tools/editor/drive/act.ts';
import type { PageFind } from '../../src/shared/protocol/pageModel.ts';
import type { PageRow } from '../../src/shared/protocol/rowTypes.ts';
import type { OpenPage } from './rig/pageRig.ts';
import { conversation, manyRows, markdownRow, row, setup, shownSession } from './rig/samples.ts';
import { usePages } from './rig/usePage.ts';

const pages = usePages();
let open: OpenPage;

async function show(rows: readonly PageRow[]): Promise<void> {
  open = await pages.open();
  await open.tell(setup, conversation(rows));
}

const field = () => open.page.getByRole('searchbox', { name: 'Find in Conversation' });
const find = (part: Partial<PageFind>): PageFind => ({
  findId: 1,
  count: 0,
  isMore: false,
  isSearching: false,
  isOlderMissing: false,
  isOlderLoading: false,
  ...part,
});
const pattern = (source: string) => ({ source, flags: 'gmiu' });

/** The highlighted text on the page. */
const marked = (name = 'lineside-match') =>
  open.page.evaluate((name) => [...(CSS.highlights.get(name) ?? [])].map((range) => (range as Range).toString()), name);
const focused = () => open.page.evaluate(() => document.activeElement?.className);

/** Opens the find widget, enters `text`, and returns the search request that the page posts. */
async function lookFor(text: string) {
  const before = (await open.posted()).filter(({ type }) => type === 'find').length;
  await press(open.page, 'Control+f');
  await fill(field(), text);
  await expect.poll(async () => (await open.posted()).findLast((one) => one.type === 'find')).toMatchObject({ text });
  expect((await open.posted()).filter(({ type }) => type === 'find').length).toBeGreaterThan(before);
  return (await open.posted()).findLast((one) => one.type === 'find')!;
}

describe('the find widget', () => {
  it('opens with a button or a key, uses the selected text, and moves the focus to the list when closed', async () => {
    await show(manyRows(5));
    await click(open.page.getByRole('button', { name: 'Find in Conversation' }));
    expect(await field().evaluate((node) => node === document.activeElement)).toBe(true);
    await press(open.page, 'Escape');
    expect(await field().isVisible()).toBe(false);
    expect(await focused()).toBe('rows');
    expect(await open.waitForPost('findStop')).toEqual({ type: 'findStop', ...shownSession });
    await open.page.evaluate(() => {
      const text = document.querySelector('article p')?.firstChild;
      if (text) document.getSelection()?.setBaseAndExtent(text, 0, text, 7);
    });
    await press(open.page, 'Control+f');
    expect(await field().inputValue()).toBe('Message');
  });

  it('stays open while an input method handles a key', async () => {
    await show(manyRows(5));
    await lookFor('message');
    await field().evaluate((node) => {
      for (const key of ['Escape', 'Enter', 'F3']) {
        for (const init of [{ isComposing: true }, { keyCode: 229 }])
          node.dispatchEvent(new KeyboardEvent('keydown', { key, ...init, bubbles: true }));
      }
    });
    expect(await field().isVisible()).toBe(true);
    await press(field(), 'Enter');
    const posted = (await open.posted()).filter(({ type }) => type === 'findStep' || type === 'findStop');
    expect(posted.map(({ type }) => type)).toEqual(['findStep']);
  });

  it('opens with the key that the layout produces, or else the one on a US keyboard, and with Cmd on macOS', async () => {
    type Keys = Readonly<Record<'key' | 'code', string> & Partial<Record<'ctrlKey' | 'metaKey', true>>>;
    const opens = async (keys: Keys) => {
      await open.page.evaluate((init) => {
        const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true });
        document.querySelector('.rows')?.dispatchEvent(event);
      }, keys);
      const isOpen = await field().isVisible();
      if (isOpen) await press(open.page, 'Escape');
      return isOpen;
    };
    const presses: readonly Keys[] = [
      { key: 'f', code: 'KeyE', ctrlKey: true },
      { key: 't', code: 'KeyF', ctrlKey: true },
      { key: 'а', code: 'KeyF', ctrlKey: true },
      { key: 'f', code: 'KeyF', metaKey: true },
    ];
    const results = async () => {
      const all: boolean[] = [];
      for (const keys of presses) all.push(await opens(keys));
      return all;
    };
    await show(manyRows(5));
    expect(await results()).toEqual([true, false, true, false]);
    await open.page.evaluate(() => Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (Macintosh)' }));
    expect(await results()).toEqual([false, false, false, true]);
  });

  it('starts the search for what was typed before it steps', async () => {
    await show(manyRows(5));
    const { findId } = await lookFor('client');
    await open.page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('.find-field')!;
      input.value = 'server';
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    });
    const posts = (await open.posted()).filter(({ type }) => type === 'find' || type === 'findStep').slice(-2);
    expect(posts).toMatchObject([
      { type: 'find', findId: findId + 1, text: 'server' },
      { type: 'findStep', findId: findId + 1, by: 1 },
    ]);
  });

  it('starts no search when it is closed right after the last key', async () => {
    await show(manyRows(5));
    await lookFor('client');
    await open.page.evaluate(async () => {
      const input = document.querySelector<HTMLInputElement>('.find-field')!;
      const later = window.setTimeout.bind(window);
      Object.assign(window, { setTimeout: (run: () => void) => later(run, 0) });
      input.value = 'clients';
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      // A search would start before this, because timers of the same delay run in order.
      await new Promise((done) => later(done, 0));
    });
    const posted = (await open.posted()).map(({ type }) => type);
    expect(posted.lastIndexOf('find')).toBeLessThan(posted.lastIndexOf('findStop'));
  });

  it('searches for what the field shows, also if the pasted text is too long', async () => {
    await show(manyRows(5));
    await press(open.page, 'Control+f');
    await insertText(open.page, 'a'.repeat(3_000));
    expect(await field().inputValue()).toBe('a'.repeat(2_000));
    const searched = async () => (await open.posted()).findLast((one) => one.type === 'find')?.text;
    await expect.poll(searched).toBe('a'.repeat(2_000));
  });

  it('marks the match in the part of a long message that is not drawn yet', async () => {
    open = await pages.open({ prepare: () => (window.requestIdleCallback = () => 0) });
    const paragraph = 'Some words that fill the message. '.repeat(4);
    const text = [...Array.from({ length: 400 }, () => paragraph), 'the needle'].join('\n\n');
    await open.tell(setup, conversation([...manyRows(20), markdownRow('long', text)]));
    expect(await open.page.getByText('the needle').count()).toBe(0);
    const { findId } = await lookFor('needle');
    const match = { key: 'long', block: 0, place: 0 };
    await open.tell({ type: 'found', find: find({ findId, pattern: pattern('needle'), count: 1, index: 0, match }) });
    await expect.poll(() => marked('lineside-match-current')).toEqual(['needle']);
    await expect.poll(() => open.page.getByText('the needle').isVisible()).toBe(true);
  });

  it('sends the query and options to the host, and steps through matches by key', async () => {
    await show(manyRows(5));
    const asked = await lookFor('client');
    expect(asked).toMatchObject({ text: 'client', isCase: false, isWord: false, isRegex: false });
    const box = (name: string) => open.page.getByRole('checkbox', { name });
    await click(box('Match Case'));
    await click(box('Match Whole Word'));
    await press(open.page, 'Alt+r');
    await expect
      .poll(async () => (await open.posted()).findLast((one) => one.type === 'find'))
      .toMatchObject({ isCase: true, isWord: true, isRegex: true });
    await field().focus();
    for (const key of ['Enter', 'Shift+Enter', 'F3', 'Shift+F3']) await press(open.page, key);
    const steps = (await open.posted()).flatMap((one) => (one.type === 'findStep' ? [one.by] : []));
    expect(steps).toEqual([1, -1, 1, -1]);
  });

  it('shows the match count, no results, or an error', async () => {
    await show(manyRows(5));
    const { findId } = await lookFor('client');
    const count = open.page.locator('.find-count');
    await open.tell({ type: 'found', find: find({ findId, count: 1_120, index: 2, pattern: pattern('client') }) });
    expect(await count.innerText()).toBe('3 of 1,120');
    await open.tell({ type: 'found', find: find({ findId, count: 20_000, index: 0, isMore: true }) });
    expect(await count.innerText()).toBe('1 of 20,000+');
    await open.tell({ type: 'found', find: find({ findId, isMore: true }) });
    expect(await count.innerText()).toBe('? of 0+');
    await open.tell({ type: 'found', find: find({ findId }) });
    expect(await count.innerText()).toBe('No results');
    expect(await open.page.getByRole('button', { name: 'Next Match' }).isDisabled()).toBe(true);
    await open.tell({ type: 'found', find: find({ findId, failure: 'Invalid regular expression' }) });
    expect(await open.page.getByRole('alert').innerText()).toBe('Invalid regular expression');
    expect(await field().getAttribute('aria-invalid')).toBe('true');
    // Results of an earlier search are ignored.
    await open.tell({ type: 'found', find: find({ findId: findId - 1, count: 7, index: 0 }) });
    expect(await count.innerText()).toBe('');
  });

  it('offers to load the remaining messages first', async () => {
    await show(manyRows(5));
    const { findId } = await lookFor('client');
    const rest = open.page.getByRole('button', { name: 'Load All Messages' });
    expect(await rest.isVisible()).toBe(false);
    await open.tell({ type: 'found', find: find({ findId, isOlderMissing: true }) });
    await click(rest);
    expect(await open.waitForPost('loadRest')).toEqual({ type: 'loadRest', ...shownSession });
    await open.tell({ type: 'found', find: find({ findId, isOlderMissing: true, isOlderLoading: true }) });
    expect(await rest.isDisabled()).toBe(true);
  });

  it('searches again with Enter after a search that failed', async () => {
    await show(manyRows(5));
    const { findId } = await lookFor('client');
    await open.tell({ type: 'found', find: find({ findId, failure: "Couldn't search the conversation" }) });
    const searches = async () => (await open.posted()).filter(({ type }) => type === 'find').length;
    const before = await searches();
    await press(field(), 'Enter');
    await expect.poll(searches).toBe(before + 1);
    const again = (await open.posted()).findLast((one) => one.type === 'find');
    expect(again).toMatchObject({ text: 'client', findId: findId + 1 });
  });

  it('keeps the focus when the control that has it is disabled or removed', async () => {
    await show([markdownRow('a', 'red')]);
    const { findId } = await lookFor('red');
    const result = find({ findId, count: 1, index: 0, pattern: pattern('red'), isOlderMissing: true });
    await open.tell({ type: 'found', find: { ...result, match: { key: 'a', place: 0 } } });
    const hasFocus = () => field().evaluate((node) => node === document.activeElement);
    const button = (name: string) => open.page.getByRole('search').getByRole('button', { name });
    await button('Load All Messages').focus();
    await open.tell({ type: 'found', find: { ...result, isOlderLoading: true } });
    await expect.poll(hasFocus).toBe(true);
    await button('Show All').focus();
    await open.tell({ type: 'found', find: { ...result, match: { key: 'a', block: 0, place: 0 } } });
    await expect.poll(hasFocus).toBe(true);
    await button('Next Match').focus();
    await open.tell({ type: 'found', find: find({ findId }) });
    await expect.poll(hasFocus).toBe(true);
  });
});

describe('matches', () => {
  it('are highlighted in visible messages, across emphasis, and never in buttons', async () => {
    await show([
      markdownRow('a', 'A **red** apple, red `red`.\n\n```ts\nconst red = 1;\n```'),
      markdownRow('b', 'infra**red** light'),
    ]);
    const { findId } = await lookFor('red');
    await open.tell({ type: 'found', find: find({ findId, count: 5, index: 0, pattern: pattern('red') }) });
    // The code is drawn again when the syntax highlighter has loaded, and its match is then highlighted again.
    await expect.poll(() => marked()).toEqual(['red', 'red', 'red', 'red', 'red']);
    const next = await lookFor('infrared l');
    await open.tell({
      type: 'found',
      find: find({ findId: next.findId, count: 1, index: 0, pattern: pattern('infrared l') }),
    });
    await expect.poll(() => marked()).toEqual(['infrared l']);
    await press(open.page, 'Escape');
    expect(await marked()).toEqual([]);
  });

  it("are highlighted across all elements that don't begin a line", async () => {
    const parts = ['a[b](https://b.test)c', '`d`e*f*g', '<kbd>h</kbd>~~i~~**j**', '<sub>k</sub><sup>l</sup><u>m</u>n'];
    await show([markdownRow('a', parts.join(''))]);
    const { findId } = await lookFor('abcdefghijklmn');
    const found = find({ findId, count: 1, index: 0, pattern: pattern('abcdefghijklmn') });
    await open.tell({ type: 'found', find: found });
    await expect.poll(() => marked()).toEqual(['abcdefghijklmn']);
  });

  it('are no longer highlighted when another search has ended without any', async () => {
    await show([markdownRow('a', 'A red apple.')]);
    const { findId } = await lookFor('red');
    await open.tell({ type: 'found', find: find({ findId, count: 1, index: 0, pattern: pattern('red') }) });
    await expect.poll(() => marked()).toEqual(['red']);
    const next = await lookFor('redder');
    for (const isSearching of [true, false]) {
      await open.tell({ type: 'found', find: find({ findId: next.findId, count: 0, isSearching }) });
    }
    await expect.poll(() => marked()).toEqual([]);
  });

  it('are highlighted again in a message whose text changes, is added, or is hidden', async () => {
    await show([markdownRow('a', 'A blue apple.\n\nIt was red.')]);
    const { findId } = await lookFor('red');
    await open.tell({ type: 'found', find: find({ findId, count: 1, index: 0, pattern: pattern('red|green') }) });
    await expect.poll(() => marked()).toEqual(['red']);
    const [first, second] = await open.page.locator('article[data-key="a"] .row-body p').all();
    await first?.evaluate((node) => Object.assign(node.firstChild ?? {}, { nodeValue: 'A green apple.' }));
    await expect.poll(() => marked()).toEqual(['green', 'red']);
    await second?.evaluate((node) => node.append(' And green.'));
    await expect.poll(() => marked()).toEqual(['green', 'red', 'green']);
    await second?.evaluate((node) => node.setAttribute('hidden', ''));
    await expect.poll(() => marked()).toEqual(['green']);
  });

  it('are searched again only in the message that changes', async () => {
    await show([markdownRow('a', 'A red apple.'), markdownRow('b', 'A red pear.')]);
    const { findId } = await lookFor('red');
    await open.tell({ type: 'found', find: find({ findId, count: 2, index: 0, pattern: pattern('red|green') }) });
    await expect.poll(() => marked()).toEqual(['red', 'red']);
    const ranges = await open.page.evaluateHandle(() => [...(CSS.highlights.get('lineside-match') ?? [])]);
    const pear = open.page.locator('article[data-key="b"] .row-body p');
    await pear.evaluate((node) => Object.assign(node.firstChild ?? {}, { nodeValue: 'A green pear.' }));
    await expect.poll(() => marked()).toEqual(['red', 'green']);
    const areSame = await ranges.evaluate((before) => {
      const after = [...(CSS.highlights.get('lineside-match') ?? [])];
      return before.map((range, index) => range === after[index]);
    });
    expect(areSame).toEqual([true, false]);
  });

  it('span every element of a line, and no two blocks', async () => {
    const middles = ['*b*', '**b**', '~~b~~', '`b`', '<kbd>b</kbd>', '<u>b</u>', '<sub>b</sub>', '<sup>b</sup>'];
    const links = ['[b](https://example.com)', '[b](src/b.ts)', '***b***'];
    const lines = [...middles, ...links].map((middle) => `(a${middle}c)`);
    const blocks = ['(a', 'bc)', '- (a', '- bc)', '| (a | bc) |\n| - | - |\n| (a | bc) |', '(a\u202ebc)'];
    await show([markdownRow('m', [...lines, ...blocks].join('\n\n'))]);
    const { findId } = await lookFor('abc');
    const count = lines.length + 1;
    const source = '\\(a\u202e?bc\\)';
    await open.tell({ type: 'found', find: find({ findId, count, index: 0, pattern: pattern(source) }) });
    await expect.poll(() => marked()).toEqual([...lines.map(() => '(abc)'), '(a\u202ebc)']);
  });

  it('are in what the message says, and not in labels, remarks, and previews', async () => {
    const name = 'needle';
    const options = [{ label: `${name} 1`, detail: `${name} 2`, failure: name }];
    const question = { header: `${name} 3`, text: `${name} 4`, quote: name, isMultiple: false, options };
    const about = { label: name, answer: name, isApproval: false, note: name } as const;
    await show([
      row('m', [
        { type: 'asked', state: 'open', ...about, questions: [{ ...question, furtherCount: 1, note: name }] },
        { type: 'code', text: `${name} 5`, language: name },
        { type: 'file', name: `${name} 6`, detail: name },
        { type: 'note', text: `${name} 7` },
        ...['8', '9'].map((digit) => {
          const result = { text: name, isError: false };
          const blocks = [{ type: 'markdown', text: `${name} inside` }] as const;
          const kind = 'toolUse' as const;
          return {
            type: 'fold' as const,
            kind,
            title: `${name} ${digit}`,
            detail: name,
            isError: false,
            result,
            blocks,
          };
        }),
      ]),
    ]);
    const { findId } = await lookFor(name);
    await open.tell({ type: 'found', find: find({ findId, count: 9, index: 0, pattern: pattern(`${name}.*`) }) });
    const digits = ['3', '4', '1', '2', '5', '6', '7', '8', '9'];
    await expect.poll(() => marked()).toEqual(digits.map((digit) => `${name} ${digit}`));
  });

  it('are scrolled into view from any distance, and other visible matches are highlighted', async () => {
    await show(manyRows(400));
    const { findId } = await lookFor('message');
    const match = { key: 'm7', block: 0, place: 0 };
    await open.tell({
      type: 'found',
      find: find({ findId, count: 400, index: 7, pattern: pattern('message \\d+'), match }),
    });
    await expect.poll(() => marked('lineside-match-current')).toEqual(['Message 7']);
    const isInView = () =>
      open.page.evaluate(() => {
        const [range] = CSS.highlights.get('lineside-match-current') ?? [];
        const view = document.querySelector('.rows')?.getBoundingClientRect();
        const at = (range as Range).getBoundingClientRect();
        return view !== undefined && at.top > view.top && at.bottom < view.bottom;
      });
    await expect.poll(isInView).toBe(true);
    await expect.poll(() => marked()).toContain('Message 8');
    // The commands for the focused message then apply to the one with the match.
    await press(open.page, 'Escape');
    await open.page.locator('article[data-key="m7"]:focus').waitFor();
  });

  it('are scrolled to without an expression, and highlighted once there is one', async () => {
    await show(manyRows(400));
    const { findId } = await lookFor('message');
    const match = { key: 'm7', block: 0, place: 0 };
    const isSearching = true;
    await open.tell({ type: 'found', find: find({ findId, count: 1, index: 7, isSearching, match }) });
    await expect.poll(() => open.page.locator('article[data-key="m7"]').isVisible()).toBe(true);
    expect(await marked('lineside-match-current')).toEqual([]);
    const found = find({ findId, count: 400, index: 7, pattern: pattern('message \\d+') });
    await open.tell({ type: 'found', find: found });
    await expect.poll(() => marked('lineside-match-current')).toEqual(['Message 7']);
    // While new messages are searched, the expression isn't run.
    const { pattern: _, ...withoutPattern } = found;
    await open.tell({ type: 'found', find: { ...withoutPattern, isSearching } });
    expect(await marked()).toContain('Message 8');
    await open.page.evaluate(() => document.querySelector('article[data-key="m8"] p')?.append(' message 9'));
    await open.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await marked()).not.toContain('message 9');
    await open.tell({ type: 'found', find: found });
    await expect.poll(() => marked()).toContain('message 9');
  });

  it('expand the folds that contain them, even nested ones, and wait for a body that has not arrived', async () => {
    const inner = {
      type: 'fold',
      kind: 'raw',
      title: 'Inner',
      isError: false,
      blocks: [{ type: 'code', text: 'a needle here' }],
    } as const;
    const folded = row('f', [
      { type: 'markdown', text: 'Above' },
      { type: 'fold', kind: 'toolUse', title: 'grep', isError: false, blocks: [{ type: 'code', text: 'no' }, inner] },
    ]);
    const rows = [...manyRows(60), folded, ...manyRows(60, 100)];
    open = await pages.open();
    await open.tell(setup, conversation(rows, { rows: rows.slice(-40) }));
    const { findId } = await lookFor('needle');
    const match = { key: 'f', block: 1, place: 0 };
    await open.tell({ type: 'found', find: find({ findId, count: 1, index: 0, pattern: pattern('needle'), match }) });
    expect(await marked('lineside-match-current')).toEqual([]);
    expect((await open.waitForPost('wantRows')).keys).toContain('f');
    await open.tell({ type: 'rows', rows: rows.slice(0, 100) });
    await expect.poll(() => marked('lineside-match-current')).toEqual(['needle']);
    expect(await open.page.getByText('a needle here').isVisible()).toBe(true);
  });

  it('open the details that contain them, even nested ones', async () => {
    const inner = '<details>\n<summary>B</summary>\n\nneedle\n\n</details>';
    await show([markdownRow('m', `<details>\n<summary>A</summary>\n\n${inner}\n\n</details>`)]);
    const { findId } = await lookFor('needle');
    const match = { key: 'm', block: 0, place: 0 };
    await open.tell({ type: 'found', find: find({ findId, count: 1, index: 0, pattern: pattern('needle'), match }) });
    await expect.poll(() => open.page.getByText('needle').isVisible()).toBe(true);
    expect(await open.page.locator('details[open]').count()).toBe(2);
  });

  it('in the hidden part of a truncated message are reported and can be shown in an editor', async () => {
    const cut = row('c', [{ type: 'markdown', text: 'The beginning' }], {
      cut: "9,000 of 9,013 characters aren't shown.",
    });
    await show([cut, ...manyRows(30)]);
    const { findId } = await lookFor('needle');
    const found = find({ findId, count: 2, index: 0, pattern: pattern('needle') });
    await open.tell({ type: 'found', find: { ...found, match: { key: 'c', place: 0 } } });
    await expect.poll(() => marked('lineside-match-current')).toEqual(["9,000 of 9,013 characters aren't shown."]);
    const said = open.page.getByRole('search').getByText('This match is in a hidden part of the message.');
    expect(await said.isVisible()).toBe(true);
    await click(open.page.getByRole('search').getByRole('button', { name: 'Show All in Editor' }));
    expect(await open.waitForPost('showAll')).toEqual({ type: 'showAll', ...shownSession, key: 'c' });
    await open.tell({ type: 'found', find: { ...found, index: 1, match: { key: 'm3', block: 0, place: 0 } } });
    expect(await said.isVisible()).toBe(false);
    await open.tell({ type: 'found', find: { ...found, match: { key: 'c', place: 0 } } });
    expect(await said.isVisible()).toBe(true);
    await lookFor('absent');
    expect(await said.isVisible()).toBe(false);
  });

  it('at the end of a long line of code are scrolled into view horizontally', async () => {
    await show([row('c', [{ type: 'code', text: `${'wide '.repeat(100)}needle`, language: 'text' }]), ...manyRows(3)]);
    const { findId } = await lookFor('needle');
    const match = { key: 'c', block: 0, place: 0 };
    await open.tell({ type: 'found', find: find({ findId, count: 1, index: 0, pattern: pattern('needle'), match }) });
    await expect.poll(() => marked('lineside-match-current')).toEqual(['needle']);
    const sides = await open.page.evaluate(() => {
      const [range] = CSS.highlights.get('lineside-match-current') ?? [];
      const { left, right } = (range as Range).getBoundingClientRect();
      return { left, right, width: innerWidth };
    });
    expect(sides.left).toBeGreaterThan(0);
    expect(sides.right).toBeLessThan(sides.width);
  });

  it('are cleared when Escape is pressed in the list, but not in the composer', async () => {
    await show(manyRows(5));
    await lookFor('client');
    await press(open.page.getByRole('textbox', { name: 'Message' }), 'Escape');
    expect(await field().isVisible()).toBe(true);
    await press(open.page.getByRole('log'), 'Escape');
    expect(await field().isVisible()).toBe(false);
  });

  it('that are already visible cause no scrolling', async () => {
    await show(manyRows(60));
    await open.tell({ type: 'reveal', key: 'm30' });
    const topOf = () =>
      open.page.evaluate(() => document.querySelector('article[data-key="m31"]')?.getBoundingClientRect().top);
    const top = await topOf();
    const { findId } = await lookFor('Message 31');
    const match = { key: 'm31', block: 0, place: 0 };
    await open.tell({
      type: 'found',
      find: find({ findId, count: 1, index: 0, pattern: pattern('message 31'), match }),
    });
    expect(await marked('lineside-match-current')).toEqual(['Message 31']);
    expect(await topOf()).toBe(top);
  });
});
