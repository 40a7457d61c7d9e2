import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { addSessions, clearNotifications, connect, conversationOf, reloadByCommand } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { treeRow } from '../journey/pointing.ts';
import { patiently } from '../journey/until.ts';

describe('Session settings', () => {
  const service = useService({ patch: 'merge', messages: 1_000 });
  const journey = useJourney();

  /** The rows of the open Quick Pick, each with its label and value, without whitespace. */
  const rows = async () =>
    (await journey.workbench.quickInput.rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ''));
  /**
   * Waits for a row of the open Quick Pick that shows a change. While the Quick Pick is open, tests don't wait for the
   * notification of the change, because a notification that follows others has no toast.
   */
  const rowShown = (start: string) =>
    expect.poll(async () => (await rows()).some((row) => row.startsWith(start)), patiently).toBe(true);
  /** Closes the Quick Pick. Do this before `notified`, which can open the notification list and so close the picker. */
  const leavePick = async () => {
    const { quickInput } = journey.workbench;
    // After a change, the previous Quick Pick is shown again. Escape has no effect before that.
    await quickInput.widget.getByPlaceholder(/^Select a (setting|tag) to change/).waitFor();
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
  };
  const typeAndPick = async (text: string) => {
    const { quickInput } = journey.workbench;
    // A Quick Pick that is about to close also accepts text, so wait for the right one.
    await quickInput.widget.getByPlaceholder(/, or enter /).waitFor();
    await quickInput.fill(text);
    await quickInput.pick(text);
  };

  it('are shown with the values from the service', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    await workbench.start('lineside.editSettings');
    await workbench.quickInput.rows.filter({ hasText: 'Run in Worktree' }).waitFor();
    const shown = async () => (await rows()).slice(0, 9);
    await expect
      .poll(shown, patiently)
      .toEqual([
        'Modelsonnet-large',
        'SpecModeModelopus-planner',
        'CompactionModelCurrentModel',
        'CompactionThresholdCheckOn',
        'RuninWorktreeOff',
        'EnabledToolsread_file,edit_file,grep,run_tests',
        'DisabledToolsweb_search',
        'Tagsbug,auth',
        'ArchivedNo',
      ]);
  });

  it('are sent one at a time to a service that merges them, and Back returns to the list', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await quickInput.pick('Model');
    await typeAndPick('haiku-small');
    await rowShown('Modelhaiku-small');
    await conversationOf(workbench).button('Model: haiku-small').waitFor();
    await quickInput.pick('Spec Mode Model');
    await quickInput.pick('haiku-small');
    await rowShown('SpecModeModelhaiku-small');
    await quickInput.pick('Run in Worktree');
    await click(quickInput.widget.getByRole('button', { name: 'Back' }));
    await quickInput.pick('Disabled Tools');
    await quickInput.toggle('grep');
    await quickInput.accept();
    await rowShown('DisabledToolsweb_search,grep');
    await leavePick();
    for (const change of ['Model is now haiku-small.', 'Disabled Tools: web_search, grep.']) {
      await workbench.notified(change);
    }
    expect(service.patches()).toEqual([
      { sessionSettings: { model: 'haiku-small' } },
      { sessionSettings: { specModeModel: 'haiku-small' } },
      { sessionSettings: { disabledToolIds: ['web_search', 'grep'] } },
    ]);
    await clearNotifications(workbench);
  });

  it('show that a change was rejected by the service, without retrying it', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const before = service.patches().length;
    service.wire.addFault({ method: 'PATCH', fault: { kind: 'answer', status: 500, body: '{"detail":"no"}' } });
    await workbench.start('lineside.editSettings');
    await quickInput.pick('Run in Worktree');
    await quickInput.pick('On');
    await leavePick();
    await workbench.notified('The service responded: no.');
    await workbench.notified("The change wasn't applied: Run in Worktree is Off.");
    expect(service.patches().length).toBe(before + 1);
    service.wire.clearFaults();
    await clearNotifications(workbench);
  });

  it('preserve the metadata of tags', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.start('lineside.editTags');
    await quickInput.pick('bug');
    await quickInput.pick('Rename...');
    await quickInput.enter('defect', 'Enter the new name of the tag');
    await rowShown('defect');
    await quickInput.pick('Add Tag...');
    await typeAndPick('urgent');
    await rowShown('urgent');
    await quickInput.pick('auth');
    await quickInput.pick('Remove');
    await leavePick();
    await workbench.notified('Tags: defect, urgent.');
    expect(service.patches().at(-1)).toEqual({
      sessionSettings: {
        tags: [{ name: 'defect', metadata: { color: '#d73a4a', priority: 'high' } }, { name: 'urgent' }],
      },
    });
    await clearNotifications(workbench);
  });

  it('can archive and unarchive a session', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.sessions');
    await workbench.start('lineside.archiveSession');
    await workbench.notified('is archived.');
    await treeRow(workbench, 'Archived').waitFor();
    await workbench.answerNotification('is archived.', 'Undo');
    // VS Code doesn't show a toast right after a button in another toast is clicked, so use the notification list.
    await workbench.execute('notifications.showList');
    await workbench.notified('is no longer archived.');
    await treeRow(workbench, 'Archived').waitFor({ state: 'detached' });
    expect(service.patches().at(-1)).toEqual({ sessionSettings: { archivedAt: '' } });
    await clearNotifications(workbench);
  });

  it('that the service resets by replacing all of them can be restored and are not reset again', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await service.restart({ patch: 'replace', token: service.token });
    await workbench.start('lineside.editSettings');
    await quickInput.pick('Model');
    await typeAndPick('haiku-small');
    await leavePick();
    const reset = 'The service also reset these settings:';
    // The toast can hide after it has been found.
    const told = async () => (await workbench.notified(reset)).innerText({ timeout: 5_000 });
    for (const name of ['Spec Mode Model', 'Tags', 'Enabled Tools']) {
      await expect.poll(told, patiently).toContain(name);
    }
    expect(service.patches().at(-1)).toEqual({ sessionSettings: { model: 'haiku-small' } });
    await workbench.answerNotification(reset, 'Restore');
    await workbench.notified(/Changed \d+ settings: .*Tags/);
    await workbench.start('lineside.editSettings');
    // The state from before the restart is newer, so the restarted service seems to respond from an older copy.
    await expect
      .poll(async () => (await rows()).slice(0, 2), patiently)
      .toEqual(['Modelhaiku-small', 'SpecModeModelhaiku-small']);
    await quickInput.pick('Run in Worktree');
    await quickInput.pick('On');
    await leavePick();
    await workbench.notified(/^Run in Worktree is now On\.$/);
    expect(service.patches().at(-1)).toMatchObject({ sessionSettings: { runInWorktree: true, model: 'haiku-small' } });
    await clearNotifications(workbench);
  });

  it('include token usage by counter, child session, and turn, also after a reload', async () => {
    const { workbench } = journey;
    await workbench.runCommand('Lineside: Show Token Usage');
    const page = workbench.webview({ place: 'editor' });
    const counters = page.getByRole('region', { name: 'Counters' });
    await counters.getByRole('row', { name: /^Cache read 318,400/ }).waitFor();
    await page.getByRole('region', { name: 'Child sessions' }).getByRole('row').nth(2).waitFor();
    const before = service.posts().length;
    await conversationOf(workbench).say('What does a turn cost?');
    await expect.poll(() => service.posts().length, patiently).toBe(before + 1);
    await page
      .getByRole('region', { name: /^Turns/ })
      .getByRole('row')
      .nth(1)
      .waitFor();
    await reloadByCommand(workbench);
    await page
      .getByRole('region', { name: /^Turns/ })
      .getByRole('row')
      .nth(1)
      .waitFor();
  });

  it('leave an existing file unchanged if their export is canceled', async () => {
    const { workbench, folder } = journey;
    const sessionId = service.sessionIdByName.history;
    const file = join(folder, 'history.jsonl');
    await writeFile(file, 'from an earlier time');
    await addSessions(workbench, sessionId);
    await conversationOf(workbench)
      .article(/Turn \d+:/)
      .first()
      .waitFor();
    service.wire.addFault({
      method: 'GET',
      path: /\/messages$/,
      fault: { kind: 'delay', when: 'before', delayMs: 2_000 },
    });
    const exported = workbench.execute('lineside.exportConversation', { sessionId, uri: pathToFileURL(file).href });
    await workbench.answerNotification('Loading older messages', 'Cancel');
    expect(await exported).toBeUndefined();
    service.wire.clearFaults();
    expect(await readFile(file, 'utf8')).toBe('from an earlier time');
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
    expect(await workbench.notification('nothing was exported').count()).toBe(0);
  });

  it('are exported to a file together with all 1,000 messages', async () => {
    const { workbench, folder } = journey;
    const sessionId = service.sessionIdByName.history;
    await addSessions(workbench, sessionId);
    const uri = pathToFileURL(join(folder, 'history.jsonl')).href;
    await workbench.execute('lineside.exportConversation', { sessionId, format: 'jsonl', uri });
    const lines = (await readFile(join(folder, 'history.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(1_001);
    const ids = lines.slice(1).map((line) => (JSON.parse(line) as { id: string }).id);
    expect(new Set(ids).size).toBe(1_000);
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
    await workbench.notified('Exported 1,000 messages to history.jsonl.');
  });
});
