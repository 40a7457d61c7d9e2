import { afterEach, describe, expect, it } from 'vitest';
import { knownTail } from '../../../../src/state/work/tail.ts';
import { TailRig, asks, fails, finishes, prompt, sessionWith, turns } from './tailRig.ts';

const rigs: TailRig[] = [];
async function start(...parts: Parameters<typeof TailRig.start>): Promise<TailRig> {
  const rig = await TailRig.start(...parts);
  rigs.push(rig);
  return rig;
}
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.dispose();
});

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place);
const asking = numbers(10).map((place) => `asks-${place}`);
const failing = numbers(5).map((place) => `fails-${place}`);
const finishing = numbers(25).map((place) => `finishes-${place}`);
const all = [...asking, ...failing, ...finishing];
const endOf = (sessionId: string) =>
  sessionId.startsWith('asks') ? asks : sessionId.startsWith('fails') ? fails : finishes;
const needed = {
  ...Object.fromEntries(asking.map((sessionId) => [sessionId, 'waiting'])),
  ...Object.fromEntries(failing.map((sessionId) => [sessionId, 'failed'])),
};
const listed = (sessionId: string, rig: TailRig) =>
  rig.messageRequests().filter((request) => request.startsWith(`${sessionId} `));

describe.each(['desc', 'asc'] as const)('the newest messages of 40 sessions, listed %s', (order) => {
  const minute = 60_000;

  it('are read after they are added, once for each session', async () => {
    const rig = await start(
      (now) => all.map((sessionId, place) => sessionWith(sessionId, [prompt, endOf(sessionId)], now - place * minute)),
      { order },
    );
    const window = await rig.open(all);
    await rig.passUntil(() => all.every((sessionId) => knownTail(window.record(rig.keyOf(sessionId)))), 45_000);
    expect(window.needs()).toEqual(needed);
    for (const sessionId of all) {
      const { headers, tail, history } = window.record(rig.keyOf(sessionId));
      expect([headers, history.completeness]).toEqual([[], 'unread']);
      expect(tail?.excerpt).not.toBe('');
      expect(listed(sessionId, rig)).toEqual([expect.stringMatching(/limit=/)]);
    }
    await rig.pass(40_000, 500);
    expect(rig.messageRequests()).toHaveLength(40);
  });

  it('are read within one poll after they finish, once for each turn', async () => {
    const rig = await start(
      (now) => all.map((sessionId) => sessionWith(sessionId, [...turns(12), prompt], now - minute, 'running')),
      { order },
    );
    const window = await rig.open(all);
    await rig.pass(10_000);
    expect(rig.messageRequests()).toEqual([]);
    for (const sessionId of all) rig.finish(sessionId, endOf(sessionId));
    // A poll every 8 s, and two requests a second.
    await rig.passUntil(() => all.every((sessionId) => knownTail(window.record(rig.keyOf(sessionId)))), 35_000);
    expect(window.needs()).toEqual(needed);
    const first = rig.messageRequests().length;
    // If the list starts with the oldest message, one additional request finds that out.
    expect(first).toBe(order === 'asc' ? 41 : 40);
    for (const sessionId of all.slice(0, 4)) rig.service.store.setStatus(sessionId, 'running');
    for (const sessionId of all.slice(0, 4)) rig.service.store.append(sessionId, prompt);
    await rig.pass(40_000, 500);
    for (const sessionId of all.slice(0, 4)) rig.finish(sessionId, finishes);
    const isRead = (sessionId: string) => window.record(rig.keyOf(sessionId)).tail?.messageCount === 28;
    await rig.passUntil(() => all.slice(0, 4).every(isRead), 15_000);
    expect(Object.keys(window.needs())).not.toContain('asks-0');
    await rig.pass(10_000, 500);
    expect(rig.messageRequests()).toHaveLength(first + 4);
  });
});

