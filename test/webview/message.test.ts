import { describe, expect, it } from 'vitest';
import { click, hover, press } from '../../tools/editor/drive/act.ts';
import type { PageBlock, PageDelivery, PageFact, PageRow } from '../../src/shared/protocol/rowTypes.ts';
import { conversation, markdownRow, row, setup, startMs } from './rig/samples.ts';
import { usePage } from './rig/usePage.ts';

const open = usePage([setup]);

const article = (key: string) => open.page.locator(`article[data-key="${key}"]`);

describe('the details of a message', () => {
  const facts: PageFact[] = [
    { label: 'Message ID', value: 'msg-1', isId: true },
    { label: 'Created', value: '', timeMs: startMs },
    { label: 'Encrypted content', value: '20 characters' },
  ];
  const button = () => article('m').getByRole('button', { name: 'Show Details' });
  const terms = () => article('m').locator('.details dt').allTextContents();

  it('are requested only when they are opened', async () => {
    await open.tell(conversation([markdownRow('m', 'text')]));
    expect((await open.posted()).some(({ type }) => type === 'getDetails')).toBe(false);
    await press(button(), 'Enter');
    expect(await open.answer('getDetails', facts)).toMatchObject({ key: 'm' });
    expect(await terms()).toEqual(['Message ID', 'Created', 'Encrypted content']);
    expect(await article('m').locator('dd').nth(1).textContent()).toMatch(/^Wednesday,? 4 March 2026.*10:00:00$/);
    await click(article('m').getByRole('button', { name: 'Copy: Message ID' }));
    expect(await open.waitForPost('copy')).toEqual({ type: 'copy', text: 'msg-1' });
    await click(button());
    expect(await terms()).toEqual([]);
  });

  it('stay closed if they were closed before they arrived', async () => {
    await open.tell(conversation([markdownRow('m', 'text')]));
    await press(button(), 'Enter');
    await press(button(), 'Enter');
    await open.answer('getDetails', facts);
    expect(await terms()).toEqual([]);
  });

  it('stay open and are requested again when the message changes', async () => {
    await open.tell(conversation([markdownRow('m', 'text')]));
    await press(button(), 'Enter');
    await open.answer('getDetails', facts);
    const changed = markdownRow('m', 'text', { badges: [{ label: 'new', hint: 'new' }] });
    await open.tell({ type: 'patch', patches: [{ op: 'replace', row: changed, estimatedLines: 1 }] });
    expect(await button().getAttribute('aria-expanded')).toBe('true');
    await open.answer('getDetails', facts.slice(0, 1), 1);
    expect(await terms()).toEqual(['Message ID']);
  });
});

describe('a tool call', () => {
  const call = (result?: { text: string; isError: boolean }): PageBlock => ({
    type: 'fold',
    kind: 'toolUse',
    title: 'Read',
    detail: 'src/a.ts',
    isError: false,
    blocks: [],
    ...(result ? { result } : {}),
  });

  it('shows its result while collapsed, and labels it for screen readers', async () => {
    const failed = call({ text: 'ENOENT', isError: true });
    await open.tell(conversation([row('m', [call(), call({ text: 'ok', isError: false }), failed])]));
    const buttons = article('m').locator('.fold-button');
    expect(await buttons.allTextContents()).toEqual([
      'Readsrc/a.ts',
      'Readsrc/a.ts, result: okok',
      'Readsrc/a.ts, error: ENOENTENOENT',
    ]);
    expect(await buttons.nth(2).getAttribute('aria-expanded')).toBe('false');
    expect(await article('m').locator('.fold-error').count()).toBe(1);
  });

  it('keeps its expanded state when its result arrives', async () => {
    await open.tell(conversation([row('m', [call()])]));
    await click(article('m').locator('.fold-button'));
    const answered = row('m', [call({ text: 'ok', isError: false })]);
    await open.tell({ type: 'patch', patches: [{ op: 'replace', row: answered, estimatedLines: 2 }] });
    expect(await article('m').locator('.fold-button').getAttribute('aria-expanded')).toBe('true');
  });
});

