import { describe, expect, it } from 'vitest';
import { click, fill, press, type } from '../../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import type { PageComposer } from '../../../src/shared/protocol/pageModel.ts';
import type { PageMessage } from '../../../src/shared/protocol/pageMessages.ts';
import { conversation, header, manyRows, setup, shownSession } from '../rig/samples.ts';
import { usePage, usePages } from '../rig/usePage.ts';

const open = usePage([setup, conversation(manyRows(5))]);
const pages = usePages();

const field = () => open.page.getByRole('textbox', { name: 'Message' });
const send = () => open.page.getByRole('button', { name: 'Send', exact: true });
const sent = async () => (await open.posted()).filter((message) => message.type === 'send').map(({ text }) => text);
const drafts = async () => (await open.posted()).filter((message) => message.type === 'draft').map(({ text }) => text);
const composer = (more: object): HostMessage => ({
  type: 'composer',
  composer: { attachments: [], canSend: true, hint: '', ...more },
});

describe('a low page', () => {
  const plan = { label: 'Plan: 3 of 30 done', current: 'Write the tests', version: '1' };
  const items = Array.from({ length: 30 }, (_, index) => `Item ${index}`);
  const comments = Array.from({ length: 8 }, (_, index) => ({
    ...{ commentId: `00000000-0000-4000-8000-00000000000${index}`, messageId: 'm0', key: 'm0' },
    ...{ quote: `Message ${index}`, offset: 0, text: 'Why?' },
  }));

  it.each([350, 600, 700])(
    '%s px high has room for messages and Send, next to comments, a plan, and a long draft',
    async (heightPx) => {
      const { page, tell, answer } = await pages.open({ heightPx });
      await tell(setup, conversation(manyRows(20), { header: { ...header, plan }, comments: { items: comments } }));
      const bottom = async () => {
        const box = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox();
        return (box?.y ?? NaN) + (box?.height ?? NaN);
      };
      const heightOf = async (name: string) => (await page.locator(name).boundingBox())?.height ?? 0;
      await fill(page.getByRole('textbox', { name: 'Message', exact: true }), 'line\n'.repeat(30));
      await click(page.getByRole('button', { name: '8 comments' }));
      await page.getByRole('textbox', { name: 'Comment on "Message 7"' }).focus();
      expect(await bottom()).toBeLessThan(heightPx);
      await click(page.getByRole('button', { name: /^Plan/ }));
      await answer(
        'getPlan',
        items.map((text) => ({ text, state: 'open', spoken: 'to do' })),
      );
      await page.getByText('Item 29').scrollIntoViewIfNeeded();
      expect(await bottom()).toBeLessThan(heightPx);
      expect(await heightOf('.list')).toBeGreaterThanOrEqual(heightPx / 10);
      expect(await heightOf('.comment-items')).toBeGreaterThan(48);
      expect(await heightOf('.plan-items')).toBeGreaterThan(16);
    },
  );

  it('can be scrolled to Send if nothing else makes room for it', async () => {
    const { page, tell } = await pages.open({ heightPx: 150 });
    const attachments = Array.from({ length: 30 }, (_, index) => ({
      ...{ attachmentId: `a${index}`, name: `file${index}.ts`, detail: '1 KB', kind: 'file' as const },
    }));
    const failure = { text: "Can't reach the service. ".repeat(6), actions: [] };
    await tell(
      setup,
      conversation(manyRows(5), {
        header: { ...header, failure },
        composer: { attachments, canSend: true, hint: '', failure: 'That file is empty.' },
      }),
    );
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.focus();
    const box = await send.boundingBox();
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(150);
  });
});

