import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, fill } from '../../tools/editor/drive/act.ts';
import { conversation, markdownRow, setup } from './rig/samples.ts';
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
