import { describe, expect, it } from 'vitest';
import { click, focus, press, pressAll } from '../../../tools/editor/drive/act.ts';
import { addSessions, connect, conversationOf, openFile } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { treeRow } from '../journey/pointing.ts';
import { useService } from '../journey/recordedService.ts';
import { hasFocus, patiently, until } from '../journey/until.ts';

describe('with the keyboard alone', () => {
  const service = useService();
  const journey = useJourney();
  const view = () => conversationOf(journey.workbench);
  const pressKey = (key: string) => press(journey.workbench.page, key);
  const help = () =>
    journey.workbench.page.locator('.part.editor .editor-instance[aria-label^="Accessibility Help.md"]');
  const helpText = async () => (await help().locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');

  it('the rows of the Sessions view say all that they show', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    const { login, failed } = service.sessionIdByName;
    await workbench.focusView('lineside.sessions');
    await addSessions(workbench, `${login}, ${failed}`);
    await treeRow(workbench, 'Edge cases: all types of content').waitFor();
    // Two sections: the failed session needs the user once its newest messages were read.
    await expect.poll(() => workbench.treeRows('Sessions').count(), patiently).toBe(4);
    await view().article('The states of a session').waitFor();
    const tree = workbench.page.locator('[role="tree"][aria-label="Sessions"]');
    await tree.locator('[aria-selected="true"]').waitFor();
    // Ages and the sections of days depend on when the test runs.
    const snapshot = async () =>
      (await tree.ariaSnapshot())
        .replaceAll(/(?:\bnow|\d+ (?:min|hrs?|days?))\b/g, '<age>')
        .replaceAll(/\b(?:Today|Yesterday)\b/g, '<day>');
    await workbench.picture('accessible tree');
    await expect(await snapshot()).toMatchFileSnapshot('../snapshots/sessions.yml');
  });

  it('Alt+F1 opens help with the key bindings that VS Code has', async () => {
    const { workbench } = journey;
    await click(treeRow(workbench, 'Edge cases: all types of content'));
    await pressKey('Alt+F1');
    await help().waitFor();
    await expect.poll(helpText, patiently).toContain('Next Code Block:');
    expect(await helpText()).toContain('Next Code Block: Ctrl+Alt+Page Down');
    await workbench.picture('accessibility help');
  });

  it('keys jump through the conversation and announce where they go', async () => {
    await focus(view().log);
    // The keys work as soon as VS Code knows that the conversation has the focus.
    const announced = view().announcements.filter({ hasText: 'Code block: ' });
    await until(
      async () => (await announced.count()) > 0,
      () => pressKey('Control+Alt+PageUp'),
    );
    await expect.poll(() => view().log.locator('pre:focus').count(), patiently).toBe(1);
    await journey.workbench.picture('announced jump');
  });

  it('keys lead to the composer from the list and from an editor', async () => {
    const { workbench } = journey;
    await press(view().log, 'Control+ArrowDown');
    await expect.poll(() => hasFocus(view().composer), patiently).toBe(true);
    await openFile(workbench, 'src/basket.ts');
    await pressAll(workbench.editorInput, 'Control+K', 'l');
    await expect.poll(() => hasFocus(view().composer), patiently).toBe(true);
  });
});
