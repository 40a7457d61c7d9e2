import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useJourney } from '../journey/journey.ts';
import { useMixedSessions } from '../journey/mixedSessions.ts';
import { chooseInContextMenu, hover, hoverUntil, treeRow } from '../journey/pointing.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently } from '../journey/until.ts';

describe('sessions that need the user', () => {
  const service = useMixedSessions();
  const journey = useJourney();
  const asking = service.sessions.filter(({ asks }) => asks).map(({ title }) => title);
  const shownTitle = () => conversationOf(journey.workbench).title.innerText();

  it('are exactly those of 40 whose agent may be waiting', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, service.sessions.map(({ sessionId }) => sessionId).join(' '));
    for (const { sessionId, title } of service.sessions) {
      await workbench.execute('lineside.openConversation', { sessionId });
      await expect.poll(shownTitle, patiently).toBe(title);
      // Only loaded messages tell whether the agent may be waiting.
      await conversationOf(workbench).article('Please move the basket').first().waitFor();
    }
    await workbench.start('lineside.filterNeedsYou');
    await workbench.page.getByText('Needs You only: 12 of 40').waitFor();
    await expect.poll(async () => (await titles()).toSorted(), patiently).toEqual(asking.toSorted());
    await treeRow(workbench, /^\s*Needs You\s*$/).waitFor();
    await workbench.picture('needs you');
    const badge = workbench.page.locator('.activitybar .badge-content, .part.activitybar .badge');
    await expect.poll(() => badge.allInnerTexts(), patiently).toContain('12');
  });

  it('say why, and what the agent asks', async () => {
    const { workbench } = journey;
    const row = treeRow(workbench, 'Asks with a tool 1');
    await expect
      .poll(() => row.getAttribute('aria-label'), patiently)
      .toMatch(/may be waiting for you, .*Which database should the basket use\?/);
    const item = workbench.statusBarItem('lineside.status');
    await hoverUntil(workbench, item, hover(workbench, '12 may be waiting for you'));
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

  it('are opened one after the other, in the order of the tree, with the keyboard', async () => {
    const { workbench } = journey;
    const order = await titles();
    await workbench.execute('lineside.openConversation', { sessionId: 'is-done-1' });
    await expect.poll(shownTitle, patiently).toBe('Is done 1');
    for (const title of [...order, order[0]]) {
      await workbench.runCommand('Lineside: Next Session That Needs Me');
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
    await workbench.runCommand('Lineside: Next Session That Needs Me');
    await expect.poll(shownTitle, patiently).toBe(second);
    await workbench.start('lineside.markSessionDone');
    await treeRow(workbench, second).waitFor({ state: 'detached' });
    await chooseInContextMenu(workbench, treeRow(workbench, third), 'Not Waiting');
    await treeRow(workbench, third).waitFor({ state: 'detached' });
    await workbench.page.getByText('Needs You only: 9 of 40').waitFor();
    await workbench.runCommand('Lineside: Next Session That Needs Me');
    await expect.poll(shownTitle, patiently).toBe(fourth);
  });

  it('are the same after a reload, and none while detection is off', async () => {
    const { workbench } = journey;
    const before = await titles();
    await workbench.reload();
    await workbench.focusView('lineside.sessions');
    await workbench.start('lineside.filterNeedsYou');
    await workbench.page.getByText('Needs You only: 9 of 40').waitFor();
    await expect.poll(async () => (await titles()).toSorted(), patiently).toEqual(before.toSorted());
    await workbench.setSetting('lineside.needsYou.detectQuestions', false);
    await workbench.page.getByText('No sessions match the filter.').waitFor();
    await workbench.setSetting('lineside.needsYou.detectQuestions', true);
    await workbench.page.getByText('Needs You only: 9 of 40').waitFor();
  });

  /** The titles of the session rows, from top to bottom. */
  async function titles(): Promise<string[]> {
    const rows: Locator = journey.workbench.treeRows('Sessions').locator('.label-name');
    const known = new Set(service.sessions.map(({ title }) => title));
    const tops = await rows.evaluateAll((names) =>
      names.map((name) => ({ text: name.textContent, top: name.getBoundingClientRect().top })),
    );
    return tops
      .toSorted((a, b) => a.top - b.top)
      .map(({ text }) => text)
      .filter((text) => known.has(text));
  }

  function idOf(title: string): string {
    return service.sessions.find((session) => session.title === title)?.sessionId ?? '';
  }
});
