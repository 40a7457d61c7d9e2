import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import { patienceMs } from '../../../tools/editor/run/patience.ts';
import type { SeededSession } from '../../../src/demoService/sessionStore.ts';
import { useJourney } from '../journey/journey.ts';
import { says, useMixedSessions } from '../journey/mixedSessions.ts';
import { chooseInContextMenu, hover, hoverUntil, treeRow } from '../journey/pointing.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently, until } from '../journey/until.ts';

const longCount = 205;
const longId = (place: number) => `long-${place}`;
const longTitle = (place: number) => `Session ${place} of many`;

/** A session that is older than the sections for single days. The session at place 0 is the newest. */
function oldSession(place: number): SeededSession {
  const [sessionId, at] = [longId(place), Date.now() - 30 * 86_400_000 - place * 60_000];
  const times = { createdAt: at, updatedAt: at };
  const content = [{ type: 'text' as const, text: 'Please look at the upload client.' }];
  return {
    session: { sessionId, status: 'idle', messageCount: 1, ...times, title: longTitle(place) },
    messages: [{ id: `${sessionId}-0`, role: 'user', content, ...times }],
  };
}

const service = useMixedSessions(Array.from({ length: longCount }, (_, place) => oldSession(place)));
const journey = useJourney();
const shownTitle = () => conversationOf(journey.workbench).title.innerText();

