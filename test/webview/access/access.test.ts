import { describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import {
  header,
  conversation,
  fullComposer,
  manyRows,
  markdownRow,
  row,
  setup,
  stepOf,
  stepsRow,
  stubOf,
} from '../rig/samples.ts';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import type { PageRow } from '../../../src/shared/protocol/rowTypes.ts';
import type { OpenPage } from '../rig/pageRig.ts';
import { showcase } from '../rig/showcase.ts';
import { usePages } from '../rig/usePage.ts';

const pages = usePages();
let open: OpenPage;

/**
 * The key of the message with the focus, followed by the name of the focused control in it, if any; outside messages,
 * the name of the focused element.
 */
const focus = () =>
  open.page.evaluate(() => {
    const node = document.activeElement;
    const row = node?.closest<HTMLElement>('article');
    const name = node?.getAttribute('aria-label') ?? node?.localName;
    return row ? `${row.dataset['key']}${node === row ? '' : ` ${name}`}` : (name ?? '');
  });
const pressAll = async (...keys: readonly string[]) => {
  for (const key of keys) await press(open.page, key);
  return focus();
};

/** Waits until no message moves anymore. */
const settled = () =>
  open.page.waitForFunction(async () => {
    const tops = () => [...document.querySelectorAll('article')].map((node) => node.getBoundingClientRect().top).join();
    const before = tops();
    for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
    return tops() === before;
  });

/** Scrolls to the start, and waits until the first message is drawn there and no longer moves. */
const scrollToStart = async () => {
  const log = open.page.getByRole('log');
  const placeAfterHome = async () => {
    await press(log, 'Home');
    await settled();
    const isFirstDrawn = (await open.page.locator('[aria-posinset="1"]').count()) > 0;
    return { isFirstDrawn, top: await log.evaluate((node) => node.scrollTop) };
  };
  // Rows that are measured meanwhile can stop the scrolling a few pixels before the start.
  await expect.poll(placeAfterHome).toEqual({ isFirstDrawn: true, top: 0 });
};

const wide = `const words = '${'wide '.repeat(60)}';`;
const long = 'Words that fill the line. '.repeat(200);

describe('a message is a single tab stop', () => {
  it('from the list to the composer and back', async () => {
    open = await pages.open({ heightPx: 5_000 });
    await open.tell(setup, conversation(showcase));
    await open.page.getByRole('log').focus();
    for (const { key } of showcase) expect(await pressAll('Tab')).toBe(key);
    expect(await pressAll('Tab')).toBe('Message');
    for (const { key } of showcase.toReversed()) expect(await pressAll('Shift+Tab')).toBe(key);
    expect(await pressAll('Shift+Tab')).toBe('Conversation');
  });

  it('whose controls the arrow keys reach, in reading order', async () => {
    open = await pages.open();
    await open.tell(
      setup,
      conversation([markdownRow('a', '[one](https://a.example) [two](https://b.example)'), markdownRow('b', 'x')]),
    );
    await open.page.getByRole('log').focus();
    await pressAll('Tab');
    const keys = ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowRight'];
    const reached = [];
    for (const key of keys) reached.push(await pressAll(key));
    // Down Arrow skips the button whose menu it would open.
    expect(reached).toEqual(['a Show Details', 'a a', 'a a', 'a a', 'a a']);
    expect(await pressAll('ArrowUp', 'ArrowUp')).toBe('a Show Details');
    // Tab leaves the message from any of its controls, and Shift+Tab returns to the message itself.
    expect(await pressAll('ArrowRight', 'Tab')).toBe('b');
    expect(await pressAll('Shift+Tab', 'ArrowRight', 'ArrowRight', 'Shift+Tab')).toBe('a');
  });

  it('in which Left Arrow goes on where text runs from right to left', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([markdownRow('a', 'x')]));
    await open.page.evaluate(() => (document.documentElement.dir = 'rtl'));
    await open.page.getByRole('log').focus();
    expect(await pressAll('Tab', 'ArrowLeft', 'ArrowLeft')).toBe('a More Actions...');
    expect(await pressAll('ArrowRight')).toBe('a Show Details');
  });

  it('in which Down Arrow scrolls until the next control is in view', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([markdownRow('a', `${long}\n\n[end](https://a.example)`)]));
    const log = open.page.getByRole('log');
    await scrollToStart();
    expect(await pressAll('Tab', 'ArrowDown', 'ArrowDown', 'ArrowDown')).toBe('a Show Details');
    await expect.poll(() => log.evaluate((node) => node.scrollTop)).toBeGreaterThan(0);
    expect(await pressAll('ArrowRight', 'ArrowRight')).toBe('a a');
  });

  it('in which Right Arrow scrolls wide code to its end before it goes on', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([markdownRow('a', `\`\`\`\n${wide}\n\`\`\`\n\n[end](https://a.example)`)]));
    const code = open.page.locator('pre');
    await code.focus();
    expect(await pressAll('ArrowRight')).toBe('a pre');
    await expect.poll(() => code.evaluate((node) => node.scrollLeft)).toBeGreaterThan(0);
    await code.evaluate((node) => (node.scrollLeft = node.scrollWidth));
    expect(await pressAll('ArrowRight')).toBe('a a');
  });

  it('that is brought into view, also in a long conversation', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(manyRows(60)));
    await scrollToStart();
    for (let index = 0; index < 60; index += 1) {
      await settled();
      expect(await pressAll('Tab')).toBe(`m${index}`);
      const isInView = await open.page.evaluate(() => {
        const view = document.querySelector('[role=log]')?.getBoundingClientRect();
        const box = document.activeElement?.getBoundingClientRect();
        return view !== undefined && box !== undefined && box.top < view.bottom && box.bottom > view.top;
      });
      expect(isInView).toBe(true);
    }
    expect(await pressAll('Tab')).toBe('Message');
  });
});

