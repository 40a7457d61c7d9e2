import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { click, fill, press, type } from '../../../tools/editor/drive/act.ts';
import type { PageComposer } from '../../../src/shared/protocol/pageModel.ts';
import type { OpenPage } from '../rig/pageRig.ts';
import { conversation, manyRows, setup, shownSession } from '../rig/samples.ts';
import { usePage, usePages } from '../rig/usePage.ts';
import { moveClock } from '../rig/moveClock.ts';

const open = usePage([setup, conversation(manyRows(3))], { widthPx: 500 });

const field = () => open.page.getByRole('textbox', { name: 'Message' });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Given {
  readonly text?: string;
  readonly data?: Readonly<Record<string, string>>;
  /** The contents of text files by file name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The width of an image with colored rectangles; its height is half the width. */
  readonly pictureWidthPx?: number;
  readonly shiftKey?: boolean;
}

/** Dispatches a paste or drag event as a browser does. Resolves to false if the page handled the event. */
function give(kind: 'paste' | 'drop' | 'dragenter', given: Given): Promise<boolean> {
  return field().evaluate(
    async (node, { kind, given }) => {
      const data = new DataTransfer();
      if (given.text !== undefined) data.setData('text/plain', given.text);
      for (const [type, value] of Object.entries(given.data ?? {})) data.setData(type, value);
      for (const [name, content] of Object.entries(given.files ?? {})) data.items.add(new File([content], name));
      if (given.pictureWidthPx !== undefined) {
        const canvas = new OffscreenCanvas(given.pictureWidthPx, given.pictureWidthPx / 2);
        const context = canvas.getContext('2d')!;
        // The image is varied, so that it doesn't compress well.
        for (let x = 0; x < canvas.width; x += 8) {
          context.fillStyle = `hsl(${(x * 37) % 360} 80% 50%)`;
          context.fillRect(x, (x * 13) % canvas.height, 8, 400);
        }
        const blob = await canvas.convertToBlob({ type: 'image/png' });
        data.items.add(new File([blob], 'image.png', { type: 'image/png' }));
      }
      const options = { bubbles: true, cancelable: true };
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent(kind, { ...options, dataTransfer: data, shiftKey: given.shiftKey === true });
      return node.dispatchEvent(event);
    },
    { kind, given },
  );
}

/** Waits until `count` attachments have been posted as bytes. */
const attached = (count: number) => open.waitForPost('attachBytes', count - 1);
const lastAttached = () =>
  open.page.evaluate(async () => {
    const message = window.bridge.posted.findLast(({ type }) => type === 'attachBytes');
    if (message?.type !== 'attachBytes') return undefined;
    const bytes = new Uint8Array(message.bytes);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const isBuffer = message.bytes instanceof ArrayBuffer;
    return { attachmentId: message.attachmentId, name: message.name, sizeBytes: bytes.byteLength, isBuffer, sha256 };
  });

/** The IDs of the attachments that the page has removed. */
const removed = async () =>
  (await open.posted()).flatMap((message) => (message.type === 'removeAttachment' ? message.attachmentId : []));