it('an answer that reports an error has the icon of an error', async () => {
  await open.tell(conversation([markdownRow('e', 'I could not start.', { isError: true }), markdownRow('m', 'text')]));
  expect(await article('e').and(open.page.locator('.is-error')).locator('.row-error').isVisible()).toBe(true);
  expect(await article('m').and(open.page.locator('.is-error')).count()).toBe(0);
  expect(await article('m').locator('.row-error').count()).toBe(0);
});

describe('the state of a message that waits', () => {
  it('names another session without codes, and isolates its title', async () => {
    const label = 'Will be sent when "\u2068השקת החנות\u2069" is idle';
    const delivery = { entryId: 'e1', state: 'queued', isWaiting: true, label, actions: ['cancel'] } as const;
    await open.tell(conversation([markdownRow('own', 'Next.', { role: 'user', delivery })]));
    const shown = open.page.locator('.delivery-label');
    expect(await shown.innerText()).toBe('Will be sent when "השקת החנות" is idle');
    expect(await shown.locator('bdi').innerText()).toBe('השקת החנות');
    expect(await shown.locator('.bidi-control').count()).toBe(0);
  });
});

describe('a message that is being uploaded', () => {
  const upload = (progress: number, label: string, more: Partial<PageDelivery> = {}) => {
    const delivery: PageDelivery = { entryId: 'e1', state: 'sending', label, progress, actions: ['cancel'], ...more };
    return markdownRow('own', 'Look at the logs.', { role: 'user', delivery });
  };
  const replace = (changed: PageRow) =>
    open.tell({ type: 'patch', patches: [{ op: 'replace', row: changed, estimatedLines: 1 }] });
  const cancel = () => article('own').getByRole('button', { name: 'Cancel' });
  const bar = () => article('own').getByRole('progressbar');

  it('keeps its Cancel button while the progress changes', async () => {
    await open.tell(conversation([upload(0.1, 'Sending, 1 MB of 10 MB...')]));
    await cancel().focus();
    await replace(upload(0.2, 'Sending, 2 MB of 10 MB...'));
    expect(await cancel().evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await article('own').locator('.delivery-label').innerText()).toBe('Sending, 2 MB of 10 MB...');
    expect(await bar().evaluate((node) => [node.getAttribute('value'), node.ariaLabel])).toEqual([
      '0.2',
      'Sending, 2 MB of 10 MB...',
    ]);
    await press(open.page, 'Enter');
    expect(await open.waitForPost('delivery')).toEqual({ type: 'delivery', entryId: 'e1', action: 'cancel' });
  });

  it('can be canceled by a click during which the progress changes', async () => {
    await open.tell(conversation([upload(0.1, 'Sending, 1 MB of 10 MB...')]));
    await hover(cancel());
    await open.page.mouse.down();
    await replace(upload(0.2, 'Sending, 2 MB of 10 MB...'));
    await open.page.mouse.up();
    expect(await open.waitForPost('delivery')).toMatchObject({ entryId: 'e1', action: 'cancel' });
  });

  it('has an icon that spins, unless motion is reduced in the system or in VS Code', async () => {
    await open.tell(conversation([upload(0.1, 'Sending, 1 MB of 10 MB...')]));
    const animation = () =>
      article('own')
        .locator('.delivery .icon')
        .evaluate((node) => getComputedStyle(node).animationName);
    expect(await animation()).toBe('spin');
    await open.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    expect(await animation()).toBe('none');
  });

  it('has no progress bar and no button once it is sent', async () => {
    await open.tell(conversation([upload(0.9, 'Sending, 9 MB of 10 MB...')]));
    const delivery: PageDelivery = { entryId: 'e1', state: 'accepted', label: 'Sent', actions: [] };
    await replace(markdownRow('own', 'Look at the logs.', { role: 'user', delivery }));
    expect([await bar().count(), await cancel().count()]).toEqual([0, 0]);
    expect(await article('own').locator('.delivery-label').innerText()).toBe('Sent');
  });
});

