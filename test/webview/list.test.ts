import { describe, expect, it } from 'vitest';
import { click, fill, hover, press } from '../../tools/editor/drive/act.ts';
import { packStubs } from '../../src/state/conversation/rows.ts';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageDelivery, PageRow } from '../../src/shared/protocol/rowTypes.ts';
import type { OpenOptions, OpenPage } from './rig/pageRig.ts';
import {
  conversation,
  header,
  manyRows,
  markdownRow,
  setup,
  shownSession,
  stepOf,
  stepsRow,
  stubOf,
} from './rig/samples.ts';
import { usePages } from './rig/usePage.ts';

const pages = usePages();
let open: OpenPage;

async function show(rows: readonly PageRow[], options: OpenOptions = {}): Promise<void> {
  open = await pages.open(options);
  await open.tell(setup, conversation(rows));
}

const insert = (index: number, rows: readonly PageRow[], part: { newKey?: string } = {}): HostMessage => ({
  type: 'patch',
  patches: [{ op: 'insert', index, rowStubs: rows.map(stubOf), rows }],
  ...part,
});
const replace = (row: PageRow): HostMessage => ({
  type: 'patch',
  patches: [{ op: 'replace', row, estimatedLines: stubOf(row).estimatedLines }],
});
const remove = (...keys: string[]): HostMessage => ({ type: 'patch', patches: [{ op: 'remove', keys }] });

/** Top offsets of the visible rows by key, rounded to 0.01 px. */
function tops(): Promise<Record<string, number>> {
  return open.page.evaluate(() => {
    const view = document.querySelector('.rows')?.getBoundingClientRect();
    const rows = [...document.querySelectorAll<HTMLElement>('article[data-key]')];
    const inView = rows.filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return view !== undefined && bottom > view.top && top < view.bottom;
    });
    const entries = inView.map((row): [string, number] => [
      row.dataset['key'] ?? '',
      Math.round(row.getBoundingClientRect().top * 100) / 100,
    ]);
    return Object.fromEntries(entries);
  });
}

/** Top offsets of the rows in `before`, rounded in the same way; NaN for rows that aren't drawn. */
async function topsOf(before: Record<string, number>): Promise<Record<string, number>> {
  const keys = Object.keys(before);
  return open.page.evaluate((keys) => {
    const top = (key: string) =>
      document.querySelector(`article[data-key="${key}"]`)?.getBoundingClientRect().top ?? NaN;
    return Object.fromEntries(keys.map((key) => [key, Math.round(top(key) * 100) / 100]));
  }, keys);
}

/** Distance in px between the bottom of the viewport and the end of the list. */
const fromEnd = () =>
  open.page.evaluate(() => {
    const view = document.querySelector('.rows');
    return view ? view.scrollHeight - view.scrollTop - view.clientHeight : NaN;
  });

/** Scrolls by `deltaPx` and waits until the list is at rest. */
async function scrollBy(deltaPx: number): Promise<void> {
  await open.page.evaluate(async (deltaPx) => {
    const view = document.querySelector('.rows');
    view?.scrollBy(0, deltaPx);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  }, deltaPx);
  await atRest();
}

/** Resizes the window, and waits until the list has handled that: until then, it attributes scrolling to the resize. */
async function resize(width: number, height: number): Promise<void> {
  await open.page.setViewportSize({ width, height });
  await open.page.waitForFunction((width) => window.innerWidth === width, width);
  await atRest();
}

async function atRest(): Promise<void> {
  let before = '';
  await expect
    .poll(
      async () => {
        const now = JSON.stringify([await tops(), await open.state()]);
        const isSame = now === before;
        before = now;
        return isSame;
      },
      { interval: 200 },
    )
    .toBe(true);
}

const jump = () => open.page.getByRole('button', { name: 'Jump to Latest' });

describe('a conversation without messages', () => {
  it('shows that it is empty only after the session has been read', async () => {
    open = await pages.open();
    await open.tell(setup, conversation([], { older: { state: 'unread', label: '' } }));
    const sentence = open.page.getByText('No messages yet.');
    expect(await sentence.isVisible()).toBe(false);
    await open.tell({ type: 'older', older: { state: 'none', label: '' } });
    expect(await sentence.isVisible()).toBe(true);
  });
});

