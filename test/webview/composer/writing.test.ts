import { describe, expect, it } from 'vitest';
import { click, fill, press, type } from '../../../tools/editor/drive/act.ts';
import type { PageDelivery } from '../../../src/shared/protocol/rowTypes.ts';
import { conversation, manyRows, markdownRow, setup, shownSession } from '../rig/samples.ts';
import { usePage } from '../rig/usePage.ts';

const open = usePage([setup, conversation(manyRows(3))]);

const field = () => open.page.getByRole('textbox', { name: 'Message' });
const text = () => field().inputValue();
const postsOf = async (type: string) => (await open.posted()).filter((message) => message.type === type);
/** Dispatches a key press as handled by an input method, because the browser driver can't create one. */
const pressFromInputMethod = (key: string, isComposing: boolean, keyCode = 229) =>
  field().evaluate(
    (node, init) => node.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })),
    { key, isComposing, keyCode },
  );

/** Moves the page's clock, but not its timers. The clock then stands still. */
const passTime = (ms: number) =>
  open.page.evaluate((passedMs) => {
    const now = Date.now() + passedMs;
    Date.now = () => now;
  }, ms);

describe('Japanese input', () => {
  const compose = async (steps: readonly string[]) => {
    const client = await open.page.context().newCDPSession(open.page);
    for (const step of steps) {
      await client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', windowsVirtualKeyCode: 229 });
      await client.send('Input.imeSetComposition', {
        text: step,
        selectionStart: step.length,
        selectionEnd: step.length,
      });
    }
    return client;
  };

  it('does not send on an Enter press that ends a composition, however the browser reports it', async () => {
    await field().focus();
    const client = await compose(['ｋ', 'か', 'かn', 'かん', 'かんj', 'かんじ', '漢字']);
    expect(await text()).toBe('漢字');
    await pressFromInputMethod('Enter', true);
    // Some browsers report the actual key code together with `isComposing`.
    await pressFromInputMethod('Enter', true, 13);
    await client.send('Input.insertText', { text: '漢字' });
    // Some platforms report the same press again after the composition has ended.
    await pressFromInputMethod('Enter', false);
    expect(await text()).toBe('漢字');
    expect(await postsOf('send')).toEqual([]);
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: '漢字' });
  });

  it('does not control the suggestion list with keys that the input method handles', async () => {
    await type(field(), '@');
    const file = { suggestionId: 'a.ts', label: 'a.ts', matches: [], detail: '', insertion: '@a.ts ' };
    await open.answer('suggest', { suggestions: [file], note: '' });
    for (const key of ['ArrowDown', 'Enter', 'Tab', 'Escape']) await pressFromInputMethod(key, true);
    expect(await open.page.getByRole('listbox').isVisible()).toBe(true);
    expect(await text()).toBe('@');
    expect(await postsOf('takeSuggestion')).toEqual([]);
  });

  it('does not request earlier messages with arrow keys that the input method handles', async () => {
    await field().focus();
    await compose(['か']);
    await pressFromInputMethod('ArrowUp', true);
    await open.tell({ type: 'announce', text: 'a moment later' });
    expect(await postsOf('getPrompt')).toEqual([]);
  });
});

describe('undo', () => {
  it('reverts typed text and text inserted by the page', async () => {
    await type(field(), 'one ');
    await open.tell({ type: 'insertText', ...shownSession, text: 'two' });
    expect(await text()).toBe('one two');
    await press(field(), 'Alt+Enter');
    await press(field(), 'Control+z');
    expect(await text()).toBe('one two');
    await press(field(), 'Control+z');
    expect(await text()).toBe('one ');
    await press(field(), 'Control+Shift+z');
    expect(await text()).toBe('one two');
    expect((await open.waitForPost('draft')).sessionId).toBe('ses_01');
  });
});

