import { expect, it } from 'vitest';
import { click, press } from '../../tools/editor/drive/act.ts';
import type { PageBlock } from '../../src/shared/protocol/rowTypes.ts';
import type { OpenPage } from './rig/pageRig.ts';
import { conversation, manyRows, markdownRow, row, setup, shownSession } from './rig/samples.ts';
import { usePages } from './rig/usePage.ts';

const pages = usePages({ mayFail: true });
let open: OpenPage;

it('a truncated message shows that it is truncated, and has a button that requests the full text', async () => {
  open = await pages.open();
  const cut = "900 of 1,000 characters aren't shown.";
  await open.tell(setup, conversation([markdownRow('a', 'Short'), markdownRow('b', 'Long', { cut })]));
  const article = open.page.getByRole('article').filter({ hasText: cut });
  await click(article.getByRole('button', { name: 'Show All in Editor' }));
  expect(await open.waitForPost('showAll')).toEqual({ type: 'showAll', ...shownSession, key: 'b' });
  expect(await open.page.getByRole('button', { name: 'Show All in Editor' }).count()).toBe(1);
  const whole = markdownRow('b', 'Shorter now');
  await open.tell({ type: 'patch', patches: [{ op: 'replace', row: whole, estimatedLines: 1 }] });
  expect(await open.page.getByText(cut).count()).toBe(0);
});

it('a message that cannot be drawn shows an error in its place, and other messages are shown normally', async () => {
  open = await pages.open();
  const broken = row('b', [{ type: 'fold', kind: 'raw', title: 'x', isError: true } as unknown as PageBlock]);
  await open.tell(setup, conversation([markdownRow('a', 'Before'), broken, markdownRow('c', 'After')]));
  await open.page.getByText("Couldn't display this message: TypeError").waitFor();
  await open.page.getByText('Before').waitFor();
  await open.page.getByText('After').waitFor();
  expect((await open.waitForPost('failed')).reason).toContain('could not draw a message: TypeError');
  await open.tell({ type: 'patch', patches: [{ op: 'replace', row: markdownRow('b', 'Mended'), estimatedLines: 1 }] });
  await open.page.getByText('Mended').waitFor();
  expect(await open.page.getByText("Couldn't display this message").count()).toBe(0);
});

it('the page requests its state again if it could not use all messages sent ahead', async () => {
  open = await pages.open();
  const readyCount = async () => (await open.posted()).filter(({ type }) => type === 'ready').length;
  // The conversation arrived before the setup it needs, so only the setup was used.
  await open.tell(conversation(manyRows(3)), setup, { type: 'preloadDone' });
  await expect.poll(readyCount).toBe(2);
  await open.tell(setup, conversation(manyRows(3)), { type: 'preloadDone' }, { type: 'ping' });
  await open.waitForPost('pong');
  expect(await readyCount()).toBe(2);
});

it('the page reports that it has drawn a conversation, once it has, and no screen', async () => {
  open = await pages.open();
  const drawn = async () => (await open.posted()).filter(({ type }) => type === 'drawn').length;
  await open.tell(
    setup,
    { type: 'screen', screen: { title: 'Nothing here', text: '', buttons: [] } },
    { type: 'ping' },
  );
  await open.waitForPost('pong');
  expect(await drawn()).toBe(0);
  await open.tell(conversation(manyRows(3)));
  await open.waitForPost('drawn');
  expect(await drawn()).toBe(1);
});

it('the page reports that it is alive, and which row is at the top of the viewport', async () => {
  open = await pages.open();
  await open.tell(setup, conversation(manyRows(200)));
  await open.tell({ type: 'ping' });
  expect(await open.waitForPost('pong')).toEqual({ type: 'pong' });
  await open.page.getByRole('log').evaluate((log) => (log.scrollTop = 3_000));
  await expect.poll(async () => (await open.state())?.atEnd).toBe(false);
  await open.tell({ type: 'ping' });
  expect((await open.waitForPost('pong', 1)).anchorKey).toMatch(/\S/);
});

it('loading many messages can be canceled and resumed, also by keyboard', async () => {
  open = await pages.open();
  const label = 'Loading 1,200 of 5,000...';
  await open.tell(setup, conversation([markdownRow('a', 'One')]));
  await open.tell({ type: 'older', older: { state: 'loading', label, canCancel: true } });
  const cancel = open.page.getByRole('button', { name: 'Cancel' });
  await cancel.focus();
  await open.tell({ type: 'older', older: { state: 'loading', label: 'Loading 1,300 of 5,000...', canCancel: true } });
  await press(open.page, 'Enter');
  expect(await open.waitForPost('cancelLoading')).toEqual({ type: 'cancelLoading', ...shownSession });
  await open.tell({ type: 'older', older: { state: 'cancelled', label: 'Load the rest' } });
  expect(await cancel.count()).toBe(0);
  await press(open.page, 'Enter');
  expect(await open.waitForPost('loadOlder')).toEqual({ type: 'loadOlder', ...shownSession });
});

it('the page handles messages that the host sent before its script was loaded', async () => {
  open = await pages.open({
    prepare: () => {
      let kept: MessageEvent<unknown>[] | undefined;
      Object.defineProperty(window, 'linesideEarly', {
        configurable: true,
        get: () => kept,
        set(messages: MessageEvent<unknown>[]) {
          kept = messages;
          window.postMessage({ type: 'announce', text: 'Sent ahead' }, '*');
        },
      });
    },
  });
  await open.page.getByRole('status').filter({ hasText: 'Sent ahead' }).waitFor();
  expect(await open.page.evaluate(() => 'linesideEarly' in window)).toBe(false);
});