describe('following the end', () => {
  it('starts at the end and follows new messages', async () => {
    await show(manyRows(60));
    expect(await fromEnd()).toBe(0);
    await open.tell(insert(60, manyRows(3, 60)));
    expect(await fromEnd()).toBe(0);
    expect(Object.keys(await tops())).toContain('m62');
    await open.tell(replace(markdownRow('m62', 'A growing answer.\n\n'.repeat(40))));
    expect(await fromEnd()).toBe(0);
    expect(await jump().isVisible()).toBe(false);
  });

  it('stops when the reader scrolls away, and resumes with a button that counts new messages', async () => {
    await show(manyRows(60));
    await scrollBy(-900);
    const before = await tops();
    await open.tell(insert(60, manyRows(3, 60)));
    expect(await topsOf(before)).toEqual(before);
    expect(await jump().textContent()).toBe('3 new');
    expect(await jump().getAttribute('aria-label')).toBe('3 new, Jump to Latest');
    await click(jump());
    await atRest();
    expect(await fromEnd()).toBe(0);
    expect(await jump().isVisible()).toBe(false);
  });

  it('continues in a session whose messages arrive right after a longer session was shown at its end', async () => {
    await show(manyRows(300));
    await open.tell(conversation([], { sessionId: 'ses_02', older: { state: 'unread', label: '' } }));
    await open.tell(insert(0, manyRows(100)));
    await atRest();
    await open.tell(insert(100, manyRows(100, 100)));
    await atRest();
    expect(await fromEnd()).toBe(0);
    expect(await jump().isVisible()).toBe(false);
  });

  it('goes on after the menu of a message was opened and closed', async () => {
    const rows = manyRows(60);
    await show(rows);
    const last = open.page.locator('article[data-key="m59"]');
    await hover(last);
    await click(last.getByRole('button', { name: 'More Actions' }));
    await press(open.page, 'Escape');
    await open.tell(replace(markdownRow('m59', 'A longer answer.\n\n'.repeat(20))));
    await atRest();
    expect(await fromEnd()).toBe(0);
  });

  it('can be stopped without scrolling', async () => {
    await show(manyRows(60));
    await open.page.getByRole('button', { name: 'Stop Following' }).focus();
    await press(open.page, 'Enter');
    const before = await tops();
    await open.tell(insert(60, manyRows(5, 60)));
    expect(await topsOf(before)).toEqual(before);
    expect(await jump().isVisible()).toBe(true);
  });

  describe('begins at what is new', () => {
    const newSince = Date.UTC(2026, 2, 4, 10, 42);
    const unread = (rows: readonly PageRow[], at: number) =>
      rows.map((one, index) => (index === at ? { ...one, place: { newSince } } : one));
    const startOf = (key: string) =>
      open.page.evaluate((key) => {
        const top = document.querySelector(`article[data-key="${key}"]`)?.getBoundingClientRect().top ?? NaN;
        return Math.round(top - (document.querySelector('.rows')?.getBoundingClientRect().top ?? NaN));
      }, key);
    const idle = { type: 'header', header: { ...header, status: 'idle', statusLabel: 'Idle' } } as const;

    it('if the user was away: below the line of the prompt, with a divider', async () => {
      open = await pages.open();
      await open.tell(setup, conversation(unread(manyRows(60), 49), { newKey: 'm49' }));
      expect(await startOf('m49')).toBe(40);
      expect(await open.page.locator('article[data-key="m49"] .row-new').innerText()).toMatch(
        /^New since 4 Mar.* 10:42$/,
      );
      expect(await jump().isVisible()).toBe(true);
      // New messages at the end don't move the rows in view.
      const before = await tops();
      await open.tell(insert(60, manyRows(3, 60)));
      expect(await topsOf(before)).toEqual(before);
      await atRest();
      expect(await startOf('m49')).toBe(40);
    });

    it('and follows the end if all of it is visible', async () => {
      open = await pages.open();
      const rows = [...manyRows(58), markdownRow('m58', 'Short'), markdownRow('m59', 'Short')];
      await open.tell(setup, conversation(unread(rows, 58), { newKey: 'm58' }));
      expect(await fromEnd()).toBe(0);
      expect(await jump().isVisible()).toBe(false);
    });

    it('unless the page has a position', async () => {
      const identity = { origin: 'https://agents.example', sessionId: 'ses_01' };
      open = await pages.open({ state: { ...identity, anchorKey: 'm20', anchorOffsetPx: 11, atEnd: false } });
      await open.tell(setup, conversation(unread(manyRows(60), 49), { newKey: 'm49' }));
      expect(await startOf('m20')).toBe(11);
    });

    it('also if it arrives after the page was opened, but only while the end is followed', async () => {
      await show(manyRows(60));
      await open.tell(insert(60, unread(manyRows(20, 60), 2), { newKey: 'm62' }));
      expect(await startOf('m62')).toBe(40);
      await show(manyRows(60));
      await scrollBy(-900);
      const before = await tops();
      await open.tell(insert(60, unread(manyRows(20, 60), 2), { newKey: 'm62' }));
      expect(await topsOf(before)).toEqual(before);
    });

    it('also if its body follows later', async () => {
      await show(manyRows(60));
      const rows = unread(manyRows(80, 60), 2);
      const last = rows.slice(-60);
      const patch = { op: 'insert', index: 60, rowStubs: rows.map(stubOf), rows: last } as const;
      await open.tell({ type: 'patch', patches: [patch], newKey: 'm62' });
      await open.tell({ type: 'rows', rows: rows.slice(0, 20) });
      await atRest();
      expect(await startOf('m62')).toBe(40);
      const before = await tops();
      await open.tell(insert(140, manyRows(3, 140), { newKey: 'm62' }));
      expect(await topsOf(before)).toEqual(before);
    });

    it('but not if it is above what the user reads at the end', async () => {
      await show(manyRows(60, 60));
      const before = await tops();
      await open.tell(insert(0, unread(manyRows(60), 2), { newKey: 'm2' }));
      await atRest();
      expect(await topsOf(before)).toEqual(before);
      expect(await fromEnd()).toBe(0);
    });

    it('at the final answer, which nothing that follows moves', async () => {
      const long = (key: string, part: Partial<PageRow> = {}) =>
        markdownRow(key, 'A long answer.\n\n'.repeat(60), part);
      await show(manyRows(60));
      // While the agent is running, a message isn't necessarily its final answer.
      await open.tell(insert(60, [long('m60')]));
      expect(await fromEnd()).toBe(0);
      await open.tell(idle, insert(61, [long('m61')]));
      expect(await startOf('m61')).toBe(40);
      await scrollBy(120);
      const before = await tops();
      await open.tell(replace(long('m61', { place: { startsDay: true } })));
      await open.tell(insert(62, [long('m62', { phase: 'final' })]));
      await atRest();
      expect((await tops())['m61']).toBe(before['m61']);
    });

    it('but not at an answer that the user reads to its end when it changes', async () => {
      const long = markdownRow('m60', 'A long answer.\n\n'.repeat(60), { phase: 'final' });
      await show(manyRows(60));
      await open.tell(insert(60, [long]));
      await click(jump());
      await atRest();
      await open.tell(replace({ ...long, isError: true }));
      expect(await fromEnd()).toBe(0);
    });

    describe('but not at an answer that arrives after the user has sent the next message', () => {
      const long = (key: string) => markdownRow(key, 'A long answer.\n\n'.repeat(60), { phase: 'final' });
      const outgoing = (part: Partial<PageDelivery>): PageRow =>
        markdownRow('own', 'Next.', {
          role: 'user',
          delivery: { entryId: 'own', state: 'sending', label: 'Sending...', actions: ['cancel'], ...part },
        });
      const send = async () => {
        await fill(open.page.getByRole('textbox', { name: 'Message' }), 'Next.');
        await press(open.page, 'Control+Enter');
        await open.waitForPost('send');
      };

      it('before the message has a row', async () => {
        await show(manyRows(60));
        await send();
        await open.tell(insert(60, [markdownRow('context', 'A reminder.', { role: 'user', isContext: true })]));
        await open.tell(insert(61, [long('m61')]));
        expect(await fromEnd()).toBe(0);
        await open.tell(insert(62, [outgoing({})]));
        expect(await fromEnd()).toBe(0);
      });

      it('while the message is on its way', async () => {
        for (const state of ['queued', 'sending', 'accepted'] as const) {
          await show([...manyRows(60), outgoing({ state })]);
          await open.tell(insert(60, [long('m60')]));
          expect(await fromEnd(), state).toBe(0);
        }
      });

      it('unless the message waits for the answer or needs a decision', async () => {
        const rest = [{ state: 'queued', isWaiting: true }, { state: 'unknown' }, { state: 'notSent' }] as const;
        for (const part of rest) {
          await show([...manyRows(60), outgoing(part)]);
          await open.tell(insert(60, [long('m60')]));
          expect(await startOf('m60'), part.state).toBe(40);
        }
      });

      it('unless the message was rejected', async () => {
        await show(manyRows(60));
        await send();
        await open.tell({ type: 'sendRejected', ...shownSession, text: 'Next.', reason: 'Too large.' });
        await open.tell(insert(60, [long('m60')]));
        expect(await startOf('m60')).toBe(40);
      });

      it('and begins at the next answer again', async () => {
        await show(manyRows(60));
        await send();
        await open.tell(insert(60, [markdownRow('own', 'Next.', { role: 'user' })]));
        await open.tell(insert(61, [long('m61')]));
        expect(await startOf('m61')).toBe(40);
      });
    });
  });

  /** Expects the last row to end exactly at the bottom of the viewport, with no button to jump to the end. */
  async function expectAtEnd(): Promise<void> {
    const bottoms = () =>
      open.page.evaluate(() => {
        const last = [...document.querySelectorAll('.canvas > [data-key]')].at(-1);
        const view = document.querySelector('.rows');
        return { row: last?.getBoundingClientRect().bottom, view: view?.getBoundingClientRect().bottom };
      });
    await expect
      .poll(async () => {
        const { row, view } = await bottoms();
        return Math.abs((row ?? NaN) - (view ?? NaN));
      })
      .toBeLessThanOrEqual(1);
    await atRest();
    expect(await fromEnd()).toBe(0);
    expect((await open.state())?.atEnd).toBe(true);
    expect(await jump().isVisible()).toBe(false);
  }

  const narrowAndWide = [250, 480, 300, 600, 200, 520].map((width, step) => ({ width, height: 500 + 60 * step }));

  it.each([
    ['nothing else looks at the layout', () => undefined],
    [
      'something asks for the layout in between',
      () => {
        addEventListener('resize', () => document.querySelector('.rows')?.getBoundingClientRect());
      },
    ],
  ])('stays at the end while the window becomes narrow and wide, short and tall, and %s', async (_, prepare) => {
    await show(manyRows(60));
    await open.page.evaluate(prepare);
    for (const size of [...narrowAndWide, ...narrowAndWide.toReversed()]) {
      await open.page.setViewportSize(size);
      await expectAtEnd();
    }
    for (const size of narrowAndWide) await open.page.setViewportSize(size);
    await expectAtEnd();
  });

  it('stays at the end when the window is resized right after scrolling there', async () => {
    await show(manyRows(60));
    await scrollBy(-900);
    await open.page.evaluate(async () => {
      const view = document.querySelector<HTMLElement>('.rows');
      const page = document.querySelector<HTMLElement>('.conversation');
      const frame = () => new Promise(requestAnimationFrame);
      view?.scrollTo(0, view.scrollHeight);
      await frame();
      await frame();
      for (const height of [400, 650, 300, 600]) {
        page?.style.setProperty('height', `${height}px`);
        if (view?.clientHeight === 0) throw new Error('The view is gone.');
        await frame();
      }
    });
    await expectAtEnd();
  });

  it('stays at the end when the font size changes', async () => {
    await show(manyRows(60));
    for (const size of ['19px', '11px', '13px']) {
      await open.page.evaluate((size) => {
        document.documentElement.style.setProperty('--vscode-font-size', size);
      }, size);
      await expectAtEnd();
    }
  });

  it('stays at the end while the composer grows and shrinks', async () => {
    await show(manyRows(60));
    const field = open.page.getByRole('textbox', { name: 'Message' });
    await fill(field, 'line\n'.repeat(9));
    await expectAtEnd();
    await fill(field, '');
    await expectAtEnd();
    await open.tell({ type: 'sendRejected', ...shownSession, text: 'kept', reason: 'The disk is full. '.repeat(8) });
    await expectAtEnd();
    await fill(field, '');
    await expectAtEnd();
  });

  it('stays at the end when an image in the last message loads late, even after a click in that message', async () => {
    await show(manyRows(60));
    await click(open.page.locator('article[data-key="m59"] p').first());
    await open.page.evaluate(() => {
      const late = document.createElement('div');
      late.style.setProperty('height', '333.4px');
      document.querySelector('article[data-key="m59"] .row-body')?.append(late);
    });
    await expectAtEnd();
    await open.page.setViewportSize({ width: 300, height: 800 });
    await expectAtEnd();
  });

  it('begins again when the window becomes so large that the whole conversation is visible', async () => {
    await show(manyRows(6));
    await resize(220, 400);
    await scrollBy(-300);
    await jump().waitFor();
    await open.page.setViewportSize({ width: 1_200, height: 3_000 });
    await jump().waitFor({ state: 'hidden' });
  });
});