describe('earlier messages', () => {
  const asked = async (count: number) => {
    const { type, sessionId, step, from } = await open.waitForPost('getPrompt', count);
    return [type, { sessionId, step, ...(from === undefined ? {} : { from }) }];
  };
  const answer = (count: number, promptId?: string, words = '') =>
    open.answer('getPrompt', promptId === undefined ? {} : { prompt: { promptId, text: words } }, count);

  it('are shown with Up, and the draft returns with Down', async () => {
    await type(field(), 'half written');
    // As in any text field, the first press moves the caret to the start of the line.
    await press(field(), 'ArrowUp');
    await press(field(), 'ArrowUp');
    expect(await asked(0)).toEqual(['getPrompt', { sessionId: 'ses_01', step: 'older' }]);
    await answer(0, 'm8', 'the newest');
    expect(await text()).toBe('the newest');
    await press(field(), 'ArrowUp');
    expect(await asked(1)).toEqual(['getPrompt', { sessionId: 'ses_01', step: 'older', from: 'm8' }]);
    await answer(1, 'm4', 'an older one\nof two lines');
    await press(field(), 'ArrowUp');
    expect(await asked(2)).toMatchObject(['getPrompt', { step: 'older', from: 'm4' }]);
    await answer(2);
    expect(await text()).toBe('an older one\nof two lines');
    for (const key of ['ArrowDown', 'End', 'ArrowDown']) await press(field(), key);
    expect(await asked(3)).toMatchObject(['getPrompt', { step: 'newer', from: 'm4' }]);
    await answer(3, 'm8', 'the newest');
    await press(field(), 'ArrowDown');
    expect(await asked(4)).toMatchObject(['getPrompt', { step: 'newer', from: 'm8' }]);
    await answer(4);
    expect(await text()).toBe('half written');
  });

  it('are requested only from the start of the draft, and do not become the draft just by being shown', async () => {
    await fill(field(), 'one\ntwo');
    await press(field(), 'ArrowUp');
    await type(field(), '!');
    expect(await text()).toBe('one!\ntwo');
    expect(await postsOf('getPrompt')).toEqual([]);
    await press(field(), 'Control+Home');
    await press(field(), 'ArrowUp');
    await asked(0);
    await answer(0, 'm8', 'long ago');
    await field().blur();
    const drafts = (await postsOf('draft')).map((message) => message.type === 'draft' && message.text);
    expect(drafts).not.toContain('long ago');
    await press(field(), 'Escape');
    expect(await text()).toBe('one!\ntwo');
  });

  it('stay when the host changes the draft, which returns after them', async () => {
    await press(field(), 'ArrowUp');
    await asked(0);
    await answer(0, 'm8', 'first line\r\nsecond line');
    await open.tell({ type: 'draft', draft: { text: 'from the host', selectionStart: 0, selectionEnd: 0 } });
    expect(await text()).toBe('first line\nsecond line');
    await press(field(), 'Escape');
    expect(await text()).toBe('from the host');
  });

  it('are replaced by a draft of the host after they were edited', async () => {
    await press(field(), 'ArrowUp');
    await asked(0);
    await answer(0, 'm8', 'long ago');
    await press(field(), '!');
    const { revision } = await open.waitForPost('draft');
    await open.tell({ type: 'draft', draft: { text: 'from the host', selectionStart: 0, selectionEnd: 0, revision } });
    expect(await text()).toBe('from the host');
  });

  it('stay in the field when the host repeats the draft, as it does after sending a message', async () => {
    const draft = { text: '', selectionStart: 0, selectionEnd: 0 };
    await fill(field(), 'sent just now');
    await press(field(), 'Enter');
    const { revision } = await open.waitForPost('send');
    await press(field(), 'ArrowUp');
    await asked(0);
    await answer(0, 'm8', 'sent just now');
    await open.tell({ type: 'draft', draft: { ...draft, revision } });
    expect(await text()).toBe('sent just now');
  });

  it('can be sent again without losing the unfinished draft', async () => {
    await type(field(), 'unfinished');
    await press(field(), 'Home');
    await press(field(), 'ArrowUp');
    await asked(0);
    await answer(0, 'm8', 'again, please');
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: 'again, please' });
    expect(await text()).toBe('unfinished');
    const types = (await open.posted()).map(({ type }) => type);
    expect(types.lastIndexOf('draft')).toBeGreaterThan(types.lastIndexOf('send'));
  });
});

/** Goes to an earlier message with the Up key. */
async function showEarlier(): Promise<void> {
  await press(field(), 'Home');
  await press(field(), 'ArrowUp');
  await open.answer('getPrompt', { prompt: { promptId: 'm8', text: 'Earlier' } });
  await expect.poll(text).toBe('Earlier');
}

/** Goes to an earlier message with the Up key, and changes it to `Earlier!`. */
async function editEarlier(): Promise<void> {
  await showEarlier();
  await press(field(), 'End');
  await type(field(), '!');
}

const draft = async () => (await postsOf('draft')).at(-1);
/** The revision of the draft that the page saved last. */
const lastRevision = async () =>
  (await open.posted()).flatMap((each) => (each.type === 'draft' ? each.revision : [])).at(-1)!;

