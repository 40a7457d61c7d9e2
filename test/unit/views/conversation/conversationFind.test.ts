import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HostMessage } from '../../../../src/shared/protocol/hostMessages.ts';
import type { PageFind } from '../../../../src/shared/protocol/pageModel.ts';
import { MatchCounter, MatchThread } from '../../../../src/views/conversation/findMatches.ts';
import { key, undescribable } from '../../state/samples.ts';
import { PageModel, PageRig, messageOf } from './pageRig.ts';

const query = { isCase: false, isWord: false, isRegex: false };
let rig: PageRig;
afterEach(() => rig.page.dispose());

/** Opens a page with messages that contain these texts. */
async function open(texts: readonly string[]): Promise<PageModel> {
  rig = new PageRig();
  rig.store.takeMessages(
    key,
    texts.map((text, place) => messageOf(`m${place}`, place, { content: [{ type: 'text', text }] })),
  );
  await rig.open();
  const model = new PageModel();
  for (const message of rig.take()) model.take(message);
  return model;
}

/** All find results posted since the last call. */
async function found(): Promise<PageFind[]> {
  await rig.settle();
  return rig.take().flatMap((message) => (message.type === 'found' ? [message.find] : []));
}

async function find(text: string, more: Partial<typeof query> & { fromKey?: string; findId?: number } = {}) {
  rig.say({ type: 'find', ...key, findId: 1, text, ...query, ...more });
  return found();
}

async function step(by: 1 | -1): Promise<PageFind['match']> {
  rig.say({ type: 'findStep', ...key, findId: 1, by });
  return (await found()).at(-1)?.match;
}