describe('the focus is not lost', () => {
  const code = '```ts\nconst a = 1;\n```';
  const banner = { entryId: 'e', label: "Couldn't confirm delivery", actions: ['sendAgain', 'discard'] } as const;

  it('when the part of a message that has it is drawn again', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([markdownRow('a', code)]));
    await open.page.locator('pre').focus();
    await open.tell({
      type: 'patch',
      patches: [{ op: 'replace', row: markdownRow('a', `More. ${code}`), estimatedLines: 4 }],
    });
    expect(await focus()).toBe('a');
  });

  it('when a message is removed or its steps are collapsed', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([markdownRow('a', 'x'), markdownRow('b', 'y')]));
    await open.page.locator('[data-key=b]').focus();
    await open.tell({ type: 'patch', patches: [{ op: 'remove', keys: ['b'] }] });
    expect(await focus()).toBe('Conversation');
    const steps = (isOpen: boolean) =>
      stepsRow('s', isOpen ? [stepOf('done')] : [], { label: 'Ran a command', hint: '', isOpen, hasErrors: false });
    await open.tell(conversation([steps(true)]));
    await open.page.locator('.step-button').focus();
    await open.tell({ type: 'patch', patches: [{ op: 'replace', row: steps(false), estimatedLines: 1 }] });
    expect(await focus()).toBe('s');
  });

  it('when a step is added or removed, and neither is the selection', async () => {
    open = await pages.open();
    const steps = (...indexes: readonly number[]) =>
      stepsRow(
        's',
        indexes.map((index) => stepOf('done', { index, object: `command ${index}` })),
      );
    const replace = (row: PageRow): HostMessage => ({
      type: 'patch',
      patches: [{ op: 'replace', row, estimatedLines: 3 }],
    });
    await open.tell(setup, conversation([steps(2)]));
    await open.page.locator('.step-button').focus();
    const selected = () => open.page.evaluate(() => document.getSelection()?.toString());
    await open.page.evaluate(() => document.getSelection()?.selectAllChildren(document.querySelector('.step-object')!));
    expect(await selected()).toBe('command 2');
    for (const indexes of [[2, 3], [1, 2, 3], [2]]) {
      await open.tell(replace(steps(...indexes)));
      expect(await focus()).toBe('s Ran command 2');
      expect(await selected()).toBe('command 2');
      expect(await open.page.locator('.step-object').allInnerTexts()).toEqual(
        indexes.map((index) => `command ${index}`),
      );
    }
  });

  it('when the line above the first message changes', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([markdownRow('a', 'x')], { older: { state: 'more', label: 'Load 9 more' } }));
    await open.page.getByRole('button', { name: 'Load 9 more' }).focus();
    await open.tell({ type: 'older', older: { state: 'more', label: 'Load 8 more' } });
    expect(await open.page.evaluate(() => document.activeElement?.textContent)).toBe('Load 8 more');
  });

  it('when a banner closes', async () => {
    open = await pages.open();
    const composer = { attachments: [], canSend: true, hint: '' } as const;
    const failure = { text: "Can't reach the service.", actions: [{ label: 'Retry', action: 'retry' }] } as const;
    await open.tell(
      setup,
      conversation([], { header: { ...header, failure }, composer: { ...composer, undecided: banner } }),
    );
    await open.page.getByRole('button', { name: 'Retry' }).focus();
    await open.tell({ type: 'header', header });
    expect(await focus()).toBe('Message');
    await open.page.getByRole('button', { name: 'Discard' }).focus();
    await open.tell({ type: 'composer', composer });
    await expect.poll(focus).toBe('Message');
  });

  it('in a banner whose buttons change', async () => {
    open = await pages.open();
    const composer = { attachments: [], canSend: true, hint: '' } as const;
    const failure = { text: "Can't reach the service.", actions: [{ label: 'Retry', action: 'retry' }] } as const;
    const undecided = { ...banner, label: 'First' };
    await open.tell(setup, conversation([], { header: { ...header, failure }, composer: { ...composer, undecided } }));
    await open.page.getByRole('button', { name: 'Discard' }).focus();
    await open.tell({
      type: 'composer',
      composer: { ...composer, undecided: { ...banner, entryId: 'e2', label: 'Second' } },
    });
    await open.page.getByRole('group', { name: 'Second' }).and(open.page.locator(':focus')).waitFor();
    await open.page.getByRole('button', { name: 'Retry' }).focus();
    await open.tell({ type: 'header', header: { ...header, failure: { ...failure, text: 'No network.' } } });
    await open.page.getByRole('group', { name: 'No network.' }).and(open.page.locator(':focus')).waitFor();
  });

  it('in the list after Jump to Latest, which then has no other button in its place', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(manyRows(40), { header: { ...header, status: 'idle' } }));
    await scrollToStart();
    await press(open.page.getByRole('button', { name: 'Jump to Latest' }), 'Enter');
    await expect.poll(focus).toBe('Conversation');
  });

  it('but a click on text still takes it away', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([markdownRow('a', 'x')], { header }));
    await open.page.getByRole('button', { name: 'Refresh' }).focus();
    await click(open.page.locator('.page-title'));
    await open.tell({ type: 'patch', patches: [{ op: 'remove', keys: ['a'] }] });
    expect(await focus()).toBe('body');
  });
});

