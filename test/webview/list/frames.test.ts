import { describe, expect, it } from 'vitest';
import { press } from '../../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import type { PageRow } from '../../../src/shared/protocol/rowTypes.ts';
import type { OpenPage } from '../rig/pageRig.ts';
import { conversation, manyRows, markdownRow, setup, stubOf } from '../rig/samples.ts';
import { usePages } from '../rig/usePage.ts';

/** Something that happens in one frame of the page: first the messages, then the rest. */
interface Step {
  readonly messages?: readonly HostMessage[];
  /** Scrolls by this distance in px, or to the end of what is laid out. */
  readonly scroll?: number | 'end';
  /** A message that arrives after the scroll and before the scroll event. */
  readonly next?: HostMessage;
  /**
   * When the step happens: between two frames if undefined, or in an animation frame, which comes after the scroll
   * event of a frame and before its layout.
   */
  readonly at?: 'animationFrame';
  /** The text of the composer, which determines its height. */
  readonly draft?: string;
  /** The height in px that the content of a row gets without a message, as when an image has loaded. */
  readonly content?: { readonly key: string; readonly heightPx: number };
}

/** What a frame shows. */
interface Painted {
  /** Distance in px from the bottom of the viewport to the bottom of the last drawn row; 0 at the end. */
  readonly fromEndPx: number;
  readonly lastKey: string;
  /** The tops in px of the rows in view, by key, relative to the viewport. */
  readonly tops: Readonly<Record<string, number>>;
  /** The greatest gap or overlap in px between adjacent rows in view, or gap at the top or bottom of the viewport. */
  readonly gapPx: number;
}

const pages = usePages();
let open: OpenPage;

/** How far the estimated heights of all rows are off: words for test titles, and the factor of the estimate. */
const estimates = [
  ['much higher than', 4],
  ['a little higher than', 1.3],
  ['much lower than', 0.25],
] as const;

const stubsOf = (rows: readonly PageRow[], factor: number) =>
  rows.map(stubOf).map(({ key, estimatedLines }) => ({ key, estimatedLines: Math.ceil(estimatedLines * factor) }));

async function show(rows: readonly PageRow[], factor: number): Promise<void> {
  open = await pages.open({ prepare: runTimersInFrames });
  await open.tell(setup, conversation(rows, { rowStubs: stubsOf(rows, factor) }));
}

/**
 * Runs in the page: runs timers in animation frames, so that none changes the page between a paint and its measurement.
 */
function runTimersInFrames(): void {
  const { setTimeout: start, clearTimeout: end } = window;
  const ended = new Set<number | undefined>();
  Object.assign(window, {
    setTimeout: (run: () => void, delayMs?: number) => {
      const handle: number = start(() => requestAnimationFrame(() => ended.has(handle) || run()), delayMs);
      return handle;
    },
    clearTimeout: (handle: number | undefined) => {
      ended.add(handle);
      end(handle);
    },
  });
}

const insert = (index: number, rows: readonly PageRow[], factor: number): HostMessage => ({
  type: 'patch',
  patches: [{ op: 'insert', index, rowStubs: stubsOf(rows, factor), rows }],
});
const replace = (row: PageRow): HostMessage => ({
  type: 'patch',
  patches: [{ op: 'replace', row, estimatedLines: 1 }],
});
const remove = (...keys: string[]): HostMessage => ({ type: 'patch', patches: [{ op: 'remove', keys }] });

/** Plays each step in a frame. Resolves to what these frames and the frame after them painted. */
function play(...steps: readonly Step[]): Promise<Painted[]> {
  return open.page.evaluate(playSteps, JSON.stringify(steps));
}

