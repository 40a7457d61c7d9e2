import { describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import type { DemoServiceOptions } from '../../../src/demoService/options.ts';
import { addSessions, clearNotifications, connect, conversationOf, enterSessions } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { chooseInContextMenu, setExpanded, treeRow } from '../journey/pointing.ts';
import { patiently, until } from '../journey/until.ts';

describe('the Sessions tree', () => {
  const orders: readonly DemoServiceOptions['order'][] = ['desc', 'asc'];
  const services = orders.map((order) => ({ order, service: useService({ order }) }));
  const [{ service }] = services as [(typeof services)[number]];
  const journey = useJourney();

  it('adds a session by its ID', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, service.sessionIdByName.login);
    const row = treeRow(workbench, 'Edge cases: all types of content');
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
    await quickInput.message.filter({ hasText: "https://elsewhere.example isn't the connected service" }).waitFor();
    await quickInput.enter(
      `${service.baseUrl}/app/sessions/${encodeURIComponent(service.sessionIdByName.unicode)}?tab=1`,
    );
    await treeRow(workbench, '設定画面の国際化').waitFor();
  });

  it('adds two sessions at once, and shows the archived one in the Archived section', async () => {
    const { workbench } = journey;
    const { archived, pending } = service.sessionIdByName;
    await addSessions(workbench, `${pending}, ${archived}`);
    const row = treeRow(workbench, 'Upgrade Node.js on the build machine');
    await row.locator('.codicon-clockface').waitFor();
    await treeRow(workbench, /^\s*Archived\s*$/).waitFor();
    await expect.poll(async () => (await sectionHeadings()).at(-1), patiently).toBe('Archived');
    await expect.poll(async () => (await sectionHeadings()).length, patiently).toBeGreaterThan(1);
    await setExpanded(treeRow(workbench, /^\s*Archived\s*$/), true);
    await treeRow(workbench, 'Spike: cache search results in Redis').waitFor();
  });

  it("reports a session that isn't found on the service, and keeps it until the user removes it", async () => {
    const { workbench } = journey;
    const shown = await conversationOf(workbench).title.innerText();
    await enterSessions(workbench, 'no-such-session');
    await workbench.notified('Session "no-such-session" wasn\'t found on the service. It\'s still in your list.');
    await treeRow(workbench, 'no-such-session').waitFor();
    await treeRow(workbench, 'no-such-session').locator('.codicon-warning').waitFor();
    expect(await conversationOf(workbench).title.innerText()).toBe(shown);
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
    await setExpanded(treeRow(workbench, 'Edge cases: all types of content'), true);
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
    // The results of tools are part of what the agent did.
    expect(await workbench.page.locator('[role="treeitem"][aria-label^="Tool message"]').count()).toBe(0);
    const { article, log } = conversationOf(workbench);
    const message = article('Nice. What would the same check be in SQL');
    await click(treeRow(workbench, 'Nice. What would the same check be in SQL'), { effect: () => message.isVisible() });
    await expect.poll(async () => isInside(await message.boundingBox(), await log.boundingBox()), patiently).toBe(true);
    await setExpanded(treeRow(workbench, 'Edge cases: all types of content'), false);
  });

  it('removes a session, and restores it with Undo', async () => {
    const { workbench } = journey;
    const row = treeRow(workbench, 'Upgrade Node.js on the build machine');
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

  it.each(services)('loads older messages page by page with list order $order', async ({ service: listing, order }) => {
    const { workbench } = journey;
    const title = 'Tidy up the order service';
    if (listing !== service) {
      // Otherwise, the sessions of both services would be in the tree.
      await workbench.execute('lineside.removeApiKey', {});
      await connect(workbench, listing);
    }
    await addSessions(workbench, listing.sessionIdByName.history);
    await workbench.focusView('lineside.sessions');
    await setExpanded(treeRow(workbench, title), true);
    // In ascending order, all messages are read for the conversation, and the rest of their rows fit on the second page.
    for (const oldestAfter of order === 'asc' ? ['Turn 1: in'] : ['Turn 9: in', 'Turn 1: in']) {
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
    // The row of the session is revealed once its conversation is shown, which scrolls this one out of view.
    await until(
      () => first.isVisible(),
      async () => {
        await goToLastRow('Turn 1: in');
        await click(treeRow(workbench, 'Turn 1: in'), { timeout: 5_000 });
      },
    );
    await expect.poll(() => first.getAttribute('aria-posinset'), patiently).toBe('1');
  });

  /** The top-level row labels from top to bottom. The DOM order may differ from the visual order. */
  async function sectionHeadings(): Promise<string[]> {
    const rows = journey.workbench.treeRows('Sessions').and(journey.workbench.page.locator('[aria-level="1"]'));
    return rows.evaluateAll((nodes) => {
      const placed = nodes.map((node) => ({ topPx: node.getBoundingClientRect().top, text: node.textContent.trim() }));
      return placed.sort((a, b) => a.topPx - b.topPx).map(({ text }) => text);
    });
  }

  /** Presses End until this row is visible, because more rows may still be arriving. The tree gets the focus for it. */
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
});

type Box = { readonly y: number; readonly height: number } | null;

function isInside(inner: Box, outer: Box): boolean {
  return inner !== null && outer !== null && inner.y >= outer.y - 1 && inner.y < outer.y + outer.height;
}