describe('the reading position', () => {
  it.each([
    ['rows come in above', insert(10, manyRows(20, 1_000))],
    ['rows come in below', insert(198, manyRows(20, 1_000))],
    ['rows above go', remove('m3', 'm4', 'm5', 'm90')],
    ['rows below go', remove('m197', 'm198')],
    ['a row above grows', replace(markdownRow('m2', 'long\n\n'.repeat(300)))],
    ['a row above shrinks', replace(markdownRow('m11', 'short'))],
    ['an answer below grows', replace(markdownRow('m199', 'and more and more\n\n'.repeat(80)))],
    ['the lower of two rows in view grows', replace(markdownRow('m102', 'and more\n\n'.repeat(80)))],
  ] as const)('does not move by a pixel when %s', async (_, message) => {
    await show(manyRows(200));
    await open.tell({ type: 'reveal', key: 'm100' });
    await scrollBy(-37);
    const before = await tops();
    expect(Object.keys(before).length).toBeGreaterThan(1);
    await open.tell(message);
    await atRest();
    expect(await topsOf(before)).toEqual(before);
  });

  it.each([
    ['the window is made narrow', { width: 220, height: 700 }],
    ['the window is made wide', { width: 800, height: 700 }],
    ['the window is made low', { width: 400, height: 330 }],
    ['the window is made high', { width: 400, height: 1_100 }],
  ])('does not move by a pixel when %s', async (_, size) => {
    await show(manyRows(200));
    await open.tell({ type: 'reveal', key: 'm100' });
    await scrollBy(-37);
    const [key = '', top = NaN] = Object.entries(await tops()).find(([, top]) => top > 60) ?? [];
    const headPx = () => open.page.evaluate(() => document.querySelector('.rows')?.getBoundingClientRect().top ?? NaN);
    const offsetPx = top - (await headPx());
    await open.page.setViewportSize(size);
    await atRest();
    expect(((await topsOf({ [key]: 0 }))[key] ?? NaN) - (await headPx())).toBe(offsetPx);
    expect((await open.state())?.atEnd).toBe(false);
  });

  it('keeps its relative position in a message that fills the viewport when the window becomes narrow', async () => {
    const rows = manyRows(30);
    rows[15] = markdownRow('m15', 'A long answer with some words in each of its paragraphs.\n\n'.repeat(200));
    await show(rows);
    await open.tell({ type: 'reveal', key: 'm15' });
    // A long message is drawn in parts.
    await open.page.waitForFunction(() => document.querySelectorAll('article[data-key="m15"] p').length === 200);
    await atRest();
    await scrollBy(3_000);
    const share = () =>
      open.page.evaluate(() => {
        const row = document.querySelector('article[data-key="m15"]')?.getBoundingClientRect();
        const view = document.querySelector('.rows')?.getBoundingClientRect();
        return row && view ? (view.top - row.top) / row.height : NaN;
      });
    const before = await share();
    await open.page.setViewportSize({ width: 220, height: 700 });
    await atRest();
    expect(await share()).toBeCloseTo(before, 2);
  });

  it('does not move when the bodies of estimated rows arrive above and below it', async () => {
    const rows = manyRows(200);
    open = await pages.open();
    await open.tell(setup, { ...conversation(rows, { rows: rows.slice(100, 160), reveal: { key: 'm120' } }) });
    await scrollBy(-40);
    const before = await tops();
    await open.tell({ type: 'rows', rows: rows.slice(0, 100) }, { type: 'rows', rows: rows.slice(160) });
    await atRest();
    expect(await topsOf(before)).toEqual(before);
  });

  it.each([
    ['in a row above the view', 'm99'],
    ['in the row that the view cuts', 'm100'],
  ])('does not move by a pixel when an image loads late %s', async (_, key) => {
    await show(manyRows(200));
    await open.tell({ type: 'reveal', key: 'm100' });
    await scrollBy(37);
    const before = Object.fromEntries(Object.entries(await tops()).filter(([key]) => key !== 'm100'));
    expect(Object.keys(before).length).toBeGreaterThan(0);
    const grown = await open.page.evaluate(async (key) => {
      const row = document.querySelector(`article[data-key="${key}"]`);
      const heightPx = row?.getBoundingClientRect().height ?? NaN;
      const late = document.createElement('canvas');
      late.height = 333;
      row?.querySelector('.row-body')?.prepend(late);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return (row?.getBoundingClientRect().height ?? NaN) - heightPx;
    }, key);
    expect(grown).toBeGreaterThan(300);
    await atRest();
    expect(await topsOf(before)).toEqual(before);
  });

  it('stays at its message when the font size changes', async () => {
    await show(manyRows(200));
    await open.tell({ type: 'reveal', key: 'm100' });
    await scrollBy(-37);
    const { m100: topPx } = await tops();
    for (const size of ['19px', '11px', '13px']) {
      await open.page.evaluate((size) => {
        document.documentElement.style.setProperty('--vscode-font-size', size);
      }, size);
      await atRest();
      expect((await open.state())?.anchorKey, size).toBe('m100');
      expect((await open.state())?.anchorOffsetPx, size).toBe(37);
    }
    expect((await tops())['m100']).toBe(topPx);
  });

  it('moves to the next row, in the same place, when the anchor row is removed', async () => {
    await show(manyRows(200));
    await open.tell({ type: 'reveal', key: 'm100' });
    await atRest();
    const before = await tops();
    await open.tell(remove('m100'));
    await atRest();
    const first = Object.keys(await tops())[0];
    expect(first).toBe('m101');
    expect((await topsOf({ m101: 0 }))['m101']).toBe(before['m100']);
  });

  it('does not jump while the reader scrolls up through unmeasured rows', async () => {
    await show(manyRows(400));
    for (let step = 0; step < 12; step += 1) {
      const before = await tops();
      await scrollBy(-300);
      const after = await topsOf(before);
      for (const [key, top] of Object.entries(before)) {
        if (top < 350) expect(after[key], key).toBe(top + 300);
      }
    }
  });

  it('does not move when a fold is clicked', async () => {
    const inside = { type: 'markdown', text: 'inside\n\n'.repeat(30) } as const;
    const fold = { type: 'fold', kind: 'thinking', title: 'Thinking', isError: false, blocks: [inside] } as const;
    const rows = manyRows(40);
    rows[20] = { ...markdownRow('m20', ''), blocks: [{ type: 'markdown', text: 'Before' }, fold] };
    await show(rows);
    await open.tell({ type: 'reveal', key: 'm20' });
    await scrollBy(10);
    const button = open.page.getByRole('button', { name: 'Thinking' });
    const before = await button.boundingBox();
    await click(button);
    await atRest();
    expect((await button.boundingBox())?.y).toBe(before?.y);
    expect(await open.page.getByText('inside').count()).toBe(30);
    await click(button);
    await atRest();
    expect((await button.boundingBox())?.y).toBe(before?.y);
  });

  it('is that of the row at the top again after a fold further down was clicked', async () => {
    const inside = { type: 'markdown', text: 'inside\n\n'.repeat(3) } as const;
    const fold = { type: 'fold', kind: 'thinking', title: 'Thinking', isError: false, blocks: [inside] } as const;
    const rows = Array.from({ length: 60 }, (_, at) => markdownRow(`m${at}`, 'A line that wraps. '.repeat(6)));
    rows[25] = { ...markdownRow('m25', ''), blocks: [{ type: 'markdown', text: 'Before' }, fold] };
    await show(rows);
    await open.tell({ type: 'reveal', key: 'm22' });
    await click(open.page.getByRole('button', { name: 'Thinking' }));
    await atRest();
    const [key, top] = Object.entries(await tops())[0] ?? [];
    expect(key).toBe('m22');
    await resize(330, 700);
    expect((await tops())['m22']).toBe(top);
  });

  it('does not move when a fold at the end is clicked, and the end stays in place after the fold is closed', async () => {
    const inside = { type: 'markdown', text: 'inside\n\n'.repeat(30) } as const;
    const fold = { type: 'fold', kind: 'thinking', title: 'Thinking', isError: false, blocks: [inside] } as const;
    await show([...manyRows(40), { ...markdownRow('m40', ''), blocks: [fold] }]);
    const button = open.page.getByRole('button', { name: 'Thinking' });
    const before = await button.boundingBox();
    await click(button);
    await atRest();
    expect((await button.boundingBox())?.y).toBe(before?.y);
    await click(button);
    await atRest();
    expect(await fromEnd()).toBe(0);
    await open.tell(insert(41, manyRows(2, 60)));
    expect(await fromEnd()).toBe(0);
  });

  it('follows the end after a fold is closed there, in a message that starts above the viewport', async () => {
    const text = { type: 'markdown', text: 'text\n\n'.repeat(60) } as const;
    const inside = { type: 'markdown', text: 'inside\n\n'.repeat(5) } as const;
    const fold = { type: 'fold', kind: 'thinking', title: 'Thinking', isError: false, blocks: [inside] } as const;
    await show([...manyRows(10), { ...markdownRow('m10', ''), blocks: [text, fold] }]);
    const button = open.page.getByRole('button', { name: 'Thinking' });
    await click(button);
    await atRest();
    await scrollBy(1_000_000);
    await click(button);
    await atRest();
    expect(await fromEnd()).toBe(0);
    expect((await open.state())?.atEnd).toBe(true);
    await open.tell(insert(11, manyRows(2, 60)));
    expect(await fromEnd()).toBe(0);
  });

  it('is restored when the page becomes visible only after its messages have arrived', async () => {
    const rows = manyRows(300);
    await show(rows);
    await open.tell({ type: 'reveal', key: 'm150' });
    await scrollBy(63);
    const before = await tops();
    const state = await open.state();
    await open.close();
    open = await pages.open({ ...(state ? { state } : {}) });
    const shown = (display: string) =>
      open.page.evaluate((display) => document.documentElement.style.setProperty('display', display), display);
    await shown('none');
    await open.tell(setup, conversation(rows), insert(300, manyRows(1, 300)));
    expect((await open.state())?.anchorKey).toBe(state?.anchorKey);
    await shown('block');
    await atRest();
    expect(await topsOf(before)).toEqual(before);
    expect(await open.state()).toEqual(state);
  });

  it('is restored after a reload', async () => {
    const rows = manyRows(300);
    await show(rows);
    await open.tell({ type: 'reveal', key: 'm150' });
    await scrollBy(63);
    const before = await tops();
    await expect.poll(async () => (await open.state())?.atEnd).toBe(false);
    const state = await open.state();
    await open.close();
    open = await pages.open({ ...(state ? { state } : {}) });
    expect((await open.waitForPost('ready')).anchorKey).toBe(state?.anchorKey);
    await open.tell(setup, conversation(rows));
    await atRest();
    expect(await topsOf(before)).toEqual(before);
    expect(Object.keys(state ?? {}).sort()).toEqual(['anchorKey', 'anchorOffsetPx', 'atEnd', 'origin', 'sessionId']);
  });

  it.each([1, 4, 12])(
    'stays while rows above it arrive that are up to %s times as high as estimated',
    async (factor) => {
      const rows = manyRows(300);
      const estimatedLines = (row: PageRow) => Math.ceil(stubOf(row).estimatedLines / factor);
      const rowStubs = rows.map((row) => ({ key: row.key, estimatedLines: estimatedLines(row) }));
      const position = { anchorKey: 'm150', anchorOffsetPx: 190, atEnd: false };
      open = await pages.open({ state: { origin: 'https://agents.example', sessionId: 'ses_01', ...position } });
      await open.tell(setup, conversation(rows, { rowStubs, rows: rows.slice(260) }));
      await atRest();
      const before = (await tops())['m150'];
      await open.tell({ type: 'rows', rows });
      await atRest();
      expect((await tops())['m150']).toBe(before);
    },
  );

  it.each([30, 110, 190])(
    'stays if the page is wide at first, where rows are lower, at an offset of %s px',
    async (offsetPx) => {
      const rows = manyRows(300);
      const position = { anchorKey: 'm150', anchorOffsetPx: offsetPx, atEnd: false };
      open = await pages.open({ state: { origin: 'https://agents.example', sessionId: 'ses_01', ...position } });
      const { width = 0, height = 0 } = open.page.viewportSize() ?? {};
      await open.page.setViewportSize({ width: width * 3, height });
      await open.tell(setup, conversation(rows));
      await atRest();
      const before = (await tops())['m150'];
      await open.page.setViewportSize({ width, height });
      await atRest();
      expect((await tops())['m150']).toBe(before);
      expect(await open.state()).toMatchObject(position);
    },
  );

  it('stays while rows below it arrive that are higher than estimated, if the estimated ones fill less than the view', async () => {
    const rows = manyRows(153);
    const rowStubs = rows.map(({ key }) => ({ key, estimatedLines: 1 }));
    const position = { anchorKey: 'm149', anchorOffsetPx: 20, atEnd: false };
    open = await pages.open({ state: { origin: 'https://agents.example', sessionId: 'ses_01', ...position } });
    await open.tell(setup, conversation(rows, { rowStubs, rows: [] }));
    await atRest();
    await open.tell({ type: 'rows', rows });
    await atRest();
    const viewTop = await open.page.locator('.rows').evaluate((view) => view.getBoundingClientRect().top);
    expect((await tops())['m149']).toBe(viewTop + 20);
    expect(await open.state()).toMatchObject({ anchorKey: 'm149', anchorOffsetPx: 20, atEnd: false });
  });
});