describe('a message that returns to the draft while an earlier message is shown', () => {
  const returned = { ...shownSession, text: 'returned' };
  const rejected = { type: 'sendRejected', ...returned, reason: 'Not sent.' } as const;
  const moved = { type: 'textReturned', ...returned } as const;

  it.each([
    ['that was rejected', rejected],
    ['that is edited again', moved],
  ])('%s, is kept behind it', async (_, message) => {
    await type(field(), 'half written');
    await showEarlier();
    await open.tell(message);
    expect(await text()).toBe('Earlier');
    await press(field(), 'Escape');
    expect(await text()).toBe('returned\n\nhalf written');
    await expect.poll(draft).toMatchObject({ text: 'returned\n\nhalf written' });
  });

  it('is kept once if the draft of the host contains it already', async () => {
    await showEarlier();
    const whole = { text: 'returned\n\nmore', selectionStart: 0, selectionEnd: 0 };
    await open.tell({ type: 'draft', draft: whole }, moved);
    await press(field(), 'Escape');
    expect(await text()).toBe('returned\n\nmore');
  });

  it.each([
    ['that was rejected', rejected],
    ['that is edited again', moved],
  ])('%s, is added to it together with the draft behind it if it was edited', async (_, message) => {
    await type(field(), 'half written');
    await editEarlier();
    await open.tell(message);
    const whole = 'returned\n\nEarlier!\n\nhalf written';
    expect(await text()).toBe(whole);
    await expect.poll(draft).toMatchObject({ text: whole });
    await open.tell({ type: 'draft', draft: { text: whole, selectionStart: 0, selectionEnd: 0 } });
    await press(field(), 'Escape');
    expect(await text()).toBe(whole);
    expect(await draft()).toMatchObject({ text: whole });
  });
});

describe('an edited earlier message and the draft that it replaced', () => {
  it('are both saved, because a closed page can save nothing', async () => {
    await type(field(), 'half written');
    await editEarlier();
    await expect.poll(draft).toMatchObject({ sessionId: 'ses_01', text: 'Earlier!\n\nhalf written' });
    expect(await text()).toBe('Earlier!');
    await press(field(), 'Backspace');
    await expect.poll(draft).toMatchObject({ text: 'Earlier\n\nhalf written' });
    await press(field(), 'Escape');
    expect(await text()).toBe('half written');
    await expect.poll(draft).toMatchObject({ text: 'half written' });
  });

  it('stay apart if the host repeats the draft, for example because a file was attached', async () => {
    await type(field(), 'half written');
    await editEarlier();
    await expect.poll(draft).toMatchObject({ text: 'Earlier!\n\nhalf written' });
    const revision = await lastRevision();
    const repeated = { text: 'Earlier!\n\nhalf written', selectionStart: 0, selectionEnd: 0, revision };
    await open.tell({ type: 'draft', draft: repeated });
    expect(await text()).toBe('Earlier!');
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: 'Earlier!' });
    expect(await text()).toBe('half written');
  });

  it('end with the draft if the user undoes the step to the earlier message', async () => {
    await type(field(), 'half written');
    await showEarlier();
    await press(field(), 'Control+z');
    expect(await text()).toBe('half written');
    await press(field(), 'End');
    await type(field(), '!');
    await expect.poll(draft).toMatchObject({ text: 'half written!' });
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: 'half written!' });
    expect(await text()).toBe('');
  });

  it('are both in the draft if the host changes it', async () => {
    await type(field(), 'half written');
    await editEarlier();
    await expect.poll(draft).toMatchObject({ text: 'Earlier!\n\nhalf written' });
    const revision = await lastRevision();
    const whole = { text: 'Earlier!\n\nhalf written\n\nadded', selectionStart: 0, selectionEnd: 0, revision };
    await open.tell({ type: 'draft', draft: whole });
    expect(await text()).toBe(whole.text);
    await type(field(), '?');
    await expect.poll(draft).toMatchObject({ text: `?${whole.text}` });
  });
});