describe('the newest messages of a session', () => {
  it('are requested at most twice a second, and less often in a window without the focus', async () => {
    const rig = await start((now) =>
      all.map((sessionId) => sessionWith(sessionId, [prompt, endOf(sessionId)], now - 60_000)),
    );
    const window = await rig.open(all);
    await rig.pass(10_000, 50);
    const times = rig.messageTimes();
    expect(times.length).toBeGreaterThan(10);
    const gaps = times.slice(1).map((at, place) => at - (times[place] ?? 0));
    // A request may arrive a step later than it was sent.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(400);
    window.sync.setFocused(false);
    const before = rig.messageRequests().length;
    await rig.pass(10_000, 50);
    const added = rig.messageRequests().length - before;
    expect(added).toBeGreaterThan(2);
    expect(added).toBeLessThanOrEqual(6);
  });

  it('say what the agent asks, what failed, which files it changed, and its answer', async () => {
    const edit = {
      type: 'tool_use',
      id: 'c',
      name: 'Edit',
      input: { file_path: 'src/basket.ts', old_string: 'a', new_string: 'b' },
    } as const;
    const done = { type: 'tool_result', toolUseId: 'c', isError: false, content: 'done' } as const;
    const rig = await start((now) => [
      sessionWith('a', [prompt, { role: 'assistant', content: [edit] }, { role: 'tool', content: [done] }, asks], now),
      sessionWith('b', [prompt, fails], now),
    ]);
    const window = await rig.open(['a', 'b']);
    await rig.passUntil(() => Object.keys(window.needs()).length === 2, 5_000);
    expect(window.record(rig.keyOf('a')).tail).toMatchObject({
      messageCount: 4,
      isError: false,
      waiting: { rule: 'answer', question: 'Shall I delete the old table?' },
      files: ['src/basket.ts'],
      answer: { firstLine: 'The basket is moved.', isOfTurn: true },
    });
    expect(window.record(rig.keyOf('b')).tail).toMatchObject({
      isError: true,
      excerpt: expect.stringContaining('no space') as string,
    });
  });

  it('say the same as the conversation if they end with the text of a skill', async () => {
    const call = { type: 'tool_use', id: 'c', name: 'Skill', input: { skill: 'tidy' } } as const;
    const launched = { type: 'tool_result', toolUseId: 'c', isError: false } as const;
    const rig = await start((now) => [
      sessionWith(
        'a',
        [
          prompt,
          { role: 'assistant', content: [{ type: 'text', text: 'I tidy up.' }, call] },
          { role: 'tool', content: [{ ...launched, content: 'Launching skill: tidy' }] },
          { role: 'user', content: [{ type: 'text', text: 'Shall I tidy every file?' }] },
        ],
        now - 60_000,
      ),
    ]);
    const window = await rig.open(['a']);
    const tail = () => knownTail(window.record(rig.keyOf('a')));
    await rig.passUntil(() => tail() !== undefined, 5_000);
    const read = tail();
    expect(read).toMatchObject({ answer: { firstLine: 'I tidy up.', isOfTurn: true } });
    window.sync.watch(rig.keyOf('a'), true);
    await rig.passUntil(() => window.record(rig.keyOf('a')).history.completeness === 'complete', 5_000);
    expect(tail()).toEqual(read);
  });

  it('are not read while the conversation is open, archived, failing, or the setting is off', async () => {
    const rig = await start((now) => ['a', 'b', 'c'].map((sessionId) => sessionWith(sessionId, [prompt, asks], now)));
    rig.service.store.patchSettings('b', { archivedAt: '2026-01-01T00:00:00Z' }, 'merge');
    const window = await rig.open();
    window.setEnabled(false);
    for (const sessionId of ['a', 'b', 'c', 'gone']) await window.sync.sessionList.add(rig.keyOf(sessionId));
    for (const { listEntry } of window.store.records) window.sync.watch(listEntry.key, false);
    await rig.pass(20_000, 500);
    expect(rig.messageRequests()).toEqual([]);
    window.sync.watch(rig.keyOf('a'), true);
    await rig.pass(2_000);
    window.setEnabled(true);
    await rig.pass(20_000, 500);
    expect(window.needs()).toEqual({ a: 'waiting', c: 'waiting' });
    expect(rig.messageRequests()).toEqual([
      expect.stringMatching(/^a .*limit=100/),
      expect.stringMatching(/^c .*limit=5/),
    ]);
  });

  it('are known in the next window without a request, and read again only after they changed', async () => {
    const rig = await start((now) => [sessionWith('a', [prompt, asks], now), sessionWith('b', [prompt, fails], now)]);
    const first = await rig.open(['a', 'b']);
    await rig.passUntil(() => Object.keys(first.needs()).length === 2, 5_000);
    await rig.close(first);
    const requested = rig.messageRequests().length;
    const second = await rig.open();
    await rig.pass(12_000, 500);
    expect(second.needs()).toEqual({ a: 'waiting', b: 'failed' });
    expect(rig.messageRequests()).toHaveLength(requested);
    rig.finish('a', prompt, finishes);
    await rig.passUntil(() => second.needs()['a'] === undefined, 45_000);
    await rig.pass(3_000);
    expect(rig.messageRequests()).toHaveLength(requested + 1);
  });

  it('are read as soon as the state of a remembered session is refreshed', async () => {
    const rig = await start((now) => [sessionWith('a', [prompt, asks], now - 3_600_000)]);
    const first = await rig.open([], false);
    first.setEnabled(false);
    await first.sync.sessionList.add(rig.keyOf('a'));
    await first.sync.refresh(rig.keyOf('a'));
    await rig.close(first);
    const second = await rig.open([], false);
    expect(second.record(rig.keyOf('a')).isRemembered).toBe(true);
    await rig.passUntil(() => second.needs()['a'] === 'waiting', 7_000);
    expect(rig.messageRequests()).toHaveLength(1);
  });

  it('are read although the list of sessions is hidden', async () => {
    const rig = await start((now) => [sessionWith('a', [prompt, asks], now - 3_600_000)]);
    const window = await rig.open(['a'], false);
    await rig.passUntil(() => window.needs()['a'] === 'waiting', 15_000);
    await rig.pass(60_000, 1_000);
    expect(rig.server.requests).toHaveLength(2);
  });

  it('get the role of the newest one if the list has none', async () => {
    const rig = await start(
      (now) => [
        sessionWith('a', [prompt, asks], now),
        sessionWith('b', [prompt, { ...prompt, content: [{ type: 'text', text: 'Shall I go on?' }] }], now),
      ],
      { listRoles: false },
    );
    const window = await rig.open(['a', 'b']);
    await rig.passUntil(() => ['a', 'b'].every((id) => knownTail(window.record(rig.keyOf(id)))), 6_000);
    expect(window.needs()).toEqual({ a: 'waiting' });
    expect(rig.messageRequests()).toHaveLength(4);
  });

  it('get that role although an older copy does not have the message yet', async () => {
    const rig = await start((now) => [sessionWith('a', [prompt, asks], now)], { listRoles: false });
    rig.server.addFault({
      path: /messages\/a-1/,
      times: 1,
      fault: { kind: 'answer', status: 404, body: '{"detail":"No"}' },
    });
    const window = await rig.open(['a']);
    await rig.passUntil(() => window.needs()['a'] === 'waiting', 10_000);
    expect(rig.messageRequests()).toHaveLength(4);
  });
});