describe('a row that moves', () => {
  const outgoing = (key: string): PageRow =>
    markdownRow(key, `A message with code.\n\n\`\`\`\n${key}\n\`\`\``, {
      role: 'user',
      delivery: { entryId: key, state: 'sending', label: 'Sending...', actions: ['cancel'] },
    });
  const { delivery: _, ...sent } = outgoing('e2');
  const move = (row: PageRow, index: number): HostMessage => ({
    type: 'patch',
    patches: [
      { op: 'remove', keys: [row.key] },
      { op: 'insert', index, rowStubs: [stubOf(row)], rows: [row] },
    ],
  });
  const rowOf = (key: string) => open.page.locator(`article[data-key="${key}"]`);
  /** The distances in px between each of the last rows in view and the next one. */
  const gaps = async () => {
    const boxes = await Promise.all(['m19', 'e2', 'e1'].map(async (key) => (await rowOf(key).boundingBox())!));
    return boxes.slice(1).map((box, index) => Math.floor(box.y - boxes[index]!.y - boxes[index]!.height));
  };

  it('shows its new content', async () => {
    await show([...manyRows(20), outgoing('e1'), outgoing('e2')]);
    expect(await rowOf('e2').getByText('Sending...').count()).toBe(1);
    await open.tell(move(sent, 20));
    expect(await rowOf('e2').getByText('Sending...').count()).toBe(0);
    expect(await gaps()).toEqual([0, 0]);
  });

  it('keeps its height', async () => {
    await show([...manyRows(20), outgoing('e1'), outgoing('e2')]);
    await open.tell(move(outgoing('e2'), 20));
    await atRest();
    expect(await gaps()).toEqual([0, 0]);
    expect(await fromEnd()).toBe(0);
  });

  it('is not new', async () => {
    await show([...manyRows(20), outgoing('e1'), outgoing('e2')]);
    await open.page.getByRole('button', { name: 'Stop Following' }).focus();
    await press(open.page, 'Enter');
    await open.tell(move(sent, 20), insert(21, manyRows(1, 21)));
    await open.tell({ type: 'announce', text: 'a moment later' });
    const announced = open.page.getByRole('status').filter({ hasText: 'a moment later' });
    expect(await announced.innerText()).not.toContain('You');
    expect(await jump().textContent()).toBe('1 new');
  });
});

