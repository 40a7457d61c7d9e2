import { afterEach, describe, expect, it } from 'vitest';
import type { MessageDraft } from '../../../../src/demoService/resources.ts';
import type { ConversationSearch } from '../../../../src/sync/history/serviceSearch.ts';
import { gzipBomb } from '../../../fakes/gzipBomb.ts';
import { TailRig, type TailWindow, asks, prompt, says, sessionWith, turns } from '../tails/tailRig.ts';

const rigs: TailRig[] = [];
async function start(...parts: Parameters<typeof TailRig.start>): Promise<TailRig> {
  const rig = await TailRig.start(...parts);
  rigs.push(rig);
  return rig;
}
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.dispose();
});

/** A window that doesn't read by itself, so that all requests for messages are those of searches. */
async function open(rig: TailRig, sessionIds: readonly string[]): Promise<TailWindow> {
  const window = await rig.open([], false);
  window.setEnabled(false);
  for (const sessionId of sessionIds) await window.sync.sessionList.add(rig.keyOf(sessionId));
  return window;
}

interface SearchParts {
  readonly words?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onSearched?: () => void;
}

/** Searches, and collects the results by session ID. */
async function search(rig: TailRig, window: TailWindow, sessionIds: readonly string[], parts: SearchParts = {}) {
  const { words = ['needle'], signal = new AbortController().signal, onSearched } = parts;
  const results: Record<string, ConversationSearch> = {};
  const stops = await window.sync.searchServices({
    keys: sessionIds.map((sessionId) => rig.keyOf(sessionId)),
    words,
    signal,
    onSearched: ({ sessionId }, result) => {
      results[sessionId] = result;
      onSearched?.();
    },
  });
  return { results, stops };
}

const needle = says('Here is the needle of the haystack.');
const ids = ['a', 'b', 'c'];
const service = (content: readonly MessageDraft[], habits: Parameters<typeof TailRig.start>[1] = {}) =>
  start((now) => ids.map((sessionId) => sessionWith(sessionId, content, now - 60_000)), habits);
const listings = (rig: TailRig, sessionId: string) =>
  rig.messageRequests().filter((request) => request.startsWith(`${sessionId} `));

describe.each(['desc', 'asc'] as const)('a search in conversations on the service, listed %s', (order) => {
  it('reads all pages of each until a message is found, and no page twice', async () => {
    const rig = await start(
      (now) => [
        sessionWith('first', [needle, ...turns(120)], now),
        sessionWith('last', [...turns(120), needle], now),
        sessionWith('none', turns(120), now),
        sessionWith('short', [prompt, asks], now),
      ],
      { order },
    );
    const all = ['first', 'last', 'none', 'short'];
    const window = await open(rig, all);
    const { results, stops } = await search(rig, window, all, { words: ['haystack', 'needle'] });
    const found = { outcome: 'searched', hit: { excerpt: 'Here is the needle of the haystack.' } };
    expect(results).toMatchObject({
      first: { ...found, hit: { ...found.hit, messageId: 'first-0' } },
      last: { ...found, hit: { ...found.hit, messageId: 'last-240' } },
    });
    expect([results['none'], results['short'], stops]).toEqual([{ outcome: 'searched' }, { outcome: 'searched' }, []]);
    const isDescending = order === 'desc';
    expect(all.map((sessionId) => listings(rig, sessionId).length)).toEqual([
      isDescending ? 3 : 1,
      isDescending ? 1 : 3,
      3,
      1,
    ]);
    expect(new Set(rig.messageRequests()).size).toBe(8);
  });
});