async function playSteps(text: string): Promise<Painted[]> {
  const view = document.querySelector('.rows');
  const field = document.querySelector('textarea');
  if (!view || !field) throw new Error('There is no conversation.');
  /** Runs `act` in the next animation frame, and resolves after its paint. */
  const inFrame = (act: () => void) =>
    new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        act();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          resolve();
        };
        port2.postMessage(undefined);
      });
    });
  const hear = (data: HostMessage) => window.dispatchEvent(new MessageEvent('message', { data }));
  const act = ({ messages = [], scroll, next, draft, content }: Step) => {
    messages.forEach(hear);
    if (draft !== undefined) {
      field.value = draft;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    if (content) {
      const body = document.querySelector<HTMLElement>(`article[data-key="${content.key}"] .row-body`);
      body?.style.setProperty('height', `${content.heightPx}px`);
    }
    if (scroll !== undefined) view.scrollTop = scroll === 'end' ? view.scrollHeight : view.scrollTop + scroll;
    if (next) hear(next);
  };
  const look = (): Painted => {
    const { top, bottom } = view.getBoundingClientRect();
    const rows = [...view.querySelectorAll<HTMLElement>('article[data-key]')].map((row) => {
      const box = row.getBoundingClientRect();
      return { key: row.dataset['key'] ?? '', top: box.top - top, bottom: box.bottom - top };
    });
    const inView = rows.filter((row) => row.bottom > 0 && row.top < bottom - top);
    const gaps = inView.slice(1).map((row, index) => Math.abs(row.top - (inView[index]?.bottom ?? NaN)));
    const last = rows.at(-1);
    const edges = [inView[0]?.top ?? NaN, bottom - top - (inView.at(-1)?.bottom ?? NaN)];
    return {
      fromEndPx: Math.round((last?.bottom ?? NaN) - (bottom - top)),
      lastKey: last?.key ?? '',
      tops: Object.fromEntries(inView.map((row) => [row.key, Math.round(row.top)])),
      gapPx: Math.max(...edges, ...gaps),
    };
  };
  const painted: Painted[] = [];
  for (const step of [...(JSON.parse(text) as Step[]), {}]) {
    if (step.at === 'animationFrame') await inFrame(() => act(step));
    else {
      act(step);
      await inFrame(() => undefined);
    }
    painted.push(look());
  }
  return painted;
}

function hideList(isHidden: boolean): Promise<void> {
  return open.page.evaluate((isHidden) => {
    document.querySelector<HTMLElement>('.rows')?.style.setProperty('display', isHidden ? 'none' : '');
  }, isHidden);
}

/** Expects every frame to show the end of the list, and the last frame to end with this row. */
function expectEnd(painted: readonly Painted[], lastKey: string): void {
  // Heights of rows are whole px, so the last row may end a fraction of a pixel earlier.
  expect(painted.map(({ fromEndPx }) => fromEndPx).filter((fromEndPx) => Math.abs(fromEndPx) > 1)).toEqual([]);
  expect(painted.at(-1)?.lastKey).toBe(lastKey);
}

/** Expects every frame to be filled with rows, one directly below the other. */
function expectFilled(painted: readonly Painted[]): void {
  expect(painted.map(({ gapPx }) => gapPx).filter((gapPx) => !(gapPx <= 1))).toEqual([]);
}

/** Expects the list to follow its end when messages arrive. */
async function expectFollowing(count: number): Promise<void> {
  const painted = await play(
    ...[0, 1, 2].map((more): Step => ({ messages: [insert(count + more, manyRows(1, count + more), 1)] })),
  );
  expectEnd(painted.slice(1), `m${count + 2}`);
  await expect.poll(async () => (await open.state())?.atEnd).toBe(true);
}