describe('several windows', () => {
  it('read the newest messages of 40 sessions once', async () => {
    const rig = await start((now) =>
      all.map((sessionId) => sessionWith(sessionId, [prompt, endOf(sessionId)], now - 60_000)),
    );
    const windows = [await rig.open(all), await rig.open()];
    const isKnown = () =>
      windows.every((window) => all.every((sessionId) => knownTail(window.record(rig.keyOf(sessionId)))));
    await rig.passUntil(isKnown, 45_000);
    for (const window of windows) expect(window.needs()).toEqual(needed);
    for (const sessionId of all.slice(0, 20)) rig.service.store.setStatus(sessionId, 'running');
    await rig.pass(40_000, 500);
    for (const sessionId of all.slice(0, 20)) rig.finish(sessionId, prompt, finishes);
    const isRead = (sessionId: string) =>
      windows.every((window) => window.record(rig.keyOf(sessionId)).tail?.messageCount === 4);
    await rig.passUntil(() => all.slice(0, 20).every(isRead), 60_000);
    for (const window of windows) expect(Object.values(window.needs())).toEqual([]);
    await rig.pass(15_000, 500);
    for (const sessionId of all) expect(listed(sessionId, rig)).toHaveLength(all.indexOf(sessionId) < 20 ? 2 : 1);
  });

  it('do not wait for each other if they can not share what they read', async () => {
    const rig = await start((now) => [sessionWith('a', [prompt, asks], now)]);
    rig.server.addFault({ path: /messages/, times: 1, fault: { kind: 'hang', when: 'before' } });
    const windows = [await rig.open(['a']), await rig.open()];
    for (const window of windows) window.setCacheEnabled(false);
    await rig.passUntil(() => windows.some((window) => window.needs()['a'] === 'waiting'), 5_000);
    expect(rig.messageRequests()).toHaveLength(2);
    expect(await rig.claimFiles()).toEqual([]);
  });

  it('read a session that another window claimed, if that window closed before reading it', async () => {
    const rig = await start((now) => [sessionWith('a', [prompt, asks], now)]);
    rig.server.addFault({ path: /messages/, times: 1, fault: { kind: 'hang', when: 'before' } });
    const first = await rig.open(['a']);
    // Open the second window only now, because either of two open windows could be the one that claims the session.
    await rig.passUntil(() => rig.messageRequests().length === 1, 5_000);
    const second = await rig.open();
    await rig.pass(3_000);
    expect(rig.messageRequests()).toHaveLength(1);
    await rig.close(first);
    await rig.passUntil(() => second.needs()['a'] === 'waiting', 20_000);
    expect(rig.messageRequests()).toHaveLength(2);
  });
});