describe('the position deep in a long message', () => {
  const lines = (separator: string) => Array.from({ length: 900 }, (_, at) => `Line ${at}`).join(separator);
  /** The line of text 60 px below the top of the list, and the top of that line in the page in px. */
  const topLine = () =>
    open.page.evaluate(() => {
      const view = document.querySelector('.rows')?.getBoundingClientRect();
      const caret = document.caretPositionFromPoint((view?.left ?? 0) + 60, (view?.top ?? 0) + 60);
      const top = caret?.getClientRect()?.top ?? NaN;
      return [caret?.offsetNode.textContent?.slice(0, 40), Math.round(top)];
    });

  it.each([
    ['paragraphs', lines('\n\n')],
    ['code', `\`\`\`text\n${lines('\n')}\n\`\`\``],
  ])('is restored after a reload, in %s', async (_, text) => {
    const rows = [...manyRows(20), markdownRow('long', text), ...manyRows(20, 100)];
    await show(rows);
    await open.tell({ type: 'reveal', key: 'long' });
    await atRest();
    const longPx = await open.page.locator('article[data-key="long"]').evaluate((row) => row.clientHeight);
    await scrollBy(longPx * 0.9);
    const before = await topLine();
    const state = await open.state();
    await open.close();
    open = await pages.open({ ...(state ? { state } : {}) });
    await open.tell(setup, conversation(rows));
    await atRest();
    expect(await topLine()).toEqual(before);
  });

  it('is given up if the message is shorter now, so that new text does not move the list', async () => {
    const position = { anchorKey: 'long', anchorOffsetPx: -100_000, atEnd: false };
    open = await pages.open({ state: { origin: 'https://agents.example', sessionId: 'ses_01', ...position } });
    const rows = [...manyRows(20), markdownRow('long', lines('\n\n'))];
    const steps = stepsRow('\u0000steps 0 turn s', [stepOf('done')]);
    await open.tell(setup, conversation([...rows, steps, ...manyRows(1, 100)]));
    await atRest();
    const before = await topLine();
    await expect.poll(async () => (await open.state())?.anchorOffsetPx).toBeGreaterThan(-100_000);
    await open.tell(replace(markdownRow('m100', 'more\n\n'.repeat(90))));
    await atRest();
    expect(await topLine()).toEqual(before);
  });
});