describe('find', () => {
  it('counts all matches and starts at the reading position', async () => {
    await open(['red', 'blue red', 'green', 'Red and red', 'blue']);
    const all = await find('red', { fromKey: 'm2' });
    expect(all.find(({ match }) => match)?.match).toEqual({ key: 'm3', block: 0, place: 0 });
    expect(all.at(-1)).toMatchObject({ count: 4, index: 2, isSearching: false, isMore: false });
  });

  it('finds what is in the other messages if one cannot be described', async () => {
    await open(['red', 'blue', 'red']);
    rig.store.takeMessages(key, [messageOf('m1', 1, { updatedAt: 9_000, content: [undescribable] })]);
    expect((await find('red')).at(-1)).toMatchObject({ count: 2, isSearching: false });
  });

  it('ends with an error if the messages cannot be read', async () => {
    await open(['red']);
    vi.spyOn(rig.store, 'readBodies').mockRejectedValueOnce(new Error('Disk error'));
    const failure = "Couldn't search the conversation: Disk error";
    expect((await find('red')).at(-1)).toMatchObject({ count: 0, isSearching: false, failure });
    expect((await find('red', { findId: 2 })).at(-1)).toMatchObject({ count: 1, isSearching: false });
  });

  it('goes to the next and previous match, and wraps at both ends', async () => {
    await open(['red', 'blue', 'red and red']);
    await find('red', { fromKey: 'm0' });
    const seen = [];
    for (const by of [1, 1, 1, -1] as const) seen.push(await step(by));
    expect(seen).toEqual([
      { key: 'm2', block: 0, place: 0 },
      { key: 'm2', block: 0, place: 1 },
      { key: 'm0', block: 0, place: 0 },
      { key: 'm2', block: 0, place: 1 },
    ]);
  });

  it("shows each match in consecutive messages of the agent's tooling", async () => {
    const model = await open([
      'hello',
      ...['b', 'needle c', 'd needle', 'e'].map((text) => `<system-reminder>${text}</system-reminder>`),
    ]);
    expect(model.keys).toEqual(['m0', 'm1']);
    rig.say({ type: 'find', ...key, findId: 1, text: 'needle', ...query });
    await rig.settle();
    const messages = rig.take();
    for (const message of messages) model.take(message);
    expect(model.keys).toEqual(['m0', 'm1', 'm2', 'm3']);
    const last = messages.findLast((message) => message.type === 'found');
    expect(last?.type === 'found' && last.find).toMatchObject({ count: 2, index: 0 });
    rig.say({ type: 'findStep', ...key, findId: 1, by: 1 });
    await rig.settle();
    for (const message of rig.take()) model.take(message);
    expect(model.keys).toEqual(['m0', 'm1', 'm3', 'm4']);
  });

  it('searches thinking and tools, and shows matching messages that are filtered out or grouped', async () => {
    rig = new PageRig();
    rig.reading = { detailLevel: 'work' };
    const use = (id: string, place: number) =>
      messageOf(id, place, {
        role: 'assistant',
        content: [{ type: 'tool_use', name: 'grep', input: { pattern: `needle ${id}` } }],
      });
    rig.store.takeMessages(key, [
      messageOf('hidden', 0, { role: 'system', visibility: 'llm_only', content: [{ type: 'text', text: 'a needle' }] }),
      messageOf('ask', 1),
      use('u1', 2),
      use('u2', 3),
    ]);
    await rig.open();
    const model = new PageModel();
    for (const message of rig.take()) model.take(message);
    expect(model.keys).toEqual(['ask', '\u0000steps 0 turn u1']);
    rig.say({ type: 'find', ...key, findId: 1, text: 'needle u2', ...query });
    await rig.settle();
    const messages = rig.take();
    for (const message of messages) model.take(message);
    expect(model.keys).toEqual(['ask', '\u0000steps 0 turn u1', 'u2']);
    // The rows are sent before the page moves to the match.
    const order = messages.map(({ type }) => type);
    expect(order.indexOf('patch')).toBeLessThan(messages.findIndex((one) => one.type === 'found' && one.find.match));
    expect(messages).toContainEqual(expect.objectContaining({ type: 'patch', isReread: true }));
    rig.say({ type: 'find', ...key, findId: 2, text: 'a needle', ...query });
    await rig.settle();
    for (const message of rig.take()) model.take(message);
    // The message with the previous match is part of the steps again.
    expect(model.keys).toEqual(['hidden', 'ask', '\u0000steps 0 turn u1']);
  });

  it('also counts a tool result at its call if the page shows it there, even if it arrives later', async () => {
    rig = new PageRig();
    const call = { type: 'tool_use', toolUseId: 'c1', name: 'grep', input: { pattern: 'x' } } as const;
    const result = { type: 'tool_result', toolUseId: 'c1', isError: false } as const;
    rig.store.takeMessages(key, [messageOf('use', 0, { role: 'assistant', content: [call] })]);
    await rig.open();
    await find('needle');
    const content = [{ ...result, content: [{ type: 'text', text: 'a needle' } as const] }];
    rig.store.takeMessages(key, [messageOf('told', 1, { role: 'tool', content })]);
    expect((await found()).at(-1)).toMatchObject({ count: 2 });
    expect(await step(1)).toEqual({ key: 'use', block: 0, place: 0 });
    expect(await step(1)).toEqual({ key: 'told', block: 0, place: 0 });
  });

  it('counts matches in truncated text after matches in the shown text', async () => {
    await open([`red\n${'line\n'.repeat(3_000)}red and red`, 'red']);
    expect((await find('red')).at(-1)?.count).toBe(4);
    expect(await step(1)).toEqual({ key: 'm0', place: 0 });
    expect(await step(1)).toEqual({ key: 'm0', place: 1 });
    expect(await step(1)).toEqual({ key: 'm1', block: 0, place: 0 });
    expect(await step(-1)).toEqual({ key: 'm0', place: 1 });
  });

  it('only counts the matches of messages that arrive after a search without results', async () => {
    await open(['blue']);
    expect((await find('red')).at(-1)).toMatchObject({ count: 0, isSearching: false });
    rig.store.takeMessages(key, [messageOf('m1', 1, { content: [{ type: 'text', text: 'red' }] })]);
    const all = await found();
    expect(all.at(-1)).toMatchObject({ count: 1, isSearching: false });
    expect(all.filter(({ match, index }) => match ?? index !== undefined)).toEqual([]);
    expect(await step(1)).toEqual({ key: 'm1', block: 0, place: 0 });
  });

  it('goes to the first match in messages that are loaded for the search', async () => {
    await open(['blue']);
    rig.store.setHistory(key, { completeness: 'partial', isLoading: false });
    await find('red');
    let end: (() => void) | undefined;
    rig.page.find.awaitMatch(new Promise((resolve) => (end = resolve)));
    // The load is still queued when this message arrives.
    rig.store.takeMessages(key, [messageOf('m1', 1, { content: [{ type: 'text', text: 'green' }] })]);
    await found();
    rig.store.setHistory(key, { completeness: 'partial', isLoading: true });
    rig.store.setHistory(key, { completeness: 'complete', isLoading: false });
    rig.store.takeMessages(key, [messageOf('m2', 2, { content: [{ type: 'text', text: 'red' }] })]);
    expect((await found()).find(({ match }) => match)?.match).toEqual({ key: 'm2', block: 0, place: 0 });
    end?.();
  });

  it('goes to no match of a later message after the load ended without any', async () => {
    await open(['blue']);
    rig.store.setHistory(key, { completeness: 'partial', isLoading: false });
    await find('red');
    rig.page.find.awaitMatch(Promise.reject(new Error('not connected')));
    await found();
    rig.store.takeMessages(key, [messageOf('m2', 2, { content: [{ type: 'text', text: 'red' }] })]);
    const results = await found();
    expect(results.at(-1)?.count).toBe(1);
    expect(results.filter(({ match }) => match)).toEqual([]);
  });

  it('includes new messages while it is open, and recounts a changed message', async () => {
    await open(['red', 'blue']);
    await find('red');
    rig.store.takeMessages(key, [messageOf('m2', 2, { content: [{ type: 'text', text: 'red red' }] })]);
    expect((await found()).at(-1)?.count).toBe(3);
    rig.store.takeMessages(key, [messageOf('m2', 2, { updatedAt: 9_000, content: [{ type: 'text', text: 'gone' }] })]);
    expect((await found()).at(-1)?.count).toBe(1);
    rig.say({ type: 'findStop', ...key });
    rig.store.takeMessages(key, [messageOf('m3', 3, { content: [{ type: 'text', text: 'red' }] })]);
    expect(await found()).toEqual([]);
  });

  it.each([
    ['the page is hidden', () => rig.page.onHidden()],
    ['the page is closed', () => rig.page.dispose()],
    ['the page is loaded again', () => rig.say({ type: 'ready' })],
    ['the page shows no session', () => rig.page.show(undefined)],
  ])('reads no more messages when %s', async (_when, end) => {
    await open(Array.from({ length: 500 }, () => 'text'));
    const read = vi.spyOn(rig.store, 'readBodies');
    rig.say({ type: 'find', ...key, findId: 1, text: 'text', ...query });
    expect(read).toHaveBeenCalledTimes(1);
    end();
    await rig.settle();
    expect(read.mock.calls.filter(([, [first]]) => first === 'm100')).toEqual([]);
  });

  it('cancels an earlier search when the next one starts', async () => {
    await open(Array.from({ length: 500 }, (_, place) => `text ${place}`));
    rig.say({ type: 'find', ...key, findId: 1, text: 'text', ...query });
    const seen = await find('text 49', { findId: 2 });
    await expect
      .poll(async () => {
        seen.push(...(await found()));
        return seen.at(-1);
      })
      .toMatchObject({ findId: 2, count: 11, isSearching: false });
    const second = seen.findIndex(({ findId }) => findId === 2);
    expect(seen.slice(second).every(({ findId }) => findId === 2)).toBe(true);
  });

  it('reports an invalid regular expression, and older messages that are not loaded', async () => {
    await open(['red']);
    expect((await find('(', { isRegex: true })).at(-1)).toMatchObject({
      failure: 'Invalid regular expression',
      count: 0,
    });
    rig.store.setHistory(key, { completeness: 'partial', isLoading: false });
    expect((await find('red')).at(-1)).toMatchObject({ isOlderMissing: true, isOlderLoading: false });
  });

  it('stops an expression with catastrophic backtracking, and reports it', async () => {
    const trap = `${'a'.repeat(60)}!`;
    await open(Array.from({ length: 30 }, () => trap));
    rig.say({ type: 'find', ...key, findId: 1, text: '(a+)+$', ...query, isRegex: true });
    await expect.poll(() => found().then((all) => all.at(-1)?.failure)).toMatch(/takes too long/);
  });

  it('sends a regular expression only if all messages were searched completely', async () => {
    await open([`${'a'.repeat(60)}!`, 'baa']);
    rig.say({ type: 'find', ...key, findId: 1, text: '(a+)+$', ...query, isRegex: true });
    const all: PageFind[] = [];
    const add = async () => {
      all.push(...(await found()));
      return all.at(-1)?.isSearching;
    };
    await expect.poll(add).toBe(false);
    expect(all.filter((one) => one.pattern)).toEqual([]);
    expect(all.at(-1)).toMatchObject({ count: 1, index: 0, isMore: true });
    expect(all.find(({ match }) => match)?.match).toEqual({ key: 'm1', block: 0, place: 0 });
    rig.say({ type: 'find', ...key, findId: 2, text: '(a+)+$', ...query, isRegex: true });
    rig.store.takeMessages(key, [messageOf('m1', 1, { updatedAt: 9_000, content: [{ type: 'text', text: 'gone' }] })]);
    await expect.poll(async () => ((await add()) === false ? all.at(-1)?.findId : undefined)).toBe(2);
    expect(all.at(-1)).toMatchObject({ count: 0, failure: 'This expression takes too long. Try a simpler one.' });
    expect(all.at(-1)?.pattern).toBeUndefined();
  });

  it('takes a regular expression back before the page receives a message that is not searched yet', async () => {
    await open(['baa']);
    rig.say({ type: 'find', ...key, findId: 1, text: 'a+$', ...query, isRegex: true });
    await expect.poll(() => found().then((all) => all.at(-1)?.pattern)).toEqual({ source: 'a+$', flags: 'gmiu' });
    rig.store.takeMessages(key, [messageOf('m2', 2)]);
    const messages: HostMessage[] = [];
    await expect
      .poll(async () => {
        await rig.settle();
        messages.push(...rig.take());
        return messages.findLast((one) => one.type === 'found')?.find;
      })
      .toMatchObject({ isSearching: false, pattern: { source: 'a+$' } });
    const first = messages.findIndex((one) => one.type === 'found');
    expect(first).toBeLessThan(messages.findIndex(({ type }) => type === 'patch'));
    expect(messages[first]).toMatchObject({ find: { isSearching: true } });
    expect(messages[first]).not.toHaveProperty('find.pattern');
  });
});