describe.each(estimates)('with rows that were estimated %s they are', (_, factor) => {
  it('the end is followed after a jump to it, also in a frame whose rows are not measured yet', async () => {
    await show(manyRows(400), factor);
    await play(
      { scroll: -4_000 },
      { scroll: -9_000 },
      { scroll: 3_000, at: 'animationFrame' },
      { scroll: 'end', at: 'animationFrame' },
    );
    await expectFollowing(400);
  });

  it('the end is followed after a drag of the scrollbar to the start and back', async () => {
    await show(manyRows(400), factor);
    const steps = Array.from({ length: 12 }, (): Step => ({ scroll: -3_500 }));
    const back = steps.map((step): Step => ({ ...step, scroll: 3_500 }));
    expectFilled(await play(...steps, ...back));
    await play({ scroll: 3_500 }, { scroll: 'end', at: 'animationFrame' });
    await expectFollowing(400);
  });

  it.each(['between two frames', 'in an animation frame'])(
    'the end is followed after a jump to it while messages arrive, %s',
    async (when) => {
      const at = when === 'in an animation frame' ? ({ at: 'animationFrame' } as const) : {};
      await show(manyRows(400), factor);
      await play({ scroll: -9_000 }, { scroll: 'end', ...at, messages: [insert(400, manyRows(1, 400), factor)] });
      await expectFollowing(401);
      await play({ scroll: -9_000 });
      // The user scrolls to the end of what is laid out, and the message arrives before the next frame.
      await open.page.evaluate(() => document.querySelector('.rows')?.scrollTo(0, 1e9));
      await play({ messages: [insert(404, manyRows(1, 404), factor)], ...at });
      await expectFollowing(405);
    },
  );

  it('every frame shows the end while it is followed and rows are added, grow, shrink, and go', async () => {
    await show(manyRows(60), factor);
    const painted = await play(
      { messages: [insert(60, manyRows(1, 60), factor)] },
      { messages: [insert(61, manyRows(3, 61), factor), replace(markdownRow('m63', 'Grown.\n\n'.repeat(30)))] },
      { messages: [replace(markdownRow('m63', 'Shrunk.'))], at: 'animationFrame' },
      { content: { key: 'm62', heightPx: 600 } },
      { messages: [remove('m62', 'm63')] },
      { messages: [insert(0, manyRows(20, 500), factor), insert(82, manyRows(1, 62), factor)] },
      { messages: [replace(markdownRow('m62', 'Grown.\n\n'.repeat(90)))] },
      { messages: [replace(markdownRow('m62', 'Shrunk.'))] },
    );
    expectEnd(painted, 'm62');
    expectFilled(painted);
  });

  it('the end is followed while the composer grows and shrinks and messages arrive', async () => {
    await show(manyRows(60), factor);
    const painted = await play(
      { draft: 'line\n'.repeat(8), messages: [insert(60, manyRows(1, 60), factor)] },
      { draft: 'line', messages: [insert(61, manyRows(1, 61), factor)] },
      { draft: 'line\n'.repeat(5), messages: [replace(markdownRow('m61', 'Grown.\n\n'.repeat(30)))] },
      { draft: '', messages: [replace(markdownRow('m61', 'Shrunk.'))], at: 'animationFrame' },
    );
    expectEnd(painted, 'm61');
    await expectFollowing(62);
  });

  it('no row in view moves in any frame when rows above it are added, grow, shrink, and go', async () => {
    const rows = manyRows(400);
    await show(rows, factor);
    await open.tell({ type: 'reveal', key: 'm200' });
    const [before] = await play({ scroll: -37 }, {}, {});
    const painted = await play(
      { messages: [insert(150, manyRows(3, 500), factor)] },
      { messages: [replace(markdownRow('m198', 'Grown.\n\n'.repeat(60)))] },
      { messages: [replace(markdownRow('m198', 'Shrunk.')), insert(200, manyRows(2, 600), factor)] },
      { messages: [remove('m197', 'm196', 'm601')], at: 'animationFrame' },
      { content: { key: 'm198', heightPx: 400 } },
      { messages: [insert(404, manyRows(2, 700), factor), replace(markdownRow('m399', 'Shrunk.'))] },
    );
    const seen = [...new Set(painted.map(({ tops }) => tops['m200']))];
    expect(seen).toEqual([before?.tops['m200']]);
    expectFilled(painted);
  });

  it('the first frame after a jump to a message shows it at the top, also when messages arrive', async () => {
    await show(manyRows(400), factor);
    const painted = await play(
      { messages: [{ type: 'reveal', key: 'm100' }] },
      { messages: [insert(50, manyRows(2, 500), factor), { type: 'reveal', key: 'm300' }], at: 'animationFrame' },
      { messages: [replace(markdownRow('m299', 'Grown.\n\n'.repeat(60)))] },
    );
    expect(painted.map(({ tops }) => tops['m100'] ?? tops['m300'])).toEqual([0, 0, 0, 0]);
    expectFilled(painted);
  });

  it('a jump goes to its target if the list was scrolled right before it', async () => {
    await show(manyRows(400), factor);
    const painted = await play(
      { scroll: -500, next: { type: 'reveal', key: 'm100' } },
      { scroll: 300, next: { type: 'reveal', key: 'm300' }, at: 'animationFrame' },
    );
    expect(painted.map(({ tops }) => tops['m100'] ?? tops['m300'])).toEqual([0, 0, 0]);
    // After the last prompt, the list goes to its end.
    expectEnd(await play({ scroll: -700, next: { type: 'goTo', target: 'prompt', by: 1 } }, {}), 'm399');
    await expectFollowing(400);
  });

  it('a long answer begins at its place if the list was scrolled right before it arrived', async () => {
    await show(manyRows(400), factor);
    const answer = markdownRow('m400', 'Long.\n\n'.repeat(90), { phase: 'final' });
    const painted = await play({ scroll: -30, next: insert(400, [answer], factor) }, {});
    expect(painted.map(({ tops }) => tops['m400'])).toEqual([40, 40, 40]);
  });

  it('the end is followed after a screen was shown instead of the conversation', async () => {
    const rows = manyRows(400);
    await show(rows, factor);
    const screen: HostMessage = { type: 'screen', screen: { title: 'In a tab', text: '', buttons: [] } };
    await play({}, { messages: [screen] }, {}, { messages: [conversation(rows, { rowStubs: stubsOf(rows, factor) })] });
    expectEnd(await play({}, {}), 'm399');
    await expectFollowing(400);
  });

  it('the same row is in view after the list was hidden', async () => {
    await show(manyRows(400), factor);
    await open.tell({ type: 'reveal', key: 'm200' });
    const before = (await play({ scroll: 37 }, {}, {})).at(-1);
    await hideList(true);
    await play({}, {});
    await hideList(false);
    const painted = await play({}, {});
    expect(painted.map(({ tops }) => tops)).toEqual(painted.map(() => before?.tops));
  });

  it('rows that come into view because another one shrinks are in place in the same frame', async () => {
    await show(manyRows(400), factor);
    await open.tell(replace(markdownRow('m200', 'Long.\n\n'.repeat(200))), { type: 'reveal', key: 'm200' });
    expectFilled(await play({}, { content: { key: 'm200', heightPx: 20 } }));
  });

  it('rows that come into view while scrolling are in place in the frame that shows them', async () => {
    await show(manyRows(400), factor);
    const painted = await play(
      { scroll: -900 },
      { scroll: -1_300 },
      { scroll: -8_000 },
      { scroll: 500 },
      { scroll: -300, messages: [replace(markdownRow('m380', 'Grown.\n\n'.repeat(60)))] },
      { scroll: 2_500 },
    );
    expectFilled(painted);
  });
});

// With much lower estimates, the list grows during the browser's scroll animation, which then ends above the new end.
it.each(estimates.slice(0, 2))(
  'with rows that were estimated %s they are, the end is followed after the End key while messages arrive',
  async (_, factor) => {
    await show(manyRows(400), factor);
    await play({ scroll: -9_000 });
    await open.page.locator('.rows').focus();
    // Rows that are measured meanwhile can stop the scrolling before the end.
    const isAtEnd = async () => {
      const [painted] = await play();
      return painted?.lastKey === 'm399' && Math.abs(painted.fromEndPx) <= 1;
    };
    await press(open.page, 'End', { effect: isAtEnd });
    await expectFollowing(400);
  },
);