describe('pasting', () => {
  it('leaves short text to the browser', async () => {
    expect(await give('paste', { text: 'short' })).toBe(true);
    expect(await lastAttached()).toBeUndefined();
  });

  it('attaches long text as a file, byte for byte, and inserts it as text on request', async () => {
    const text = 'Grüße, 世界\n'.repeat(2_000);
    expect(await give('paste', { text })).toBe(false);
    await attached(1);
    expect(await lastAttached()).toMatchObject({ name: 'pasted-text.txt', isBuffer: true, sha256: sha256(text) });
    expect(await open.page.getByText('Attached the pasted text as a file.').first().isVisible()).toBe(true);
    await click(open.page.getByRole('button', { name: 'Paste as Text' }));
    const { attachmentId } = (await lastAttached())!;
    expect(await open.waitForPost('removeAttachment')).toMatchObject({ attachmentId });
    expect(await field().inputValue()).toBe(text);
    expect(await field().evaluate((node) => (node as HTMLTextAreaElement).selectionStart)).toBe(text.length);
    const draft = async () => (await open.posted()).findLast(({ type }) => type === 'draft');
    await expect.poll(draft).toMatchObject({ text, selectionStart: text.length });
    expect(await open.page.getByRole('button', { name: 'Paste as Text' }).count()).toBe(0);
  });

  it('shows the hint about long pasted text only while its file is attached', async () => {
    const notice = open.page.locator('.composer-notice');
    const show = (...names: string[]) => {
      const attachments = names.map((attachmentId) => ({
        attachmentId,
        name: 'a.txt',
        detail: '1 B',
        kind: 'file' as const,
      }));
      return open.tell({ type: 'composer', composer: { attachments, canSend: true, hint: '' } });
    };
    await give('paste', { text: 'x'.repeat(setup.pasteAsFileLength + 1) });
    await attached(1);
    const { attachmentId } = (await lastAttached())!;
    // The host may send other composer updates before it has received the file.
    await show('other');
    expect(await notice.count()).toBe(1);
    await show('other', attachmentId);
    expect(await notice.count()).toBe(1);
    await show('other');
    await expect.poll(() => notice.count()).toBe(0);
  });

  it('leaves long text to the browser if so configured', async () => {
    await open.tell({ ...setup, pasteAsFileLength: 0 }, conversation(manyRows(3)));
    expect(await give('paste', { text: 'x'.repeat(20_000) })).toBe(true);
  });

  it('attaches files unchanged', async () => {
    // The clipboard also contains the name of a copied file as text.
    expect(await give('paste', { files: { 'notes.txt': 'one\r\n' }, text: 'notes.txt' })).toBe(false);
    await attached(1);
    expect(await lastAttached()).toMatchObject({ name: 'notes.txt', sha256: sha256('one\r\n') });
    expect(await give('paste', { files: { 'größe.csv': 'a;b' } })).toBe(false);
    await attached(2);
    expect(await lastAttached()).toMatchObject({ name: 'größe.csv', sha256: sha256('a;b') });
  });

  it('pastes only the text if the clipboard contains both text and an image', async () => {
    expect(await give('paste', { text: 'A1\tB1', pictureWidthPx: 40 })).toBe(true);
    expect(await lastAttached()).toBeUndefined();
  });

  it('shows a thumbnail of an image', async () => {
    await give('paste', { pictureWidthPx: 400 });
    await attached(1);
    const { attachmentId, name } = (await lastAttached())!;
    const attachments = [{ attachmentId, name, detail: '4 KB', kind: 'image' }] as const;
    await open.tell({ type: 'composer', composer: { attachments, canSend: true, hint: '' } });
    await expect.poll(() => open.page.locator('.chip canvas').count()).toBe(1);
    expect(open.foreignRequests).toEqual([]);
  });

  it('offers to attach a large image at a smaller size', async () => {
    await give('paste', { pictureWidthPx: 3_200 });
    await open.page
      .getByText(/^image\.png is large: 3200 × 1600 px, [\d.]+ [KM]B\.$/)
      .first()
      .waitFor();
    // Until the user chooses, the original is attached.
    const original = (await lastAttached())!;
    await click(open.page.getByRole('button', { name: /^Resize and Attach \(1568 px, [\d.]+ KB\)$/ }));
    await attached(2);
    const { name, sizeBytes } = (await lastAttached())!;
    expect(await removed()).toEqual([original.attachmentId]);
    expect(original.sizeBytes).toBeGreaterThan(sizeBytes);
    expect(name).toMatch(/^image\.(png|jpg)$/);
    const size = await open.page.evaluate(async () => {
      const message = window.bridge.posted.findLast(({ type }) => type === 'attachBytes');
      if (message?.type !== 'attachBytes') return [];
      const { width, height } = await createImageBitmap(new Blob([new Uint8Array(message.bytes)]));
      return [width, height];
    });
    expect(size).toEqual([1_568, 784]);
    await give('paste', { pictureWidthPx: 3_200 });
    await click(open.page.getByRole('button', { name: 'Attach As Is' }));
    await attached(3);
    expect([(await lastAttached())!.sizeBytes, await removed()]).toEqual([original.sizeBytes, [original.attachmentId]]);
    await give('paste', { pictureWidthPx: 3_200 });
    await click(open.page.getByRole('button', { name: "Don't Attach" }));
    await attached(4);
    expect((await removed()).slice(1)).toEqual([(await lastAttached())!.attachmentId]);
    expect(await open.page.locator('.composer-notice').count()).toBe(0);
  });

  it('attaches a large image at a smaller size if the original exceeds the limit', async () => {
    await open.tell({ ...setup, maxAttachmentMB: 0.001 }, conversation(manyRows(3)));
    await give('paste', { pictureWidthPx: 3_200 });
    await attached(1);
    const resize = open.page.getByRole('button', { name: /^Resize and Attach/ });
    await resize.waitFor();
    expect(await open.page.getByRole('button', { name: 'Attach As Is' }).count()).toBe(0);
    const widthPx = await open.page.evaluate(async () => {
      const message = window.bridge.posted.findLast(({ type }) => type === 'attachBytes');
      return (
        message?.type === 'attachBytes' && (await createImageBitmap(new Blob([new Uint8Array(message.bytes)]))).width
      );
    });
    await click(resize);
    expect([widthPx, await removed()]).toEqual([1_568, []]);
    await give('paste', { pictureWidthPx: 3_200 });
    await attached(2);
    await click(open.page.getByRole('button', { name: "Don't Attach" }));
    expect(await removed()).toEqual([(await lastAttached())!.attachmentId]);
  });

  it('keeps an image whose size was not chosen when another session is shown, and asks no more', async () => {
    const notices = open.page.locator('.composer-notice');
    await give('paste', { pictureWidthPx: 3_000 });
    await notices.first().waitFor();
    await open.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
    expect(await notices.count()).toBe(0);
    const posted = (await open.posted()).filter(({ type }) => type === 'attachBytes' || type === 'removeAttachment');
    expect(posted).toMatchObject([{ ...shownSession, type: 'attachBytes', name: 'image.png' }]);
  });

  it('keeps the field and Send visible with many hints and attachments', async () => {
    await open.page.setViewportSize({ width: 250, height: 500 });
    const attachments = Array.from({ length: 30 }, (_, index) => {
      return { attachmentId: `${index}`, name: `file-${index}.ts`, detail: '1 KB', kind: 'file' as const };
    });
    const composer = { attachments, canSend: true, hint: '', failure: 'It was not attached. '.repeat(30) };
    await open.tell({ type: 'composer', composer });
    await fill(field(), 'one line\n'.repeat(50));
    for (let count = 0; count < 5; count++) await give('paste', { text: 'x'.repeat(setup.pasteAsFileLength + 1) });
    const last = open.page.locator('.composer-notice').nth(4);
    await last.waitFor();
    for (const node of [last, field(), open.page.getByRole('button', { name: 'Send', exact: true })]) {
      const { y, height } = (await node.boundingBox())!;
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(500);
    }
    const box = (await open.page.locator('.composer-box').boundingBox())!;
    const { y, height } = (await last.boundingBox())!;
    // The gap is 6 px. The notices scroll by whole pixels, but their height can be fractional.
    expect(Math.abs(box.y - (y + height) - 6)).toBeLessThan(1);
  });

  it('rejects content that is too large for the page and suggests an alternative', async () => {
    await open.tell({ ...setup, maxPageBytes: 10 }, conversation(manyRows(3)));
    await give('paste', { files: { 'big.bin': '12345678901' } });
    const notice = 'big.bin is too large to paste or drop (11 B). Use Attach instead.';
    await open.page.getByText(notice).first().waitFor();
    const text = 'x'.repeat(setup.pasteAsFileLength + 1);
    await open.tell({ ...setup, maxPageBytes: text.length - 1 }, conversation(manyRows(3)));
    await give('paste', { text });
    await open.page.getByText('pasted-text.txt is too large to paste or drop').first().waitFor();
    expect(await open.page.getByText('Attached the pasted text as a file.').count()).toBe(0);
    expect(await lastAttached()).toBeUndefined();
  });

  it('says that a file could not be read, and does not send the message that waits for it', async () => {
    await fill(field(), 'look');
    await open.page.evaluate(() => {
      const failing = new Promise<ArrayBuffer>((_, reject) => {
        window.addEventListener('continue', () => reject(new DOMException('It is a folder.', 'NotFoundError')));
      });
      Blob.prototype.arrayBuffer = () => failing;
    });
    await give('drop', { files: { folder: '' }, shiftKey: true });
    await press(field(), 'Enter');
    await open.page.evaluate(() => window.dispatchEvent(new Event('continue')));
    await open.page.getByText('Couldn\'t read "folder".').first().waitFor();
    await open.tell({ type: 'ping' });
    await open.waitForPost('pong');
    expect((await open.posted()).filter(({ type }) => type === 'send')).toEqual([]);
    await press(field(), 'Enter');
    expect(await open.waitForPost('send')).toMatchObject({ text: 'look' });
  });
});