describe('a text that the host adds to the draft', () => {
  const added = { text: 'own\n\nadded', selectionStart: 3, selectionEnd: 3, addedId: 7 };

  it('is named by what the page saves and sends from then on, and not before', async () => {
    await type(field(), 'ow');
    const { addedId, revision } = await open.waitForPost('draft');
    expect(addedId).toBeUndefined();
    await type(field(), 'n');
    // The host sent this before it received what the user typed last.
    await open.tell({ type: 'draft', draft: { ...added, text: 'ow\n\nadded', revision: revision - 1 } });
    await expect.poll(async () => (await postsOf('draft')).at(-1)).toMatchObject({ text: 'own' });
    const [last] = (await open.posted()).flatMap((message) => (message.type === 'draft' ? [message] : [])).slice(-1);
    expect(last!.addedId).toBeUndefined();
    await open.tell({ type: 'draft', draft: { ...added, revision: last!.revision } });
    expect(await text()).toBe('own\n\nadded');
    await type(field(), ' words');
    await expect
      .poll(async () => (await postsOf('draft')).at(-1))
      .toMatchObject({
        text: 'own words\n\nadded',
        addedId: 7,
      });
    await passTime(1_000);
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: 'own words\n\nadded', addedId: 7 });
  });

  it('is part of the draft that waits behind an earlier message', async () => {
    await press(field(), 'ArrowUp');
    await open.answer('getPrompt', { prompt: { promptId: 'm8', text: 'Earlier' } });
    await expect.poll(text).toBe('Earlier');
    await open.tell({ type: 'draft', draft: added });
    await press(field(), 'End');
    await type(field(), '!');
    const saved = async () => (await postsOf('draft')).at(-1);
    await expect.poll(saved).toMatchObject({ text: 'Earlier!\n\nown\n\nadded', addedId: 7 });
  });
});

describe('a draft that changes while the user types', () => {
  const changed = { text: 'Delete the tests.', selectionStart: 17, selectionEnd: 17, addedId: 7 };
  /** Expects that the send key does nothing, in the field and as a key binding. */
  const expectNotSent = async () => {
    await press(field(), 'Enter');
    await open.tell({ type: 'composerKey', press: 'send' }, { type: 'announce', text: 'a moment later' });
    expect(await postsOf('send')).toEqual([]);
  };

  it.each([
    ['of another session', conversation(manyRows(2), { sessionId: 'ses_02', draft: changed })],
    ['of this session', { type: 'draft', draft: changed } as const],
  ])('%s, is not sent by an Enter press that was meant for the text before', async (_, message) => {
    await passTime(0);
    await field().focus();
    await open.tell(message);
    expect(await text()).toBe(changed.text);
    await expectNotSent();
    await type(field(), ' Now');
    await passTime(999);
    await expectNotSent();
    expect(await text()).toBe(`${changed.text} Now`);
    await passTime(1);
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: `${changed.text} Now` });
  });

  it('can be sent immediately if the field did not have the focus', async () => {
    await passTime(0);
    await open.page.getByRole('log').focus();
    await open.tell({ type: 'draft', draft: changed });
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: changed.text });
  });

  it('can be sent immediately with the button', async () => {
    await passTime(0);
    await field().focus();
    await open.tell({ type: 'draft', draft: changed });
    await click(open.page.getByRole('button', { name: 'Send', exact: true }));
    expect(await open.waitForPost('send')).toMatchObject({ text: changed.text });
  });
});

