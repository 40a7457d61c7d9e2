import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { obtainPackedFolder } from '../../../tools/editor/packedFolder.ts';
import { useJourney } from '../journey/journey.ts';
import { treeRow } from '../journey/pointing.ts';
import { until } from '../journey/until.ts';

const formerNames = await obtainPackedFolder('former-names', join(import.meta.dirname, 'formerNames'));

describe('Lineside next to an extension that uses the former product identifiers', () => {
  // VS Code only renders the running extensions in view, so they open in a tall editor instead of a modal one.
  const journey = useJourney({
    builtInExtensions: 'all',
    besides: [formerNames],
    viewport: { width: 1440, height: 3000 },
    settings: { 'workbench.editor.useModal': 'off' },
  });

  /** Our row in the list of running extensions. */
  const own = () => journey.workbench.page.locator('.runtime-extensions-editor .extension', { hasText: 'Lineside' });

  it('starts without errors or notifications from Lineside', async () => {
    const { workbench } = journey;
    // The list of running extensions isn't updated while it is open, so reopen it.
    await until(
      () =>
        own()
          .getByText(/Activation:/)
          .isVisible(),
      async () => {
        await workbench.execute('workbench.action.closeAllEditors');
        await workbench.execute('workbench.action.showRuntimeExtensions');
      },
    );
    expect(await own().locator('.codicon-bug, .codicon-warning').count()).toBe(0);
    expect(await workbench.page.locator('.notification-list-item').allInnerTexts()).toEqual([]);
    expect(workbench.consoleLines.filter((line) => /lineside.*(error|fail)/i.test(line))).toEqual([]);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('shows the rows of both views', async () => {
    const { workbench } = journey;
    await workbench.runCommand('Lineside: Try the Demo');
    await workbench.focusView('lineside.sessions');
    await treeRow(workbench, 'Edge cases: all types of content').waitFor();
    // When the demo opens its first session, the row of the session is selected, which shows the Sessions view again.
    await treeRow(workbench, 'Reject fruits').and(workbench.page.locator('.selected')).waitFor();
    await workbench.focusView('sessionDeck.sessions');
    await workbench.treeRows('Former Sessions').filter({ hasText: 'Notifications: urgent' }).waitFor();
  });

  it('allows both settings to be changed', async () => {
    const { workbench } = journey;
    await workbench.setSetting('lineside.notifications.whenFinished', 'never');
    await workbench.setSetting('sessionDeck.notifications', 'off');
    await workbench.treeRows('Former Sessions').filter({ hasText: 'Notifications: off' }).waitFor();
  });

  it('runs commands with the same title in the extension of their category', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.sessions');
    const hidden = treeRow(workbench, 'Edge cases: all types of content');
    await workbench.runCommand('Lineside: Filter Sessions...');
    await workbench.quickInput.widget.getByPlaceholder(/^Select states and tags/).waitFor();
    await workbench.quickInput.fill('upgrade');
    await workbench.quickInput.accept();
    await hidden.waitFor({ state: 'hidden' });
    await workbench.runCommand('Former Names: Clear Filter');
    await workbench.notified('Former names: filter cleared');
    await workbench.runCommand('Former Names: Refresh');
    await workbench.notified('Former names: refreshed');
    expect(await hidden.count()).toBe(0);
    await workbench.runCommand('Lineside: Clear Filter');
    await hidden.waitFor();
  });

  it('causes no problems in either extension', async () => {
    const { workbench } = journey;
    const complaints = /already (exists|registered)|cannot register/i;
    expect(workbench.consoleLines.filter((line) => complaints.test(line))).toEqual([]);
    // The list isn't updated while it is open, so this test runs after those that activate both extensions.
    await workbench.runCommand('Developer: Show Running Extensions');
    const running = workbench.page.locator('.runtime-extensions-editor .extension');
    for (const name of ['Lineside', 'former-names']) {
      const extension = running.filter({ hasText: name });
      await extension.getByText(/Activation:/).waitFor();
      expect(await extension.locator('.codicon-bug, .codicon-warning').count()).toBe(0);
    }
  });
});