it.each(['another session is shown', 'the page is rebuilt'])(
  'asks no question about an image if %s while it is read',
  async (what) => {
    await open.page.evaluate(() => {
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = async function () {
        await new Promise<void>((resolve) => window.addEventListener('continue', () => resolve()));
        return arrayBuffer.call(this);
      };
      const toBlob = HTMLCanvasElement.prototype.toBlob;
      HTMLCanvasElement.prototype.toBlob = function (take, ...given) {
        toBlob.call(
          this,
          (blob) => {
            take(blob);
            document.body.setAttribute('data-drawn', '');
          },
          ...given,
        );
      };
    });
    await give('paste', { pictureWidthPx: 3_000 });
    await open.page.locator('[data-drawn]').waitFor();
    if (what === 'another session is shown') await open.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
    else await open.tell({ ...setup, pasteAsFileLength: 1 }, conversation(manyRows(3)));
    const proceed = () => open.page.evaluate(() => void window.dispatchEvent(new Event('continue')));
    const posted = async () => (await open.posted()).filter(({ type }) => type === 'attachBytes');
    await expect.poll(async () => (await proceed(), posted())).toMatchObject([shownSession]);
    expect(await open.page.locator('.composer-notice').count()).toBe(0);
  },
);

it('says with each message which rejected attachments of the session the page has shown', async () => {
  const refuse = (rejectionId: number) => {
    const failure = `File ${rejectionId} is too large.`;
    return { attachments: [], canSend: true, hint: '', failure, rejectionId };
  };
  const sent = async (index: number) => {
    await fill(field(), `look ${index}`);
    await press(field(), 'Enter');
    return (await open.waitForPost('send', index)).seenRejectionId;
  };
  expect(await sent(0)).toBeUndefined();
  await open.tell({ type: 'composer', composer: refuse(4) });
  await open.tell({ type: 'composer', composer: { attachments: [], canSend: true, hint: '' } });
  expect(await sent(1)).toBe(4);
  await open.tell({ type: 'sendRejected', ...shownSession, text: 'look 1', reason: 'The disk is full.' });
  // The reason for the rejected message hides the one for the attachment.
  await open.tell({ type: 'composer', composer: refuse(5) });
  // Right after the message returned, Enter is meant for what the user was writing.
  await press(field(), 'Enter');
  await open.page.evaluate(moveClock, Date.now() + 2_000);
  await press(field(), 'Enter');
  expect(await open.waitForPost('send', 2)).toMatchObject({ seenRejectionId: 4 });
  await open.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
  expect(await sent(3)).toBeUndefined();
});