describe('a jump', () => {
  const rows = [
    markdownRow('a', 'Words\n\n## First\n\n```ts\nconst a = 1;\n```\n\n```\nplain\n```'),
    ...manyRows(30, 100).map((one) => ({
      ...one,
      blocks: [{ type: 'markdown', text: 'Just words. '.repeat(20) }] as const,
    })),
    stepsRow('s', [
      stepOf('done', { messageId: 's' }),
      stepOf('failed', { messageId: 's', index: 1, status: 'failed' }),
    ]),
    // Looking for a heading in this line must take linear time.
    markdownRow('line', `${'-'.repeat(300_000)}x`),
    markdownRow('b', '### Last\n\n```\nend\n```'),
    markdownRow('e', 'The model is overloaded.', { isError: true }),
  ];
  const go = async (target: 'codeBlock' | 'heading' | 'step' | 'error', by: 1 | -1, announced: string) => {
    await open.tell({ type: 'goTo', target, by });
    await open.page.getByRole('status').filter({ hasText: announced }).waitFor();
    return focus();
  };

  it('goes from one part to the next, over messages that are not drawn, and announces each', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(rows));
    // If the focus isn't in the list, the first jump starts at the end of what is in view.
    expect(await go('codeBlock', -1, 'Code block: end')).toBe('b pre');
    expect(await go('codeBlock', -1, 'Code block: plain')).toBe('a pre');
    expect(await go('codeBlock', -1, 'Code block: const a = 1;')).toBe('a pre');
    expect(await go('codeBlock', -1, 'Nothing more in this direction.')).toBe('a pre');
    expect(await go('heading', -1, 'Heading: First')).toBe('a h4');
    expect(await go('heading', 1, 'Heading: Last')).toBe('b h5');
    expect(await go('step', -1, 'Step: Ran npm test failed')).toBe('s Ran npm test failed');
    expect(await go('step', -1, 'Step: Ran npm test')).toBe('s Ran npm test');
    expect(await go('error', 1, 'Error: Ran npm test failed')).toBe('s Ran npm test failed');
    expect(await go('error', 1, 'Error: Agent message')).toBe('e');
    expect(await go('error', 1, 'Nothing more in this direction.')).toBe('e');
  });

  it('finds code and headings in block quotes and lists', async () => {
    open = await pages.open();
    const texts = ['> ```\n> quoted\n> ```', '1. ```\n   listed\n   ```', '>     indented', '1. ### Numbered'];
    await open.tell(setup, conversation(texts.map((text, index) => markdownRow(`${index}`, text))));
    expect(await go('codeBlock', -1, 'Code block: indented')).toBe('2 pre');
    expect(await go('codeBlock', -1, 'Code block: listed')).toBe('1 pre');
    expect(await go('codeBlock', -1, 'Code block: quoted')).toBe('0 pre');
    expect(await go('heading', 1, 'Heading: Numbered')).toBe('3 h5');
  });

  it('brings its target into view', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(rows));
    await go('heading', -1, 'Heading: Last');
    await go('heading', -1, 'Heading: First');
    const box = await open.page.locator('h4').boundingBox();
    const view = await open.page.getByRole('log').boundingBox();
    expect(box!.y).toBeGreaterThanOrEqual(view!.y);
    expect(box!.y + box!.height).toBeLessThanOrEqual(view!.y + view!.height);
  });

  it('brings a step into view whose row is drawn outside the view', async () => {
    open = await pages.open();
    const steps = Array.from({ length: 40 }, (_, index) => stepOf('done', { index, object: `command ${index}` }));
    const row = stepsRow('\u0000steps 0 turn s', steps);
    await open.tell(setup, conversation([...manyRows(4), row, ...manyRows(4, 100)]));
    await go('step', -1, 'Step: Ran command 39');
    const box = await open.page.getByRole('button', { name: 'Ran command 39' }).boundingBox();
    const view = await open.page.getByRole('log').boundingBox();
    expect(box!.y).toBeGreaterThanOrEqual(view!.y);
  });
});

