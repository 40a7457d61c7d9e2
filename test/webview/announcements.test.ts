import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageStatus } from '../../src/shared/protocol/pageModel.ts';
import type { PageRow, RowPatch } from '../../src/shared/protocol/rowTypes.ts';
import type { OpenPage } from './rig/pageRig.ts';
import { conversation, header, manyRows, markdownRow, row, stubOf, setup } from './rig/samples.ts';
import { usePages } from './rig/usePage.ts';

const pages = usePages();

declare global {
  interface Window {
    heard: string[];
  }
}

/** Opens a page that records announcements to screen readers. */
async function listenTo(rows: readonly PageRow[], status: PageStatus): Promise<OpenPage> {
  const open = await pages.open();
  await open.tell(setup, conversation(rows, { header: { ...header, status } }));
  await open.page.getByRole('status').evaluate((region) => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
  });
  return open;
}

/** The announcements so far. Sentences announced together form a single entry. */
function heardOn({ page }: OpenPage): Promise<string[]> {
  return page.evaluate(() => window.heard);
}

function patch(...patches: readonly RowPatch[]): HostMessage {
  return { type: 'patch', patches };
}

function insert(index: number, ...rows: readonly PageRow[]): HostMessage {
  return patch({ op: 'insert', index, rowStubs: rows.map(stubOf), rows });
}

function replace(next: PageRow): HostMessage {
  return patch({ op: 'replace', row: next, estimatedLines: stubOf(next).estimatedLines });
}

function becomes(status: PageStatus, statusLabel: string): HostMessage {
  return { type: 'header', header: { ...header, status, statusLabel } };
}

const fence = '```\na\n```\n\n';
const answers = {
  begun: markdownRow('n', 'Like'),
  withOneBlock: markdownRow('n', `Like this:\n\n${fence}`),
  withTwoBlocks: markdownRow('n', `Like this:\n\n${fence}or\n\n${fence}`),
};

describe('screen readers announce while the agent is idle', () => {
  it.each([
    [
      'an answer with code',
      [markdownRow('n', 'Like this:\n\n```ts\na\n```\n\n1. or\n\n   ```\n   b\n   ```\n')],
      'Answer received, 2 code blocks',
    ],
    ['an answer with one block', [markdownRow('n', '~~~\na\n~~~')], 'Answer received, 1 code block'],
    [
      'steps of the agent and what it says of them',
      [
        row('n', [{ type: 'code', text: 'ls' }], { role: 'tool' }),
        row('o', [{ type: 'fold', kind: 'thinking', title: 'Thinking', isError: false, blocks: [] }]),
        row('t', [], { role: 'user', isContext: true }),
        markdownRow('p', 'Found it.'),
      ],
      'Answer received',
    ],
    [
      'a message of somebody else and an error',
      [
        markdownRow('n', 'And then?', { role: 'user' }),
        row('o', [{ type: 'code', text: 'no such file' }], { role: 'tool', isError: true }),
      ],
      'You message received. Tool message received',
    ],
  ])('%s', async (_, added, sentence) => {
    const open = await listenTo(manyRows(3), 'idle');
    await open.tell(insert(3, ...added));
    await expect.poll(() => heardOn(open)).toEqual([sentence]);
  });
});