describe('an image that is still being read', () => {
  const pages = usePages();
  let page: OpenPage;

  beforeEach(async () => {
    page = await pages.open({
      prepare: () => {
        const { createImageBitmap } = window;
        const promise = new Promise<void>((resolve) => {
          window.addEventListener('continue', () => resolve());
        });
        window.createImageBitmap = async (source: ImageBitmapSource) => {
          await promise;
          return createImageBitmap(source);
        };
      },
    });
    await page.tell(setup, conversation(manyRows(3)));
  });
  const pageField = () => page.page.getByRole('textbox', { name: 'Message' });
  const pasteImage = (widthPx: number) =>
    pageField().evaluate(async (node, width) => {
      const canvas = new OffscreenCanvas(width, width / 2);
      canvas.getContext('2d')?.fillRect(0, 0, 40, 40);
      const data = new DataTransfer();
      data.items.add(new File([await canvas.convertToBlob()], 'image.png', { type: 'image/png' }));
      node.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
    }, widthPx);
  const drop = (uri: string) =>
    pageField().evaluate((node, text) => {
      const data = new DataTransfer();
      data.setData('text/uri-list', text);
      node.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, shiftKey: true, dataTransfer: data }),
      );
    }, uri);
  const comment = { commentId: 'other', messageId: 'm1', key: 'm1', quote: 'a', offset: 0, text: 'Why?' };
  const attachment = (attachmentId: string) => ({ attachmentId, name: 'a.ts', detail: '1 B', kind: 'file' as const });
  const showComposer = (shown: Partial<PageComposer>) =>
    page.tell({ type: 'composer', composer: { attachments: [], canSend: true, hint: '', ...shown } });
  const readImage = () => page.page.evaluate(() => window.dispatchEvent(new Event('continue')));

  /** Expects that a message isn't sent if the user does something while it waits. Then presses Enter again. */
  const expectNotSentIf = async (act: () => Promise<unknown>) => {
    await fill(pageField(), 'look');
    await pasteImage(400);
    await press(pageField(), 'Enter');
    await act();
    await readImage();
    await page.waitForPost('attachBytes');
    await page.tell({ type: 'ping' });
    await page.waitForPost('pong');
    expect((await page.posted()).filter((message) => message.type === 'send')).toEqual([]);
    await press(pageField(), 'Enter');
  };

  it('is attached to the session in which it was pasted, without a question', async () => {
    await pasteImage(3_200);
    await page.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
    await readImage();
    expect(await page.waitForPost('attachBytes')).toMatchObject({ sessionId: 'ses_01', name: 'image.png' });
    expect(await page.page.locator('.composer-notice').count()).toBe(0);
  });

  it.each([400, 3_200])('is attached before the message that was sent after it, once (%i px)', async (widthPx) => {
    await fill(pageField(), 'look');
    await pasteImage(widthPx);
    await press(pageField(), 'Enter');
    await press(pageField(), 'Enter');
    expect((await page.posted()).filter(({ type }) => type === 'send')).toEqual([]);
    await readImage();
    expect(await page.waitForPost('send')).toMatchObject({ text: 'look', hasWaited: true });
    await page.tell({ type: 'ping' });
    await page.waitForPost('pong');
    const types = (await page.posted()).map(({ type }) => type);
    expect(types.filter((type) => type === 'attachBytes' || type === 'send')).toEqual(['attachBytes', 'send']);
  });

  it.each([
    ['sends it from its session', '', [{ sessionId: 'ses_01', text: 'look', hasWaited: true }]],
    ['keeps it if the user went on writing', ' at', []],
  ])('while another session is shown: %s, once', async (_, more, sent) => {
    await fill(pageField(), 'look');
    await pasteImage(400);
    await press(pageField(), 'Enter');
    await press(pageField(), 'Enter');
    if (more !== '') await type(pageField(), more);
    await page.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
    await readImage();
    expect(await page.waitForPost('attachBytes')).toMatchObject({ sessionId: 'ses_01' });
    await page.tell({ type: 'ping' });
    await page.waitForPost('pong');
    expect((await page.posted()).filter(({ type }) => type === 'send')).toMatchObject(sent);
  });

  it('does not hinder a message whose text comes from elsewhere', async () => {
    await fill(pageField(), 'look');
    await press(pageField(), 'Enter');
    const { revision } = await page.waitForPost('send');
    const caret = { selectionStart: 0, selectionEnd: 0 };
    await page.tell({ type: 'draft', draft: { text: 'at this', ...caret, revision } });
    await pasteImage(400);
    await click(page.page.getByRole('button', { name: 'Send', exact: true }));
    await page.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
    await readImage();
    const sent = { sessionId: 'ses_01', text: 'at this', hasWaited: true };
    expect(await page.waitForPost('send', 1)).toMatchObject(sent);
  });

  it('is attached before a message whose time was chosen while another session is shown', async () => {
    await fill(pageField(), 'look');
    await pasteImage(400);
    await page.tell({ type: 'composerKey', press: 'sendLater' });
    await page.waitForPost('chooseSendTime');
    await page.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
    await page.answer('chooseSendTime', { after: { kind: 'time', at: 5 } });
    await readImage();
    expect(await page.waitForPost('send')).toMatchObject({ sessionId: 'ses_01', text: 'look', hasWaited: true });
    const types = (await page.posted()).map(({ type }) => type);
    expect(types.filter((type) => type === 'attachBytes' || type === 'send')).toEqual(['attachBytes', 'send']);
  });

  it('does not delay a message of another session', async () => {
    await pasteImage(400);
    await page.tell(conversation(manyRows(3), { sessionId: 'ses_02' }));
    await fill(pageField(), 'elsewhere');
    await press(pageField(), 'Enter');
    expect(await page.waitForPost('send')).toMatchObject({ sessionId: 'ses_02', text: 'elsewhere' });
    expect((await page.posted()).filter(({ type }) => type === 'attachBytes')).toEqual([]);
  });

  it('is sent with a file that was pasted before Enter, and that the host attached after it', async () => {
    await fill(pageField(), 'look');
    await pageField().evaluate((node, length) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'x'.repeat(length));
      node.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
    }, setup.pasteAsFileLength + 1);
    const { attachmentId } = await page.waitForPost('attachBytes');
    await pasteImage(400);
    await press(pageField(), 'Enter');
    await showComposer({ attachments: [attachment(attachmentId)] });
    await readImage();
    expect(await page.waitForPost('send')).toMatchObject({ text: 'look' });
  });

  it.each([
    ['pastes another file', () => pasteImage(400)],
    ['drops a file of VS Code', () => drop('file:///a.ts')],
    ['begins a comment', () => page.tell({ type: 'comment', key: 'm1' })],
    ['attaches a file with a command', () => showComposer({ attachments: [attachment('other')] })],
    ['chooses a computer with a command', () => showComposer({ computer: 'vm' })],
    ['adds a comment in a document', () => page.tell({ type: 'comments', comments: { items: [comment] } })],
  ])('does not send the message if the user %s after Enter', async (_, add) => {
    await expectNotSentIf(add);
    expect(await page.waitForPost('send')).toMatchObject({ text: 'look' });
  });

  it('does not send the message if the user goes on writing it', async () => {
    await expectNotSentIf(() => type(pageField(), ' at'));
    expect(await page.waitForPost('send')).toMatchObject({ text: 'look at' });
  });
});

