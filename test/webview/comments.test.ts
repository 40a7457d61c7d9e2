import { describe, expect, it } from 'vitest';
import { click, fill, hover, press, type } from '../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageComment } from '../../src/shared/protocol/pageModel.ts';
import type { PageMessage } from '../../src/shared/protocol/pageMessages.ts';
import { axeViolations } from './rig/axeViolations.ts';
import { themes, type ThemeName } from './rig/pageRig.ts';
import { conversation, manyRows, markdownRow, row, setup, shownSession } from './rig/samples.ts';
import { tinyPng } from './rig/showcase.ts';
import { usePage, usePages } from './rig/usePage.ts';

const text = 'First **important** line.\n\n- one\n- two with `code`\n\nThe end, and one more end.';
const rows = [...manyRows(4), markdownRow('a', text), markdownRow('b', 'Second message.')];
const open = usePage([setup, conversation(rows)]);
const pages = usePages();

const uuid = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;
const commentOf = (index: number, part: Partial<PageComment> = {}): PageComment => ({
  commentId: uuid(index),
  messageId: 'a',
  key: 'a',
  quote: 'two with code',
  offset: 30,
  text: '',
  ...part,
});
const comments = (items: readonly PageComment[], revision?: number): HostMessage => ({
  type: 'comments',
  comments: { items, ...(revision === undefined ? {} : { revision }) },
});

const strip = () => open.page.getByRole('button', { name: /^\d+ comments?$/ });
const list = () => open.page.getByRole('list', { name: 'Comments' });
const field = (name: string) => open.page.getByRole('textbox', { name: `Comment on "${name}"`, exact: true });
const composer = () => open.page.getByRole('textbox', { name: 'Message', exact: true });
const focused = () => open.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const marked = () =>
  open.page.evaluate(() => [...(CSS.highlights.get('lineside-comment') ?? [])].map(String).join('|'));

/** Selects from the first `from` in row `key` to the end of the first `to` in row `toKey`, each in one text node. */
async function select(from: string, to: string, key = 'a', toKey = key): Promise<void> {
  await open.page.evaluate(
    ({ from, to, key, toKey }) => {
      const placeOf = (rowKey: string, part: string) => {
        const body = document.querySelector(`article[data-key="${rowKey}"] .row-body`);
        const walker = document.createTreeWalker(body ?? document, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.textContent?.indexOf(part) ?? -1;
          if (at >= 0) return { node, at };
        }
        throw new Error(`no ${part}`);
      };
      const [start, end] = [placeOf(key, from), placeOf(toKey, to)];
      document.getSelection()?.setBaseAndExtent(start.node, start.at, end.node, end.at + to.length);
    },
    { from, to, key, toKey },
  );
}