describe('sessions that need the user', () => {
  const asking = service.sessions.filter(({ asks }) => asks).map(({ title }) => title);

  it('are exactly those whose agent may be waiting, although none is opened', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, service.sessions.map(({ sessionId }) => sessionId).join(' '));
    await workbench.start('lineside.filterNeedsYou');
    await workbench.page.getByText('Filtered by Needs You: 6 of 14').waitFor();
    await expect.poll(async () => (await titles()).toSorted(), patiently).toEqual(asking.toSorted());
    await treeRow(workbench, /^\s*Needs You\s*$/).waitFor();
    await workbench.picture('needs you');
    const badge = workbench.page.locator('.activitybar .badge-content, .part.activitybar .badge');
    await expect.poll(() => badge.allInnerTexts(), patiently).toContain('6');
    // Of the 14 sessions, three aren't read for this: one is running, one is archived, and the first one was opened.
    const [opened = '', ...others] = service.sessions.map(({ sessionId }) => sessionId);
    const unread = ['is-running-1', 'is-archived-1'];
    const read = () => service.messageRequests().filter((request) => !request.startsWith(`${opened} `));
    await expect.poll(() => read().length, patiently).toBeGreaterThanOrEqual(11);
    // By the end of these refreshes, a session that is read without need would have been read, too.
    for (const sessionId of unread) await workbench.execute('lineside.refresh', { sessionId });
    const expected = others.filter((sessionId) => !unread.includes(sessionId));
    expect(read().toSorted()).toEqual(expected.map((sessionId) => `${sessionId} limit=5`).toSorted());
  });

  it('say why, and what the agent asks', async () => {
    const { workbench } = journey;
    const row = treeRow(workbench, 'Asks with a tool 1');
    await expect
      .poll(() => row.getAttribute('aria-label'), patiently)
      .toMatch(/may be waiting for you, .*Which database should the basket use\?/);
    const item = workbench.statusBarItem('lineside.status');
    await hoverUntil(workbench, item, hover(workbench, '6 may be waiting for you'));
    const reason = 'May be waiting for you: a question has no answer yet.';
    const told = hover(workbench, reason).filter({ hasText: 'Which database should the basket use?' });
    await hoverUntil(workbench, row, told.filter({ hasText: /Plan: 1 of 3 done, .*Write the tests/ }));
    await workbench.picture('tooltip of a session');
    const approval = hover(workbench, 'a plan asks for your approval').filter({ hasText: 'PostgreSQL' });
    await hoverUntil(workbench, treeRow(workbench, 'Asks for approval 1'), approval);
    const answer = hover(workbench, 'the answer ends in a question').filter({
      hasText: 'Shall I delete the old table?',
    });
    await hoverUntil(workbench, treeRow(workbench, 'Ends in a question 1'), answer);
  });

  it('are opened one after the other, in the order of the tree', async () => {
    const { workbench } = journey;
    const order = await titles();
    await workbench.execute('lineside.openConversation', { sessionId: 'is-done-1' });
    await expect.poll(shownTitle, patiently).toBe('Is done 1');
    for (const title of [...order, order[0]]) {
      await workbench.start('lineside.nextNeedsMe');
      await expect.poll(shownTitle, patiently).toBe(title);
    }
    await workbench.execute('lineside.nextNeedsMe', { sessionId: idOf(order[4] ?? '') });
    await expect.poll(shownTitle, patiently).toBe(order[5]);
  });

  it('no longer need the user after a message is sent, or when they are marked', async () => {
    const { workbench } = journey;
    const [first = '', second = '', third = '', fourth = ''] = await titles();
    await workbench.execute('lineside.openConversation', { sessionId: idOf(first) });
    await expect.poll(shownTitle, patiently).toBe(first);
    await conversationOf(workbench).say('The first one, please.');
    await treeRow(workbench, first).waitFor({ state: 'detached' });
    await workbench.runCommand('Lineside: Next Session That Needs You');
    await expect.poll(shownTitle, patiently).toBe(second);
    await workbench.start('lineside.markSessionDone');
    await treeRow(workbench, second).waitFor({ state: 'detached' });
    await chooseInContextMenu(workbench, treeRow(workbench, third), 'Not Waiting');
    await treeRow(workbench, third).waitFor({ state: 'detached' });
    await workbench.page.getByText('Filtered by Needs You: 3 of 14').waitFor();
    await workbench.start('lineside.nextNeedsMe');
    await expect.poll(shownTitle, patiently).toBe(fourth);
  });

  it('are the same after a reload, and none while detection is off', async () => {
    const { workbench } = journey;
    const before = await titles();
    await workbench.reload();
    await workbench.focusView('lineside.sessions');
    await workbench.start('lineside.filterNeedsYou');
    await workbench.page.getByText('Filtered by Needs You: 3 of 14').waitFor();
    await expect.poll(async () => (await titles()).toSorted(), patiently).toEqual(before.toSorted());
    await workbench.setSetting('lineside.needsYou.detectQuestions', false);
    await workbench.page.getByText('No sessions match the filter.').waitFor();
    await workbench.setSetting('lineside.needsYou.detectQuestions', true);
    await workbench.page.getByText('Filtered by Needs You: 3 of 14').waitFor();
  });

  it('include those that fail or ask while they are not open', async () => {
    const { workbench } = journey;
    await workbench.execute('lineside.openConversation', { sessionId: 'was-answered-1' });
    await expect.poll(shownTitle, patiently).toBe('Was answered 1');
    for (const sessionId of ['is-done-1', 'is-done-2']) {
      service.start(sessionId);
      await workbench.execute('lineside.refresh', { sessionId });
    }
    service.finish('is-done-1', { ...says('The build failed: no space left on device'), isError: true });
    service.finish('is-done-2', says('It is moved. Shall I delete the old table?'));
    await workbench.page.getByText('Filtered by Needs You: 5 of 14').waitFor();
    const label = (title: string) => treeRow(workbench, title).getAttribute('aria-label');
    await expect.poll(() => label('Is done 1'), patiently).toMatch(/failed, .*no space left on device/);
    await expect.poll(() => label('Is done 2'), patiently).toMatch(/may be waiting for you, .*old table\?/);
    await hoverUntil(workbench, treeRow(workbench, 'Is done 1'), hover(workbench, 'Failed:'));
    await workbench.picture('failed in the background');
  });

  it('are answered with a card, whose choice is sent exactly as it is shown', async () => {
    const { workbench } = journey;
    const title = (await titles()).find((one) => one.startsWith('Asks with a tool')) ?? '';
    await workbench.execute('lineside.openConversation', { sessionId: idOf(title) });
    await expect.poll(shownTitle, patiently).toBe(title);
    const page = conversationOf(workbench);
    const card = page.frame.getByRole('group', { name: 'The agent asks: Which database should the basket use?' });
    await click(card.getByRole('button', { name: 'PostgreSQL' }));
    await expect.poll(() => page.composer.inputValue(), patiently).toBe('PostgreSQL');
    await workbench.picture('question card');
    await click(card.getByRole('button', { name: 'SQLite' }));
    await expect.poll(() => page.composer.inputValue(), patiently).toBe('SQLite');
    await press(page.composer, 'Enter');
    await expect.poll(() => service.lastText(idOf(title)), patiently).toBe('SQLite');
    await page.article('Which database should the basket use?').filter({ hasText: 'SQLite' }).waitFor();
    await card.waitFor({ state: 'detached' });
    await treeRow(workbench, title).waitFor({ state: 'detached' });
  });

  /** The titles of the session rows, from top to bottom. */
  async function titles(): Promise<string[]> {
    const rows = journey.workbench.treeRows('Sessions');
    const tops = await rows.evaluateAll((all) =>
      all.map((row) => ({ spoken: row.getAttribute('aria-label') ?? '', top: row.getBoundingClientRect().top })),
    );
    return tops
      .toSorted((a, b) => a.top - b.top)
      .flatMap(
        ({ spoken }) => service.sessions.find(({ title }) => spoken.startsWith(`Session ${title}, `))?.title ?? [],
      );
  }

  function idOf(title: string): string {
    return service.sessions.find((session) => session.title === title)?.sessionId ?? '';
  }
});

