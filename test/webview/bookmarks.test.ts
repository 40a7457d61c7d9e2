import { describe, expect, it } from 'vitest';
import { fill, hover, press } from '../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageBookmark } from '../../src/shared/protocol/pageModel.ts';
import { axeViolations } from './rig/axeViolations.ts';
import { conversation, manyRows, setup } from './rig/samples.ts';
import { usePage } from './rig/usePage.ts';

const rows = manyRows(60);
const open = usePage([setup, conversation(rows)]);

const bookmarkOf = (key: string, note = ''): PageBookmark => ({ messageId: key, key, note });
const bookmarks = (...items: readonly PageBookmark[]): HostMessage => ({ type: 'bookmarks', bookmarks: items });
const article = (key: string) => open.page.locator(`article[data-key="${key}"]`);
const mark = (key: string) => article(key).getByRole('img', { name: 'Bookmark' });
const status = () => open.page.getByRole('status').textContent();
const focusedKey = () =>
  open.page.evaluate(() => document.activeElement?.closest<HTMLElement>('article')?.dataset['key']);

describe('a bookmark', () => {
  it('is shown in the header of its message with its note, without moving anything', async () => {
    const last = article('m59');
    await last.waitFor();
    const before = await last.boundingBox();
    const described = () => last.getAttribute('aria-description');
    await open.tell(bookmarks(bookmarkOf('m59', 'look here')));
    await mark('m59').waitFor();
    expect(await mark('m59').getAttribute('title')).toBe('look here');
    expect(await described()).toBe('Bookmark: look here');
    expect(await last.boundingBox()).toEqual(before);
    expect(await axeViolations(open.page)).toEqual([]);
    await open.tell(bookmarks(bookmarkOf('m59')));
    await expect.poll(() => mark('m59').getAttribute('title')).toBe('Bookmark');
    expect(await described()).toBe('Bookmark');
    await open.tell(bookmarks());
    await mark('m59').waitFor({ state: 'detached' });
    expect(await described()).toBe(null);
    expect(await last.boundingBox()).toEqual(before);
  });

  it('is in the context of the context menu', async () => {
    const context = () => article('m59').getAttribute('data-vscode-context');
    await article('m59').waitFor();
    expect(await context()).toContain('"linesideHasBookmark":false');
    await open.tell(bookmarks(bookmarkOf('m59')));
    await expect.poll(context).toContain('"linesideHasBookmark":true');
  });

  it('is toggled in the menu of its message, which edits its note only if there is one', async () => {
    const row = article('m59');
    await hover(row);
    await press(row.getByRole('button', { name: 'More Actions...' }), 'Enter');
    expect(await open.page.getByRole('menuitem', { name: 'Edit Bookmark Note...' }).count()).toBe(0);
    await press(open.page.getByRole('menuitem', { name: 'Toggle Bookmark' }), 'Enter');
    expect(await open.waitForPost('messageAction')).toMatchObject({ action: 'toggleBookmark', key: 'm59' });
    await open.tell(bookmarks(bookmarkOf('m59')));
    await mark('m59').waitFor();
    await press(row.getByRole('button', { name: 'More Actions...' }), 'Enter');
    await press(open.page.getByRole('menuitem', { name: 'Edit Bookmark Note...' }), 'Enter');
    expect(await open.waitForPost('messageAction', 1)).toMatchObject({ action: 'editBookmarkNote', key: 'm59' });
  });

  it('is never toggled on a message of the session that was shown before', async () => {
    await article('m58').focus();
    await open.page.evaluate(() => {
      document.hasFocus = () => false;
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await open.tell(conversation(manyRows(3), { sessionId: 'ses_02' }), { type: 'toggleBookmark' });
    await open.page
      .getByRole('status')
      .filter({ hasText: /^Select a message first/ })
      .waitFor();
    expect((await open.posted()).filter(({ type }) => type === 'messageAction')).toEqual([]);
  });

  it('is toggled by a command on the message that has the focus', async () => {
    await article('m58').focus();
    await open.tell({ type: 'toggleBookmark' });
    expect(await open.waitForPost('messageAction')).toMatchObject({ action: 'toggleBookmark', key: 'm58' });
    await open.page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await open.tell({ type: 'toggleBookmark' });
    await expect.poll(status).toBe('Select a message first.');
  });
});

describe('going to the next bookmark', () => {
  it('focuses its message, and announces its note', async () => {
    await article('m59').focus();
    await open.tell({ type: 'goTo', target: 'bookmark', by: -1 });
    expect(await open.waitForPost('getBookmark')).toMatchObject({ from: 'm59', by: -1 });
    await open.answer('getBookmark', { messageId: 'm10', key: 'm10', text: 'the plan' });
    await expect.poll(focusedKey).toBe('m10');
    await expect.poll(status).toBe('Bookmark: the plan');
    const box = await article('m10').boundingBox();
    expect(box?.y).toBeGreaterThan(40);
    expect(box?.y).toBeLessThan(400);
    await open.tell({ type: 'goTo', target: 'bookmark', by: 1 });
    const { askId, ...question } = await open.waitForPost('getBookmark', 1);
    expect(question).toMatchObject({ from: 'm10', by: 1 });
    await open.tell({ type: 'answer', askId, answer: undefined });
    await expect.poll(status).toBe('Nothing more in this direction.');
  });

  it('requests a message without a row from the host, and focuses it when it arrives', async () => {
    await article('m59').focus();
    await open.tell({ type: 'goTo', target: 'bookmark', by: -1 });
    await open.waitForPost('getBookmark');
    await open.answer('getBookmark', { messageId: 'x', key: 'x', text: 'hidden' });
    expect(await open.waitForPost('revealMessage')).toMatchObject({ messageId: 'x' });
    const [row] = manyRows(1, 100);
    if (!row) throw new Error('no row');
    const found = { ...row, key: 'x' };
    await open.tell(
      {
        type: 'patch',
        patches: [{ op: 'insert', index: 20, rowStubs: [{ key: 'x', estimatedLines: 3 }], rows: [found] }],
      },
      { type: 'reveal', key: 'x' },
    );
    await expect.poll(focusedKey).toBe('x');
  });

  it('begins at the viewport if no message has the focus', async () => {
    await open.page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await open.tell({ type: 'reveal', key: 'm30' });
    await expect
      .poll(() =>
        article('m30')
          .boundingBox()
          .then((box) => box?.y ?? -1),
      )
      .toBeLessThan(60);
    await open.tell({ type: 'goTo', target: 'bookmark', by: 1 });
    expect(await open.waitForPost('getBookmark')).toMatchObject({ from: 'm29', by: 1 });
    await open.tell({ type: 'goTo', target: 'bookmark', by: -1 });
    expect(await open.waitForPost('getBookmark', 1)).toMatchObject({ from: 'm30', by: -1 });
  });
});

describe('a message that the user chose in a list of the editor', () => {
  it('gets the focus, also if it is in view already', async () => {
    await open.page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await open.tell({ type: 'focusRow', key: 'm59' });
    await expect.poll(focusedKey).toBe('m59');
    await open.tell({ type: 'focusRow', key: 'm10' }, { type: 'reveal', key: 'm10' });
    await expect.poll(focusedKey).toBe('m10');
  });
});

describe('find', () => {
  it('goes to the bookmark with a matching note and says so', async () => {
    await open.tell(bookmarks(bookmarkOf('m59', 'needle')));
    await open.tell({ type: 'openFind' });
    await fill(open.page.getByRole('searchbox', { name: 'Find in Conversation' }), 'needle');
    await expect
      .poll(async () => (await open.posted()).filter(({ type }) => type === 'find').length)
      .toBeGreaterThan(1);
    const { findId } = (await open.posted()).findLast((message) => message.type === 'find') ?? {};
    await open.tell({
      type: 'found',
      find: {
        ...{ findId: findId ?? 0, count: 1, isMore: false, index: 0, isSearching: false },
        ...{ isOlderMissing: false, isOlderLoading: false, pattern: { source: 'needle', flags: 'gi' } },
        match: { key: 'm59', block: -1, place: 0 },
      },
    });
    await open.page.getByText('This match is in the note of the bookmark.').waitFor();
    expect(await open.page.getByRole('button', { name: 'Show All in Editor' }).count()).toBe(0);
    expect(await mark('m59').isVisible()).toBe(true);
  });
});