describe('the description of the list and the composer', () => {
  it('mentions accessibility help, unless the setting turns it off', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([]));
    const described = () => open.page.locator('#help-hint').textContent();
    for (const role of ['log', 'textbox'] as const) {
      expect(await open.page.getByRole(role).getAttribute('aria-describedby')).toContain('help-hint');
    }
    expect(await described()).toBe('For accessibility help, press Alt+F1 or run Open Accessibility Help.');
    await open.tell({ ...setup, mentionsHelp: false }, conversation([]));
    expect(await described()).toBe('');
  });
});

describe('from right to left', () => {
  it.each([200, 400, 900])('nothing overflows or overlaps in a page %d px wide', async (widthPx) => {
    open = await pages.open({ widthPx, heightPx: 5_000 });
    await open.page.evaluate(() => (document.documentElement.dir = 'rtl'));
    await open.tell(setup, conversation(showcase, { header, composer: fullComposer }));
    await settled();
    const faults = () =>
      open.page.evaluate((widthPx) => {
        const shown = (node: Element) => node.checkVisibility({ visibilityProperty: true });
        const free = [...document.querySelectorAll('body *')].filter(
          (node) =>
            shown(node) && !node.closest('pre, table, .formula-block, .visually-hidden, svg, .page-title bdi, math'),
        );
        const outside = free.filter((node) => {
          const { left, right } = node.getBoundingClientRect();
          return left < -0.5 || right > widthPx + 0.5;
        });
        // No button overlaps another one, unless it contains that one.
        const buttons = [...document.querySelectorAll('button, a[href], textarea')].filter(shown);
        const overlapping = buttons.flatMap((one, index) => {
          const a = one.getBoundingClientRect();
          return buttons.slice(index + 1).filter((other) => {
            const b = other.getBoundingClientRect();
            const isApart =
              a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
            return !isApart && !one.contains(other);
          });
        });
        const name = (node: Element) =>
          `${node.localName}.${node.getAttribute('class')} ${node.textContent.slice(0, 30)}`;
        return { outside: outside.map(name), overlapping: overlapping.map(name) };
      }, widthPx);
    // Rows that are drawn later can still push others down.
    await expect.poll(faults).toEqual({ outside: [], overlapping: [] });
  });

  it('puts the title first and the Send button last, mirrored', async () => {
    open = await pages.open();
    await open.page.evaluate(() => (document.documentElement.dir = 'rtl'));
    await open.tell(setup, conversation(manyRows(3)));
    const left = async (name: string) => (await open.page.getByRole('button', { name, exact: true }).boundingBox())!.x;
    expect(await left('Refresh')).toBeLessThan(60);
    expect(await left('More Ways to Send')).toBeLessThan(60);
    expect(await left('Attach')).toBeGreaterThan(300);
  });
});