describe('a conversation that starts with its last rows', () => {
  const rows = manyRows(300);
  const last = conversation(rows.slice(200), { earlierCount: 200 });
  const lastOfMore = conversation(rows.slice(200), { earlierCount: 200, older: { state: 'more', label: 'Load' } });
  const earlier = (from: number, to: number): HostMessage => {
    return { type: 'earlier', rowStubs: packStubs(rows.slice(from, to).map(stubOf)), leftCount: from };
  };
  const state = (key: string) => ({
    ...{ origin: 'https://agents.example', sessionId: 'ses_01' },
    ...{ anchorKey: key, anchorOffsetPx: 21, atEnd: false },
  });
  const placeOf = (key: string) =>
    open.page.evaluate((key) => {
      const row = document.querySelector(`article[data-key="${key}"]`);
      const view = document.querySelector('.rows');
      return row && view ? row.getBoundingClientRect().top - view.getBoundingClientRect().top : NaN;
    }, key);

  it('opens at the end and stays there while earlier rows arrive', async () => {
    open = await pages.open();
    await open.tell(setup, last);
    const before = await tops();
    expect(await open.page.locator('article[data-key="m299"]').getAttribute('aria-posinset')).toBe('300');
    await open.tell(earlier(80, 200), earlier(0, 80));
    await atRest();
    expect(await topsOf(before)).toEqual(before);
    expect(await fromEnd()).toBeLessThan(1);
    expect(await open.page.locator('article[data-key="m299"]').getAttribute('aria-setsize')).toBe('300');
    await open.tell({ type: 'reveal', key: 'm1' });
    await expect.poll(() => placeOf('m1')).toBe(0);
  });

  it('does not move by a pixel for a reader who has left the end', async () => {
    open = await pages.open();
    await open.tell(setup, lastOfMore);
    await scrollBy(-1_000_000);
    const before = await tops();
    await open.tell(earlier(0, 200), { type: 'rows', rows: rows.slice(0, 200) });
    await atRest();
    expect(await topsOf(before)).toEqual(before);
    expect(await open.posted()).not.toContainEqual({ type: 'loadOlder', ...shownSession });
  });

  it('shows nothing until the row at the saved position arrives, and then shows that row', async () => {
    open = await pages.open({ state: state('m50') });
    await open.tell(setup, lastOfMore);
    expect(await open.page.locator('article').count()).toBe(0);
    await open.tell(earlier(80, 200), { type: 'ping' });
    expect(await open.page.locator('article').count()).toBe(0);
    expect((await open.waitForPost('pong')).anchorKey).toBe('m50');
    expect(await open.state()).toEqual(state('m50'));
    await open.tell(earlier(0, 80), { type: 'rows', rows: rows.slice(0, 200) });
    await expect.poll(() => placeOf('m50')).toBe(21);
    await atRest();
    expect(await open.state()).toEqual(state('m50'));
    expect(await open.posted()).not.toContainEqual({ type: 'loadOlder', ...shownSession });
  });

  it.each([
    ['is revealed', [conversation(rows.slice(200), { earlierCount: 200, reveal: { key: 'm50' } })]],
    ['is to be revealed since', [last, { type: 'reveal', key: 'm50' } as const]],
  ])('shows the row that %s, regardless of the saved position', async (_, messages) => {
    open = await pages.open({ state: state('m20') });
    await open.tell(setup, ...messages, earlier(0, 200), { type: 'rows', rows: rows.slice(0, 200) });
    await expect.poll(() => placeOf('m50')).toBe(0);
  });

  it('opens at the end if the row at the saved position no longer exists or the reader jumps to the end', async () => {
    open = await pages.open({ state: state('gone') });
    await open.tell(setup, last);
    await click(jump());
    await open.page.locator('article[data-key="m299"]').waitFor();
    await open.close();
    open = await pages.open({ state: state('gone') });
    await open.tell(setup, last, earlier(0, 200));
    await open.page.locator('article[data-key="m299"]').waitFor();
    expect(await fromEnd()).toBeLessThan(1);
  });
});