describe('copied text', () => {
  /** Selects everything from one row to another, copies it, and returns what is pasted into the composer. */
  async function copied(first: string, last: string): Promise<string> {
    await open.page.evaluate(
      ([first, last]) => {
        const row = (key: string) => document.querySelector(`article[data-key="${key}"]`) ?? document.body;
        document.getSelection()?.setBaseAndExtent(row(first!), 0, row(last!), row(last!).childNodes.length);
      },
      [first, last],
    );
    // While a text field has the focus, the key copies from the field.
    await press(open.page.getByRole('log'), 'ControlOrMeta+c');
    const field = open.page.getByRole('textbox', { name: 'Message', exact: true });
    await press(field, 'ControlOrMeta+v');
    await expect.poll(() => field.inputValue()).not.toBe('');
    return field.inputValue();
  }

  it('contains nothing that only screen readers get', async () => {
    const call: PageBlock = {
      ...{ type: 'fold', kind: 'toolUse', title: 'Read', detail: 'src/a.ts', isError: false, blocks: [] },
      result: { text: 'ok', isError: false },
    };
    const update = { phase: 'commentary', roleLabel: 'Hidden role' } as const;
    await open.tell(
      conversation([
        markdownRow('a', 'First update.', update),
        row('b', [call]),
        markdownRow('c', 'Second update.', update),
        markdownRow('d', 'The end.', { roleLabel: 'Shown role' }),
      ]),
    );
    const text = await copied('a', 'd');
    expect(text).toMatch(/First update\.[^]*src\/a\.ts[^]*Second update\.[^]*Shown role[^]*The end\./);
    expect(text).not.toMatch(/result:|Hidden role/);
  });

  it('and a quote contain the items of a plan, without the names of their states', async () => {
    const items = [
      { text: 'Read the code', state: 'done', spoken: 'done' },
      { text: 'Write the tests', state: 'current', spoken: 'in progress' },
    ] as const;
    await open.tell(conversation([row('a', [{ type: 'checklist', items }])]));
    const text = await copied('a', 'a');
    expect(text).toMatch(/Read the code\s+Write the tests/);
    expect(text).not.toMatch(/, done|in progress/);
    await open.page.evaluate(() => document.getSelection()?.selectAllChildren(document.querySelector('.checklist')!));
    await open.tell({ type: 'quote', key: 'a' });
    const { text: quoted } = await open.waitForPost('messageAction');
    expect(quoted?.split(/\n+/)).toEqual(['Read the code', 'Write the tests']);
  });
});

describe('commentary', () => {
  it('is less prominent than the final answer', async () => {
    await open.tell(
      conversation([markdownRow('c', 'text', { phase: 'commentary' }), markdownRow('f', 'text', { phase: 'final' })]),
    );
    const colour = (key: string) =>
      article(key)
        .locator('p')
        .evaluate((node) => getComputedStyle(node).color);
    expect(await colour('c')).not.toBe(await colour('f'));
    const plain = markdownRow('c', 'text');
    await open.tell({ type: 'patch', patches: [{ op: 'replace', row: plain, estimatedLines: 1 }] });
    expect(await colour('c')).toBe(await colour('f'));
  });
});

describe("a message that the agent's tooling wrote", () => {
  const title = "Context added by the agent's tooling";
  const text = '<system-reminder>\n**Be** brief.\n</system-reminder>';
  const fold: PageBlock = { type: 'fold', kind: 'context', title, isError: false, blocks: [{ type: 'code', text }] };
  const tooling = { role: 'user', roleLabel: "Agent's tooling", isContext: true } as const;

  it('is one line that can be expanded to its text, as it is', async () => {
    await open.tell(conversation([markdownRow('u', 'Fix it.', { role: 'user' }), row('c', [fold], tooling)]));
    const heightOf = async (key: string) => (await article(key).boundingBox())?.height ?? 0;
    expect(await heightOf('c')).toBeLessThan(40);
    expect((await article('c').locator('.row-role').boundingBox())?.width).toBeLessThan(2);
    expect(await article('c').getAttribute('aria-label')).toMatch(/^Agent's tooling/);
    await click(article('c').getByRole('button', { name: title }));
    expect(await article('c').locator('code').innerText()).toBe(text);
  });
});
