import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import type { OpenPage } from '../rig/pageRig.ts';
import { conversation, manyRows, setup } from '../rig/samples.ts';
import { usePages } from '../rig/usePage.ts';

const pages = usePages();

const screen: HostMessage = {
  type: 'screen',
  screen: { title: 'No service yet', text: 'Connect.', buttons: [{ label: 'Connect', action: 'connect' }] },
};

/** Dispatches the event that VS Code causes when the user moves to the page by keyboard. */
async function arrive({ page }: OpenPage): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
}

/** The label of the focused element, or else its text. If no specific element has the focus, the text of the page. */
function focusedOn({ page }: OpenPage): Promise<string> {
  return page
    .evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
    .then((name) => name ?? '');
}

async function leave({ page }: OpenPage): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.dispatchEvent(new FocusEvent('blur'));
  });
}

/** Sets whether the page believes that its window has the focus. A headless browser always reports that it has. */
async function setFocused({ page }: OpenPage, isFocused: boolean): Promise<void> {
  await page.evaluate((value) => {
    document.hasFocus = () => value;
  }, isFocused);
}

describe('a message from the host moves the focus to the text field', () => {
  const open = async (isFocused: boolean) => {
    const opened = await pages.open();
    await opened.tell(setup, conversation(manyRows(3)));
    await opened.page.locator('article[data-key="m1"]').focus();
    await setFocused(opened, isFocused);
    return opened;
  };

  it.each([
    { isFocused: true, takesFocus: false, expected: 'Message' },
    { isFocused: true, takesFocus: true, expected: 'Message' },
    { isFocused: false, takesFocus: true, expected: 'Message' },
    { isFocused: false, takesFocus: false, expected: 'Agent message, 4 Mar, 10:00' },
  ])('$isFocused, $takesFocus: $expected', async ({ isFocused, takesFocus, expected }) => {
    const opened = await open(isFocused);
    await opened.tell({ type: 'focusComposer', takesFocus });
    expect(await focusedOn(opened)).toBe(expected);
  });

  it('as soon as VS Code focuses the page, and only once', async () => {
    const opened = await open(false);
    await opened.tell({ type: 'focusComposer', takesFocus: false });
    await setFocused(opened, true);
    await arrive(opened);
    expect(await focusedOn(opened)).toBe('Message');
    await opened.page.locator('article[data-key="m1"]').focus();
    await arrive(opened);
    expect(await focusedOn(opened)).toBe('Agent message, 4 Mar, 10:00');
  });
});

describe('when the user moves to the page by keyboard, the focus', () => {
  it('goes to the text field once there is a conversation', async () => {
    const open = await pages.open();
    await arrive(open);
    await open.tell(setup, conversation(manyRows(3)));
    await expect.poll(() => focusedOn(open)).toBe('Message');
  });

  it('goes to the first button of a screen, and to the text field once there is a conversation', async () => {
    const open = await pages.open();
    await open.tell(setup, screen);
    await expect.poll(() => focusedOn(open)).toBe('Connect');
    await leave(open);
    await open.tell(conversation(manyRows(3)));
    expect(await focusedOn(open)).not.toBe('Message');
    await arrive(open);
    await expect.poll(() => focusedOn(open)).toBe('Message');
  });

  it('returns to its previous element without scrolling', async () => {
    const open = await pages.open();
    await open.tell(setup, conversation(manyRows(60)));
    const scroller = open.page.getByRole('log');
    await open.tell({ type: 'reveal', key: 'm20' });
    await click(open.page.locator('article[data-key="m20"] p').first());
    const topPx = () => scroller.evaluate(({ scrollTop }) => scrollTop);
    const before = await topPx();
    await leave(open);
    await arrive(open);
    await expect.poll(() => focusedOn(open)).toBe('You message, 4 Mar, 10:00');
    expect(await topPx()).toBe(before);
  });

  it('goes to the text field if its previous element no longer exists', async () => {
    const open = await pages.open();
    await open.tell(setup, conversation(manyRows(3)));
    await open.page.locator('article[data-key="m1"]').getByRole('button', { name: 'Show Details' }).focus();
    await leave(open);
    await open.tell({ type: 'patch', patches: [{ op: 'remove', keys: ['m1'] }] });
    await arrive(open);
    await expect.poll(() => focusedOn(open)).toBe('Message');
  });
});