describe('dropping', () => {
  it('attaches nothing while no conversation is shown', async () => {
    await open.tell({ type: 'screen', screen: { title: 'No session', text: '', buttons: [] } });
    await open.page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['content'], 'notes.txt'));
      const options = { bubbles: true, cancelable: true, shiftKey: true, dataTransfer: data };
      document.body.dispatchEvent(new DragEvent('drop', options));
    });
    await open.tell(conversation(manyRows(3)));
    expect(await lastAttached()).toBeUndefined();
  });

  it('attaches hundreds of files in several messages', async () => {
    const many = Array.from({ length: 401 }, (_, index) => `file:///${index}.ts`);
    await give('drop', { data: { 'text/uri-list': many.join('\r\n') }, shiftKey: true });
    await open.waitForPost('attachUris', 2);
    const posted = (await open.posted()).flatMap((message) => (message.type === 'attachUris' ? [message.uris] : []));
    expect(posted.map(({ length }) => length)).toEqual([200, 200, 1]);
    expect(posted.flat()).toEqual(many);
  });

  const uris = 'vscode-remote://ssh-remote%2Bhost/home/me/a.ts\r\nfile:///home/me/b.ts\r\n';

  it('shows which key to hold while something is dragged over the page', async () => {
    await give('dragenter', { files: { a: 'a' } });
    expect(await open.page.getByText('Hold Shift to attach').isVisible()).toBe(true);
    await give('dragenter', { files: { a: 'a' }, shiftKey: true });
    expect(await open.page.getByText('Drop to attach').isVisible()).toBe(true);
    await give('drop', { files: { a: 'a' }, shiftKey: true });
    expect(await open.page.locator('.drop-target').isVisible()).toBe(false);
    await attached(1);
    expect(await lastAttached()).toMatchObject({ name: 'a', sha256: sha256('a') });
    await click(open.page.getByRole('button', { name: 'Attach', exact: true }));
    expect(await open.page.getByText('Hold Shift to drop files here.').isVisible()).toBe(true);
  });

  it.each(['text/uri-list', 'application/vnd.code.uri-list'])(
    'passes files from VS Code to the host by URI (%s)',
    async (type) => {
      expect(await give('drop', { data: { [type]: uris } })).toBe(false);
      expect(await open.waitForPost('attachUris')).toEqual({
        type: 'attachUris',
        ...shownSession,
        uris: ['vscode-remote://ssh-remote%2Bhost/home/me/a.ts', 'file:///home/me/b.ts'],
      });
    },
  );

  it('leaves web URLs and plain text to the field', async () => {
    expect(await give('drop', { data: { 'text/uri-list': 'https://example.org/' } })).toBe(true);
    expect(await give('drop', { text: 'words' })).toBe(true);
    expect((await open.posted()).filter(({ type }) => type === 'attachUris')).toEqual([]);
  });
});