describe('writing', () => {
  it('sends with Enter, clears the field immediately, and includes the session ID', async () => {
    await type(field(), 'Hello, agent');
    await press(field(), 'Enter');
    expect(await field().inputValue()).toBe('');
    expect(await open.waitForPost('send')).toMatchObject({ type: 'send', sessionId: 'ses_01', text: 'Hello, agent' });
  });

  it('inserts a line break with Shift+Enter and Alt+Enter', async () => {
    await type(field(), 'a');
    await press(field(), 'Shift+Enter');
    await type(field(), 'b');
    await press(field(), 'Alt+Enter');
    await type(field(), 'c');
    expect(await field().inputValue()).toBe('a\nb\nc');
    expect(await sent()).toEqual([]);
  });

  it('sends only with Ctrl+Enter if so configured', async () => {
    await open.tell({ ...setup, sendKey: 'ctrlEnter' }, conversation(manyRows(5)));
    await type(field(), 'a');
    await press(field(), 'Enter');
    await type(field(), 'b');
    expect(await sent()).toEqual([]);
    await press(field(), 'Control+Enter');
    expect(await sent()).toEqual(['a\nb']);
  });

  it('leaves Enter to an input method during composition', async () => {
    await field().focus();
    const client = await open.page.context().newCDPSession(open.page);
    await client.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    await client.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Enter', windowsVirtualKeyCode: 229 });
    expect(await sent()).toEqual([]);
    await client.send('Input.insertText', { text: '日本' });
    await press(field(), 'Enter');
    expect(await sent()).toEqual(['日本']);
  });

  it('does not send an empty message, or any message when sending is unavailable', async () => {
    expect(await send().isDisabled()).toBe(true);
    await type(field(), '  \n ');
    await press(field(), 'Enter');
    expect(await sent()).toEqual([]);
    await open.tell(composer({ canSend: false, hint: 'Set an API key to send.' }));
    await fill(field(), 'kept');
    await press(field(), 'Enter');
    expect(await field().inputValue()).toBe('kept');
    expect(await sent()).toEqual([]);
    expect(await send().isDisabled()).toBe(true);
    expect(await open.page.getByText('Set an API key to send.').first().isVisible()).toBe(true);
  });

  it('restores rejected text before anything typed since, and saves both as a draft', async () => {
    await type(field(), 'first');
    await click(send());
    await type(field(), 'second');
    await open.tell({
      type: 'sendRejected',
      ...shownSession,
      text: 'first',
      reason: 'The disk is full. The text is kept here.',
    });
    expect(await field().inputValue()).toBe('first\n\nsecond');
    expect((await drafts()).at(-1)).toBe('first\n\nsecond');
    await open.tell(composer({}));
    expect(await open.page.locator('#composer-failure').textContent()).toBe('The disk is full. The text is kept here.');
    await press(field(), 'End');
    await type(field(), '!');
    expect(await open.page.locator('#composer-failure').isVisible()).toBe(false);
  });

  it('adds the text of a message that is edited again above what is being typed, and saves both', async () => {
    await type(field(), 'typed');
    await open.tell({ type: 'textReturned', ...shownSession, text: 'moved' });
    await open.tell({ type: 'draft', draft: { text: 'moved', selectionStart: 5, selectionEnd: 5 } });
    expect(await field().inputValue()).toBe('moved\n\ntyped');
    expect((await drafts()).at(-1)).toBe('moved\n\ntyped');
    await fill(field(), 'other');
    for (const other of [{ sessionId: 'ses_02' }, { origin: 'https://other.example' }]) {
      await open.tell({ type: 'textReturned', ...shownSession, ...other, text: 'of another session' });
      await open.tell({ type: 'insertText', ...shownSession, ...other, text: 'of another session' });
    }
    expect(await field().inputValue()).toBe('other');
  });

  it('adds the text of a message that is edited again once, also if the draft arrives first', async () => {
    await open.tell({ type: 'draft', draft: { text: 'moved', selectionStart: 5, selectionEnd: 5 } });
    await open.tell({ type: 'textReturned', ...shownSession, text: 'moved' });
    expect(await field().inputValue()).toBe('moved');
  });

  it('grows with its text up to a share of the window height', async () => {
    const height = async () => (await field().boundingBox())?.height ?? 0;
    const empty = await height();
    await fill(field(), 'line\n'.repeat(5));
    expect(await height()).toBeGreaterThan(empty + 60);
    await fill(field(), 'line\n'.repeat(200));
    expect(await height()).toBeLessThanOrEqual(700 * 0.4 + 1);
  });
});