/** Takes the focus from the page, as another part of the window does. Then no element of the page has it. */
async function loseFocus(): Promise<void> {
  await open.page.evaluate(() => {
    document.hasFocus = () => false;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}

/** Waits for the page's `addComment` message, and adds the comment as the host does. Resolves to the message. */
async function confirm(skip = 0): Promise<Extract<PageMessage, { type: 'addComment' }>> {
  const added = await open.waitForPost('addComment', skip);
  const { commentId, key, quote, offset, revision } = added;
  await open.tell(comments([{ commentId, key, messageId: key, quote, offset, text: '' }], revision));
  return added;
}

describe('a comment', () => {
  it('is added on the selected text, across blocks, and its field gets the focus', async () => {
    await select('important', 'two');
    await open.tell({ type: 'comment' });
    const quote = 'important line.\none\ntwo';
    expect(await confirm()).toEqual({
      type: 'addComment',
      ...shownSession,
      commentId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      key: 'a',
      quote,
      offset: 5,
      revision: expect.any(Number) as number,
    });
    expect(await strip().textContent()).toBe('1 comment');
    expect(await strip().getAttribute('aria-expanded')).toBe('true');
    expect(await focused()).toBe('Comment on "important line. one two"');
    expect(await marked()).toBe('important| line.|one|two');
  });

  it('quotes only the part of the message in which the selection begins', async () => {
    await select('one more', 'Second', 'a', 'b');
    await open.tell({ type: 'comment' });
    expect(await confirm()).toMatchObject({ key: 'a', quote: 'one more end.' });
    expect(await marked()).toBe('one more end.');
  });

  it('quotes the selected one of equal texts', async () => {
    await select('end.', 'end.');
    await open.tell({ type: 'comment' });
    const quote = 'end.';
    const offset = 'Firstimportantline.onetwowithcodeTheend,andonemore'.length;
    expect(await confirm()).toMatchObject({ quote, offset });
  });

  it('quotes the first lines of the message without a selection, from its menu or with the focus on it', async () => {
    const quote = 'First important line.\none\ntwo with code';
    const article = open.page.locator('article[data-key="a"]');
    await hover(article);
    await press(article.getByRole('button', { name: 'More Actions...' }), 'Enter');
    await press(open.page.getByRole('menuitem', { name: 'Add Comment' }), 'Enter');
    expect(await confirm()).toMatchObject({ key: 'a', quote, offset: 0 });
    await article.focus();
    await open.tell({ type: 'comment' });
    expect(await confirm(1)).toMatchObject({ key: 'a', quote, offset: 0 });
    await open.tell({ type: 'comment', key: 'b' });
    expect(await confirm(2)).toMatchObject({ key: 'b', quote: 'Second message.' });
    expect(await marked()).toBe('Second message.');
  });

  it('is on the message that had the focus before the Command Palette took it', async () => {
    await open.page.locator('article[data-key="b"]').focus();
    await loseFocus();
    await open.tell({ type: 'comment' });
    expect(await confirm()).toMatchObject({ key: 'b', quote: 'Second message.' });
  });

  it('needs a message', async () => {
    await composer().focus();
    await open.tell({ type: 'comment' });
    await expect.poll(() => open.page.getByRole('status').textContent()).toBe('Select text in a message first.');
    expect((await open.posted()).filter(({ type }) => type === 'addComment')).toEqual([]);
  });

  it('is never added on a message of the session that was shown before', async () => {
    await open.page.locator('article[data-key="b"]').focus();
    await loseFocus();
    await open.tell(conversation([markdownRow('c', 'Other words.')], { sessionId: 'ses_02' }), { type: 'comment' });
    await expect.poll(() => open.page.getByRole('status').textContent()).toBe('Select text in a message first.');
    expect((await open.posted()).filter(({ type }) => type === 'addComment')).toEqual([]);
  });

  it('quotes at most 300 characters without a selection, and nothing of a message without text', async () => {
    const picture = { type: 'image', mediaType: 'image/png', base64: tinyPng } as const;
    await open.tell(conversation([markdownRow('a', 'x'.repeat(400)), row('p', [picture])]));
    await open.tell({ type: 'comment', key: 'a' });
    expect((await confirm()).quote).toBe('x'.repeat(300));
    await open.tell({ type: 'comment', key: 'p' });
    expect(await open.waitForPost('addComment', 1)).toMatchObject({ key: 'p', quote: '', offset: 0 });
  });

  it('quotes at most 2,000 characters', async () => {
    await open.tell(conversation([markdownRow('a', 'x'.repeat(3_000))]));
    await select('x', 'x'.repeat(3_000));
    await open.tell({ type: 'comment' });
    expect((await confirm()).quote).toBe('x'.repeat(2_000));
  });

  it('is saved shortly after the last key, and when the field loses the focus', async () => {
    await open.tell(comments([commentOf(1), commentOf(2, { quote: 'one' })]));
    await click(strip());
    const saved = async () =>
      (await open.posted()).flatMap((one) => (one.type === 'changeComment' ? [[one.commentId, one.text]] : []));
    await type(field('two with code'), 'Why?');
    await expect.poll(async () => (await saved()).at(-1)).toEqual([uuid(1), 'Why?']);
    await open.page.evaluate(() => {
      const [first, second] = document.querySelectorAll<HTMLTextAreaElement>('.comment-field');
      first?.focus();
      first?.setRangeText('!', first.value.length, first.value.length, 'end');
      first?.dispatchEvent(new InputEvent('input', { bubbles: true }));
      second?.focus();
    });
    expect((await saved()).at(-1)).toEqual([uuid(1), 'Why?!']);
    const { revision } = await open.waitForPost('changeComment', (await saved()).length - 1);
    expect(revision).toBeGreaterThan(0);
  });

  it('is saved before the message is sent, and enough to send', async () => {
    const send = open.page.getByRole('button', { name: 'Send', exact: true });
    expect(await send.isDisabled()).toBe(true);
    await open.tell(comments([commentOf(1)]));
    expect(await send.isDisabled()).toBe(false);
    await click(strip());
    await fill(field('two with code'), 'Why?');
    await open.page.evaluate(() => {
      const area = document.querySelector<HTMLTextAreaElement>('.comment-field');
      area?.focus();
      area?.setRangeText('!', area.value.length, area.value.length, 'end');
      area?.dispatchEvent(new InputEvent('input', { bubbles: true }));
      document.querySelector<HTMLButtonElement>('.send-button')?.click();
    });
    await open.waitForPost('send');
    const posted = (await open.posted()).filter(({ type }) => type === 'changeComment' || type === 'send');
    expect(posted.slice(-2)).toMatchObject([
      { type: 'changeComment', text: 'Why?!' },
      { type: 'send', text: '', shownId: uuid(1) },
    ]);
    await open.tell(comments([], Date.now() + 1_000));
    expect(await strip().isVisible()).toBe(false);
    expect(await send.isDisabled()).toBe(true);
  });

  it('is not changed by the host while it is being written, or by a state from before a change', async () => {
    await open.tell(comments([commentOf(1, { text: 'a' })]));
    await click(strip());
    await field('two with code').focus();
    await open.tell(comments([commentOf(1, { text: 'theirs' })]));
    expect(await field('two with code').inputValue()).toBe('a');
    await composer().focus();
    expect(await field('two with code').inputValue()).toBe('theirs');
    await fill(field('two with code'), 'mine');
    const { revision } = await open.waitForPost('changeComment');
    await composer().focus();
    await open.tell(comments([commentOf(1, { text: 'm' })], revision - 1));
    expect(await field('two with code').inputValue()).toBe('mine');
    await open.tell(comments([commentOf(1, { text: 'newer' })], revision));
    expect(await field('two with code').inputValue()).toBe('newer');
  });

  it('keeps its focus and caret when others are added before it, or when it moves', async () => {
    await open.tell(comments([commentOf(1, { text: 'abc' })]));
    await click(strip());
    await field('two with code').focus();
    await press(open.page, 'Home');
    await press(open.page, 'ArrowRight');
    await open.tell(comments([commentOf(2, { quote: 'First' }), commentOf(1, { text: 'abc' })]));
    expect(await focused()).toBe('Comment on "two with code"');
    await type(open.page, 'x');
    expect(await field('two with code').inputValue()).toBe('axbc');
    expect(await strip().textContent()).toBe('2 comments');
    // On a slow machine, the page has saved the text by now, so the host's newer state contains it.
    await open.tell(comments([commentOf(1, { text: 'axbc' }), commentOf(2, { quote: 'First' })], Date.now() + 1_000));
    expect(await list().locator('.comment-quote').allTextContents()).toEqual(['two with code', 'First']);
    await type(open.page, 'y');
    expect(await field('two with code').inputValue()).toBe('axybc');
  });
});

it('a quote contains only the selected part of the message in whose menu it was chosen', async () => {
  await select('one more', 'Second', 'a', 'b');
  await open.tell({ type: 'quote', key: 'a' });
  expect(await open.waitForPost('messageAction')).toMatchObject({ action: 'quote', key: 'a', text: 'one more end.' });
  await select('Second', 'Second', 'b');
  await open.tell({ type: 'quote', key: 'b' });
  expect(await open.waitForPost('messageAction', 1)).toMatchObject({ key: 'b', text: 'Second' });
});

describe('the keyboard', () => {
  it('returns from a comment to the composer with Escape and Ctrl+Enter, without losing text or sending', async () => {
    await open.tell(comments([commentOf(1)]));
    await press(strip(), 'Enter');
    for (const key of ['Escape', 'Control+Enter']) {
      await field('two with code').focus();
      await type(open.page, key);
      await press(open.page, key);
      expect(await focused()).toBe('Message');
    }
    expect(await field('two with code').inputValue()).toBe('EscapeControl+Enter');
    const last = (await open.posted()).findLast(({ type }) => type === 'changeComment');
    expect(last).toMatchObject({ text: 'EscapeControl+Enter' });
    expect((await open.posted()).filter(({ type }) => type === 'send')).toEqual([]);
  });

  it('discards a comment without text with Escape, but not with Ctrl+Enter', async () => {
    await open.tell(comments([commentOf(1, { text: '' })]));
    await press(strip(), 'Enter');
    await press(field('two with code'), 'Control+Enter');
    expect(await strip().textContent()).toBe('1 comment');
    await press(field('two with code'), 'Escape');
    expect(await focused()).toBe('Message');
    expect(await open.waitForPost('removeComment')).toMatchObject({ commentId: commentOf(1).commentId });
  });

  it('removes comments one after the other, and then has the focus in the composer', async () => {
    await open.tell(comments([commentOf(1, { quote: 'First' }), commentOf(2), commentOf(3, { quote: 'one' })]));
    await press(strip(), 'Enter');
    const remove = (name: string) => open.page.getByRole('button', { name: `Remove Comment on "${name}"` });
    await press(remove('First'), 'Enter');
    expect(await focused()).toBe('Remove Comment on "two with code"');
    await press(open.page, 'Enter');
    expect(await focused()).toBe('Remove Comment on "one"');
    await press(open.page, 'Enter');
    expect(await focused()).toBe('Message');
    expect(await strip().isVisible()).toBe(false);
    const removed = (await open.posted()).filter(({ type }) => type === 'removeComment');
    expect(removed).toMatchObject([{ commentId: uuid(1) }, { commentId: uuid(2) }, { commentId: uuid(3) }]);
    // A state from before the last removal doesn't bring anything back.
    await open.tell(comments([commentOf(3, { quote: 'one' })], 1));
    expect(await strip().isVisible()).toBe(false);
    expect(await marked()).toBe('');
  });

  it('has the focus in the comment before the last one after removing that', async () => {
    await open.tell(comments([commentOf(1, { quote: 'First' }), commentOf(2)]));
    await press(strip(), 'Enter');
    await press(open.page.getByRole('button', { name: 'Remove Comment on "two with code"' }), 'Enter');
    expect(await focused()).toBe('Remove Comment on "First"');
  });

  it('goes to the message of a comment', async () => {
    await open.tell(comments([commentOf(1)]));
    await press(strip(), 'Enter');
    await press(list().getByRole('button', { name: 'two with code', exact: true }), 'Enter');
    const key = () => open.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['key']);
    await expect.poll(key).toBe('a');
  });

  it('stays in the composer when the message of a comment arrives late', async () => {
    const late = commentOf(1, { key: 'late', messageId: 'late', quote: 'Late.', offset: 0 });
    await open.tell(comments([late]));
    await press(strip(), 'Enter');
    await press(list().getByRole('button', { name: 'Late.', exact: true }), 'Enter');
    await open.waitForPost('revealMessage');
    await composer().focus();
    await open.tell(conversation([...rows, markdownRow('late', 'Late.')], { comments: { items: [late] } }));
    await expect.poll(marked).toBe('Late.');
    expect(await focused()).toBe('Message');
  });

  it('keeps the focus when the host removes the comment that has it', async () => {
    await open.tell(comments([commentOf(1, { quote: 'First' }), commentOf(2)]));
    await press(strip(), 'Enter');
    await field('First').focus();
    await open.tell(comments([commentOf(2)]));
    expect(await focused()).toBe('Remove Comment on "two with code"');
    await open.tell(comments([]));
    expect(await focused()).toBe('Message');
  });

  it("inserts a line or leaves the comment with the user's keys for the composer", async () => {
    await open.tell(comments([commentOf(1)]));
    await press(strip(), 'Enter');
    await field('two with code').focus();
    expect((await open.posted()).findLast(({ type }) => type === 'composerFocus')).toMatchObject({ isFocused: true });
    await type(open.page, 'a');
    await open.tell({ type: 'composerKey', press: 'newline' });
    await type(open.page, 'b');
    expect(await field('two with code').inputValue()).toBe('a\nb');
    await open.tell({ type: 'composerKey', press: 'send' });
    expect(await focused()).toBe('Message');
    expect((await open.posted()).filter(({ type }) => type === 'send')).toEqual([]);
  });
});

describe('marks', () => {
  it('are on the nearest one of equal quotes, also in rows that are drawn later', async () => {
    await open.tell(comments([commentOf(1, { quote: 'end', offset: 0 })]));
    const startOf = () =>
      open.page.evaluate(() => {
        const [range] = CSS.highlights.get('lineside-comment') ?? [];
        return range && 'startOffset' in range ? range.startOffset : -1;
      });
    expect([await marked(), await startOf()]).toEqual(['end', 'The '.length]);
    await open.tell(comments([commentOf(2, { quote: 'end', offset: 1_000 })]));
    expect([await marked(), await startOf()]).toEqual(['end', 'The end, and one more '.length]);
    const many = manyRows(200);
    await open.tell(conversation(many, { comments: { items: [commentOf(3, { key: 'm3', quote: 'Message 3.' })] } }));
    await expect.poll(marked).toBe('');
    await open.tell({ type: 'reveal', key: 'm3' });
    await expect.poll(marked).toBe('Message 3.');
  });

  it('add no nodes to messages', async () => {
    const html = () => open.page.locator('article[data-key="a"] .row-body').innerHTML();
    const before = await html();
    await open.tell(comments([commentOf(1)]));
    expect(await marked()).toBe('two with |code');
    expect(await html()).toBe(before);
  });

  it('disappear when the message changes, which the list says, and come back with the text', async () => {
    await open.tell(comments([commentOf(1)]));
    await click(strip());
    const note = open.page.getByText('The message has changed.');
    const describedBy = () => field('two with code').getAttribute('aria-describedby');
    expect(await note.isVisible()).toBe(false);
    // A screen reader would also read the text of a hidden element.
    expect(await describedBy()).toBe(null);
    const replaced = (changed: string): HostMessage => ({
      type: 'patch',
      patches: [{ op: 'replace', row: markdownRow('a', changed), estimatedLines: 1 }],
    });
    await open.tell(replaced('Something else.'));
    await expect.poll(marked).toBe('');
    await note.waitFor();
    expect(await describedBy()).toBe(await note.getAttribute('id'));
    expect(await list().locator('.comment-quote').textContent()).toBe('two with code');
    await open.tell(replaced(text));
    await expect.poll(marked).toBe('two with |code');
    await note.waitFor({ state: 'hidden' });
    expect(await describedBy()).toBe(null);
  });

  it('are made when a collapsed part is expanded, which is no change of the message', async () => {
    const fold = {
      type: 'fold',
      kind: 'thinking',
      title: 'Thinking',
      isError: false,
      blocks: [{ type: 'markdown', text: 'A **hidden** thought' }],
    } as const;
    await open.tell(conversation([row('a', [fold])]), comments([commentOf(1, { quote: 'hidden thought', offset: 9 })]));
    await click(strip());
    expect(await marked()).toBe('');
    expect(await open.page.getByText('The message has changed.').isVisible()).toBe(false);
    await click(open.page.getByRole('button', { name: 'Thinking' }));
    await expect.poll(async () => (await marked()).replaceAll('|', '')).toBe('hidden thought');
  });

  it.each([{ isTextOnly: true }, { cut: "5 of 9 characters aren't shown." }])(
    'may be in a part of the message that its row does not show, which is no change of the message: %j',
    async (part) => {
      const items = [commentOf(1), commentOf(2, { key: 'b', messageId: 'b' })];
      const other = { ...row('a', [{ type: 'markdown', text: 'Other text.' }]), ...part };
      await open.tell(conversation([other, markdownRow('b', 'Changed.')]), comments(items));
      await click(strip());
      const note = open.page.getByText('The message has changed.');
      await expect.poll(() => note.filter({ visible: true }).count()).toBe(1);
      expect(await list().getByRole('listitem').first().getByText('The message has changed.').isVisible()).toBe(false);
    },
  );

  it('are revealed from the list, and asked for if the page does not have the message', async () => {
    const many = manyRows(200);
    const items = [
      commentOf(1, { key: 'old', messageId: 'old', quote: 'Old' }),
      commentOf(2, { key: 'm3', messageId: 'm3', quote: 'Message 3.' }),
    ];
    await open.tell(conversation(many, { comments: { items } }));
    await click(strip());
    await click(list().getByRole('button', { name: 'Message 3.', exact: true }));
    await expect.poll(marked).toBe('Message 3.');
    await click(list().getByRole('button', { name: 'Old', exact: true }));
    expect(await open.waitForPost('revealMessage')).toEqual({
      type: 'revealMessage',
      ...shownSession,
      messageId: 'old',
    });
  });
});

it('the page has no fields of comments before their list is expanded', async () => {
  const items = Array.from({ length: 200 }, (_, index) => commentOf(index, { text: `text ${index}` }));
  await open.tell(comments(items));
  const fields = () => open.page.locator('.comment-field');
  expect(await strip().textContent()).toBe('200 comments');
  expect(await fields().count()).toBe(0);
  await click(strip());
  expect(await fields().count()).toBe(200);
  expect(await fields().last().inputValue()).toBe('text 199');
  await click(strip());
  await open.tell(comments([commentOf(7, { text: 'changed' })]));
  await click(strip());
  expect(await fields().evaluateAll((all) => all.map((each) => (each as HTMLTextAreaElement).value))).toEqual([
    'changed',
  ]);
});

it('the comments of another session replace those of the first one, collapsed', async () => {
  await open.tell(comments([commentOf(1)]));
  await click(strip());
  await fill(field('two with code'), 'unsaved');
  await open.tell(
    conversation(rows, { sessionId: 'ses_02', comments: { items: [commentOf(2, { text: 'other' }), commentOf(3)] } }),
  );
  expect(await open.waitForPost('changeComment')).toMatchObject({ sessionId: 'ses_01', text: 'unsaved' });
  expect(await strip().textContent()).toBe('2 comments');
  expect(await strip().getAttribute('aria-expanded')).toBe('false');
  expect(await list().isVisible()).toBe(false);
});

describe.each(Object.keys(themes) as ThemeName[])('in the theme %s', (theme) => {
  it.each([250, 500])('the list has no accessibility violations and fits, %d px wide', async (widthPx) => {
    const page = await pages.open({ theme, widthPx });
    const items = [
      commentOf(1, { quote: `Long ${'quote '.repeat(40)}`, text: 'Several\nlines' }),
      commentOf(2, { quote: 'two with code' }),
      commentOf(3, { quote: 'x'.repeat(200), text: 'y'.repeat(200) }),
    ];
    await page.tell(setup, conversation(rows, { comments: { items } }));
    await click(page.page.getByRole('button', { name: '3 comments' }));
    await page.page.getByText('The message has changed.').first().waitFor();
    expect(await axeViolations(page.page)).toEqual([]);
    for (const dir of ['ltr', 'rtl'] as const) {
      const outside = await page.page.evaluate((dir) => {
        document.documentElement.dir = dir;
        const nodes = [...document.querySelectorAll('.comments, .comments *:not(svg *, bdi)')];
        const { innerWidth } = window;
        return nodes
          .map((node) => ({ node, box: node.getBoundingClientRect() }))
          .filter(({ box }) => box.right > innerWidth + 0.5 || box.left < -0.5)
          .map(({ node }) => node.className);
      }, dir);
      expect(outside).toEqual([]);
    }
  });
});