describe('counting', () => {
  const thread = new MatchThread();
  afterEach(() => thread.dispose());
  const counterOf = (source: string) => new MatchCounter({ source, flags: 'gm' }, thread);
  const trap = `${'a'.repeat(60)}!`;

  it('skips strings that take too long, gives up after several of them, and ignores empty matches', async () => {
    const counter = counterOf('(a+)+$');
    expect(await counter.count([trap, 'baa'])).toEqual([0, 1]);
    expect(counter.isGivenUp).toBe(false);
    expect(counter).toMatchObject({ isCut: true, hasTimedOut: true });
    expect(await counter.count([trap, trap, trap, 'baa'])).toEqual([0, 0, 0, 0]);
    expect(counter.isGivenUp).toBe(true);
    expect(await counterOf('(a+)+$').count(['baa'])).toEqual([1]);
    expect(await counterOf('x*').count(['axbxx'])).toEqual([2]);
  });

  it('never blocks the host, and can be stopped', async () => {
    const counter = counterOf('(a+)+$');
    const counting = counter.count([trap]);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    counter.stop();
    expect(await counting).toEqual([0]);
    expect(await counterOf('a').count([trap])).toEqual([60]);
  });

  it('runs one expression after the other in the same thread', async () => {
    for (const [text, count] of [
      ['baa', 1],
      ['text', 0],
      ['a', 1],
    ] as const) {
      expect(await thread.run({ source: 'a+$', flags: 'gm' }, [text], 10_000)).toEqual([count]);
      for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('finds literal text in long lines and in many short ones', async () => {
    const counter = new MatchCounter({ source: 'red', flags: 'giu' });
    const text = `${'a'.repeat(350_000)}\n${'a Red line\n'.repeat(15_000)}`;
    expect(await counter.count([text, 'red'.repeat(30_000), ''])).toEqual([15_000, 20_000, 0]);
  });

  it('reports that a string was too long to be searched completely', async () => {
    const counter = counterOf('b');
    expect(await counter.count(['a'.repeat(3_999_999) + 'bb', 'b'])).toEqual([1, 1]);
    expect(counter.isCut).toBe(true);
  });
  it('sends a match with the newest state, also if it is sent after that', async () => {
    await open(Array.from({ length: 250 }, () => 'red'));
    rig.webview.delivers = false;
    // The page is busy with another message while the search runs.
    rig.page.post({ type: 'preloadDone' });
    await rig.settle();
    const read = vi.spyOn(rig.store, 'readBodies');
    rig.say({ type: 'find', ...key, findId: 1, text: 'red', ...query });
    await expect.poll(() => read.mock.calls.length).toBe(3);
    await rig.settle();
    rig.webview.delivers = true;
    rig.webview.deliver();
    const all = await found();
    expect(all.find(({ match }) => match)).toMatchObject({ count: 250, isSearching: false });
    expect(all.at(-1)).toMatchObject({ count: 250, isSearching: false });
  });

  it('also searches the notes of bookmarks, as the last part of their messages', async () => {
    await open(['red', 'blue', 'red']);
    const bookmark = (note: string) =>
      rig.store.addSession({ key, addedAt: 1, bookmarks: [{ messageId: 'm0', addedAt: 1, note }] });
    bookmark('very red');
    expect((await find('red', { fromKey: 'm0' })).at(-1)).toMatchObject({ count: 3, index: 0 });
    expect(await step(1)).toEqual({ key: 'm0', block: -1, place: 0 });
    expect(await step(1)).toEqual({ key: 'm2', block: 0, place: 0 });
    bookmark('green');
    expect((await found()).at(-1)).toMatchObject({ count: 2 });
  });

  it('names the rows with matches once the search has ended, and again when they change', async () => {
    await open(['red', 'blue', 'red red']);
    expect((await find('red')).at(-1)?.matchKeys).toEqual(['m0', 'm2']);
    rig.say({ type: 'findStep', ...key, findId: 1, by: 1 });
    expect((await found()).map(({ matchKeys }) => matchKeys)).toEqual([undefined]);
    rig.store.takeMessages(key, [messageOf('m3', 3, { content: [{ type: 'text', text: 'red' }] })]);
    expect((await found()).findLast(({ matchKeys }) => matchKeys)?.matchKeys).toEqual(['m0', 'm2', 'm3']);
    expect((await find('absent', { findId: 2 })).at(-1)?.matchKeys).toEqual([]);
  });
});
