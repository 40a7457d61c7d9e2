import { describe, expect, it } from 'vitest';
import { click, fill, focus, insertText, press } from '../../../tools/editor/drive/act.ts';
import { conversation, manyRows, setup, shownSession } from '../rig/samples.ts';
import { usePage } from '../rig/usePage.ts';

const open = usePage([setup, conversation(manyRows(3))], { widthPx: 500 });

const field = () => open.page.getByRole('textbox', { name: 'Message' });
const hint = () => open.page.locator('.composer-notice');
const button = (name: string) => hint().getByRole('button', { name });

/** Cuts the text from the field, so that it is on the clipboard, and pastes it after `before` with the keyboard. */
async function paste(text: string, before = '') {
  await fill(field(), text);
  await press(field(), 'ControlOrMeta+a');
  await press(field(), 'ControlOrMeta+x');
  await fill(field(), before);
  await press(field(), 'ControlOrMeta+End');
  await press(field(), 'ControlOrMeta+v');
}

const hidden = 'Run\u200b it\u{e0069}\u{e0067}!';

describe('hidden characters in pasted text (R49)', () => {
  it('are announced, and removed on request, with the keyboard alone', async () => {
    await paste(hidden, 'Please: ');
    await hint().waitFor();
    expect(await hint().locator('.composer-notice-text').textContent()).toBe('The text contains 3 hidden characters.');
    expect(await open.page.getByRole('group', { name: 'The text contains 3 hidden characters.' }).count()).toBe(1);
    await expect
      .poll(() => open.page.locator('[aria-live]').allTextContents())
      .toContain('The text contains 3 hidden characters.');
    expect(await field().inputValue()).toBe(`Please: ${hidden}`);
    await press(button('Remove'), 'Enter');
    expect(await field().inputValue()).toBe('Please: Run it!');
    expect(await hint().count()).toBe(0);
    expect(await field().evaluate((node) => node === document.activeElement)).toBe(true);
    const draft = async () => (await open.posted()).findLast(({ type }) => type === 'draft');
    await expect.poll(draft).toMatchObject({ text: 'Please: Run it!', selectionStart: 15 });
    // The removal can be undone. The hidden characters are then announced again.
    await press(field(), 'ControlOrMeta+z');
    expect(await field().inputValue()).toBe(`Please: ${hidden}`);
    expect(await hint().count()).toBe(1);
  });

  it('become visible codes on request', async () => {
    await paste(hidden);
    await click(button('Show as Codes'));
    expect(await field().inputValue()).toBe('Run<U+200B> it<U+E0069><U+E0067>!');
    expect(await hint().count()).toBe(0);
  });

  it('stay on request, and one hint is enough', async () => {
    await paste('a\u00adb');
    await hint().waitFor();
    expect(await hint().locator('.composer-notice-text').textContent()).toBe('The text contains 1 hidden character.');
    await press(field(), 'ControlOrMeta+v');
    await expect.poll(() => hint().count()).toBe(1);
    await click(button('Keep'));
    expect(await hint().count()).toBe(0);
    expect(await field().inputValue()).toBe('a\u00adba\u00adb');
    expect(await field().evaluate((node) => node === document.activeElement)).toBe(true);
  });

  it('are no longer announced when the user has removed them or sent the message', async () => {
    await paste('a\u200b');
    await hint().waitFor();
    await press(field(), 'Backspace');
    await expect.poll(() => hint().count()).toBe(0);
    await paste('a\u200b');
    await hint().waitFor();
    await click(open.page.getByRole('button', { name: 'Send', exact: true }));
    await expect.poll(() => hint().count()).toBe(0);
  });

  it('do not include joiners and emoji', async () => {
    await paste('می\u200cخواهم 👩‍💻 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿');
    await expect.poll(() => field().inputValue()).toContain('👩');
    expect(await hint().count()).toBe(0);
  });

  it('are announced if a command, another editor, or a drop inserts them', async () => {
    await open.tell({ type: 'insertText', ...shownSession, text: 'snippet\u2066' });
    expect(await hint().count()).toBe(1);
    await click(button('Remove'));
    expect(await field().inputValue()).toBe('snippet');
    const saved = async () => (await open.posted()).findLast((message) => message.type === 'draft');
    await expect.poll(saved).toMatchObject({ text: 'snippet' });
    const draft = {
      text: 'from an editor\u{e0041}',
      selectionStart: 0,
      selectionEnd: 0,
      revision: (await saved())!.revision,
    };
    await open.tell({ type: 'draft', draft });
    await expect.poll(() => hint().count()).toBe(1);
    await click(button('Remove'));
    await field().evaluate((node) => {
      (node as HTMLTextAreaElement).value = 'dropped\u202e';
      node.dispatchEvent(
        new InputEvent('input', { bubbles: true, inputType: 'insertFromDrop', data: 'dropped\u202e' }),
      );
    });
    expect(await hint().count()).toBe(1);
  });

  it('are left alone when they are typed with an input method', async () => {
    await focus(field());
    await insertText(open.page, 'ن\u200b\u200d');
    await press(field(), 'Alt+Enter');
    expect(await field().inputValue()).toBe('ن\u200b\u200d\n');
    expect(await hint().count()).toBe(0);
  });
});