describe('the claim of a session', () => {
  const habits = { listRoles: false, listLagMs: 6_000 };

  it.each(['while another one is read', 'while it is read'])('ends if its agent goes on %s', async (when) => {
    // The service lists a message of b too late, so b waits for its next read.
    const rig = await start(
      (now) => [
        sessionWith('a', [...turns(3), asks], now - 600_000),
        sessionWith('b', [...turns(3), prompt, asks], now - 500),
      ],
      habits,
    );
    const window = await rig.open(['a', 'b']);
    const isOwn = when === 'while it is read';
    await rig.passUntil(() => listed(isOwn ? 'b' : 'a', rig).length > 0, 5_000);
    expect(listed('b', rig).length).toBe(isOwn ? 1 : 2);
    expect(listed('a', rig).length).toBe(isOwn ? 0 : 1);
    expect(await rig.claimFiles()).toHaveLength(isOwn ? 1 : 2);
    rig.service.store.setStatus('b', 'running');
    await window.sync.refresh(rig.keyOf('b'));
    await rig.passUntil(() => knownTail(window.record(rig.keyOf('a'))) !== undefined, 5_000);
    await rig.pass(200);
    expect(await rig.claimFiles()).toEqual([]);
  });
});

describe('a service', () => {
  it.each(['desc', 'asc'] as const)(
    'whose list lags behind its sessions (%s) is read until it has caught up',
    async (order) => {
      const rig = await start((now) => [sessionWith('a', [...turns(10), finishes], now - 60_000)], {
        order,
        listLagMs: 6_000,
      });
      const window = await rig.open(['a']);
      await rig.passUntil(() => knownTail(window.record(rig.keyOf('a'))) !== undefined, 5_000);
      rig.service.store.setStatus('a', 'running');
      rig.service.store.append('a', prompt);
      await rig.pass(32_000, 500);
      const before = rig.messageRequests().length;
      rig.finish('a', asks);
      await rig.passUntil(() => window.record(rig.keyOf('a')).session?.status === 'idle', 5_000);
      await rig.pass(1_000);
      // The tail isn't known yet, which isn't the same as a turn that ended without a question.
      expect(knownTail(window.record(rig.keyOf('a')))).toBeUndefined();
      await rig.passUntil(() => window.needs()['a'] === 'waiting', 20_000);
      expect(rig.messageRequests().length - before).toBeLessThanOrEqual(4);
    },
  );

  it('that answers from older copies is right in the end', async () => {
    const rig = await start((now) => [sessionWith('a', [...turns(10), prompt], now - 60_000, 'running')]);
    const window = await rig.open(['a']);
    await rig.pass(3_000);
    const old = await fetchJson(rig, 'a/messages?limit=5');
    rig.finish('a', asks);
    const stale = { kind: 'answer', body: old } as const;
    rig.server.addFault({ path: /messages/, times: 2, fault: stale });
    await rig.passUntil(() => window.needs()['a'] === 'waiting', 30_000);
    expect(rig.messageRequests().length).toBe(4);
  });

  it('that answers from a copy in which the answer is still growing is right in the end', async () => {
    const rig = await start((now) => [sessionWith('a', turns(10), now - 60_000)]);
    const window = await rig.open(['a']);
    await rig.passUntil(() => knownTail(window.record(rig.keyOf('a'))) !== undefined, 5_000);
    rig.service.store.setStatus('a', 'running');
    rig.service.store.append('a', prompt);
    const { id } = rig.service.store.append('a', finishes);
    await rig.pass(32_000, 500);
    const old = await fetchJson(rig, 'a/messages?limit=5');
    const before = rig.messageRequests().length;
    rig.service.store.revise('a', id, asks);
    rig.finish('a');
    rig.server.addFault({ path: /messages/, times: 1, fault: { kind: 'answer', body: old } });
    await rig.passUntil(() => window.needs()['a'] === 'waiting', 30_000);
    await rig.pass(40_000, 500);
    expect(rig.messageRequests().length - before).toBe(2);
  });

  it('that answers with 429 is left alone for a while, and then read on', async () => {
    const rig = await start((now) =>
      all.map((sessionId) => sessionWith(sessionId, [prompt, endOf(sessionId)], now - 60_000)),
    );
    rig.server.addFault({
      path: /messages/,
      nth: 10,
      times: 1,
      fault: { kind: 'answer', status: 429, headers: { 'retry-after': '90' }, body: '{"detail":"Too many requests"}' },
    });
    const window = await rig.open(all);
    await rig.passUntil(() => rig.messageRequests().length === 10, 15_000);
    await rig.pass(80_000, 1_000);
    expect(rig.messageRequests()).toHaveLength(10);
    await rig.passUntil(() => Object.keys(window.needs()).length === 15, 60_000);
    expect(window.needs()).toEqual(needed);
    await rig.passUntil(() => all.every((sessionId) => knownTail(window.record(rig.keyOf(sessionId)))), 60_000);
    expect(rig.messageRequests()).toHaveLength(41);
  });

  it('that can not say the state of a session is left alone for a while', async () => {
    const rig = await start((now) =>
      all.map((sessionId) => sessionWith(sessionId, [prompt, endOf(sessionId)], now - 60_000)),
    );
    const busy = { kind: 'answer', status: 503, body: '{"detail":"Starting"}' } as const;
    rig.server.addFault({ path: /sessions/, times: 1, fault: busy });
    const window = await rig.open(all, false);
    await rig.passUntil(() => rig.server.requests.length === 1, 7_000);
    await rig.pass(58_000, 500);
    expect(rig.server.requests).toHaveLength(1);
    const known = () => all.filter((sessionId) => knownTail(window.record(rig.keyOf(sessionId))));
    await rig.passUntil(() => known().length === 39, 60_000);
  });

  it('that refuses the messages of a session is asked in one window only', async () => {
    const rig = await start((now) => [sessionWith('a', [prompt, asks], now)]);
    rig.server.addFault({ path: /messages/, fault: { kind: 'answer', status: 403, body: '{"detail":"No"}' } });
    const windows = [await rig.open(['a']), await rig.open()];
    const isTried = () => windows.every((window) => window.record(rig.keyOf('a')).tail?.isUnreadable);
    await rig.passUntil(isTried, 20_000);
    await rig.pass(20_000, 500);
    expect(rig.messageRequests()).toHaveLength(1);
  });

  it('is not asked while it can not be reached', async () => {
    const rig = await start((now) =>
      all.map((sessionId) => sessionWith(sessionId, [prompt, endOf(sessionId)], now - 60_000)),
    );
    const window = await rig.open(all);
    await rig.passUntil(() => rig.messageRequests().length === 5, 15_000);
    await rig.server.refuseConnections();
    await rig.pass(60_000, 1_000);
    await rig.server.acceptConnections();
    await rig.passUntil(() => Object.keys(window.needs()).length === 15, 180_000);
    expect(window.needs()).toEqual(needed);
  });

  it('whose messages are too large leaves it unknown', async () => {
    const large = { ...asks, content: [{ type: 'text' as const, text: `${'x'.repeat(1_200_000)}\n\nShall I?` }] };
    const rig = await start((now) => [
      sessionWith('a', [prompt, large], now - 2_000),
      sessionWith('b', [large, asks], now - 1_000),
      // One message doesn't show the order of the list.
      sessionWith('c', [prompt, finishes, prompt, finishes, prompt, finishes], now),
    ]);
    const window = await rig.open(['c', 'b', 'a']);
    await rig.passUntil(
      () => window.needs()['b'] === 'waiting' && window.record(rig.keyOf('a')).tail !== undefined,
      10_000,
    );
    expect(window.record(rig.keyOf('a')).tail).toMatchObject({ isUnreadable: true });
    await rig.pass(40_000, 1_000);
    expect(rig.messageRequests()).toHaveLength(5);
  });

  it('that lists the oldest of many messages first costs one page to find out, and is unknown', async () => {
    const rig = await start((now) => ['a', 'b'].map((id) => sessionWith(id, [...turns(300), asks], now)), {
      order: 'asc',
    });
    const window = await rig.open(['a', 'b']);
    await rig.passUntil(() => ['a', 'b'].every((id) => window.record(rig.keyOf(id)).tail !== undefined), 10_000);
    expect(window.record(rig.keyOf('b')).tail).toMatchObject({ messageCount: 601, isUnreadable: true });
    expect(rig.messageRequests()).toHaveLength(1);
    // Opening a session gives a cursor near the end, from which later reads continue.
    const opened = window.sync.watch(rig.keyOf('a'), true);
    await rig.passUntil(() => window.needs()['a'] === 'waiting', 20_000);
    opened.dispose();
    const before = rig.messageRequests().length;
    rig.service.store.append('a', prompt);
    rig.finish('a', fails);
    await rig.passUntil(() => window.needs()['a'] === 'failed', 45_000);
    expect(rig.messageRequests()).toHaveLength(before + 1);
  });
});

