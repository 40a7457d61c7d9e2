import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import {
  addSessions,
  clearNotifications,
  connect,
  conversationOf,
  enterSessions,
  openByRow,
  setWindowFocus,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { HeldAgent, useService } from '../journey/recordedService.ts';
import { beginsInside, chooseInContextMenu, hover, hoverUntil, setExpanded, treeRow } from '../journey/pointing.ts';
import { hasFocus, patiently, until, untilIs } from '../journey/until.ts';

describe('the Sessions tree', () => {
  const agent = new HeldAgent();
  const service = useService({}, agent.reshape);
  const journey = useJourney({
    settings: { 'lineside.polling.runningSeconds': 1, 'lineside.polling.idleSeconds': 5 },
  });
  const login = 'Edge cases: all types of content';
  const upgrade = 'Upgrade Node.js on the build machine';
  const history = 'Tidy up the order service';
  const named = 'Login work';

  it('adds a session by its ID', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, service.sessionIdByName.login);
    const row = treeRow(workbench, login);
    await row.waitFor();
    await expect.poll(() => row.innerText(), patiently).toMatch(/\d+ hrs$/);
    await expect
      .poll(() => row.getAttribute('aria-label'), patiently)
      .toMatch(/^Session Edge cases: all types of content, Idle, \d+ hrs, 17 messages/);
    await expect.poll(() => row.locator('.codicon-comment-discussion').count(), patiently).toBe(1);
    await expect
      .poll(() => conversationOf(workbench).title.innerText(), patiently)
      .toBe('Edge cases: all types of content');
  });

  it('adds a session by its URL, but not if the URL is from another service', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.runCommand('Lineside: Add Session...');
    await quickInput.message.filter({ hasText: 'session IDs or URLs' }).waitFor();
    await quickInput.fill('https://elsewhere.example/sessions/1');
    await quickInput.message.filter({ hasText: "https://elsewhere.example isn't one of your services" }).waitFor();
    await quickInput.enter(
      `${service.baseUrl}/app/sessions/${encodeURIComponent(service.sessionIdByName.unicode)}?tab=1`,
    );
    await treeRow(workbench, '設定画面の国際化').waitFor();
  });

  it('adds two sessions at once, and shows the archived one in the Archived section', async () => {
    const { workbench } = journey;
    const { archived, pending } = service.sessionIdByName;
    await addSessions(workbench, `${pending}, ${archived}`);
    const row = treeRow(workbench, upgrade);
    await row.locator('.codicon-clockface').waitFor();
    await treeRow(workbench, /^\s*Archived\s*$/).waitFor();
    await expect.poll(async () => (await sectionHeadings()).at(-1), patiently).toBe('Archived');
    await expect.poll(async () => (await sectionHeadings()).length, patiently).toBeGreaterThan(1);
    await setExpanded(treeRow(workbench, /^\s*Archived\s*$/), true);
    await treeRow(workbench, 'Spike: cache search results in Redis').waitFor();
  });

  it("reports a session that isn't found on the service, and keeps it until the user removes it", async () => {
    const { workbench } = journey;
    await enterSessions(workbench, 'no-such-session');
    await workbench.notified('Session "no-such-session" wasn\'t found on the service. It\'s still in your list.');
    await treeRow(workbench, 'no-such-session').waitFor();
    await treeRow(workbench, 'no-such-session').locator('.codicon-warning').waitFor();
    await workbench.answerNotification("wasn't found on the service", 'Remove Session from List');
    await treeRow(workbench, 'no-such-session').waitFor({ state: 'detached' });
  });

  it('reports several missing sessions in one notification, and removes them together', async () => {
    const { workbench } = journey;
    await enterSessions(workbench, 'not-this not-that');
    await treeRow(workbench, 'not-that').waitFor();
    await workbench.answerNotification(
      "2 sessions weren't found on the service: not-this, not-that.",
      'Remove from List',
    );
    await treeRow(workbench, 'not-this').waitFor({ state: 'detached' });
    await treeRow(workbench, 'not-that').waitFor({ state: 'detached' });
  });

  it('shows the messages of a session as rows, and opens the conversation at a clicked message', async () => {
    const { workbench } = journey;
    await setExpanded(treeRow(workbench, login), true);
    const kinds: Readonly<Record<string, string>> = {
      'User message, Nice. What would the same check be in SQL': 'account',
      'Assistant message, Like this; the index makes it cheap': 'sparkle',
      'System message, The context was compacted': 'gear',
    };
    for (const [label, icon] of Object.entries(kinds)) {
      const row = workbench.page.locator(`[role="treeitem"][aria-label^="${label}"]`);
      await row.waitFor();
      expect(await row.locator(`.codicon-${icon}`).count(), label).toBe(1);
    }
    // Tool results have no rows of their own: they are part of the rows for what the agent did.
    expect(await workbench.page.locator('[role="treeitem"][aria-label^="Tool message"]').count()).toBe(0);
    const { article, log } = conversationOf(workbench);
    const message = article('Nice. What would the same check be in SQL');
    await click(treeRow(workbench, 'Nice. What would the same check be in SQL'), { effect: () => message.isVisible() });
    await untilIs(() => beginsInside(message, log), true);
    await setExpanded(treeRow(workbench, login), false);
  });

  it('removes a session, and restores it with Undo', async () => {
    const { workbench } = journey;
    const row = treeRow(workbench, upgrade);
    await chooseInContextMenu(workbench, row, 'Remove Session from List');
    await row.waitFor({ state: 'detached' });
    await workbench.notified(
      `Removed "Upgrade Node.js on the build machine" from your list. It's still available on the service.`,
    );
    await workbench.answerNotification('from your list', 'Undo');
    await row.waitFor();
    await clearNotifications(workbench);
  });

  it('reports an unsent message of a session that is removed, and sends it after Undo', async () => {
    const { workbench } = journey;
    const sessionId = service.sessionIdByName.login;
    const page = conversationOf(workbench);
    await workbench.execute('lineside.openConversation', { sessionId });
    await expect.poll(() => page.title.innerText(), patiently).toBe('Edge cases: all types of content');
    await service.wire.refuseConnections();
    await page.say('Waits for Undo');
    await page.article('Waits for Undo').waitFor();
    await workbench.execute('lineside.removeSession', { sessionId });
    await workbench.notified("1 unsent message is saved and won't be sent unless");
    await service.wire.acceptConnections();
    await workbench.answerNotification('1 unsent message is saved', 'Undo');
    await expect.poll(() => service.posts().map(({ text }) => text), patiently).toEqual(['Waits for Undo']);
    await clearNotifications(workbench);
  });

  it('loads older messages page by page', async () => {
    const { workbench } = journey;
    await addSessions(workbench, service.sessionIdByName.history);
    await workbench.focusView('lineside.sessions');
    await setExpanded(treeRow(workbench, history), true);
    for (const oldestAfter of ['Turn 9: in', 'Turn 1: in']) {
      await goToLastRow('Load Older Messages');
      const row = treeRow(workbench, 'Load Older Messages');
      const before = await row.getAttribute('aria-posinset');
      // VS Code ignores a click while it draws the row again. The row moves down, out of view, when messages arrive.
      const hasMoved = async () => (await row.count()) === 0 || (await row.getAttribute('aria-posinset')) !== before;
      await click(row, { effect: hasMoved });
      await goToLastRow(oldestAfter);
    }
    // The messages of the last page appear before the Load Older Messages row disappears.
    await expect.poll(() => treeRow(workbench, 'Load Older Messages').count(), patiently).toBe(0);
    const first = conversationOf(workbench).article('Turn 1: in');
    // The row of the session is revealed once its conversation is shown, which can scroll the message's row out of
    // view.
    await until(
      () => first.isVisible(),
      async () => {
        await goToLastRow('Turn 1: in');
        await click(treeRow(workbench, 'Turn 1: in'), { timeout: 2_000 });
      },
    );
    await expect.poll(() => first.getAttribute('aria-posinset'), patiently).toBe('1');
    await setExpanded(treeRow(workbench, history), false);
  });

  it('pins and renames a session', async () => {
    const { workbench } = journey;
    await chooseInContextMenu(workbench, treeRow(workbench, login), 'Pin');
    await treeRow(workbench, /^\s*Pinned\s*$/).waitFor();
    await chooseInContextMenu(workbench, treeRow(workbench, login), 'Session', 'Rename...');
    await workbench.quickInput.enter(named, 'use the original title, "Edge cases: all types of content"');
    await treeRow(workbench, named).waitFor();
    await hoverUntil(workbench, treeRow(workbench, named), hover(workbench, 'Original title'));
    await workbench.execute('lineside.openConversation', { sessionId: service.sessionIdByName.login });
    await expect.poll(() => conversationOf(workbench).title.innerText(), patiently).toBe(named);
    await conversationOf(workbench).status.filter({ hasText: 'Custom title' }).waitFor();
  });

  it('marks two sessions as unread at once, counts them, and goes to the next unread one', async () => {
    const { workbench } = journey;
    await openByRow(workbench, treeRow(workbench, upgrade), upgrade);
    const historyRow = treeRow(workbench, history);
    await select(historyRow, true);
    await select(treeRow(workbench, named), true);
    await select(treeRow(workbench, upgrade), false);
    await chooseInContextMenu(workbench, historyRow, 'Mark as Unread');
    for (const row of [historyRow, treeRow(workbench, named)]) await dot(row).waitFor();
    const badge = workbench.page.locator('.activitybar .badge-content, .part.activitybar .badge');
    await expect.poll(() => badge.allInnerTexts(), patiently).toContain('2');
    for (let left = 2; left > 0; left--) {
      await workbench.start('lineside.nextUnreadSession');
      await expect.poll(() => dot(workbench.treeRows('Sessions')).count(), patiently).toBe(left - 1);
    }
  });

  it('shows child sessions below their parent, even after one is opened', async () => {
    const { workbench } = journey;
    const row = treeRow(workbench, named);
    await setExpanded(row, true);
    const child = treeRow(workbench, 'Write tests for the redirect guard');
    await child.waitFor();
    const levelOf = async (one: Locator) => Number(await one.getAttribute('aria-level'));
    await expect.poll(async () => (await levelOf(child)) - (await levelOf(row)), patiently).toBe(1);
    await openByRow(workbench, child, 'Write tests for the redirect guard');
    await expect.poll(() => levelOf(child), patiently).toBe(3);
    await setExpanded(row, false);
    await child.waitFor({ state: 'detached' });
  });

  it('can be filtered, searched, and grouped, and shows the current filter', async () => {
    const { workbench } = journey;
    await workbench.runCommand('Lineside: Filter Sessions...');
    await workbench.quickInput.widget.getByPlaceholder(/^Select states and tags/).waitFor();
    await workbench.quickInput.fill('upgrade');
    await workbench.quickInput.accept();
    await workbench.page.getByText(/Filtered by ".*upgrade.*": \d of \d/).waitFor();
    await treeRow(workbench, named).waitFor({ state: 'detached' });
    await treeRow(workbench, upgrade).waitFor();
    await workbench.runCommand('Lineside: Clear Filter');
    await treeRow(workbench, named).waitFor();
    await workbench.start('lineside.findSessions');
    await workbench.quickInput.widget.getByPlaceholder(/^Search titles/).waitFor();
    await workbench.quickInput.fill('cookie redirect');
    await workbench.quickInput.rows.filter({ hasText: named }).first().waitFor();
    await workbench.quickInput.cancel();
    await workbench.start('lineside.arrangeSessions');
    await workbench.quickInput.pick('Tag');
    await treeRow(workbench, /^\s*No Tags\s*$/).waitFor();
    await workbench.start('lineside.arrangeSessions');
    await workbench.quickInput.pick('Age');
    await treeRow(workbench, /^\s*No Tags\s*$/).waitFor({ state: 'detached' });
  });

  it('shows a notification when an agent finishes while the window does not have the focus', async () => {
    const { workbench } = journey;
    const row = treeRow(workbench, named);
    const { composer, send, status, write } = conversationOf(workbench);
    const { login: sessionId } = service.sessionIdByName;
    await openByRow(workbench, row, named);
    await write('Please go on');
    await setWindowFocus(workbench, false);
    // A session has finished only if a poll has seen its agent running.
    agent.hold(sessionId);
    await click(send);
    const sent = { text: 'Please go on', isProcessed: true };
    await expect.poll(() => service.posts().at(-1), patiently).toMatchObject(sent);
    // In a window without the focus, the next poll can be 15 s away.
    await workbench.execute('lineside.refresh', { sessionId });
    await status.filter({ hasText: 'Running' }).waitFor();
    await expect.poll(async () => (await service.newest(sessionId)).status, patiently).toBe('idle');
    agent.release();
    await workbench.execute('lineside.refresh', { sessionId });
    await workbench.notified(/Login work.* finished: /);
    await dot(row).waitFor();
    // After one click, the user can type a reply.
    await workbench.answerNotification(/Login work/, 'Reply');
    await expect.poll(() => hasFocus(composer), patiently).toBe(true);
    await setWindowFocus(workbench, true);
    await dot(row).waitFor({ state: 'detached' });
  });

  /** The top-level row labels from top to bottom. The DOM order may differ from the visual order. */
  async function sectionHeadings(): Promise<string[]> {
    const rows = journey.workbench.treeRows('Sessions').and(journey.workbench.page.locator('[aria-level="1"]'));
    return rows.evaluateAll((nodes) => {
      const placed = nodes.map((node) => ({ topPx: node.getBoundingClientRect().top, text: node.textContent.trim() }));
      return placed.sort((a, b) => a.topPx - b.topPx).map(({ text }) => text);
    });
  }

  /** Presses End until this row is visible, because more rows may still be arriving. The tree gets the focus. */
  async function goToLastRow(label: string): Promise<void> {
    const { workbench } = journey;
    const tree = workbench.page.locator('[role="tree"][aria-label="Sessions"]');
    await expect
      .poll(async () => {
        await press(tree, 'End');
        return treeRow(workbench, label).isVisible();
      }, patiently)
      .toBe(true);
  }

  /** Adds a row to the selection or removes it. Retries if rows have moved under the pointer. */
  async function select(row: Locator, isSelected: boolean): Promise<void> {
    const selected = row.and(journey.workbench.page.locator('.selected'));
    await until(
      async () => (await selected.count()) === (isSelected ? 1 : 0),
      () => click(row, { modifiers: ['ControlOrMeta'] }),
    );
  }

  /** The icon that marks an unread session. */
  function dot(row: Locator): Locator {
    return row.locator('.codicon-circle-filled');
  }
});