describe('long conversations', () => {
  it('keep few elements in the document, regardless of their length', async () => {
    await show(manyRows(10_000));
    const elements = () => open.page.evaluate(() => document.querySelectorAll('*').length);
    expect(await elements()).toBeLessThan(1_000);
    for (const share of [0.1, 0.5, 0.9, 0]) {
      await open.page.evaluate((share) => {
        const view = document.querySelector('.rows');
        view?.scrollTo(0, view.scrollHeight * share);
      }, share);
      await atRest();
      expect(Object.keys(await tops()).length).toBeGreaterThan(0);
      expect(await elements()).toBeLessThan(1_000);
    }
    expect(Object.keys(await tops())[0]).toBe('m0');
  });

  it('can be scrolled to both ends, even if they are taller than the maximum height of an element', async () => {
    const rows = manyRows(40);
    const rowStubs = Array.from({ length: 20_000 }, (_, index) => ({ key: `m${index}`, estimatedLines: 400 }));
    open = await pages.open();
    await open.tell(setup, conversation([], { rowStubs, rows: manyRows(40, 19_960) }));
    expect(Object.keys(await tops())).toContain('m19999');
    await open.page.evaluate(() => document.querySelector('.rows')?.scrollTo(0, 0));
    await open.tell({ type: 'rows', rows });
    await atRest();
    expect(Object.keys(await tops())).toContain('m0');
    await open.page.evaluate(() => {
      const view = document.querySelector('.rows');
      view?.scrollTo(0, view.scrollHeight / 2);
    });
    await atRest();
    const [key = ''] = Object.keys(await tops());
    expect(Number(key.slice(1))).toBeGreaterThan(9_000);
    expect(Number(key.slice(1))).toBeLessThan(11_000);
  });

  it('request the bodies of visible rows once', async () => {
    const rows = manyRows(2_000);
    open = await pages.open();
    await open.tell(setup, conversation(rows, { rows: rows.slice(-40) }));
    await open.tell({ type: 'reveal', key: 'm700' });
    const { keys } = await open.waitForPost('wantRows');
    expect(keys).toContain('m700');
    expect(keys.length).toBeLessThan(60);
    expect(await open.page.locator('article[data-key="m700"]').getAttribute('aria-busy')).toBe('true');
    await scrollBy(5);
    const asked = (await open.posted()).flatMap((message) => (message.type === 'wantRows' ? message.keys : []));
    expect(new Set(asked).size).toBe(asked.length);
    await open.tell({ type: 'rows', rows: rows.filter((row) => asked.includes(row.key)) });
    expect(await open.page.locator('article[data-key="m700"]').textContent()).toContain('Message 700.');
    expect(await open.page.locator('article[data-key="m700"]').getAttribute('aria-posinset')).toBe('701');
    expect(await open.page.locator('article[data-key="m700"]').getAttribute('aria-setsize')).toBe('2000');
  });

  it('load older messages when scrolled near the top, with one request at a time', async () => {
    open = await pages.open();
    await open.tell(setup, conversation(manyRows(60), { older: { state: 'more', label: 'Load older messages' } }));
    expect((await open.posted()).filter(({ type }) => type === 'loadOlder')).toEqual([]);
    await open.page.evaluate(() => document.querySelector('.rows')?.scrollTo(0, 0));
    await open.waitForPost('loadOlder');
    await scrollBy(20);
    await open.tell({ type: 'older', older: { state: 'loading', label: 'Loading 60 of 100' } });
    expect((await open.posted()).filter(({ type }) => type === 'loadOlder').length).toBe(1);
    const before = await tops();
    await open.tell(insert(0, manyRows(40, 500)), { type: 'older', older: { state: 'none', label: '' } });
    await atRest();
    expect(await topsOf(before)).toEqual(before);
  });

  it('report that older messages failed to load, and retry on request', async () => {
    open = await pages.open();
    await open.tell(
      setup,
      conversation(manyRows(2), { older: { state: 'failed', label: "Couldn't load older messages. Try again" } }),
    );
    await click(open.page.getByRole('button', { name: "Couldn't load older messages. Try again" }));
    await open.waitForPost('loadOlder');
  });
});