describe('ways to send', () => {
  it('are in a menu next to Send and apply to one message', async () => {
    await fill(field(), 'hello');
    await open.page.getByRole('button', { name: 'More Ways to Send' }).focus();
    await press(open.page, 'Enter');
    await press(open.page, 'ArrowDown');
    await press(open.page, 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({
      type: 'send',
      sessionId: 'ses_01',
      text: 'hello',
      when: 'whenIdle',
    });
    expect(await text()).toBe('');
  });

  it('cannot be chosen while there is nothing to send, but can still be read', async () => {
    await click(open.page.getByRole('button', { name: 'More Ways to Send' }));
    const item = open.page.getByRole('menuitem', { name: 'Send Now' });
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    await item.dispatchEvent('click');
    expect(await postsOf('send')).toEqual([]);
    await click(open.page.getByRole('menuitem', { name: 'Compose in Editor' }));
    expect(await open.waitForPost('compose')).toMatchObject({ action: 'composeInEditor' });
  });

  it('include a later time, which the host asks for while the message stays in the field', async () => {
    await fill(field(), 'later');
    await click(open.page.getByRole('button', { name: 'More Ways to Send' }));
    await click(open.page.getByRole('menuitem', { name: 'Send Later...' }));
    expect(await open.answer('chooseSendTime', {})).toMatchObject({ sessionId: 'ses_01' });
    expect(await text()).toBe('later');
    expect(await postsOf('send')).toEqual([]);
    await open.tell({ type: 'composerKey', press: 'sendLater' });
    await open.answer('chooseSendTime', { after: { kind: 'time', at: 5 } }, 1);
    expect(await open.waitForPost('send')).toMatchObject({ text: 'later', after: { kind: 'time', at: 5 } });
    expect(await text()).toBe('');
    expect(await postsOf('send')).toHaveLength(1);
  });

  it('send a message later from its session, even if another one is shown when the time is chosen', async () => {
    await fill(field(), 'later');
    await open.tell({ type: 'composerKey', press: 'sendLater' });
    await open.waitForPost('chooseSendTime');
    await open.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
    await open.answer('chooseSendTime', { after: { kind: 'time', at: 5 } });
    const sent = { sessionId: 'ses_01', text: 'later', after: { kind: 'time', at: 5 }, hasWaited: true };
    expect(await open.waitForPost('send')).toMatchObject(sent);
    expect(await postsOf('send')).toHaveLength(1);
  });

  it('send a message later with what the user typed in it meanwhile', async () => {
    await fill(field(), 'later');
    await open.tell({ type: 'composerKey', press: 'sendLater' });
    await open.waitForPost('chooseSendTime');
    await type(field(), ' today');
    await open.answer('chooseSendTime', { after: { kind: 'time', at: 5 } });
    const sent = await open.waitForPost('send');
    expect(sent).toMatchObject({ sessionId: 'ses_01', text: 'later today', after: { kind: 'time', at: 5 } });
    expect(sent).not.toHaveProperty('hasWaited');
  });

  it('say that there is nothing to send later', async () => {
    await open.tell({ type: 'composerKey', press: 'sendLater' });
    await open.page.locator('#composer-failure').getByText('Enter a message first.').waitFor();
    expect(await postsOf('chooseSendTime')).toEqual([]);
    await type(field(), 'x');
    await open.page.locator('#composer-failure').waitFor({ state: 'hidden' });
  });

  it('announce why nothing can be sent later, and do not keep the reason', async () => {
    const composer = { attachments: [], canSend: false, hint: 'The session is read-only.' };
    await open.tell({ type: 'composer', composer }, { type: 'composerKey', press: 'sendLater' });
    await open.page.getByRole('status').getByText('The session is read-only.').waitFor();
    await open.tell({ type: 'composer', composer: { ...composer, canSend: true, hint: '' } });
    expect(await open.page.locator('#composer-failure').isVisible()).toBe(false);
    expect(await postsOf('chooseSendTime')).toEqual([]);
  });

  it('include a computer, which is shown and can be reset', async () => {
    await open.tell({ type: 'composer', composer: { attachments: [], canSend: true, hint: '', computer: 'build-7' } });
    expect(await open.page.locator('.recipient').innerText()).toBe('build-7');
    await click(open.page.getByRole('button', { name: "Use the Session's Computer" }));
    expect(await open.waitForPost('compose')).toMatchObject({ action: 'forgetComputer' });
  });

  it('work with key bindings', async () => {
    await type(field(), 'first');
    expect(await open.waitForPost('composerFocus')).toEqual({ type: 'composerFocus', isFocused: true });
    await open.tell({ type: 'composerKey', press: 'newline' });
    expect(await text()).toBe('first\n');
    await open.tell({ type: 'composerKey', press: 'send' });
    expect(await open.waitForPost('send')).toMatchObject({ text: 'first\n' });
  });
});

describe('a scheduled message', () => {
  it('says when it will be sent, with a clock and its actions', async () => {
    const delivery: PageDelivery = {
      entryId: 'e1',
      state: 'queued',
      label: 'Will be sent at 6:30 PM',
      actions: ['sendNow', 'changeTime', 'edit', 'cancel'],
    };
    await open.tell(conversation([...manyRows(3), markdownRow('e1', 'later', { role: 'user', delivery })]));
    const row = open.page.getByRole('article').filter({ hasText: 'Will be sent at 6:30 PM' });
    expect(await row.locator('.delivery .icon').count()).toBe(1);
    const names = ['Send Now', 'Change Time...', 'Edit', 'Cancel'];
    expect(await row.locator('.delivery').getByRole('button').allInnerTexts()).toEqual(names);
    for (const name of names) await click(row.getByRole('button', { name, exact: true }));
    expect(await postsOf('delivery')).toEqual(
      delivery.actions.map((action) => ({ type: 'delivery', entryId: 'e1', action })),
    );
  });
});
