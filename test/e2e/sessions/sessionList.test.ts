import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import {
  addSessions,
  clearNotifications,
  clipboardText,
  connect,
  conversationOf,
  openByRow,
  openLink,
  setWindowFocus,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { chooseInContextMenu, chooseInMenu, hover, hoverUntil, setExpanded, treeRow } from '../journey/pointing.ts';
import { hasFocus, patiently, until } from '../journey/until.ts';

describe('the session list', () => {
  // The agent is slow enough to be still running when the window loses the focus, even on a busy machine.
  const service = useService({ agentDelayMs: 600 });
  const journey = useJourney({
    settings: { 'lineside.polling.runningSeconds': 1, 'lineside.polling.idleSeconds': 5 },
  });
  const login = 'Edge cases: all types of content';
  const upgrade = 'Upgrade Node.js on the build machine';
  const history = 'Tidy up the order service';
  const named = 'Login work';

  it('adds a session from a link only after confirmation, and sends nothing', async () => {
    const { workbench } = journey;
    const { login: loginId, pending, running, history: historyId } = service.sessionIdByName;
    await connect(workbench, service);
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, `${loginId}, ${pending}, ${running}, ${historyId}`);
    // Rows move until all sessions are loaded, and a click could hit the wrong row.
    for (const title of [upgrade, 'Migrate the build', history]) {
      await treeRow(workbench, title).waitFor();
    }
    await chooseInContextMenu(workbench, treeRow(workbench, login), 'Copy and Export', 'Copy Link');
    await expect.poll(() => clipboardText(workbench), patiently).toContain(`/open?session=${loginId}&service=http`);
    const link = await clipboardText(workbench);
    await workbench.execute('lineside.removeSession', { sessionId: loginId });
    await treeRow(workbench, login).waitFor({ state: 'detached' });
    await clearNotifications(workbench);
    await openLink(workbench, link, 'Do you want to add the session from this link', 'Add Session');
    await treeRow(workbench, login).waitFor();
    await expect.poll(() => conversationOf(workbench).title.innerText(), patiently).toBe(login);
    expect(service.posts()).toEqual([]);
  });

  it('reports that a link is for another service, and adds nothing', async () => {
    const { workbench } = journey;
    const [address] = (await clipboardText(workbench)).split('?');
    await workbench.openLinks(`${address}?session=s&service=https%3A%2F%2Felsewhere.example`);
    const sentence = 'The link opens a session on https://elsewhere.example.';
    const told = workbench.notification(sentence);
    const allow = workbench.dialog.getByRole('button', { name: 'Open', exact: true });
    await allow.or(told).first().waitFor();
    if (await allow.isVisible()) await click(allow);
    await workbench.notified(sentence);
    await clearNotifications(workbench);
    expect(await treeRow(workbench, 'elsewhere').count()).toBe(0);
  });

  it('asks once for twenty links that arrive together, and names their sessions', async () => {
    const { workbench } = journey;
    await workbench.setSetting('extensions.confirmedUriHandlerExtensionIds', ['lineside.lineside']);
    const [address] = (await clipboardText(workbench)).split('?');
    const links = Array.from({ length: 20 }, (_, index) => `${address}?session=linked-${index + 1}`);
    await workbench.openLinks(...links);
    const asked = workbench.dialog.filter({ hasText: 'Do you want to add 20 sessions from links to your list?' });
    await asked.waitFor();
    expect(await asked.innerText()).toMatch(/linked-1, linked-2, .*linked-10 and 10 more/);
    await click(asked.getByRole('button', { name: 'Cancel' }));
    await asked.waitFor({ state: 'hidden' });
    expect(await workbench.dialog.count()).toBe(0);
    expect(await treeRow(workbench, 'linked-1').count()).toBe(0);
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

  it('opens conversations in which the link to a message can be copied', async () => {
    const { workbench } = journey;
    const { article, frame } = conversationOf(workbench);
    const message = article('Nice. What would the same check be in SQL');
    await chooseInMenu(
      message.getByRole('button', { name: 'More Actions...' }),
      frame.getByRole('menuitem', { name: 'Copy Link' }),
    );
    await expect.poll(() => clipboardText(workbench), patiently).toMatch(/\/open\?session=.*&message=/);
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
      await workbench.runCommand('Lineside: Next Unread Session');
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
    await openByRow(workbench, treeRow(workbench, named), named);
    await conversationOf(workbench).say('Please go on');
    await treeRow(workbench, named).locator('.codicon-sync').waitFor();
    await setWindowFocus(workbench, false);
    await workbench.notified(/Login work.* finished: /);
    await dot(treeRow(workbench, named)).waitFor();
    // In a window with the focus, the notification would disappear after some seconds.
    await workbench.answerNotification(/Login work/, 'Mute');
    await setWindowFocus(workbench, true);
    await dot(treeRow(workbench, named)).waitFor({ state: 'detached' });
    await treeRow(workbench, named).and(workbench.page.locator('[aria-label*="muted"]')).waitFor();
  });

  it('also shows the notification in a focused window if so configured', async () => {
    const { workbench } = journey;
    await workbench.setSetting('lineside.notifications.whenFinished', 'always');
    await openByRow(workbench, treeRow(workbench, history), `${history}, one module at a time`);
    await conversationOf(workbench).say('Please go on');
    await workbench.focusView('lineside.sessions');
    const notice = /Tidy up the order service.* may be waiting for you: .*Shall I go on\?/;
    // One click, and the answer can be typed.
    await workbench.answerNotification(notice, 'Reply');
    await expect.poll(() => hasFocus(conversationOf(workbench).composer), patiently).toBe(true);
  });

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