describe('a search in conversations on the service', () => {
  it('sends one request at a time, also if another search begins', async () => {
    const rig = await service(turns(120));
    const window = await open(rig, ids);
    const [one, other] = await Promise.all([search(rig, window, ids), search(rig, window, ids)]);
    expect([Object.keys(one.results), Object.keys(other.results)]).toEqual([ids, ids]);
    expect(rig.messageRequests()).toHaveLength(2 * 9);
    expect(rig.mostAtOnce).toBe(1);
  });

  it('keeps nothing of what it read', async () => {
    const rig = await service([needle, ...turns(2)]);
    const window = await open(rig, ids);
    await search(rig, window, ids);
    await window.sync.cache.flush();
    for (const sessionId of ids) {
      const key = rig.keyOf(sessionId);
      expect([window.record(key).headers, window.record(key).history.completeness]).toEqual([[], 'unread']);
      expect(await window.messages.find(key, ['needle'], new AbortController().signal)).toEqual({
        hit: undefined,
        cachedCount: undefined,
      });
    }
  });

  it('can be canceled between two conversations and between two pages', async () => {
    const rig = await service(turns(120));
    const window = await open(rig, ids);
    const betweenTwo = new AbortController();
    const { results, stops } = await search(rig, window, ids, {
      signal: betweenTwo.signal,
      onSearched: () => betweenTwo.abort(),
    });
    expect([Object.keys(results), stops]).toEqual([['a'], []]);
    expect(rig.messageRequests()).toHaveLength(3);
    const within = new AbortController();
    rig.server.addFault({ path: /\/messages/, nth: 2, fault: { kind: 'hang', when: 'before' } });
    const searching = search(rig, window, ['b'], { signal: within.signal });
    await rig.passUntil(() => listings(rig, 'b').length === 2, 1_000);
    within.abort();
    expect(await searching).toEqual({ results: {}, stops: [] });
    expect(listings(rig, 'b')).toHaveLength(2);
    expect(await search(rig, window, ids, { signal: AbortSignal.abort() })).toEqual({ results: {}, stops: [] });
    expect(rig.messageRequests()).toHaveLength(5);
  });

  it('stops at 429, sends nothing during the pause, and then continues', async () => {
    const rig = await service(turns(120));
    const window = await open(rig, ids);
    const busy = { kind: 'answer', status: 429, headers: { 'retry-after': '90' }, body: '{"detail":"Busy"}' } as const;
    rig.server.addFault({ path: /\/messages/, nth: 5, fault: busy });
    const first = await search(rig, window, ids);
    expect(first.results).toEqual({ a: { outcome: 'searched' } });
    const pausedUntil = rig.clock.now() + 90_000;
    expect(first.stops).toMatchObject([{ origin: rig.server.origin, pausedUntil, failure: { status: 429 } }]);
    const second = await search(rig, window, ids);
    expect(second).toEqual({ results: {}, stops: [{ origin: rig.server.origin, pausedUntil }] });
    expect(rig.messageRequests()).toHaveLength(5);
    rig.clock.advance(90_001);
    expect(Object.keys((await search(rig, window, ids)).results)).toEqual(ids);
  });

  it('stops between two pages if another request caused a pause', async () => {
    const rig = await service(turns(120));
    const window = await open(rig, ids);
    const busy = { kind: 'answer', status: 429, headers: { 'retry-after': '60' }, body: '{}' } as const;
    rig.server.addFault({ method: 'GET', path: /\/sessions\/c(?:\?|$)/, fault: busy });
    let isPaused = false;
    const { results, stops } = await search(rig, window, ids, {
      onSearched: () => {
        if (!isPaused) void window.sync.refresh(rig.keyOf('c')).finally(() => (isPaused = true));
      },
    });
    expect(Object.keys(results)).not.toContain('c');
    expect(stops).toEqual([{ origin: rig.server.origin, pausedUntil: expect.any(Number) as number }]);
  });

  it('goes on after a conversation that is not there, and does not begin with one that fails the next time', async () => {
    const rig = await service(turns(2));
    const all = ['gone', ...ids];
    const window = await open(rig, all);
    const broken = { kind: 'answer', status: 500, headers: {}, body: '{}' } as const;
    rig.server.addFault({ path: /\/sessions\/a\/messages/, fault: broken });
    const { results, stops } = await search(rig, window, all);
    expect(results).toEqual({ gone: { outcome: 'failed' }, a: { outcome: 'failed' } });
    expect(stops).toMatchObject([{ failure: { status: 500 } }]);
    expect(Object.keys((await search(rig, window, ['b', 'c'])).results)).toEqual(['b', 'c']);
  });

  it('reads at most 20 pages of a conversation, and says so', async () => {
    const rig = await start((now) => [sessionWith('long', [needle, ...turns(1_050)], now)], { order: 'desc' });
    const window = await open(rig, ['long']);
    expect((await search(rig, window, ['long'])).results).toEqual({ long: { outcome: 'tooLarge' } });
    expect(rig.messageRequests()).toHaveLength(20);
  });

  it('reads no more of a conversation after 16 MB, and skips a message that is too large for a response', async () => {
    const rig = await start(
      (now) => [
        sessionWith(
          'large',
          Array.from({ length: 250 }, () => says('x'.repeat(90_000))),
          now,
        ),
        sessionWith('huge', [needle, says('x'.repeat(33 * 1024 * 1024))], now),
      ],
      { order: 'desc' },
    );
    const window = await open(rig, ['large', 'huge']);
    const body = await gzipBomb(33 * 1024 * 1024);
    const bomb = { kind: 'answer', headers: { 'content-encoding': 'gzip' }, body } as const;
    rig.server.addFault({ path: /\/huge\/messages/, fault: bomb });
    const { results } = await search(rig, window, ['large', 'huge']);
    expect(results).toEqual({ large: { outcome: 'tooLarge' }, huge: { outcome: 'tooLarge' } });
    expect(listings(rig, 'large')).toHaveLength(2);
  });

  it('asks no service that is not connected, and leaves out removed sessions', async () => {
    const rig = await service([needle]);
    const window = await open(rig, ['a']);
    const other = { origin: 'https://other.test', sessionId: 'a' };
    await window.sync.sessionList.add(other);
    const seen: string[] = [];
    const stops = await window.sync.searchServices({
      keys: [other, rig.keyOf('b'), rig.keyOf('a')],
      words: ['needle'],
      signal: new AbortController().signal,
      onSearched: ({ sessionId }) => seen.push(sessionId),
    });
    expect([seen, stops]).toEqual([['a'], []]);
    expect(rig.messageRequests()).toHaveLength(1);
  });
});