it('at most 200 sessions that can be refreshed are read after a start, the most recent ones first, and none that is older than 14 days', async () => {
  const day = 24 * 3_600_000;
  const ids = numbers(240).map((place) => `s${place}`);
  const rig = await start((now) => [
    ...ids.map((sessionId, place) => sessionWith(sessionId, [prompt, asks], now - place * 60_000)),
    sessionWith('old', [prompt, asks], now - 15 * day),
  ]);
  rig.server.addFault({
    path: /s239$/,
    times: 1,
    fault: { kind: 'answer', status: 503, body: '{"detail":"Starting"}' },
  });
  const window = await rig.open([...ids.toReversed(), 'old'], false);
  await rig.passUntil(() => rig.server.requests.length > 0, 7_000);
  expect(rig.server.requests.map(({ url }) => url)).toEqual([expect.stringMatching(/s239$/)]);
  for (const { listEntry } of window.store.records) await window.sync.refresh(listEntry.key);
  await rig.passUntil(() => rig.messageRequests().length === 200, 1_000_000, 250);
  await rig.pass(30_000, 1_000);
  const read = rig.messageRequests().map((request) => request.split(' ')[0]);
  expect(read).toHaveLength(200);
  expect(new Set(read)).toEqual(new Set(ids.slice(0, 200)));
  expect(window.store.record(rig.keyOf('old'))?.tail).toBeUndefined();
});

async function fetchJson(rig: TailRig, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${rig.service.token}` };
  return (await fetch(`${rig.server.origin}/api/v0/sessions/${path}`, { headers })).text();
}