describe('at 200 % zoom', () => {
  it.each([
    ['350', 700],
    ['285', 700],
  ])('at least 60 %% of a panel %s px wide is left to messages', async (width, heightPx) => {
    open = await pages.open({ widthPx: Math.round(Number(width) / 2), heightPx: heightPx / 2 });
    await open.tell(
      setup,
      conversation(manyRows(30), {
        composer: { attachments: [], canSend: true, hint: 'Enter sends, Shift+Enter for a new line' },
      }),
    );
    const { height } = (await open.page.getByRole('log').boundingBox())!;
    expect(height / (heightPx / 2)).toBeGreaterThanOrEqual(0.6);
  });
});

describe('the accessibility tree', () => {
  it('of a conversation is as saved', async () => {
    open = await pages.open({ heightPx: 1_500 });
    const rows = [
      markdownRow('u', 'Add jitter to the upload client.', {
        role: 'user',
        roleLabel: 'You',
        place: { startsDay: true },
      }),
      stepsRow('s', [stepOf('done'), stepOf('failed', { index: 1, status: 'failed', failure: 'FAIL retry.test.ts' })], {
        label: 'Ran 2 commands, 1 failed',
        hint: '',
        isOpen: true,
        hasErrors: true,
      }),
      row('a', [
        { type: 'fold', kind: 'thinking', title: 'Thinking', isError: false, blocks: [] },
        {
          type: 'markdown',
          text: '## Result\n\nDone, see [the docs](https://example.com).\n\n```ts\nconst a = 1;\n```',
        },
      ]),
    ];
    const attachments = [{ attachmentId: 'a', name: 'retry.ts', detail: '1 KB', kind: 'file' }] as const;
    const composer = { attachments, canSend: true, hint: 'Enter sends' };
    await open.tell(setup, conversation(rows, { composer, rowStubs: rows.map(stubOf) }));
    await expect(await open.page.locator('body').ariaSnapshot()).toMatchFileSnapshot('snapshots/conversation.yml');
  });
});
