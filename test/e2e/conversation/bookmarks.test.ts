import { describe, expect, it } from 'vitest';
import { click, focus, hover, press } from '../../../tools/editor/drive/act.ts';
import { addSessions, chooseInRow, connect, conversationOf, reloadByCommand } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { hasFocus, patiently, until } from '../journey/until.ts';

describe('bookmarks', () => {
  const service = useService({ messages: 600 });
  const journey = useJourney();
  const view = () => conversationOf(journey.workbench);
  const marks = () => view().log.getByRole('img', { name: 'Bookmark' });
  const markedOnRail = () => view().frame.locator('.rail-marks .bookmark').getAttribute('d');
  const early = () => view().article('Turn 7:').first();
  const answer = () => view().article('All 319 tests pass.').last();

  /** Whether the message with this text has the focus of the page. */
  const isFocused = async (text: string) =>
    (await view().log.locator('article:focus').filter({ hasText: text }).count()) === 1;

  it('are added with a keyboard shortcut, and get a note in the menu of the message', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.history);
    await answer().waitFor();
    await until(
      () => hasFocus(answer()),
      () => focus(answer()),
    );
    await until(
      async () => (await marks().count()) === 1,
      async () => {
        await press(workbench.page, 'Control+k');
        await press(workbench.page, 'Control+Alt+b');
      },
    );
    await expect.poll(() => view().announcements.textContent(), patiently).toContain('Bookmark added.');
    await chooseInRow(view(), answer(), 'Edit Bookmark Note...');
    await workbench.quickInput.enter('the final numbers', 'Enter a note');
    await expect.poll(() => marks().first().getAttribute('title'), patiently).toBe('the final numbers');
    await expect.poll(markedOnRail, patiently).toMatch(/^M0 \d+h/);
    await workbench.picture('bookmark with a note');
  });

  it('survive a reload, and the list goes to a message that is not loaded', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.goToPrompt');
    await workbench.quickInput.rows.filter({ hasText: 'Turn 120:' }).first().waitFor();
    await workbench.quickInput.fill('Turn 7:');
    await click(workbench.quickInput.rows.filter({ hasText: 'Turn 7:' }));
    await early().waitFor();
    await chooseInRow(view(), early(), 'Toggle Bookmark');
    await expect.poll(() => early().getByRole('img', { name: 'Bookmark' }).count(), patiently).toBe(1);
    await workbench.execute('lineside.clearCache');
    await reloadByCommand(workbench);
    await workbench.focusView('lineside.conversation');
    await press(view().log, 'End');
    await answer().waitFor();
    expect(await early().count()).toBe(0);
    await workbench.start('lineside.showBookmarks');
    const { rows } = workbench.quickInput;
    await rows.filter({ hasText: 'the final numbers' }).waitFor();
    await workbench.picture('bookmarks');
    await click(rows.filter({ hasText: 'Message not loaded' }));
    await expect.poll(() => early().isVisible(), patiently).toBe(true);
  });

  it('are next and previous, with announcements', async () => {
    const { workbench } = journey;
    await until(
      () => hasFocus(early()),
      () => focus(early()),
    );
    await until(
      () => isFocused('All 319 tests pass.'),
      () => press(workbench.page, 'Alt+Shift+PageDown'),
    );
    await expect.poll(() => view().announcements.textContent(), patiently).toContain('Bookmark: the final numbers');
    await press(workbench.page, 'Alt+Shift+PageUp');
    await expect.poll(() => isFocused('Turn 7:'), patiently).toBe(true);
    await expect.poll(() => view().announcements.textContent(), patiently).toContain('Bookmark: Turn 7:');
    await workbench.picture('previous bookmark');
  });

  it('are removed in the list', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.showBookmarks');
    const row = workbench.quickInput.rows.filter({ hasText: 'Turn 7:' });
    await hover(row);
    await click(row.getByRole('button', { name: 'Remove Bookmark' }));
    await expect.poll(() => row.count(), patiently).toBe(0);
    await expect
      .poll(() => workbench.quickInput.rows.filter({ hasText: 'the final numbers' }).count(), patiently)
      .toBe(1);
    await workbench.quickInput.cancel();
    await expect.poll(() => early().getByRole('img', { name: 'Bookmark' }).count(), patiently).toBe(0);
    await workbench.execute('lineside.toggleBookmark', await messageOf());
    await workbench.start('lineside.showBookmarks');
    await workbench.notified('No bookmarks yet.');
  });

  /** The argument for commands on the bookmarked message. */
  async function messageOf(): Promise<object> {
    await press(view().log, 'End');
    await answer().waitFor();
    const messageId = await answer().getAttribute('data-key');
    return { sessionId: service.sessionIdByName.history, messageId };
  }
});