describe('a long list of sessions', () => {
  const focused = () => journey.workbench.treeRows('Sessions').and(journey.workbench.page.locator('.focused'));
  const focusedLabel = () => focused().getAttribute('aria-label');
  /** Goes to the last row. A tree that is being refreshed can ignore the key, or move the focus back. */
  const pressEnd = async (label: string | RegExp): Promise<void> => {
    // Unlike `focusedLabel`, this doesn't wait until a row is focused.
    const labels = () => focused().evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    const isThere = async () => (await labels()).some((text) => text.search(label) >= 0);
    await until(isThere, () => press(journey.workbench.tree('Sessions'), 'End'), patienceMs, 500);
  };

  it('shows the open session, and those that it does not show can be found', async () => {
    const { workbench } = journey;
    const { page, quickInput } = workbench;
    await workbench.execute('lineside.clearFilter');
    // The section of archived sessions would be below the long one.
    await workbench.execute('lineside.removeSession', { sessionId: 'is-archived-1' });
    await addSessions(workbench, Array.from({ length: longCount }, (_, place) => longId(place)).join(' '));
    await workbench.execute('lineside.refresh');
    await treeRow(workbench, /^\s*Older\s*$/).waitFor();
    await workbench.start('lineside.findSessions');
    await quickInput.fill('Session 202');
    await quickInput.pick(longTitle(202));
    await expect.poll(shownTitle, patiently).toBe(longTitle(202));
    await treeRow(workbench, longTitle(202)).and(page.locator('.selected')).waitFor();
    await workbench.focusView('lineside.sessions');
  });

  it('is shown in parts by keyboard and by click, and the focus goes to the first new row', async () => {
    const { workbench } = journey;
    // While the tree is refreshed, it can ignore a key or a click, and the focus can go to another row.
    const isGone = (row: Locator) => async () => (await row.count()) === 0;
    const [many, few] = [/^Show 100 of 104 More Sessions\s*$/, /^Show 4 More Sessions\s*$/];
    await pressEnd(many);
    await workbench.picture('show more sessions');
    await until(isGone(treeRow(workbench, /^\s*Show 100 of 104/)), async () => {
      await pressEnd(many);
      await press(workbench.tree('Sessions'), 'Enter');
    });
    await expect.poll(focusedLabel, patiently).toContain(longTitle(100));
    await pressEnd(few);
    const row = treeRow(workbench, /^\s*Show 4 More/);
    await click(row, { effect: isGone(row) });
    await expect.poll(focusedLabel, patiently).toContain(longTitle(200));
    await pressEnd(longTitle(longCount - 1));
  });

  it('can be filtered by the title of a session that it does not show', async () => {
    const { workbench } = journey;
    await workbench.runCommand('Lineside: Filter Sessions...');
    await workbench.quickInput.widget.getByPlaceholder(/^Select states and tags/).waitFor();
    await workbench.quickInput.fill('session 133');
    await workbench.quickInput.accept();
    await treeRow(workbench, longTitle(133)).waitFor();
    await workbench.page.getByText(/Filtered by ".*session 133.*": 1 of 218/).waitFor();
  });
});