describe('screen readers announce a growing answer once it is complete', () => {
  it('when the session becomes idle, which is announced first', async () => {
    const open = await listenTo(manyRows(3), 'running');
    await open.tell(insert(3, answers.begun), replace(answers.withOneBlock));
    await open.tell(becomes('idle', 'Idle'), replace(answers.withTwoBlocks));
    await expect.poll(() => heardOn(open)).toEqual(['Idle', 'Answer received, 2 code blocks']);
    await open.tell(insert(4, markdownRow('o', 'One more.')));
    await expect.poll(() => heardOn(open).then((heard) => heard.slice(2))).toEqual(['Answer received']);
  });

  it('when the next message of the agent follows, but not a message of the user', async () => {
    const open = await listenTo(manyRows(3), 'running');
    await open.tell(insert(3, answers.begun), insert(4, markdownRow('u', 'And tests', { role: 'user' })));
    await expect.poll(() => heardOn(open)).toEqual(['You message received']);
    await open.tell(replace(answers.withOneBlock), insert(5, row('t', [], { role: 'tool' })));
    await expect.poll(() => heardOn(open)).toEqual(['You message received', 'Answer received, 1 code block']);
  });

  it('when a queued message follows it', async () => {
    const delivery = { entryId: 'e', state: 'queued', label: 'Waiting', actions: [] } as const;
    const waiting = markdownRow('w', 'Then the tests.', { role: 'user', delivery });
    const open = await listenTo([...manyRows(3), waiting], 'running');
    await open.tell(insert(3, answers.begun), replace(answers.withOneBlock), becomes('idle', 'Idle'));
    await expect.poll(() => heardOn(open)).toEqual(['Idle', 'Answer received, 1 code block']);
  });

  it('once if the status is unknown, when it has stopped growing', async () => {
    const open = await listenTo(manyRows(3), 'unknown');
    // All at once, because the answer counts as complete a second after its last change.
    await open.tell(insert(3, answers.begun), replace(answers.withOneBlock), replace(answers.withTwoBlocks));
    await expect.poll(() => heardOn(open)).toEqual(['Answer received, 2 code blocks']);
  });

  it('but not while the service is unreachable', async () => {
    const open = await listenTo(manyRows(3), 'running');
    await open.tell(insert(3, answers.begun), becomes('unreachable', 'Unreachable'), becomes('running', 'Running'));
    await open.tell(replace(answers.withTwoBlocks), becomes('idle', 'Idle'));
    await expect.poll(() => heardOn(open).then((heard) => heard.at(-1))).toBe('Answer received, 2 code blocks');
    expect((await heardOn(open)).join(' ').match(/Answer received/g)).toHaveLength(1);
  });

  it('but not if it was already there when the page loaded or is part of the history', async () => {
    const open = await listenTo([...manyRows(3), answers.withOneBlock], 'running');
    await open.tell(insert(0, markdownRow('older', `Before that:\n\n${fence}`)), replace(answers.withTwoBlocks));
    await open.tell(becomes('idle', 'Idle'), insert(5, markdownRow('o', 'One more.')));
    // If the page stalls between the two messages, it announces them separately.
    await expect.poll(() => heardOn(open).then((heard) => heard.join(' '))).toMatch(/^Idle\.? Answer received$/);
  });
});

describe('a failure that Lineside retries', () => {
  const startMs = Date.UTC(2026, 4, 20, 12);
  const text = 'Too many requests.';
  const button = { label: 'Retry', action: 'retry' } as const;
  const failed = (inMs?: number): HostMessage => ({
    type: 'header',
    header: {
      ...header,
      failure: { text, actions: [button], ...(inMs === undefined ? {} : { retryAt: startMs + inMs }) },
    },
  });
  const shown = ({ page }: OpenPage) => page.locator('.failure-text').innerText();
  /** Stops the page's clock, but not its timers. */
  const stopClock = ({ page }: OpenPage, atMs: number) =>
    page.evaluate((now) => {
      Date.now = () => now;
    }, atMs);

  it('counts down the seconds, and is announced once, with buttons that keep the focus', async () => {
    const open = await listenTo(manyRows(3), 'running');
    await stopClock(open, startMs);
    await open.tell(failed(62_400));
    expect(await shown(open)).toBe(text);
    await open.page.getByRole('button', { name: 'Retry', exact: true }).focus();
    await open.tell(failed(12_400));
    expect(await shown(open)).toBe(`${text} Retrying in 13 s.`);
    await stopClock(open, startMs + 11_900);
    await expect.poll(() => shown(open)).toBe(`${text} Retrying in 1 s.`);
    await stopClock(open, startMs + 12_400);
    await expect.poll(() => shown(open)).toBe(text);
    await open.tell(failed());
    expect(await shown(open)).toBe(text);
    expect(await open.page.evaluate(() => document.activeElement?.textContent)).toBe('Retry');
    expect(await heardOn(open)).toEqual([text]);
  });

  it('has no timer in a hidden page, and the right time when the page is shown again', async () => {
    const open = await listenTo(manyRows(3), 'running');
    await stopClock(open, startMs);
    const setHidden = (isHidden: boolean) =>
      open.page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    // The delays of all timers that the page sets.
    const delays = await open.page.evaluateHandle(() => {
      const set: unknown[] = [];
      window.setTimeout = new Proxy(window.setTimeout, {
        apply: (target, self, args: Parameters<typeof setTimeout>) => {
          set.push(args[1]);
          return Reflect.apply(target, self, args) as unknown;
        },
      });
      return set;
    });
    await setHidden(true);
    await open.tell(failed(12_777));
    expect(await delays.jsonValue()).not.toContain(777);
    await stopClock(open, startMs + 5_000);
    await setHidden(false);
    expect(await shown(open)).toBe(`${text} Retrying in 8 s.`);
    expect(await delays.jsonValue()).toContain(777);
  });
});