describe('drafts', () => {
  it('are saved on the host shortly after the last key, with the caret', async () => {
    await type(field(), 'Hello');
    // Slow typing saves several drafts; the last one is complete.
    await expect
      .poll(async () => (await open.posted()).filter(({ type }) => type === 'draft').at(-1))
      .toMatchObject({ type: 'draft', sessionId: 'ses_01', text: 'Hello', selectionStart: 5, selectionEnd: 5 });
  });

  it('are saved while a key is held down', async () => {
    const savedCount = await open.page.evaluate(async () => {
      const node = document.querySelector('textarea');
      for (let count = 0; node && count < 40; count++) {
        node.value += 'x';
        node.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return window.bridge.posted.filter(({ type }) => type === 'draft').length;
    });
    expect(savedCount).toBeGreaterThan(0);
  });

  it('are saved immediately when the field loses the focus', async () => {
    await type(field(), 'x');
    await field().blur();
    expect((await drafts()).at(-1)).toBe('x');
  });

  it.each([{ key: 'm', ctrlKey: true }, { key: 'm', metaKey: true }, { key: 'ArrowUp', altKey: true }, { key: 'F8' }])(
    'are saved before VS Code receives $key, whose command may close the page',
    async (press) => {
      const received = await field().evaluate((node, init) => {
        const saved = () => window.bridge.posted.flatMap((message) => (message.type === 'draft' ? message.text : []));
        if (node instanceof HTMLTextAreaElement) node.value = 'Typed';
        node.dispatchEvent(new InputEvent('input', { bubbles: true }));
        const before = saved();
        node.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
        return { before, after: saved() };
      }, press);
      expect(received).toEqual({ before: [], after: ['Typed'] });
    },
  );

  it('are saved at once before the host closes the page', async () => {
    const posted = await field().evaluate((node) => {
      if (node instanceof HTMLTextAreaElement) node.value = 'Typed';
      node.dispatchEvent(new InputEvent('input', { bubbles: true }));
      window.dispatchEvent(new MessageEvent('message', { data: { type: 'save' }, origin: location.origin }));
      return window.bridge.posted.flatMap(({ type }) => (type === 'draft' || type === 'saved' ? type : []));
    });
    expect([posted, await drafts()]).toEqual([['draft', 'saved'], ['Typed']]);
  });

  it('from the host are shown with their caret position and are not sent back', async () => {
    await open.tell({ type: 'draft', draft: { text: 'from elsewhere', selectionStart: 4, selectionEnd: 4 } });
    expect(await field().inputValue()).toBe('from elsewhere');
    expect(await field().evaluate((node) => node instanceof HTMLTextAreaElement && node.selectionStart)).toBe(4);
    await field().blur();
    expect(await drafts()).toEqual([]);
  });

  it('that the host has not received are not overwritten when the same session is shown again', async () => {
    const shownAgain = conversation(manyRows(5), { draft: { text: 'older', selectionStart: 0, selectionEnd: 0 } });
    // Both happen in a single call, because the draft is sent to the host shortly after typing.
    await open.page.evaluate((text) => {
      const node = document.querySelector('textarea');
      if (!node) return;
      node.value = 'just typed';
      node.dispatchEvent(new InputEvent('input', { bubbles: true }));
      window.postMessage(JSON.parse(text), '*');
    }, JSON.stringify(shownAgain));
    await open.tell();
    expect(await field().inputValue()).toBe('just typed');
    await expect.poll(async () => (await drafts()).at(-1)).toBe('just typed');
  });

  it('are not overwritten by older drafts from the host, which do not restore sent text either', async () => {
    const from = (text: string, revision?: number) => ({
      text,
      selectionStart: 0,
      selectionEnd: 0,
      ...(revision === undefined ? {} : { revision }),
    });
    await type(field(), 'first');
    await field().blur();
    const told = (await open.posted()).findLast((message) => message.type === 'draft');
    await open.tell(conversation(manyRows(5), { draft: from('') }));
    expect(await field().inputValue()).toBe('first');
    await open.tell({ type: 'draft', draft: from('first, and more elsewhere', told?.revision) });
    expect(await field().inputValue()).toBe('first, and more elsewhere');
    await click(send());
    const { revision } = await open.waitForPost('send');
    await open.tell({ type: 'draft', draft: from('first, and more elsewhere', told?.revision) });
    expect(await field().inputValue()).toBe('');
    await open.tell({ type: 'draft', draft: from('the next one', revision) });
    expect(await field().inputValue()).toBe('the next one');
  });

  it('have increasing revisions, even after the setup changes', async () => {
    await type(field(), 'a');
    await field().blur();
    await open.tell({ ...setup, sendKey: 'ctrlEnter' }, conversation(manyRows(5)));
    await type(field(), 'b');
    await field().blur();
    const [first = 0, second = 0] = (await open.posted())
      .filter((message) => message.type === 'draft')
      .map(({ revision }) => revision);
    expect(second).toBeGreaterThan(first);
  });

  it.each([
    ['another session', { sessionId: 'ses_02' }],
    ['a session of another service with the same ID', { origin: 'https://other.example' }],
  ])('name their session, even if %s is shown before they are saved', async (_, shown) => {
    await type(field(), 'for one');
    const other = conversation(manyRows(2), {
      ...shown,
      draft: { text: '', selectionStart: 0, selectionEnd: 0 },
    });
    await open.tell(other);
    const posted = (await open.posted())
      .filter((message) => message.type === 'draft')
      .filter(({ text }) => text !== '');
    expect(posted.at(-1)?.text).toBe('for one');
    for (const draft of posted) expect(draft).toMatchObject(shownSession);
    expect(await field().inputValue()).toBe('');
  });
});

describe('a page that returns to a session before the host has its last draft', () => {
  const emptyDraft = { text: '', selectionStart: 0, selectionEnd: 0 };
  const returnWith = async (draft: { readonly text: string; readonly revision?: number }) => {
    await open.tell(conversation(manyRows(2), { sessionId: 'ses_02', draft: emptyDraft }));
    await open.tell(conversation(manyRows(2), { draft: { ...emptyDraft, ...draft } }));
  };

  it('shows what was typed, not the older draft of the host', async () => {
    await type(field(), 'for one');
    await returnWith({ text: 'for' });
    expect(await field().inputValue()).toBe('for one');
  });

  it('does not show text again that was sent', async () => {
    await type(field(), 'for one');
    await press(field(), 'Enter');
    await returnWith({ text: 'for one' });
    expect(await field().inputValue()).toBe('');
  });

  it('shows the draft of the host if that is newer', async () => {
    await type(field(), 'for one');
    await field().blur();
    const revisions = (await open.posted()).flatMap((message) => (message.type === 'draft' ? [message.revision] : []));
    await returnWith({ text: 'edited elsewhere', revision: Math.max(...revisions) });
    expect(await field().inputValue()).toBe('edited elsewhere');
  });

  it('does not put a returned message into another session', async () => {
    await open.tell({
      type: 'sendRejected',
      ...shownSession,
      sessionId: 'ses_02',
      text: 'for two',
      reason: 'The disk is full.',
    });
    expect(await field().inputValue()).toBe('');
    expect(await open.page.locator('#composer-failure').isVisible()).toBe(false);
  });
});

describe('a failure', () => {
  const shown = () => open.page.locator('#composer-failure');

  it('names a file without codes, and is announced like that', async () => {
    const name = 'השקה.png';
    await open.tell(composer({ failure: `Couldn't attach "\u2068${name}\u2069".` }));
    expect(await shown().textContent()).toBe(`Couldn't attach "${name}".`);
    expect(await shown().locator('bdi').innerText()).toBe(name);
    expect(await shown().locator('.bidi-control').count()).toBe(0);
    await open.page
      .getByRole('status')
      .filter({ hasText: `Couldn't attach "${name}".` })
      .waitFor();
  });

  it('shows other direction controls as codes', async () => {
    await open.tell(composer({ failure: 'The service says: \u2068a\u2069 \u202etxt.exe \u2068b\u202e\u2069' }));
    const codes = shown().locator('.bidi-control');
    expect(await codes.evaluateAll((nodes) => nodes.map((node) => (node as HTMLElement).dataset['code']))).toEqual([
      '[U+202E]',
      '[U+2068]',
      '[U+202E][U+2069]',
    ]);
    expect(await shown().locator('bdi:not(.bidi-control)').allInnerTexts()).toEqual(['a']);
  });
});

describe('a message that the user has to decide about', () => {
  it('is shown above the composer with its actions, and announced', async () => {
    const label = 'Couldn\'t confirm delivery of "Hello".';
    const sent = label.replace('Hello', '\u2068Hello\u2069');
    const undecided = { entryId: 'e1', label: sent, actions: ['sendAgain', 'discard', 'sendOthers'] } as const;
    const show = (composer: Partial<PageComposer>) =>
      open.tell({ type: 'composer', composer: { attachments: [], canSend: true, hint: '', ...composer } });
    const strip = open.page.locator('.delivery-strip');
    expect(await strip.isVisible()).toBe(false);
    await show({ undecided });
    expect(await strip.locator('p').innerText()).toBe(label);
    await open.page.getByRole('status').filter({ hasText: label }).waitFor();
    expect(await open.page.locator('.bidi-control').count()).toBe(0);
    expect(await strip.getByRole('button').allInnerTexts()).toEqual([
      'Send Again',
      'Discard',
      'Send Remaining Messages',
    ]);
    await click(strip.getByRole('button', { name: 'Send Remaining Messages' }));
    expect(await open.waitForPost('delivery')).toEqual({ type: 'delivery', entryId: 'e1', action: 'sendOthers' });
    await show({});
    expect(await strip.isVisible()).toBe(false);
    for (const entryId of ['e2', 'e3']) {
      await open.tell({ type: 'announce', text: 'Something else.' });
      await open.page.getByRole('status').filter({ hasText: 'Something else.' }).waitFor();
      await show({ undecided: { ...undecided, entryId } });
      await open.page.getByRole('status').filter({ hasText: label }).waitFor();
    }
  });
});

describe('attachments', () => {
  const attachments = [
    { attachmentId: 'a1', name: 'retry.ts#L10-L42', detail: '1.2 KB', kind: 'selection' },
    { attachmentId: 'a2', name: 'shot.png', detail: '40 KB', kind: 'image' },
  ];

  const focusedName = () => open.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

  it('are a single tab stop with arrow navigation, are previewed with Enter, and are removed with Delete', async () => {
    const { page } = open;
    await open.tell(composer({ attachments }));
    const list = open.page.getByRole('list', { name: 'Attachments' });
    expect(await list.getByRole('listitem').count()).toBe(2);
    await field().focus();
    await press(page, 'Shift+Tab');
    expect(await focusedName()).toBe('retry.ts#L10-L42 1.2 KB');
    await press(page, 'ArrowRight');
    expect(await focusedName()).toBe('shot.png 40 KB');
    await press(page, 'ArrowRight');
    await press(page, 'Enter');
    expect(await open.waitForPost('previewAttachment')).toMatchObject({ attachmentId: 'a2' });
    await press(page, 'ArrowLeft');
    await press(page, 'Delete');
    expect(await open.waitForPost('removeAttachment')).toMatchObject({ attachmentId: 'a1' });
    await open.tell(composer({ attachments: attachments.slice(1) }));
    expect(await focusedName()).toBe('shot.png 40 KB');
    await press(page, 'Backspace');
    expect(await open.waitForPost('removeAttachment', 1)).toMatchObject({ attachmentId: 'a2' });
    await open.tell(composer({}));
    expect(await focusedName()).toBe('Message');
  });

  it('can be sent without text, and the page names the first one that it shows', async () => {
    await open.tell(composer({ attachments }));
    await click(open.page.getByRole('button', { name: 'Send', exact: true }));
    expect(await open.waitForPost('send')).toMatchObject({ text: '', shownId: 'a1' });
  });

  it('can be removed with the mouse', async () => {
    await open.tell(composer({ attachments }));
    await click(open.page.getByRole('button', { name: 'Remove shot.png' }));
    expect(await open.waitForPost('removeAttachment')).toMatchObject({ attachmentId: 'a2' });
  });

  it.each([250, 300])('show the extension and line numbers of a long name at %d px', async (widthPx) => {
    await open.page.setViewportSize({ width: widthPx, height: 500 });
    await open.page.waitForFunction((wanted) => innerWidth === wanted, widthPx);
    const name = 'aVeryLongNameOfAComponentThatIsCutSomewhere.spec.tsx#L10-L42';
    const detail = '12.0 KB, 16.0 KB as base64, unsaved';
    const short = { attachmentId: 'b', name: 'früchte.ts#L3-L5', detail, kind: 'file' };
    await open.tell(composer({ attachments: [{ attachmentId: 'a', name, detail, kind: 'file' }, short] }));
    const chips = open.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    const chip = chips.first();
    const shortName = chips.last().locator('.chip-name');
    expect(await shortName.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
    const [shortBox, textWidthPx] = [
      await shortName.boundingBox(),
      await shortName.evaluate((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect().width;
      }),
    ];
    expect(shortBox!.width).toBeGreaterThanOrEqual(textWidthPx);
    const end = chip.locator('.chip-end');
    expect(await end.textContent()).toBe('ec.tsx#L10-L42');
    const [chipBox, endBox, startBox] = [
      await chip.boundingBox(),
      await end.boundingBox(),
      await chip.locator('.chip-start').boundingBox(),
    ];
    expect(endBox!.x + endBox!.width).toBeLessThanOrEqual(chipBox!.x + chipBox!.width);
    expect(chipBox!.x + chipBox!.width).toBeLessThanOrEqual(widthPx);
    expect(startBox!.width).toBeGreaterThan(20);
  });

  it('can be sent without text', async () => {
    await open.tell(composer({ attachments }));
    expect(await send().isEnabled()).toBe(true);
    await click(send());
    expect(await sent()).toEqual(['']);
  });

  it('can be chosen from a menu, also by keyboard', async () => {
    const button = open.page.getByRole('button', { name: 'Attach', exact: true });
    await button.focus();
    await press(open.page, 'Enter');
    await press(open.page, 'ArrowDown');
    await press(open.page, 'Enter');
    expect(await open.waitForPost('attach')).toEqual({ type: 'attach', ...shownSession, what: 'selection' });
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    await press(open.page, 'ArrowUp');
    await press(open.page, 'Escape');
    expect(await open.page.getByRole('menu').isVisible()).toBe(false);
    expect((await open.posted()).filter((message: PageMessage) => message.type === 'attach').length).toBe(1);
  });

  it('that are unavailable show the reason in the menu and can be focused but not chosen', async () => {
    await press(open.page.getByRole('button', { name: 'Attach', exact: true }), 'Enter');
    await open.waitForPost('getUnavailableAttachments');
    const item = open.page.getByRole('menuitem', { name: 'Selection' });
    expect(await item.getAttribute('aria-disabled')).toBeNull();
    await open.answer('getUnavailableAttachments', { selection: 'Nothing is selected in the editor.' });
    await press(open.page, 'ArrowDown');
    expect(await item.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    expect(await item.innerText()).toContain('Nothing is selected in the editor.');
    await press(open.page, 'Enter');
    expect(await open.page.getByRole('menu').isVisible()).toBe(true);
    await press(open.page, 'Escape');
    await press(open.page.getByRole('button', { name: 'Attach', exact: true }), 'Enter');
    await open.answer('getUnavailableAttachments', {}, 1);
    await press(open.page, 'ArrowDown');
    await press(open.page, 'Enter');
    expect(await open.waitForPost('attach')).toMatchObject({ what: 'selection' });
    expect((await open.posted()).filter(({ type }) => type === 'attach').length).toBe(1);
  });
});
